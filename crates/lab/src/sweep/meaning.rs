// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a plan, a scenario or a data file says, apart from comments and white space: whether it is still the same, and if not,
//! where it differs.

use tidegate_core::error::quoted;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// A word of a text, with its place in octets.
pub type Word<'a> = (usize, &'a str);

/// The words of a TOML text.
pub fn words_of_toml(text: &str) -> Vec<Word<'_>> {
    let source = Source::new(text);
    let says = |kind| !matches!(kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline | TokenKind::Eof);
    let tokens = source.lex().filter(|token| says(token.kind()));
    tokens.map(|token| (token.span().start(), &text[token.span().start()..token.span().end()])).collect()
}

/// The words of a data file, in which `#` begins a comment.
pub fn words_of_data(text: &str) -> Vec<Word<'_>> {
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines.flat_map(str::split_whitespace).map(|word| (place(word), word)).collect()
}

/// Where a text says another thing than it did before; `None` if it says the same.
pub fn difference(name: &str, before: &str, now: &str, words: fn(&str) -> Vec<Word<'_>>) -> Option<String> {
    let (old, new) = (words(before), words(now));
    let same = old.iter().zip(&new).take_while(|((_, old), (_, new))| old == new).count();
    match (old.get(same), new.get(same)) {
        (None, None) => None,
        (Some((old, _)), Some((new, _))) => {
            let (number, line) = line_at(now, *new);
            Some(format!("line {number} of {name} is {}, and was {}", quoted(line), quoted(line_at(before, *old).1)))
        }
        (None, Some((new, _))) => {
            let (number, line) = line_at(now, *new);
            Some(format!("line {number} of {name}, {}, is new", quoted(line)))
        }
        (Some((old, _)), None) => Some(format!("{} had one more line, {}", name, quoted(line_at(before, *old).1))),
    }
}

/// Number and text of the line of a place.
fn line_at(text: &str, place: usize) -> (usize, &str) {
    let start = text[..place].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    (text[..place].matches('\n').count() + 1, line.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_plan(before: &str, now: &str) -> Option<String> {
        difference("plan.toml", before, now, words_of_toml)
    }

    #[test]
    fn comments_and_white_space_say_nothing() {
        let plan = "seeds = 3\n[grid]\nw = [1, 2] # weights\n";
        assert_eq!(of_plan(plan, "# my plan\n\nseeds=3\n\n[ grid ]\nw = [\n  1,\n  2\n]\n"), None);
        assert_eq!(difference("d", "1 2\n", "# sizes\n\n  1   2 # x\n", words_of_data), None);
        // A `#` in a text is no comment, and blanks in it say something.
        assert!(of_plan("a = \"x # y\"", "a = \"x # z\"").is_some());
        assert!(of_plan("a = \"x  y\"", "a = \"x y\"").is_some());
    }

    #[test]
    fn the_first_line_that_differs_is_shown() {
        let plan = "seeds = 3\n[grid]\nw = [1, 2]\n";
        assert_eq!(
            of_plan(plan, "# more\nseeds = 3\n[grid]\nw = [1, 3] # two\n").unwrap(),
            "line 4 of plan.toml is `w = [1, 3] # two`, and was `w = [1, 2]`"
        );
        assert_eq!(
            of_plan(plan, &format!("{plan}q0_bytes = [3]\n")).unwrap(),
            "line 4 of plan.toml, `q0_bytes = [3]`, is new"
        );
        assert_eq!(of_plan(plan, "seeds = 3\n[grid]\n").unwrap(), "plan.toml had one more line, `w = [1, 2]`");
        let data = difference("sizes.txt", "1 0\n10 1\n", "1 0\n12 1\n", words_of_data).unwrap();
        assert_eq!(data, "line 2 of sizes.txt is `12 1`, and was `10 1`");
    }
}
