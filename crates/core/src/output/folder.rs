// SPDX-License-Identifier: MIT OR Apache-2.0
//! A folder as one result: what a verb writes into it appears as a whole, and replaces what an earlier run wrote there.
//!
//! The list of the files is in the folder ([`MANIFEST`]); what is not in it belongs to others and is never removed. The new
//! result is made in a temporary folder beside the old one, with a hard link to each file of others, and then the two
//! exchange their names by one system call (`renameat2` with `RENAME_EXCHANGE`). So the folder is wholly old or wholly new
//! whenever the process ends.
//!
//! Some folders keep their place, and their files are exchanged one by one: the current folder and those around it, because
//! a shell is in it; a mount point; a folder that had files of others from the start; a file system that cannot exchange
//! two folders or link a file, or a folder above that is not writable. There, a failure and a signal leave the old result
//! whole, but SIGKILL may leave files of both. The list says so (`"complete": false`), and the next result replaces all.

use super::manifest::{JOURNAL, MANIFEST, Manifest};
use super::{OutputFile, OutputFolder, Sink, commit_all_and, parent};
use crate::error::Usage;
use crate::interrupt::{Listed, listed};
use anyhow::{Context, Result, anyhow, bail};
use rustix::fs::{Access, AtFlags, CWD, RenameFlags, StatxAttributes, StatxFlags, XattrFlags};
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, FileType, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// How the names of temporary files and folders begin.
const TEMPORARY: &str = ".tidegate-";
/// In the temporary folder: the result, and after the exchange what was there before.
const RESULT: &str = "new";
/// In the temporary folder: files that are replaced one by one.
const BEFORE: &str = "before";
/// In the temporary folder: a file with the name of the folder that it is for, locked while its process runs.
const FOR: &str = "for";
/// In the temporary folder: an empty file, there from the exchange on.
const EXCHANGED: &str = "exchanged";
/// Most names of others in a message.
const MOST_NAMED: usize = 3;

/// Who writes into a folder.
#[derive(Clone, Copy)]
pub struct Claim {
    /// The verb.
    pub verb: &'static str,
    /// The verbs whose files stay beside those of this one.
    pub keeps: &'static [&'static str],
    /// Whether the user lets it write beside files of others, and over them.
    pub force: bool,
}

/// A result on its way into a folder. If it is dropped before it is committed, nothing is left of it.
pub struct ResultFolder {
    /// The folder as the user names it.
    shown: PathBuf,
    /// The folder itself, without links.
    place: PathBuf,
    claim: Claim,
    /// The files, by their paths in the folder.
    names: BTreeSet<String>,
    stage: Stage,
    /// Folders above, which were made for it.
    above: OutputFolder,
    /// Whether the folder keeps its place.
    stays: bool,
    /// Whether it had files of others from the start.
    shared: bool,
}

/// The temporary folder.
struct Stage {
    folder: tempfile::TempDir,
    _lock: File,
    _listed: Listed,
}

/// What a folder has before.
struct Before {
    exists: bool,
    manifest: Option<Manifest>,
    shared: bool,
}

impl ResultFolder {
    /// Begins a result for a folder, which need not exist, and clears away what a killed run has left.
    ///
    /// # Errors
    /// [`Usage`] if it has files of others or journals; it is not writable. The message names it.
    pub fn open(folder: &Path, claim: Claim) -> Result<ResultFolder> {
        let (place, above) = place(folder)?;
        let before = Before::of(folder, &place, claim)?;
        let cannot = || format!("cannot write into the folder {}", folder.display());
        if before.exists {
            rustix::fs::access(&place, Access::WRITE_OK | Access::EXEC_OK)
                .map_err(io::Error::from)
                .with_context(cannot)?;
        }
        let turn = turn(&place);
        clear_away(parent(&place), &place, turn.is_some());
        clear_away(&place, &place, false);
        let in_it = std::env::current_dir().is_ok_and(|here| here.starts_with(&place));
        let mut stays = before.exists && (before.shared || in_it || is_mount_point(&place));
        let mut stage = Stage::new(if stays { &place } else { parent(&place) }, &place);
        if stage.is_err() && before.exists && !stays {
            stays = true;
            stage = Stage::new(&place, &place);
        }
        let stage = stage.with_context(cannot)?;
        Ok(ResultFolder {
            shown: folder.to_path_buf(),
            place,
            claim,
            names: BTreeSet::new(),
            stage,
            above,
            stays,
            shared: before.shared,
        })
    }

