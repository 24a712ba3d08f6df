//! Files that users name as inputs: `-` is the standard input.

use crate::output::STANDARD;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens an input.
///
/// # Errors
/// If it is not readable, or is a folder; the message names it.
pub fn open(path: &Path) -> Result<Box<dyn Read>> {
    if path.as_os_str() == STANDARD {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", name(path)))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        bail!("cannot read {}: it is a folder, expected a file", name(path));
    }
    Ok(Box::new(file))
}

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == STANDARD {
        return "standard input".to_string();
    }
    path.display().to_string()
}

/// Reads a whole text of at most `most` octets, without its byte order mark.
///
/// # Errors
/// If it is not readable, is longer, or is not UTF-8; the message names it.
pub fn read_text(path: &Path, most: usize) -> Result<String> {
    let mut octets = Vec::new();
    let mut limited = open(path)?.take(most as u64 + 1);
    limited.read_to_end(&mut octets).with_context(|| format!("cannot read {}", name(path)))?;
    if octets.len() > most {
        bail!("{}: longer than {most} octets: expected a text file of a few hundred lines", name(path));
    }
    let text = String::from_utf8(octets).ok().with_context(|| format!("{}: expected UTF-8 text", name(path)))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_string())
}
