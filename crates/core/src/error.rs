// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in the input of the user, and how a message shows text from the user.

use std::fmt;

/// The input of the user is wrong: exit code 2, the same as for an unknown flag.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Most characters of a text from the user in a message.
const QUOTED: usize = 60;

/// Text from a file or the command line, for a message: between backticks, with escaped control characters, cut after
/// 60 characters.
pub fn quoted(text: &str) -> String {
    let mut shown = String::from("`");
    for (index, character) in text.chars().enumerate() {
        if index == QUOTED {
            shown.push('…');
            break;
        }
        push_printable(&mut shown, character);
    }
    shown.push('`');
    shown
}

/// Most characters of a line, and most lines, of a whole message.
const LINE: usize = 1000;
const LINES: usize = 60;

/// A whole message for a terminal: control characters other than line breaks are escaped, and long lines and long texts
/// are cut.
pub fn printable(message: &str) -> String {
    let mut shown = String::new();
    for (index, line) in message.lines().enumerate() {
        if index > 0 {
            shown.push('\n');
        }
        if index == LINES {
            shown.push('…');
            break;
        }
        line.chars().take(LINE).for_each(|character| push_printable(&mut shown, character));
        if line.chars().nth(LINE).is_some() {
            shown.push('…');
        }
    }
    shown
}

fn push_printable(shown: &mut String, character: char) {
    if character.is_control() || is_bidirectional_control(character) {
        shown.extend(character.escape_default());
    } else {
        shown.push(character);
    }
}

/// Characters that change the order in which a terminal shows the others.
fn is_bidirectional_control(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// `; did you mean `x`?` if one of the known words is similar to the given one, otherwise nothing.
pub fn suggestion<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance = |word: &str| strsim::damerau_levenshtein(&given.to_lowercase(), &word.to_lowercase());
    let close = known.into_iter().map(|word| (distance(word), word)).min();
    match close {
        // Short words are similar to many others, so at most one letter in three may be wrong.
        Some((distance, word))
            if word != given
                && distance < given.chars().count()
                && 3 * distance <= given.chars().count().max(3) + 2 =>
        {
            format!("; did you mean `{word}`?")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_short_and_cannot_reach_the_terminal() {
        assert_eq!(quoted("w=3"), "`w=3`");
        assert_eq!(quoted("\x1b[31m\t\u{feff}x"), "`\\u{1b}[31m\\t\\u{feff}x`");
        let long = quoted(&"a".repeat(60_000_000));
        assert_eq!(long.chars().count(), 63, "{long}");
        assert_eq!(printable("a\x07\nb"), "a\\u{7}\nb");
        assert!(printable(&"a\n".repeat(100_000)).len() < 200);
        assert!(printable(&"a".repeat(100_000)).len() < 1100);
    }

    #[test]
    fn only_a_close_word_is_suggested() {
        let known = ["flows", "w", "q0_bytes", "seed"];
        assert_eq!(suggestion("flow", known), "; did you mean `flows`?");
        assert_eq!(suggestion("q0_byte", known), "; did you mean `q0_bytes`?");
        assert_eq!(suggestion("QO_bytes", known), "; did you mean `q0_bytes`?");
        assert_eq!(suggestion("timer_us", known), "");
        assert_eq!(suggestion("zzz", known), "");
    }
}
