// SPDX-License-Identifier: MIT OR Apache-2.0
//! The journal of a shard: a header, then a line for each finished run, each with a checksum.
//!
//! A line is written by one call when its run is finished, so a process that is killed loses the runs that it has not
//! finished, and no other. What a torn line at the end had said is run again. A second process is kept out by a lock.

use super::digest::digest;
use super::meaning::{difference, words_of_data, words_of_toml};
use super::{Shard, Sweep};
use crate::experiment::scenario::Source;
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is written is on the disk after this time, for the case that the machine fails.
const SYNC: Duration = Duration::from_secs(5);

/// The first line: all that is needed to say what the runs are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// The version of tidegate.
    pub version: String,
    /// Stands for the version and what plan, scenario and data files say.
    pub digest: u64,
    /// The shard.
    pub shard: Shard,
    /// The plan.
    pub plan: Text,
    /// The scenario.
    pub scenario: Text,
    /// The data files of the scenario, by the names that it gives them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, Text>,
}

/// A text with its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Text {
    name: String,
    text: String,
}

impl From<Source> for Text {
    fn from(Source { name, text }: Source) -> Text {
        Text { name, text }
    }
}

impl From<Text> for Source {
    fn from(Text { name, text }: Text) -> Source {
        Source { name, text }
    }
}

impl Header {
    /// What differs from an earlier header, in words.
    pub(crate) fn difference(&self, before: &Header) -> String {
        if self.version != before.version {
            return format!("it was begun by tidegate {}, and this is {}", before.version, self.version);
        }
        let of = |before: &Text, now: &Text, words| difference(&now.name, &before.text, &now.text, words);
        let data = || {
            let changed = |(name, now): (&String, &Text)| match before.data.get(name) {
                Some(before) => of(before, now, words_of_data),
                None => Some(format!("the data file {name} is new")),
            };
            self.data.iter().find_map(changed)
        };
        let texts = of(&before.plan, &self.plan, words_of_toml)
            .or_else(|| of(&before.scenario, &self.scenario, words_of_toml))
            .or_else(data);
        texts.unwrap_or_else(|| format!("it was begun by another build of tidegate {}", self.version))
    }
}

/// The values of each run.
pub(crate) type Values = BTreeMap<u64, Vec<f64>>;

/// An open journal.
pub(crate) struct Journal {
    path: PathBuf,
    end: Mutex<End>,
}

struct End {
    file: File,
    /// Octets of whole lines.
    length: u64,
    synced: Instant,
}

/// The name of the journal of a shard.
pub fn file_name(shard: Shard) -> String {
    format!("shard-{}-of-{}.journal", shard.index, shard.count)
}

/// The journals of a folder.
///
/// # Errors
/// The folder is not readable.
pub(crate) fn find(folder: &Path) -> Result<Vec<(Shard, PathBuf)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let shard = name.strip_prefix("shard-").and_then(|rest| rest.strip_suffix(".journal"));
        if let Some(Ok(shard)) = shard.map(|shard| shard.replacen("-of-", "/", 1).parse()) {
            found.push((shard, path));
        }
    }
    found.sort();
    Ok(found)
}

/// Opens the journal of a shard, or begins it. Returns it with what the finished runs have measured.
///
/// # Errors
/// Another process has it open; it is of another plan; it is damaged before its end; it is not writable.
pub(crate) fn open(folder: &Path, header: &Header, sweep: &Sweep) -> Result<(Journal, Values)> {
    if let Some((other, path)) = find(folder)?.into_iter().find(|(other, _)| other.count != header.shard.count) {
        bail!(
            "{} is the journal of shard {other}, expected none but of the {} shards asked for: take another folder, or \
             remove the journals",
            path.display(),
            header.shard.count
        );
    }
    let path = folder.join(file_name(header.shard));
    let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
    let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
    file.try_lock().map_err(|error| busy(&path, error))?;
    let (found, values, length) = lines(&mut file, &path, sweep)?;
    if let Some(found) = &found {
        ensure!(
            (found.digest, found.shard) == (header.digest, header.shard),
            "{} has results of another plan: {}. Take another folder for --out, or remove the journals to begin again",
            path.display(),
            header.difference(found)
        );
    }
    let named = |error| anyhow!("cannot write {}: {error}", path.display());
    file.set_len(length).map_err(named)?;
    let journal = Journal { path: path.clone(), end: Mutex::new(End { file, length, synced: Instant::now() }) };
    if found.is_none() {
        journal.write(&serde_json::to_string(header)?)?;
    }
    Ok((journal, values))
}

