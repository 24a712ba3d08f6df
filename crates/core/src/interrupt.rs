// SPDX-License-Identifier: MIT OR Apache-2.0
//! Removes temporary files and ends outside programs when a signal ends this process. Unfinished files and folders, and
//! running programs, are listed here. On SIGINT, SIGTERM or SIGHUP a thread ends the programs, removes the files, and
//! then lets the signal end the process, so that a shell sees the signal.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An item to remove or to end.
enum Entry {
    /// A file, or a folder with its contents.
    Path(PathBuf),
    /// A folder, removed if it is empty.
    Folder(PathBuf),
    /// A program, the leader of its own process group.
    Program(rustix::process::Pid),
}

struct List {
    entries: BTreeMap<u64, Entry>,
    next: u64,
}

static LIST: Mutex<List> = Mutex::new(List { entries: BTreeMap::new(), next: 0 });

/// Locked by work that a signal must not interrupt.
static WHOLE: Mutex<()> = Mutex::new(());

fn list() -> MutexGuard<'static, List> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts to wait for signals. A signal that is ignored (`nohup`, a background job of a script) stays ignored.
pub fn install() -> io::Result<()> {
    let ignored = ignored_signals();
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(handled)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            clean_up();
            // Ends the process.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// The signals that this process ignores, one bit each, from bit 0 for signal 1.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends every listed program and removes every listed path. After this, no item can be added.
fn clean_up() {
    let whole = WHOLE.lock().unwrap_or_else(PoisonError::into_inner);
    let list = list();
    for entry in list.entries.values() {
        if let Entry::Program(group) = entry {
            let _ = rustix::process::kill_process_group(*group, rustix::process::Signal::KILL);
        }
    }
    for entry in list.entries.values() {
        if let Entry::Path(path) = entry {
            remove(path);
        }
    }
    // The innermost folder was made last.
    for entry in list.entries.values().rev() {
        if let Entry::Folder(path) = entry {
            let _ = std::fs::remove_dir(path);
        }
    }
    std::mem::forget((whole, list));
}

/// Removes a folder, with retries: a program that was killed may still write a file into it, and another thread may
/// remove the same folder, so that a file in it is already gone.
fn remove(path: &Path) {
    for _ in 0..20 {
        let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        if removed.is_ok() || path.symlink_metadata().is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An item of the list, until this is dropped.
#[derive(Debug)]
pub(crate) struct Listed(u64);

impl Listed {
    fn new(list: &mut List, entry: Entry) -> Listed {
        let key = list.next;
        list.next += 1;
        list.entries.insert(key, entry);
        Listed(key)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        list().entries.remove(&self.0);
    }
}

/// Makes a temporary file or folder and adds it to the list; no signal is handled in between. Returns it with its path.
pub(crate) fn listed<T>(make: impl FnOnce() -> io::Result<(PathBuf, T)>) -> io::Result<(Listed, T)> {
    let mut list = list();
    let (path, made) = make()?;
    Ok((Listed::new(&mut list, Entry::Path(path)), made))
}

/// Makes a folder and adds it to the list: a signal removes it if it is empty.
pub(crate) fn listed_folder(path: &Path) -> io::Result<Listed> {
    let mut list = list();
    std::fs::create_dir(path)?;
    Ok(Listed::new(&mut list, Entry::Folder(path.to_path_buf())))
}

/// Does work that a signal must not interrupt, for example to put a set of files in place: the signal waits.
pub(crate) fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _whole = WHOLE.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// A temporary folder. It is removed when this is dropped, and when a signal ends the process.
pub struct Scratch {
    folder: tempfile::TempDir,
    _listed: Listed,
}

impl Scratch {
    /// Makes the folder `tidegate-PURPOSE-…` in the temporary folder of the system.
    pub fn new(purpose: &str) -> io::Result<Scratch> {
        let (listed, folder) = listed(|| {
            let folder = tempfile::Builder::new().prefix(&format!("tidegate-{purpose}-")).tempdir()?;
            Ok((folder.path().to_path_buf(), folder))
        })?;
        Ok(Scratch { folder, _listed: listed })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A running outside program. A signal that ends this process also ends it, with the programs that it has started.
pub struct Running {
    /// The process.
    pub child: Child,
    _listed: Listed,
}

/// Starts a program as the leader of its own process group, so it must not read from the terminal.
pub fn spawn(command: &mut Command) -> io::Result<Running> {
    let mut list = list();
    let child = command.process_group(0).spawn()?;
    let group = rustix::process::Pid::from_child(&child);
    Ok(Running { child, _listed: Listed::new(&mut list, Entry::Program(group)) })
}

/// Runs a program to its end, with an empty standard input, and returns its output.
pub fn output(command: &mut Command) -> io::Result<Output> {
    let Running { child, _listed } = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    child.wait_with_output()
}
