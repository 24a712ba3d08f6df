// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that users name as inputs: `-` is the standard input.

pub mod toml_fault;

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
    if is_standard(path) {
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
    if is_standard(path) {
        return "standard input".to_string();
    }
    path.display().to_string()
}

/// Whether a path is the standard input.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
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
    let text = match String::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => bail!("{}:{}", name(path), not_utf8(error.as_bytes(), error.utf8_error().valid_up_to())),
    };
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_string())
}

/// Line, and what is wrong with the octet at a place.
fn not_utf8(octets: &[u8], at: usize) -> String {
    let lines = octets[..at].split(|octet| *octet == b'\n');
    let (number, before) = lines.fold((0, 0), |(number, _), line| (number + 1, line.len()));
    let octet = octets[at];
    format!("{number}: octet {} of the line is {octet:#04x}: expected UTF-8 text; save the file as UTF-8", before + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_utf8_has_its_place() {
        let text = b"a = 1\nb = \"M\xfcller\"\n";
        assert_eq!(not_utf8(text, 12), "2: octet 7 of the line is 0xfc: expected UTF-8 text; save the file as UTF-8");
        assert!(not_utf8(b"\xff", 0).starts_with("1: octet 1 of the line is 0xff"));
    }
}