/// Reads the journal of a finished shard.
///
/// # Errors
/// A process still writes it; it has no header; it is damaged before its end.
pub(crate) fn read(path: &Path) -> Result<(Header, Sweep, Values)> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()));
    let mut file = file?;
    file.try_lock_shared().map_err(|error| busy(path, error))?;
    let header = first_line(&mut file, path)?;
    let header = header.ok_or_else(|| anyhow!("{}: it has no header: run its shard first", path.display()))?;
    let sweep = Sweep::of_header(&header).with_context(|| path.display().to_string())?;
    let (_, values, _) = lines(&mut file, path, &sweep)?;
    Ok((header, sweep, values))
}

impl Journal {
    /// Adds a finished run.
    ///
    /// # Errors
    /// It is not written, for example because the disk is full; then no part of it is left.
    pub(crate) fn append(&self, number: u64, values: &[f64]) -> Result<()> {
        let values: String = values.iter().map(|value| format!(" {value}")).collect();
        self.write(&format!("{number}{values}"))
    }

    fn write(&self, text: &str) -> Result<()> {
        let line = format!("{text} {:016x}\n", digest([text]));
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let written = end.file.write_all(line.as_bytes());
        if let Err(error) = written {
            let length = end.length;
            // The other threads may still add lines. If this fails too, the torn line is an error of the next start.
            let _ = end.file.set_len(length);
            return Err(anyhow!("cannot write {}: {error}", self.path.display()));
        }
        end.length += line.len() as u64;
        if end.synced.elapsed() > SYNC {
            end.file.sync_data().with_context(|| format!("cannot write {}", self.path.display()))?;
            end.synced = Instant::now();
        }
        Ok(())
    }

    /// Waits until all is on the disk.
    ///
    /// # Errors
    /// It is not written.
    pub(crate) fn finish(self) -> Result<()> {
        let end = self.end.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(end.file.sync_all()?)
    }
}

fn busy(path: &Path, error: TryLockError) -> anyhow::Error {
    match error {
        TryLockError::WouldBlock => {
            anyhow!("{} is in use: another process runs this shard; wait for its end, or stop it", path.display())
        }
        TryLockError::Error(error) => anyhow!("cannot lock {}: {error}", path.display()),
    }
}

/// The text of a line without its checksum, if that is right.
fn checked(line: &[u8]) -> Option<&str> {
    let (text, checksum) = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.rsplit_once(' ')?;
    (format!("{:016x}", digest([text])) == checksum).then_some(text)
}

fn octets(file: &mut File, path: &Path) -> Result<Vec<u8>> {
    use std::io::{Seek, SeekFrom};
    let mut octets = Vec::new();
    file.seek(SeekFrom::Start(0))
        .and_then(|_| file.read_to_end(&mut octets))
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(octets)
}

fn first_line(file: &mut File, path: &Path) -> Result<Option<Header>> {
    let octets = octets(file, path)?;
    let Some(text) = octets.split_inclusive(|octet| *octet == b'\n').next().and_then(checked) else { return Ok(None) };
    let unknown = || format!("{}:1: expected the header of a journal of this version of tidegate", path.display());
    Ok(Some(serde_json::from_str(text).with_context(unknown)?))
}

/// Header, values, and the octets of whole lines.
fn lines(file: &mut File, path: &Path, sweep: &Sweep) -> Result<(Option<Header>, Values, u64)> {
    let octets = octets(file, path)?;
    let header = first_line(file, path)?;
    let (mut values, mut length) = (Values::new(), 0);
    let mut torn = None;
    for (number, line) in (1..).zip(octets.split_inclusive(|octet| *octet == b'\n')) {
        let place = || format!("{}:{number}", path.display());
        let Some(text) = checked(line) else {
            torn = torn.or(Some(number));
            continue;
        };
        if let Some(torn) = torn {
            bail!("{}:{torn}: the line is damaged, and others follow it: remove the line", path.display());
        }
        length += line.len() as u64;
        // Lines of another plan mean something else: the caller refuses it.
        let Some(Header { shard, .. }) = header.as_ref().filter(|header| header.digest == sweep.digest) else {
            continue;
        };
        if number > 1 {
            let (run, measured) = run_of_line(text, sweep.columns.len()).with_context(place)?;
            let of_shard = run < sweep.runs() && run % shard.count == shard.index;
            ensure!(of_shard, "{}: run {run} is none of shard {shard}", place());
            ensure!(values.insert(run, measured).is_none(), "{}: run {run} is there twice: remove a line", place());
        }
    }
    Ok((header, values, length))
}

fn run_of_line(text: &str, columns: usize) -> Result<(u64, Vec<f64>)> {
    let mut words = text.split(' ');
    let number = words.next().and_then(|word| word.parse().ok());
    let values: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
    match (number, values) {
        (Some(number), Some(values)) if values.len() == columns => Ok((number, values)),
        _ => Err(anyhow!("expected the number of a run and {columns} values")),
    }
}
