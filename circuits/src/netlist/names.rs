// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of signals: those in the statements of a `rust-hdl` module, and those for readers.

use super::{Expression, ExpressionKind, Shape, Signal, SignalId};
use std::collections::{HashMap, HashSet};

/// The name and comments of a module from the Rust source. The tree of `rust-hdl` holds neither names of types nor
/// comments.
#[derive(Debug)]
pub struct Description {
    /// Name of the module.
    pub module: &'static str,
    /// Its doc comment.
    pub meaning: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

/// The name and comment of a field of a module.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its doc comment, for a signal or a register.
    pub meaning: &'static str,
    /// Whether it is an input that a parameter drives.
    pub parameter: bool,
    /// The description of its type, for a module.
    pub module: Option<&'static Description>,
}

impl Description {
    /// The description of a field.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        // An element of an array has a name such as `name$3`.
        let name = name.split('$').next().unwrap_or(name);
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The paragraphs of a doc comment, each as one line, without links.
pub(super) fn paragraphs(comment: &str) -> Vec<String> {
    let lines: Vec<&str> = comment.lines().map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    paragraphs.map(|lines| without_links(&lines.join(" "))).collect()
}

/// The first paragraph of a doc comment as one line.
pub(super) fn first_paragraph(comment: &str) -> String {
    paragraphs(comment).into_iter().next().unwrap_or_default()
}

/// Replaces each link in a text by its visible text: ``[`x`](y)`` and ``[`x`]`` become `` `x` ``.
fn without_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        rest = after;
        let Some((shown, behind)) = after.split_once(']') else {
            plain.push('[');
            break;
        };
        let target = behind.strip_prefix('(').and_then(|target| target.split_once(')'));
        let code = shown.len() > 1 && shown.starts_with('`') && shown.ends_with('`');
        match target {
            Some((_, behind)) => (plain, rest) = (plain + shown, behind),
            None if code => (plain, rest) = (plain + shown, behind),
            None => plain.push('['),
        }
    }
    plain + rest
}

/// The names that the statements of one module use.
pub(super) struct Names {
    /// Place of the module, for messages.
    pub module: String,
    /// Signals by their path, `$` between its parts.
    pub signals: HashMap<String, (SignalId, Shape)>,
    /// Named values: index of the enumeration, index of the value, width.
    pub enumerators: HashMap<String, (usize, usize, usize)>,
    /// Constants of the module.
    pub constants: HashMap<String, Expression>,
}

impl Names {
    /// The path of a signal from a statement, without the parts for the access, and with computed indices.
    pub fn path(&self, text: &str, loops: &[(String, i128)]) -> Result<String, String> {
        let mut path = String::new();
        let mut rest = text.trim_start_matches('.').trim_end_matches("$next");
        while let Some((before, after)) = rest.split_once('[') {
            let (index, behind) = after.split_once(']').ok_or_else(|| format!("`{text}` has no closing bracket"))?;
            let index =
                index_value(index, loops).ok_or_else(|| format!("the index `{index}` of `{text}` is not known"))?;
            path.push_str(&format!("{before}${index}"));
            rest = behind;
        }
        path.push_str(rest);
        Ok(path.replace("::", "$").replace('.', "$"))
    }

    /// A signal that is assigned.
    pub fn target(&self, text: &str, loops: &[(String, i128)]) -> Result<(SignalId, Shape), String> {
        let path = self.path(text, loops)?;
        self.signals.get(&path).copied().ok_or_else(|| format!("there is no signal `{}`", path.replace('$', ".")))
    }

    /// The value of a name.
    pub fn value(&self, text: &str, loops: &[(String, i128)]) -> Result<Expression, String> {
        let path = self.path(text, loops)?;
        if let Some(&(id, shape)) = self.signals.get(&path) {
            return Ok(Expression::signal(id, shape));
        }
        if let Some(constant) = self.constants.get(&path) {
            return Ok(constant.clone());
        }
        if let Some(&(enumeration, value, bits)) = self.enumerators.get(&path) {
            let kind = ExpressionKind::Enumerator { enumeration, value };
            return Ok(Expression { kind, shape: Shape::unsigned(bits) });
        }
        Err(format!(
            "`{}` is no signal, no constant field and no value of an enumeration here; the name of a Rust constant does \
             not reach the circuit: use a field of type Constant or a literal",
            path.replace('$', ".")
        ))
    }
}

/// The value of an index such as `i + 1` or `((2 * i))`.
fn index_value(text: &str, loops: &[(String, i128)]) -> Option<i128> {
    let text: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    let text = match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) if balanced(inner) => return index_value(inner, loops),
        _ => text,
    };
    if let Some((_, value)) = loops.iter().rev().find(|(variable, _)| *variable == text) {
        return Some(*value);
    }
    // The operator with the lowest precedence, the last one of its kind.
    for operators in [['+', '-'], ['*', '*']] {
        let mut depth = 0;
        for (at, character) in text.char_indices().rev() {
            match character {
                ')' => depth += 1,
                '(' => depth -= 1,
                _ if depth == 0 && operators.contains(&character) && at > 0 => {
                    let (left, right) = (index_value(&text[..at], loops)?, index_value(&text[at + 1..], loops)?);
                    return Some(match character {
                        '+' => left + right,
                        '-' => left - right,
                        _ => left * right,
                    });
                }
                _ => {}
            }
        }
    }
    text.trim_end_matches("usize").trim_end_matches('_').parse().ok()
}

fn balanced(text: &str) -> bool {
    let mut depth = 0;
    for character in text.chars() {
        depth += i32::from(character == '(') - i32::from(character == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Checks that each signal has a unique name, which is an identifier and not the name of the module.
pub(super) fn unique_names(module: &str, signals: &[Signal]) -> Result<(), (String, String)> {
    let mut seen: HashSet<&str> = HashSet::new();
    for signal in signals {
        if signal.name == module {
            return Err((signal.name.clone(), "has the name of its module: rename one of them".into()));
        }
        let plain = signal.name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        if !plain || signal.name.starts_with(|first: char| first.is_ascii_digit()) {
            return Err((signal.name.clone(), "is no identifier of letters, digits and underscores".into()));
        }
        if !seen.insert(&signal.name) {
            return Err((signal.name.clone(), "two signals have this name: rename one of them".into()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_worked_out() {
        let loops = vec![("i".to_string(), 3), ("j".to_string(), 5)];
        for (text, value) in
            [("7", 7), ("i", 3), ("i + 1", 4), ("((i+1))", 4), ("2 * i - 1", 5), ("(i)*(j+1)", 18), ("3usize", 3)]
        {
            assert_eq!(index_value(text, &loops), Some(value), "{text}");
        }
        assert_eq!(index_value("k", &loops), None);
        assert_eq!(index_value("i / 2", &loops), None);
    }

    #[test]
    fn the_first_paragraph_is_one_line() {
        assert_eq!(first_paragraph(" One\n two.\n\n Three."), "One two.");
        assert_eq!(first_paragraph(""), "");
    }

    #[test]
    fn all_paragraphs_are_kept_and_links_are_plain() {
        let comment = "\n One [`x`](y::x).\n [two](three), [`four`].\n\n\n From [0, `ratio`) [5].\n";
        assert_eq!(paragraphs(comment), ["One `x`. two, `four`.", "From [0, `ratio`) [5]."]);
        assert_eq!(paragraphs("An [open one"), ["An [open one"]);
        assert!(paragraphs("").is_empty());
    }
}
