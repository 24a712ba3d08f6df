// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text for CSV files.

/// A cell of a CSV file.
pub(crate) fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}