    /// Begins a file of the result. It needs no commit of its own.
    ///
    /// # Errors
    /// It is not writable.
    pub fn file(&mut self, name: impl AsRef<Path>) -> Result<OutputFile> {
        let name = name.as_ref();
        let (path, place) = (self.shown.join(name), self.stage.result().join(name));
        let make = || {
            fs::create_dir_all(parent(&place))?;
            File::create_new(&place)
        };
        let file = make().with_context(|| format!("cannot write {}", path.display()))?;
        let text = name.to_str().with_context(|| format!("{}: expected a name in UTF-8", path.display()))?;
        self.names.insert(text.to_string());
        Ok(OutputFile { path, writer: BufWriter::with_capacity(super::BUFFER, Sink::Direct(file)) })
    }

    /// Writes a whole file of the result.
    ///
    /// # Errors
    /// It is not written.
    pub fn write(&mut self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<()> {
        let mut file = self.file(name)?;
        file.write_all(contents.as_ref())?;
        file.commit()
    }

    /// Whether it has no file yet.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether the folder has a result of this verb.
    pub fn has_earlier(&self) -> bool {
        let manifest = Manifest::read(&self.place).ok().flatten();
        manifest.is_some_and(|manifest| manifest.results.contains_key(self.claim.verb))
    }

    /// Puts the result into its place.
    ///
    /// # Errors
    /// A file has the name of a file of others ([`Usage`]); it does not get its place. Then all is as before.
    pub fn commit(self) -> Result<()> {
        self.commit_with([])
    }

    /// Puts the result into its place, and files beside it: all of them, or nothing.
    ///
    /// # Errors
    /// See [`commit`](Self::commit).
    pub fn commit_with(self, files: impl IntoIterator<Item = OutputFile>) -> Result<()> {
        commit_all_and(files, || self.put())
    }

    fn put(self) -> Result<()> {
        let _turn = turn(&self.place);
        let cannot = || format!("cannot write the folder {}", self.shown.display());
        let result = self.stage.result();
        // Files that have come since it was opened stay, whoever wrote them.
        let mut before = Before::of(&self.shown, &self.place, Claim { force: true, ..self.claim })?;
        before.shared = self.shared || before.manifest.as_ref().is_some_and(|manifest| manifest.shared);
        let (manifest, gone) = self.lists(&before);
        fs::write(result.join(MANIFEST), manifest.text()).with_context(cannot)?;
        if !before.exists {
            rustix::fs::renameat_with(CWD, &result, CWD, &self.place, RenameFlags::NOREPLACE)
                .or_else(|_| rustix::fs::rename(&result, &self.place))
                .map_err(io::Error::from)
                .with_context(cannot)?;
            self.above.keep();
            return Ok(());
        }
        self.refuse_collisions(&before)?;
        let exchanged = !self.stays
            && self.carry_over(&before, &gone).with_context(cannot)?
            && self.exchange().with_context(cannot)?;
        if exchanged {
            discard(&result, &self.place, &gone);
        } else {
            self.replace_files(&before, manifest, &gone).with_context(cannot)?;
        }
        self.stage.end();
        Ok(())
    }

    /// The new list, and the files that go.
    fn lists(&self, before: &Before) -> (Manifest, BTreeSet<PathBuf>) {
        let mut manifest = Manifest::new(before.shared);
        let mut gone = BTreeSet::new();
        for (verb, files) in before.manifest.iter().flat_map(|manifest| &manifest.results) {
            if self.claim.keeps.contains(&verb.as_str()) {
                // A journal is registered before its file is there.
                let stay = |name: &&String| {
                    let is_there = verb == JOURNAL || self.place.join(name).symlink_metadata().is_ok();
                    is_there && !self.names.contains(*name)
                };
                manifest.results.insert(verb.clone(), files.iter().filter(stay).cloned().collect());
            } else {
                gone.extend(files.iter().map(PathBuf::from));
            }
        }
        manifest.results.insert(self.claim.verb.into(), self.names.clone());
        gone.extend(self.names.iter().map(PathBuf::from));
        (manifest, gone)
    }

    /// Refuses files of others that are where files of the result will be.
    fn refuse_collisions(&self, before: &Before) -> Result<()> {
        let ours: BTreeSet<PathBuf> = before.manifest.iter().flat_map(Manifest::files).collect();
        let is_folder = |path: &Path| self.place.join(path).symlink_metadata().ok().map(|there| there.is_dir());
        for name in self.names.iter().map(Path::new) {
            let shown = self.shown.join(name);
            for above in name.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
                if is_folder(above) == Some(false) && !ours.contains(above) {
                    let other = self.shown.join(above);
                    let reason = "is no folder, and not of tidegate: move it away, or take another folder";
                    return Err(Usage(format!("cannot write {}: {} {reason}", shown.display(), other.display())).into());
                }
            }
            let inside = || walk(&self.place.join(name)).unwrap_or_default();
            match is_folder(name) {
                Some(true)
                    if inside().iter().any(|(below, kind)| !kind.is_dir() && !ours.contains(&name.join(below))) =>
                {
                    let reason = "it is a folder with files of others: move it away, or take another folder";
                    return Err(Usage(format!("cannot write {}: {reason}", shown.display())).into());
                }
                Some(false) if !ours.contains(name) && !self.claim.force => {
                    let reason =
                        "tidegate did not write the file that is there: move it away, or replace it with --force";
                    return Err(Usage(format!("cannot write {}: {reason}", shown.display())).into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Gives the result what stays of the folder: hard links to files, and folders with the same rights. Returns whether
    /// all of it is there; if not, the folder has something that cannot be linked.
    fn carry_over(&self, before: &Before, gone: &BTreeSet<PathBuf>) -> io::Result<bool> {
        let result = self.stage.result();
        let ours = before.manifest.iter().flat_map(Manifest::files);
        let our_folders: BTreeSet<PathBuf> =
            ours.flat_map(|name| name.ancestors().skip(1).map(Path::to_path_buf).collect::<Vec<_>>()).collect();
        let found = match walk(&self.place) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(false),
            found => found?,
        };
        // Folders that may not be written get their rights when all is in them.
        let mut rights = vec![(self.place.clone(), result.clone())];
        for (name, kind) in found {
            let (from, to) = (self.place.join(&name), result.join(&name));
            if kind.is_dir() {
                if is_mount_point(&from) {
                    return Ok(false);
                }
                if !to.is_dir() && our_folders.contains(&name) {
                    continue;
                }
                fs::create_dir_all(&to)?;
                rights.push((from, to));
            } else if gone.contains(&name) {
                if kind.is_file() && to.is_file() {
                    fs::set_permissions(&to, Permissions::from_mode(from.metadata()?.mode() & 0o7777))?;
                }
            } else if name != Path::new(MANIFEST) {
                for above in name.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
                    if !result.join(above).is_dir() {
                        fs::create_dir(result.join(above))?;
                        rights.push((self.place.join(above), result.join(above)));
                    }
                }
                match fs::hard_link(&from, &to) {
                    Err(error) if error.kind() == ErrorKind::NotFound && from.symlink_metadata().is_err() => {}
                    Err(error) if cannot_at_all(&error) => return Ok(false),
                    linked => linked?,
                }
            }
        }
        rights.iter().rev().for_each(|(from, to)| same_rights(from, to));
        Ok(true)
    }

    /// Exchanges the folder and the result. Returns whether that is possible here.
    fn exchange(&self) -> io::Result<bool> {
        File::create(self.stage.folder.path().join(EXCHANGED))?;
        match rustix::fs::renameat_with(CWD, self.stage.result(), CWD, &self.place, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(error) if cannot_at_all(&error.into()) => {
                fs::remove_file(self.stage.folder.path().join(EXCHANGED))?;
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Exchanges files one by one.
    fn replace_files(&self, before: &Before, mut manifest: Manifest, gone: &BTreeSet<PathBuf>) -> io::Result<()> {
        let (result, old) = (self.stage.result(), self.stage.folder.path().join(BEFORE));
        let list = self.place.join(MANIFEST);
        let mut moved: Vec<(PathBuf, PathBuf)> = Vec::new();
        let mut made: Vec<PathBuf> = Vec::new();
        let mut change = || -> io::Result<()> {
            let mut both = manifest.clone();
            both.complete = false;
            for (verb, files) in before.manifest.iter().flat_map(|manifest| &manifest.results) {
                both.results.entry(verb.clone()).or_default().extend(files.iter().cloned());
            }
            self.put_list(&both)?;
            let mut go = |from: PathBuf, to: PathBuf, made: &mut Vec<PathBuf>| {
                let missing = parent(&to).ancestors().take_while(|above| above.symlink_metadata().is_err());
                for above in missing.map(Path::to_path_buf).collect::<Vec<_>>().into_iter().rev() {
                    fs::create_dir(&above)?;
                    made.push(above);
                }
                fs::rename(&from, &to)?;
                moved.push((from, to));
                io::Result::Ok(())
            };
            for name in gone {
                let from = self.place.join(name);
                // A link that has taken the place of a folder leads elsewhere.
                let ours = name.ancestors().skip(1).all(|above| !self.place.join(above).is_symlink());
                if ours && from.symlink_metadata().is_ok_and(|there| !there.is_dir()) {
                    let new = result.join(name);
                    if new.is_file() && from.is_file() {
                        fs::set_permissions(&new, Permissions::from_mode(from.metadata()?.mode() & 0o7777))?;
                    }
                    go(from, old.join(name), &mut Vec::new())?;
                }
            }
            self.remove_empty(gone);
            self.names.iter().try_for_each(|name| go(result.join(name), self.place.join(name), &mut made))
        };
        let changed = change().and_then(|()| {
            manifest.complete = true;
            self.put_list(&manifest)
        });
        if changed.is_err() {
            for (from, to) in moved.iter().rev() {
                let _ = fs::create_dir_all(parent(from)).and_then(|()| fs::rename(to, from));
            }
            made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
            let _ = match &before.manifest {
                Some(manifest) => self.put_list(manifest),
                None => fs::remove_file(list),
            };
        }
        changed
    }

    /// Writes the list into the folder.
    fn put_list(&self, manifest: &Manifest) -> io::Result<()> {
        let whole = self.stage.folder.path().join(MANIFEST);
        fs::write(&whole, manifest.text())?;
        fs::rename(whole, self.place.join(MANIFEST))
    }

    /// Removes the folders of files that are gone, if nothing else is in them.
    fn remove_empty(&self, gone: &BTreeSet<PathBuf>) {
        let folders: BTreeSet<&Path> = gone.iter().flat_map(|name| name.ancestors().skip(1)).collect();
        let inside = folders.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty());
        inside.for_each(|folder| drop(fs::remove_dir(self.place.join(folder))));
    }
}

/// Writes the files of a result into a folder, each with its path in it.
///
/// # Errors
/// See [`ResultFolder::open`] and [`ResultFolder::commit`].
pub fn write_folder(
    folder: &Path,
    claim: Claim,
    files: impl IntoIterator<Item = (impl AsRef<Path>, impl AsRef<[u8]>)>,
) -> Result<()> {
    let mut result = ResultFolder::open(folder, claim)?;
    files.into_iter().try_for_each(|(name, contents)| result.write(name, contents))?;
    result.commit()
}

/// Adds a file to the list of a folder, which is made if it does not exist. The file is written by the caller, in place.
///
/// # Errors
/// See [`ResultFolder::open`].
pub fn register(folder: &Path, claim: Claim, name: &str) -> Result<OutputFolder> {
    let (place, mut above) = place(folder)?;
    let _turn = turn(&place);
    let before = Before::of(folder, &place, claim)?;
    // It is the innermost one, so it is removed first.
    let mut made = OutputFolder::create(&place)?;
    made.made.append(&mut above.made);
    let mut manifest = before.manifest.unwrap_or_else(|| Manifest::new(before.shared));
    if manifest.results.entry(claim.verb.into()).or_default().insert(name.into()) {
        super::write_file(place.join(MANIFEST), manifest.text())?;
    }
    Ok(made)
}

impl Before {
    fn of(shown: &Path, place: &Path, claim: Claim) -> Result<Before> {
        let cannot = || format!("cannot read the folder {}", shown.display());
        let entries = match fs::read_dir(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Before { exists: false, manifest: None, shared: false });
            }
            entries => entries.with_context(cannot)?,
        };
        if let Some(manifest) = Manifest::read(place)? {
            let journals = manifest.results.get(JOURNAL).into_iter().flatten();
            let journal = journals.map(|name| shown.join(name)).find(|path| path.exists());
            if let Some(journal) = journal.filter(|_| !claim.keeps.contains(&JOURNAL)) {
                return Err(Usage(format!(
                    "{} holds finished runs of a sweep, which tidegate {} does not replace: expected another folder, or \
                     remove it",
                    journal.display(),
                    claim.verb
                ))
                .into());
            }
            let shared = manifest.shared;
            return Ok(Before { exists: true, manifest: Some(manifest), shared });
        }
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut others: Vec<String> = names.collect::<io::Result<_>>().with_context(cannot)?;
        others.retain(|name| !name.starts_with(TEMPORARY));
        others.sort();
        if let (Some(_), false) = (others.first(), claim.force) {
            let more = others.len().saturating_sub(MOST_NAMED);
            others.truncate(MOST_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            return Err(Usage(format!(
                "the folder {} has files that tidegate did not list ({}{more}): expected an empty folder, a new one, or one \
                 that tidegate wrote; --force writes beside these files",
                shown.display(),
                others.join(", ")
            ))
            .into());
        }
        Ok(Before { exists: true, manifest: None, shared: !others.is_empty() })
    }
}

impl Stage {
    fn new(folder: &Path, place: &Path) -> Result<Stage> {
        let (listed, made) = listed(|| {
            let made = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(folder)?;
            Ok((made.path().to_path_buf(), made))
        })?;
        let lock = File::create(made.path().join(FOR))?;
        // Where files cannot be locked, nothing is cleared away.
        let _ = lock.lock();
        (&lock).write_all(place.file_name().unwrap_or_default().as_bytes())?;
        fs::create_dir(made.path().join(RESULT))?;
        fs::create_dir(made.path().join(BEFORE))?;
        Ok(Stage { folder: made, _lock: lock, _listed: listed })
    }

    fn result(&self) -> PathBuf {
        self.folder.path().join(RESULT)
    }

    /// Removes it, but not what is left of a folder that was exchanged. The file that says what it is for goes last.
    fn end(self) {
        let path = self.folder.path();
        if has_old(path) {
            let _ = self.folder.keep();
            return;
        }
        for folder in [RESULT, BEFORE] {
            let _ = fs::remove_dir_all(path.join(folder));
        }
        let _ = fs::remove_file(path.join(EXCHANGED));
    }
}

/// The folder itself, and the folders above it, made if they do not exist.
fn place(folder: &Path) -> Result<(PathBuf, OutputFolder)> {
    let cannot = || format!("cannot make the folder {}", folder.display());
    match fs::metadata(folder) {
        Ok(there) if there.is_dir() => {
            Ok((folder.canonicalize().with_context(cannot)?, OutputFolder { made: Vec::new() }))
        }
        Ok(_) => bail!("{}: {} is a file", cannot(), folder.display()),
        Err(_) if folder.is_symlink() => bail!("{}: it is a link that leads to nothing", cannot()),
        Err(_) => {
            let name = folder.file_name().ok_or_else(|| anyhow!("{}: expected a name", cannot()))?;
            let above = OutputFolder::create(parent(folder)).with_context(cannot)?;
            Ok((parent(folder).canonicalize().with_context(cannot)?.join(name), above))
        }
    }
}

/// Waits until no other tidegate changes folders beside this one; until it is dropped. Where that cannot be, it does not
/// wait.
fn turn(place: &Path) -> Option<File> {
    let folder = File::open(parent(place)).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

/// Whether an error says that the file system, or the rights of the user, do not allow it.
fn cannot_at_all(error: &io::Error) -> bool {
    let known = [
        Errno::XDEV,
        Errno::INVAL,
        Errno::NOSYS,
        Errno::NOTSUP,
        Errno::OPNOTSUPP,
        Errno::BUSY,
        Errno::PERM,
        Errno::ACCESS,
        Errno::MLINK,
    ];
    Errno::from_io_error(error).is_some_and(|error| known.contains(&error))
}

fn is_mount_point(folder: &Path) -> bool {
    let found = rustix::fs::statx(CWD, folder, AtFlags::empty(), StatxFlags::BASIC_STATS);
    found.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// Gives a folder owner, mode and extended attributes of another one, as far as the user may.
fn same_rights(from: &Path, to: &Path) {
    let Ok(there) = from.metadata() else { return };
    let _ = std::os::unix::fs::chown(to, Some(there.uid()), Some(there.gid()));
    let _ = fs::set_permissions(to, Permissions::from_mode(there.mode() & 0o7777));
    let mut names = vec![0u8; 1 << 16];
    let length = rustix::fs::listxattr(from, &mut names[..]).unwrap_or(0);
    for name in names[..length].split(|octet| *octet == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0u8; 1 << 16];
        if let Ok(length) = rustix::fs::getxattr(from, name, &mut value[..]) {
            let _ = rustix::fs::setxattr(to, name, &value[..length], XattrFlags::empty());
        }
    }
}

/// Files and folders below a folder, a folder before what is in it. Links are not followed.
fn walk(folder: &Path) -> io::Result<Vec<(PathBuf, FileType)>> {
    let mut found: Vec<(PathBuf, FileType)> = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let (name, kind) = (below.join(entry.file_name()), entry.file_type()?);
            if kind.is_dir() {
                folders.push(name.clone());
            }
            found.push((name, kind));
        }
    }
    Ok(found)
}

/// Removes a folder that was exchanged: the files that went, those that are not listed any more, and links to what has
/// stayed. What others have put into it in between goes after the rest.
fn discard(old: &Path, place: &Path, gone: &BTreeSet<PathBuf>) {
    let Ok(found) = walk(old) else { return };
    // The list goes last: if this is interrupted, the next run needs it.
    for (name, kind) in found.iter().rev().filter(|(name, _)| name != Path::new(MANIFEST)) {
        let (from, to) = (old.join(name), place.join(name));
        let there = |path: &Path| path.symlink_metadata().ok().map(|there| (there.dev(), there.ino()));
        // If a run was killed after the exchange, its user may have replaced a file since.
        let changed = |path: &Path| path.symlink_metadata().and_then(|there| there.modified()).ok();
        let _ = if kind.is_dir() {
            fs::remove_dir(&from)
        } else if gone.contains(name) || there(&from) == there(&to) || changed(&from) < changed(&to) {
            fs::remove_file(&from)
        } else {
            fs::create_dir_all(parent(&to)).and_then(|()| fs::rename(&from, &to))
        };
    }
    let rest = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() != MANIFEST);
    if fs::read_dir(old).is_ok_and(|mut entries| !entries.any(rest)) {
        let _ = fs::remove_file(old.join(MANIFEST));
        let _ = fs::remove_dir(old);
    }
}

/// Whether a temporary folder has what was there before the exchange, or is about to.
fn has_old(stage: &Path) -> bool {
    stage.join(EXCHANGED).exists() && stage.join(RESULT).exists()
}

/// Whether a folder has nothing but what is in a temporary folder of tidegate.
fn is_stage(folder: &Path) -> bool {
    let known = |entry: io::Result<fs::DirEntry>| {
        entry
            .is_ok_and(|entry| [RESULT, BEFORE, FOR, EXCHANGED, MANIFEST].iter().any(|name| entry.file_name() == *name))
    };
    fs::read_dir(folder).is_ok_and(|mut entries| entries.all(known))
}

/// Removes the temporary folders in `around` that killed processes have left on the way to `place`; also those that do not say
/// where to, if this process is `alone`: no other one can be about to make one there.
fn clear_away(around: &Path, place: &Path, alone: bool) {
    let Ok(entries) = fs::read_dir(around) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().as_bytes().starts_with(TEMPORARY.as_bytes())) {
        let stage = entry.path();
        let owner = fs::read(stage.join(FOR)).unwrap_or_default();
        // Killed before it said what it is for, or when almost all of it was removed.
        let of_nobody = alone && owner.is_empty() && !has_old(&stage) && is_stage(&stage);
        if !of_nobody && owner != place.file_name().unwrap_or_default().as_bytes() {
            continue;
        }
        if File::open(stage.join(FOR)).is_ok_and(|lock| lock.try_lock().is_err()) {
            continue;
        }
        if has_old(&stage) {
            // Whichever of the two it is: what is listed in it and in the folder is of tidegate, and the rest are links.
            let lists = [&stage.join(RESULT), place].map(|folder| Manifest::read(folder).ok().flatten());
            match lists {
                [Some(old), Some(new)] => {
                    let mut results: BTreeMap<_, _> = old.results;
                    results.remove(JOURNAL);
                    let gone = results.into_values().flatten().map(PathBuf::from).chain(new.files()).collect();
                    discard(&stage.join(RESULT), place, &gone);
                }
                // Killed before the exchange with a folder that had no list: the new result, and links to the rest.
                [Some(old), None] => discard(&stage.join(RESULT), place, &old.files().collect()),
                _ => {}
            }
            let left = fs::read_dir(stage.join(RESULT)).map_or(0, |rest| rest.count());
            if left > 0 {
                continue;
            }
        }
        let _ = fs::remove_dir_all(stage);
    }
}

#[cfg(test)]
mod tests;
