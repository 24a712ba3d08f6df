// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that users name as outputs.
//!
//! A regular file is written under a temporary name in the same folder and then renamed, so that it appears complete or
//! not at all. The same is true of a set of files ([`commit_all`]) and of a folder ([`folder`]). Any other output (a device,
//! a FIFO, `/dev/fd/N`) is written directly, and `-` is the standard output.

pub mod folder;
pub mod manifest;

use crate::error::Usage;
use crate::interrupt::{Listed, listed, listed_folder, uninterrupted};
use anyhow::{Context, Result, anyhow, bail};
use rustix::fs::Access;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The name of the standard output, or of the standard input.
pub const STANDARD: &str = "-";
/// Size of the write buffer in octets.
const BUFFER: usize = 1 << 16;
/// Most links in a chain; a longer chain counts as a loop, as in the kernel.
const MOST_LINKS: usize = 40;
/// Read and write permission for all; the umask of the user removes some of it.
const NEW_FILE_MODE: u32 = 0o666;

/// An output. A regular file appears under its name only when it is committed; if it is dropped before, nothing is
/// left.
pub struct OutputFile {
    path: PathBuf,
    writer: BufWriter<Sink>,
}

/// The destination of the octets.
enum Sink {
    /// A file under its temporary name.
    Beside(Box<Beside>),
    /// A device, a pipe, a FIFO.
    Direct(File),
    /// The standard output.
    Standard,
    /// A pipe that its reader has closed.
    Closed,
}

/// A file that does not have its final name yet.
struct Beside {
    file: File,
    temporary: tempfile::TempPath,
    place: PathBuf,
    /// The temporary file.
    before: Option<Metadata>,
    _listed: Listed,
}

impl OutputFile {
    /// Opens the output: a regular file in the folder of `path`, which must exist and be writable. A link is followed.
    ///
    /// # Errors
    /// If it is not writable; the message names it.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let sink = sink(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(OutputFile { path, writer: BufWriter::with_capacity(BUFFER, sink) })
    }

    /// Its name from the user.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// See [`commit_all`].
    pub fn commit(self) -> Result<()> {
        commit_all([self])
    }

    /// Writes the rest of the buffer. Returns the file that needs its final name, if the output is a regular file.
    fn finish(mut self) -> Result<Option<(PathBuf, Box<Beside>)>> {
        self.flush()?;
        let sink = self.writer.into_inner().map_err(|error| named(&self.path, error.into_error()))?;
        Ok(match sink {
            Sink::Beside(beside) => Some((self.path, beside)),
            Sink::Direct(_) | Sink::Standard | Sink::Closed => None,
        })
    }
}

impl Write for OutputFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.writer.write(octets).map_err(|error| named(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| named(&self.path, error))
    }
}

/// The error with the name of the file.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}

impl Write for Sink {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = match self {
            Sink::Beside(beside) => return beside.file.write(octets),
            Sink::Direct(file) => file.write(octets),
            Sink::Standard => io::stdout().lock().write(octets),
            Sink::Closed => Ok(octets.len()),
        };
        self.unless_closed(written, octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match self {
            Sink::Standard => io::stdout().lock().flush(),
            Sink::Direct(file) => file.flush(),
            Sink::Beside(_) | Sink::Closed => Ok(()),
        };
        self.unless_closed(flushed, ())
    }
}

impl Sink {
    /// A reader that closes the pipe is not a failure of the run.
    fn unless_closed<T>(&mut self, outcome: io::Result<T>, otherwise: T) -> io::Result<T> {
        match outcome {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                *self = Sink::Closed;
                Ok(otherwise)
            }
            outcome => outcome,
        }
    }
}

