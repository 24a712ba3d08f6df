// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of a length that fits a screen.

/// The most characters of a line.
pub(super) const LONGEST: usize = 120;
/// What a line is continued with, besides its own indentation.
const INDENT: &str = "    ";
/// Operators before which a line may end.
const OPERATORS: [&str; 8] = ["||", "&&", "|", "&", "^", "+", "?", ":"];

/// Verilog with shorter lines, where there is a place to end them: a comment that does not fit behind its line stands above it, an
/// expression goes on before an operator, and a list behind a comma.
pub fn wrapped(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.lines() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.len() <= LONGEST {
            add(&mut wrapped, line);
            continue;
        }
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        add_parts(&mut wrapped, &format!("{indent}// "), &format!("{indent}// "), comment, |_| true);
        if code.trim_end().len() <= LONGEST {
            add(&mut wrapped, code);
            continue;
        }
        let ends = |(before, after): (&str, &str)| before.ends_with(',') || OPERATORS.contains(&after);
        add_parts(&mut wrapped, indent, &format!("{indent}{INDENT}"), code, ends);
    }
    wrapped
}

fn add(text: &mut String, line: &str) {
    *text += line.trim_end();
    text.push('\n');
}

/// Adds words as lines that begin with `first`, then with `next`. A line may end between two words for which `ends` is true.
fn add_parts(text: &mut String, first: &str, next: &str, words: &str, ends: impl Fn((&str, &str)) -> bool) {
    let (mut line, mut part) = (String::new(), String::new());
    let mut start = first;
    let mut before = "";
    for word in words.split_whitespace().chain([""]) {
        let last = word.is_empty();
        if !part.is_empty() && (last || ends((before, word))) {
            // Nothing ends between the words of a part.
            if !line.is_empty() && start.len() + line.len() + 1 + part.len() > LONGEST {
                add(text, &format!("{start}{line}"));
                (line, start) = (String::new(), next);
            }
            line += if line.is_empty() { "" } else { " " };
            line += &std::mem::take(&mut part);
        }
        part += if part.is_empty() { "" } else { " " };
        part += word;
        before = word;
    }
    if !line.is_empty() {
        add(text, &format!("{start}{line}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a Verilog tool sees.
    fn tokens(text: &str) -> Vec<&str> {
        text.lines().flat_map(|line| line.split("//").next().unwrap().split_whitespace()).collect()
    }

    #[test]
    fn lines_become_shorter_and_mean_the_same() {
        let names: Vec<String> = (0..20).map(|number| format!("a_name_of_some_length_{number}")).collect();
        let meaning = "a word and another one ".repeat(9);
        let text = format!(
            "module m (\n    input  wire        short, // Short\n    input  wire [23:0] long,  // {meaning}\n);\n    wire unused = &{{{}}};\n        \
             assign sum = ({});\n\nendmodule\n",
            names.join(", "),
            names.join(" && ")
        );
        let wrapped = wrapped(&text);
        assert!(wrapped.lines().all(|line| line.len() <= LONGEST), "{wrapped}");
        assert_eq!(tokens(&wrapped), tokens(&text));
        let words: String =
            wrapped.lines().filter_map(|line| line.split_once("    // ")).map(|(_, words)| words).collect();
        assert_eq!(words.matches("another").count(), 9, "{wrapped}");
        assert!(
            wrapped.contains("    // a word and another one") && wrapped.contains("\n    input  wire [23:0] long,\n")
        );
        assert!(wrapped.contains("\n            && a_name_of_some_length_"), "{wrapped}");
        assert_eq!(super::wrapped(&wrapped), wrapped);
    }
}
