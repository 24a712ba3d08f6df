// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of the files that tidegate has written into a folder.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Its name in the folder.
pub const MANIFEST: &str = "tidegate-manifest.json";
/// The verb of journals: the finished runs of a sweep, which no other verb replaces.
pub const JOURNAL: &str = "sweep journal";
/// The version of the format.
const FORMAT: u32 = 1;

/// The list. A later result replaces the files in it, and no other file of the folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format_version: u32,
    /// The version of tidegate that wrote it.
    tidegate: String,
    /// False while files are exchanged one by one: if it stays so, that was interrupted, and the folder has files of two
    /// results.
    pub complete: bool,
    /// Whether the folder had files of others when the first result came into it.
    pub shared: bool,
    /// For each verb, the paths of its files in the folder.
    pub results: BTreeMap<String, BTreeSet<String>>,
}

impl Manifest {
    /// A list without files.
    pub(crate) fn new(shared: bool) -> Manifest {
        let tidegate = env!("CARGO_PKG_VERSION").to_string();
        Manifest { format_version: FORMAT, tidegate, complete: true, shared, results: BTreeMap::new() }
    }

    /// The list of a folder; `None` if it has none.
    ///
    /// # Errors
    /// It is not readable, or not as tidegate writes it.
    pub fn read(folder: &Path) -> Result<Option<Manifest>> {
        let path = folder.join(MANIFEST);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let expected =
            || format!("{}: expected the list that tidegate writes; remove it with its files", path.display());
        let manifest: Manifest = serde_json::from_str(&text).with_context(expected)?;
        ensure!(
            manifest.format_version == FORMAT,
            "{}: format_version is {}, expected {FORMAT}: take the version of tidegate that wrote it",
            path.display(),
            manifest.format_version
        );
        // What is removed later must be inside.
        let inside = |name: &&String| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if let Some(outside) = manifest.results.values().flatten().find(|name| !inside(name)) {
            return Err(anyhow::anyhow!("`{outside}` is no path inside the folder").context(expected()));
        }
        Ok(Some(manifest))
    }

    /// All files in it.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.results.values().flatten().map(PathBuf::from)
    }

    /// Its text.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a list of texts is JSON") + "\n"
    }
}
