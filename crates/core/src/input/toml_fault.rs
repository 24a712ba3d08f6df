// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a TOML text, in words of the file: the reader of TOML names types of this program.

use crate::error::{quoted, suggestion};
use std::ops::Range;
use toml::de::{DeTable, DeValue, Error};

/// A mistake in a text.
#[derive(Debug, PartialEq)]
pub struct Fault {
    /// Its place, in octets.
    pub at: usize,
    /// What was found, and what was expected.
    pub message: String,
}

/// The mistake that an error of the reader is about.
pub fn fault(text: &str, error: &Error) -> Fault {
    let span = error.span().unwrap_or(0..0);
    let here = text.get(span.clone()).unwrap_or_default();
    let message = match error.message().trim_end() {
        "duplicate key" => duplicate(text, span.clone()),
        message => in_words(message, here),
    };
    Fault { at: span.start, message }
}

/// The number of the line of a place, from 1.
pub fn line(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

/// About a key that is there twice: the second one is at `second`.
fn duplicate(text: &str, second: Range<usize>) -> String {
    let key = quoted(text.get(second.clone()).unwrap_or_default());
    let first = first_of(text, second).map_or(String::new(), |at| format!(", the first is in line {}", line(text, at)));
    format!("the key {key} is here a second time{first}: expected it once")
}

/// The place of the key that one at `second` repeats: where the key of the same table is, if the second one has another name.
fn first_of(text: &str, second: Range<usize>) -> Option<usize> {
    const OTHER: &str = "tidegate-second-key";
    let renamed = format!("{}{OTHER}{}", text.get(..second.start)?, text.get(second.end..)?);
    let key = text.get(second)?.trim_matches(['"', '\'']);
    let (whole, _) = DeTable::parse_recoverable(&renamed);
    table_with(whole.get_ref(), OTHER)?.keys().find(|known| known.get_ref() == key).map(|known| known.span().start)
}

/// The table that has a key, somewhere in a table.
fn table_with<'t, 'a>(table: &'t DeTable<'a>, key: &str) -> Option<&'t DeTable<'a>> {
    if table.keys().any(|known| known.get_ref() == key) {
        return Some(table);
    }
    table.values().find_map(|value| in_value(value.get_ref(), key))
}

fn in_value<'t, 'a>(value: &'t DeValue<'a>, key: &str) -> Option<&'t DeTable<'a>> {
    match value {
        DeValue::Table(table) => table_with(table, key),
        DeValue::Array(list) => list.iter().find_map(|value| in_value(value.get_ref(), key)),
        _ => None,
    }
}

/// A message of the reader in words of the file; `here` is the text that it is about.
fn in_words(message: &str, here: &str) -> String {
    let parts = |start| message.strip_prefix(start)?.rsplit_once(", expected ");
    if let Some((there, wanted)) = parts("invalid type: ").or_else(|| parts("invalid value: ")) {
        if wanted == "a sequence" && there == "map" {
            return "found a table, expected a list: each table of a list begins with [[ and ]]".into();
        }
        return format!("found {}, expected {}", found(there, here), expected(wanted));
    }
    if let Some((length, wanted)) = parts("invalid length ") {
        return format!("found a list of {length}, expected {}", expected(wanted));
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        return with_hint(&format!("unknown value {rest}"));
    }
    if message.starts_with("unknown field ") {
        return with_hint(message);
    }
    // A word of a few that are known, in the words of the reader.
    let of_words = ["wanted ", "expected table, found", "expected array, found", "expected empty table"];
    if of_words.iter().any(|start| message.starts_with(start)) {
        return format!("found {}, expected a word in quotes", quoted(here));
    }
    message.to_string()
}

/// What stands there.
fn found(there: &str, here: &str) -> String {
    let (kind, value) = there.split_once(' ').unwrap_or((there, ""));
    let number = value.rsplit_once(' ').map_or(value, |(_, number)| number);
    match kind {
        // A date is a map to the reader.
        "map" if here.starts_with(|first: char| first.is_ascii_digit()) => format!("the date {}", quoted(here)),
        "map" => "a table".into(),
        "sequence" => "a list".into(),
        "integer" | "floating" => format!("the number {}", number.trim_matches('`')),
        "string" => format!("the text {}", quoted(value.trim_matches('"'))),
        "boolean" => value.trim_matches('`').into(),
        _ => quoted(here),
    }
}

/// What belongs there.
fn expected(wanted: &str) -> String {
    let (kind, _) = wanted.split_once(' ').unwrap_or((wanted, ""));
    let length = wanted.rsplit_once(' ').map_or("", |(_, length)| length);
    match wanted {
        "f64" => "a number".into(),
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u16" => format!("a whole number from 0 to {}", u16::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => "a whole number from 0".into(),
        "i64" => "a whole number".into(),
        "a string" | "string" => "a text in quotes".into(),
        "a boolean" => "true or false".into(),
        "a sequence" => "a list".into(),
        "a map" => "a table".into(),
        _ if wanted.starts_with("an array of length") => format!("a list of {length}"),
        _ if kind == "struct" => "a table".into(),
        _ if kind == "enum" => "a word in quotes".into(),
        _ => wanted.into(),
    }
}

/// A message about an unknown word, with the known one that it is probably meant to be.
fn with_hint(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let given = words.next().unwrap_or_default();
    format!("{message}{}", suggestion(given, words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "what matters is whether the text is read, not what was read")]
    struct Whole {
        number: Option<f64>,
        count: Option<u32>,
        name: Option<String>,
        pair: Option<[f64; 2]>,
        list: Option<Vec<Inner>>,
        word: Option<Word>,
        flag: Option<bool>,
        table: Option<BTreeMap<String, f64>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(expecting = "a table such as { x = 1 }")]
    #[allow(dead_code, reason = "what matters is whether the text is read, not what was read")]
    struct Inner {
        x: f64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        Linear,
        Log,
    }

    fn said(text: &str) -> (usize, String) {
        let Fault { at, message } = fault(text, &toml::from_str::<Whole>(text).unwrap_err());
        (line(text, at), message)
    }

    #[test]
    fn types_are_named_in_words_of_the_file() {
        for (text, message) in [
            ("number = \"fast\"", "found the text `fast`, expected a number"),
            ("number = { a = 1 }", "found a table, expected a number"),
            ("number = 2026-11-28", "found the date `2026-11-28`, expected a number"),
            ("count = -1", "found the number -1, expected a whole number from 0 to 4294967295"),
            ("count = 1.5", "found the number 1.5, expected a whole number from 0 to 4294967295"),
            ("name = 5", "found the number 5, expected a text in quotes"),
            ("name = [1]", "found a list, expected a text in quotes"),
            ("pair = 5", "found the number 5, expected a list of 2"),
            ("pair = [1]", "found a list of 1, expected a list of 2"),
            ("list = 5", "found the number 5, expected a list"),
            ("list = [5]", "found the number 5, expected a table such as { x = 1 }"),
            ("[list]\nx = 1", "found a table, expected a list: each table of a list begins with [[ and ]]"),
            ("word = 5", "found `5`, expected a word in quotes"),
            ("word = { log = 5 }", "found `5`, expected a word in quotes"),
            ("word = \"lin\"", "unknown value `lin`, expected `linear` or `log`"),
            ("word = \"linaer\"", "unknown value `linaer`, expected `linear` or `log`; did you mean `linear`?"),
            ("flag = 1", "found the number 1, expected true or false"),
            ("table = true", "found true, expected a table"),
        ] {
            assert_eq!(said(text), (1, message.into()), "{text}");
        }
        let (_, message) = said("nubmer = 1");
        assert!(message.ends_with("; did you mean `number`?"), "{message}");
    }

    #[test]
    fn a_key_that_is_there_twice_is_named_with_both_lines() {
        for (text, at, key, first) in [
            ("number = 1\n# a comment\nnumber = 2\n", 3, "number", 1),
            ("number = 1\n[table]\nnumber = 3\na = 1\n\n\"a\" = 2\n", 6, "\"a\"", 4),
            ("[table]\na = 1\n[[list]]\nx = 1\n[table]\nb = 1\n", 5, "table", 1),
            ("[[list]]\nx = 1\n[[list]]\nx = 2\nx = 3\n", 5, "x", 4),
            ("table = { a = 1, b = 2, a = 3 }", 1, "a", 1),
        ] {
            let message =
                format!("the key `{key}` is here a second time, the first is in line {first}: expected it once");
            assert_eq!(said(text), (at, message), "{text}");
        }
    }
}
