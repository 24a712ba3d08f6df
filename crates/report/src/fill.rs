// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sentences for the terminal: lines of 80 columns.

/// Columns of a line.
const WIDTH: usize = 80;

/// A text as lines of at most 80 columns, broken at blanks; lines after the first are indented by `indent` blanks. A
/// word without a blank, such as a path, is not broken. Ends with a newline.
pub fn fill(text: &str, indent: usize) -> String {
    let mut filled = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            filled.push('\n');
            filled.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > 0 {
            filled.push(' ');
            column += 1;
        }
        filled.push_str(word);
        column += length;
    }
    filled.push('\n');
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_long_words_stay_whole() {
        assert_eq!(fill("two words", 4), "two words\n");
        let (text, path) = ("word ".repeat(30), "/".repeat(100));
        let filled = fill(&format!("{text}{path} end"), 2);
        assert_eq!(filled.split_whitespace().collect::<Vec<_>>().join(" "), format!("{text}{path} end"));
        for line in filled.lines().filter(|line| !line.contains('/')) {
            assert!(line.chars().count() <= WIDTH && !line.ends_with(' '), "{line}");
        }
        assert!(filled.lines().skip(1).all(|line| line.starts_with("  ") && !line.starts_with("   ")), "{filled}");
    }
}