fn sink(path: &Path) -> Result<Sink> {
    if path.as_os_str() == STANDARD {
        return Ok(Sink::Standard);
    }
    let place = follow(path)?;
    let before = match std::fs::metadata(&place) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(metadata) = &before {
        if metadata.is_dir() {
            bail!("it is a folder, expected a file");
        }
        if !metadata.is_file() || names_a_descriptor(&place) {
            // Two descriptors of one file append; they do not overwrite each other.
            return Ok(Sink::Direct(OpenOptions::new().append(true).open(&place)?));
        }
        // A rename would replace it, but its owner has made it read-only.
        rustix::fs::access(&place, Access::WRITE_OK).map_err(io::Error::from)?;
    }
    let folder = parent(&place);
    let make = || {
        let named = tempfile::Builder::new()
            .prefix(".tidegate-")
            .permissions(std::fs::Permissions::from_mode(NEW_FILE_MODE))
            .tempfile_in(folder)?;
        Ok((named.path().to_path_buf(), named))
    };
    let (listed, named) =
        listed(make).with_context(|| format!("cannot make a file in {}", folder.display())).map_err(|error| {
            match std::fs::metadata(folder) {
                Err(_) => anyhow!("there is no folder {}: make it first", folder.display()),
                Ok(_) => error,
            }
        })?;
    let (file, temporary) = named.into_parts();
    Ok(Sink::Beside(Box::new(Beside { file, temporary, place, before, _listed: listed })))
}

/// The folder of a file.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path names a file that this process has already open.
fn names_a_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc"].iter().any(|place| path.starts_with(place))
}

/// The target of a chain of links; it may not exist.
fn follow(path: &Path) -> Result<PathBuf> {
    let mut place = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match std::fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_symlink() && !names_a_descriptor(&place) => {
                let to = std::fs::read_link(&place)?;
                place = parent(&place).join(to);
            }
            Ok(_) => return Ok(place),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(place),
            Err(error) => return Err(error.into()),
        }
    }
    bail!("its links lead in a circle")
}

/// Gives a set of files their final names: all of them, or none. All are written completely before, so that on a full
/// disk none appears.
///
/// # Errors
/// If a file is not writable or does not get its name; then the earlier files are restored.
pub fn commit_all(files: impl IntoIterator<Item = OutputFile>) -> Result<()> {
    commit_all_and(files, || Ok(()))
}

/// The same, and something else after them, which puts all in its place, or nothing.
fn commit_all_and(files: impl IntoIterator<Item = OutputFile>, last: impl FnOnce() -> Result<()>) -> Result<()> {
    let finished = files.into_iter().map(OutputFile::finish).collect::<Result<Vec<_>>>()?;
    let mut placed = Vec::new();
    let mut failure = None;
    uninterrupted(|| {
        for (path, beside) in finished.into_iter().flatten() {
            match beside.place() {
                Ok(done) => placed.push(done),
                Err(error) => {
                    failure = Some(error.context(format!("cannot write {}", path.display())));
                    break;
                }
            }
        }
        if failure.is_none() {
            failure = last().err();
        }
        if failure.is_some() {
            placed.iter().rev().for_each(Placed::undo);
        }
        placed.iter().for_each(Placed::forget_backup);
    });
    failure.map_or(Ok(()), Err)
}

/// A file with its final name.
struct Placed {
    place: PathBuf,
    /// The earlier file, under another name; `None` if there was none.
    backup: Option<PathBuf>,
    had_one: bool,
    _listed: Listed,
}

impl Beside {
    fn place(self) -> Result<Placed> {
        let Beside { file, temporary, place, before, _listed } = self;
        if let Some(before) = &before {
            // Only root can keep the owner, and not on every file system; the mode is always kept.
            let _ = std::os::unix::fs::fchown(&file, Some(before.uid()), Some(before.gid()));
            file.set_permissions(std::fs::Permissions::from_mode(before.mode() & 0o7777))?;
        }
        drop(file);
        let backup = before.is_some().then(|| {
            let name = temporary.file_name().expect("a temporary file has a name").to_string_lossy().into_owned();
            place.with_file_name(name + "-before")
        });
        // Not every file system has hard links. Without them a replaced file is not restored.
        let backup = backup.filter(|backup| std::fs::hard_link(&place, backup).is_ok());
        if let Err(error) = temporary.persist(&place) {
            backup.as_ref().map(std::fs::remove_file);
            return Err(error.error.into());
        }
        Ok(Placed { place, backup, had_one: before.is_some(), _listed })
    }
}

impl Placed {
    fn undo(&self) {
        match &self.backup {
            Some(backup) => drop(std::fs::rename(backup, &self.place)),
            None if !self.had_one => drop(std::fs::remove_file(&self.place)),
            None => {}
        }
    }

