// SPDX-License-Identifier: MIT OR Apache-2.0
//! Escapes text for HTML and XML.

/// `text` so that it stands for itself in HTML and XML, in text and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML has no way to write control characters.
            letter if letter.is_control() => escaped.push(if letter == '\n' { '\n' } else { ' ' }),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markup_is_defused() {
        assert_eq!(escape("<a href=\"x\">'&amp;"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;");
        assert_eq!(escape("a\0b\nc"), "a b\nc");
    }

    proptest! {
        #[test]
        fn reads_back_in_text_and_attribute(text in "[^\\p{C}]*") {
            let document = format!("<p title=\"{0}\">{0}</p>", escape(&text));
            let document = roxmltree::Document::parse(&document).unwrap();
            prop_assert_eq!(document.root_element().text().unwrap_or(""), &text);
            prop_assert_eq!(document.root_element().attribute("title").unwrap(), &text);
        }
    }
}
