// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of signals: those in the statements of a `rust-hdl` module, and those for readers.

use super::{Expression, ExpressionKind, Shape, Signal, SignalId, index};
use std::collections::{BTreeSet, HashMap, HashSet};

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
#[derive(Default)]
pub(super) struct Names {
    /// Place of the module, for messages.
    pub module: String,
    /// Signals and constants by their path, `$` between its parts.
    pub values: HashMap<String, Value>,
    /// The outputs and locals of the module itself: a read of one is what was assigned last above it.
    pub own: BTreeSet<SignalId>,
    /// Named values of enumerations, by `Type$Value` and by `Value`.
    enumerators: HashMap<String, Vec<Enumerator>>,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) struct Value {
    pub expression: Expression,
    /// Index of its enumeration.
    pub enumeration: Option<usize>,
    /// The fields of its type, if that is a struct.
    pub fields: Vec<Part>,
}

/// A field of a struct.
#[derive(Clone)]
pub(super) struct Part {
    pub low: usize,
    pub shape: Shape,
    /// Index of its enumeration.
    pub enumeration: Option<usize>,
}

/// A named value.
#[derive(Clone, Copy, PartialEq)]
struct Enumerator {
    enumeration: usize,
    value: usize,
    bits: usize,
}

impl Names {
    /// Those of a module that has none yet.
    pub fn of(module: &str) -> Self {
        Names { module: module.to_string(), ..Names::default() }
    }

    /// Adds the values of an enumeration.
    pub fn enumeration(&mut self, index: usize, name: &str, values: &[String], bits: usize) {
        for (value, label) in values.iter().enumerate() {
            let known = Enumerator { enumeration: index, value, bits };
            for path in [format!("{name}${label}"), label.clone()] {
                self.enumerators.entry(path).or_default().push(known);
            }
        }
    }

    /// Whether a read of a signal gives what was assigned last.
    pub fn keeps(&self, id: SignalId) -> bool {
        self.own.contains(&id)
    }

    /// The path of a signal from a statement, without the parts for the access, and with computed indices.
    fn path(&self, text: &str, loops: &[(String, i128)]) -> Result<String, String> {
        let mut path = String::new();
        let mut rest = text.trim_start_matches('.').trim_end_matches("$next");
        while let Some((before, after)) = rest.split_once('[') {
            let (index, behind) = after.split_once(']').ok_or_else(|| format!("`{text}` has no closing bracket"))?;
            let index = index::value(index, loops)
                .filter(|index| *index >= 0)
                .ok_or_else(|| format!("the index `{index}` of `{text}` is not known"))?;
            path.push_str(&format!("{before}${index}"));
            rest = behind;
        }
        path.push_str(rest);
        Ok(path.replace("::", "$").replace('.', "$"))
    }

    /// A signal that is assigned.
    pub fn target(&self, text: &str, loops: &[(String, i128)]) -> Result<(SignalId, &Value), String> {
        let path = self.path(text, loops)?;
        let known = self.values.get(&path).and_then(|known| Some((known.expression.as_signal()?, known)));
        known.ok_or_else(|| format!("there is no signal `{}`", path.replace('$', ".")))
    }

    /// The signal or constant of a name, if it is one.
    pub fn known(&self, text: &str, loops: &[(String, i128)]) -> Option<&Value> {
        self.values.get(&self.path(text, loops).ok()?)
    }

    /// The value of a name. If it is the name of values of several enumerations, the one of `wanted` is meant.
    pub fn value(&self, text: &str, loops: &[(String, i128)], wanted: Option<usize>) -> Result<Expression, String> {
        let path = self.path(text, loops)?;
        if let Some(known) = self.values.get(&path) {
            return Ok(known.expression.clone());
        }
        // The type may have a path in front of it: `module::Type::Value`.
        let mut parts: Vec<&str> = path.rsplitn(3, '$').take(2).collect();
        parts.reverse();
        let found = self.enumerators.get(&parts.join("$")).map_or(&[][..], |found| &found[..]);
        let of_wanted = found.iter().find(|known| Some(known.enumeration) == wanted);
        match (of_wanted, found) {
            (Some(known), _) => Ok(known.expression()),
            (None, [first, rest @ ..])
                if rest.iter().all(|known| known.value == first.value && known.bits == first.bits) =>
            {
                Ok(first.expression())
            }
            (None, [_, ..]) => Err(format!(
                "`{}` is a value of several enumerations: rename one of these types",
                path.replace('$', ".")
            )),
            (None, []) => Err(format!(
                "`{}` is no signal, no constant field and no value of an enumeration here; the name of a Rust constant \
                 does not reach the circuit: use a field of type Constant or a literal",
                path.replace('$', ".")
            )),
        }
    }
}

impl Enumerator {
    fn expression(self) -> Expression {
        let kind = ExpressionKind::Enumerator { enumeration: self.enumeration, value: self.value };
        Expression { kind, shape: Shape::unsigned(self.bits) }
    }
}

/// A name as an identifier: letters, digits and underscores. Rust also has letters of other languages, and `r#` in front
/// of its keywords.
pub(super) fn identifier(name: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    let name: String = name.trim_start_matches("r#").replace("$r#", "$").chars().map(plain).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The first of `base_n`, `base_n+1` and so on that is not taken.
pub(super) fn free_name(base: &str, from: usize, taken: &dyn Fn(&str) -> bool) -> String {
    let names = (from..).map(|number| format!("{base}_{number}"));
    names.into_iter().find(|name| !taken(name)).expect("numbers do not end")
}

/// Checks that each signal has a unique name, which is an identifier.
pub(super) fn unique_names(signals: &[Signal]) -> Result<(), (String, String)> {
    let mut seen: HashSet<&str> = HashSet::new();
    for signal in signals {
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
    fn a_name_is_an_identifier() {
        for (name, identifier) in [("a$3", "a_3"), ("r#type", "type"), ("bus$r#loop", "bus_loop"), ("größe", "gr__e")]
        {
            assert_eq!(super::identifier(name), identifier);
        }
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