    fn forget_backup(&self) {
        self.backup.as_ref().map(std::fs::remove_file);
    }
}

/// Writes a whole file at once, or nothing.
pub fn write_file(path: impl Into<PathBuf>, contents: impl AsRef<[u8]>) -> Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// Makes a folder and the folders above it.
pub fn create_folder(path: &Path) -> Result<()> {
    OutputFolder::create(path).map(OutputFolder::keep)
}

/// A folder for outputs. If it did not exist, it is removed again unless [`OutputFolder::keep`] is called, so that a
/// later failure leaves no empty folder.
pub struct OutputFolder {
    /// The folders that were made, the innermost first.
    made: Vec<(PathBuf, Listed)>,
}

impl OutputFolder {
    /// Makes a folder, and the folders above it that do not exist.
    ///
    /// # Errors
    /// If there is a file with its name, or the folder is not made; the message names it.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let mut missing: Vec<&Path> = Vec::new();
        for folder in path.ancestors().take_while(|folder| !folder.as_os_str().is_empty()) {
            match std::fs::metadata(folder) {
                Ok(metadata) if metadata.is_dir() => break,
                Ok(_) => bail!("cannot make the folder {}: {} is a file", path.display(), folder.display()),
                // With `FILE/below`, the path above turns out to be a file.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    missing.push(folder)
                }
                Err(error) => return Err(error).with_context(|| format!("cannot make the folder {}", path.display())),
            }
        }
        let mut folder = OutputFolder { made: Vec::new() };
        for missing in missing.into_iter().rev() {
            match listed_folder(missing) {
                Ok(listed) => folder.made.insert(0, (missing.to_path_buf(), listed)),
                // Another process has made it.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && missing.is_dir() => {}
                Err(error) => return Err(error).with_context(|| format!("cannot make the folder {}", path.display())),
            }
        }
        Ok(folder)
    }

    /// The folder stays.
    pub fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        // Only empty folders are removed.
        self.made.iter().for_each(|(folder, _)| drop(std::fs::remove_dir(folder)));
    }
}

/// The file that a path names.
#[derive(PartialEq, Eq)]
enum Identity {
    StandardOutput,
    /// Device and number of an existing file.
    There(u64, u64),
    /// Folder and name of a file that does not exist yet.
    New(PathBuf, std::ffi::OsString),
}

/// `None` for a file that may be named twice: a terminal, `/dev/null`, standard input.
fn identity(path: &Path, output: bool) -> Option<Identity> {
    if path.as_os_str() == STANDARD {
        return output.then_some(Identity::StandardOutput);
    }
    let place = follow(path).ok()?;
    match std::fs::metadata(&place) {
        Ok(metadata) if metadata.file_type().is_char_device() => None,
        Ok(metadata) => Some(Identity::There(metadata.dev(), metadata.ino())),
        Err(_) => Some(Identity::New(parent(&place).canonicalize().ok()?, place.file_name()?.to_os_string())),
    }
}

/// An option, and the file that it names, if it was given.
pub(crate) type Named<'a> = (&'static str, Option<&'a Path>);

/// Refuses two outputs to the same file, and an output to the file of an input.
///
/// # Errors
/// [`Usage`], with both options.
pub fn refuse_collisions(inputs: &[Named], outputs: &[Named]) -> Result<()> {
    let known = |files: &[Named], output| -> Vec<_> {
        let given = files.iter().filter_map(|&(option, path)| Some((option, path?.to_path_buf())));
        given.map(|(option, path)| (option, identity(&path, output), path)).collect()
    };
    let (inputs, outputs) = (known(inputs, false), known(outputs, true));
    for (index, (option, place, path)) in outputs.iter().enumerate() {
        let same = |(_, other, _): &&(&str, Option<Identity>, PathBuf)| place.is_some() && other == place;
        let path = path.display();
        if let Some((other, ..)) = outputs[..index].iter().find(same) {
            return Err(Usage(format!("{other} and {option} both write to {path}: expected two places")).into());
        }
        if let Some((other, ..)) = inputs.iter().find(same) {
            return Err(
                Usage(format!("{option} would overwrite {path}, which {other} reads: expected another place")).into()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
