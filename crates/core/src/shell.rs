// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words for a shell.

/// A text as one word for a shell.
pub fn word(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@%=,".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_text_is_one_word() {
        assert_eq!(word("/a/b-1.toml"), "/a/b-1.toml");
        assert_eq!(word("/it's $HOME"), "'/it'\\''s $HOME'");
        assert_eq!(word(""), "''");
    }
}
