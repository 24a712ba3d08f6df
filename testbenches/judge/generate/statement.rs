// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random statements: signals are given a value on every path before they are read, and then again under conditions.

use super::expression::Reader;
use super::{Maker, Type};

/// How deep an expression is at most.
const DEPTH: usize = 2;

impl Maker {
    fn reader(&self, slot: usize, limit: u64) -> Reader {
        let slot = &self.slots[slot];
        Reader { sources: slot.late, limit: slot.limit & limit, index: None, depends: 0 }
    }

    /// Notes what the target of an assignment now depends on.
    fn note(&mut self, slot: usize, reader: &Reader) {
        self.slots[slot].depends |= reader.depends;
    }

    /// An assignment of the whole signal, without a condition.
    fn assign(&mut self, slot: usize) -> String {
        let (path, kind) = (self.slots[slot].path.clone(), self.slots[slot].kind);
        let mut reader = self.reader(slot, u64::MAX);
        let depth = self.random.below(DEPTH + 1);
        let text = match kind {
            Type::Struct(index) => {
                let whole = self.expression(&mut reader, kind, 0);
                if !whole.is_empty() && self.random.below(2) == 0 {
                    format!("{path}.next = {whole};")
                } else {
                    // A structure field by field.
                    let fields = self.structures[index].1.clone();
                    let fields = fields.iter().map(|(name, field)| {
                        format!("{path}.next.{name} = {};", self.expression(&mut reader, *field, depth))
                    });
                    fields.collect::<Vec<_>>().join("\n")
                }
            }
            Type::Bits(width) if self.random.below(12) == 0 => {
                let number = self.random.bits(width.min(31));
                format!("{path}.next = {number}.into();")
            }
            _ => format!("{path}.next = {};", self.expression(&mut reader, kind, depth)),
        };
        self.note(slot, &reader);
        text
    }

    /// An assignment of a signal that has a value: of all or of a part of it.
    fn change(&mut self, slot: usize) -> String {
        let (path, kind, readable) = {
            let slot = &self.slots[slot];
            (slot.path.clone(), slot.kind, slot.readable && slot.assigned)
        };
        let mut reader = self.reader(slot, u64::MAX);
        let text = match kind {
            Type::Struct(index) if self.random.below(4) > 0 => {
                let fields = &self.structures[index].1;
                let (name, field) = fields[self.random.below(fields.len())].clone();
                format!("{path}.next.{name} = {};", self.expression(&mut reader, field, 2))
            }
            Type::Bits(width) if readable && self.random.below(4) == 0 => {
                let (place, bit) = (self.random.below(width), self.expression(&mut reader, Type::Bit, 1));
                format!("{path}.next = {path}.val().replace_bit({place}, {bit});")
            }
            _ => return self.assign(slot),
        };
        self.note(slot, &reader);
        text
    }

    /// Assigns a signal on every path, for the first time.
    pub fn first(&mut self, slot: usize) -> String {
        let text = match self.random.below(6) {
            0 => {
                let (condition, depends) = self.condition(slot);
                self.slots[slot].depends |= depends;
                let (then, otherwise) = (self.assign(slot), self.assign(slot));
                format!("if {condition} {{\n{then}\n}} else {{\n{otherwise}\n}}")
            }
            1 => match self.look(slot) {
                Some((test, values, depends)) => {
                    self.slots[slot].depends |= depends;
                    let arms: Vec<_> =
                        values.iter().map(|value| format!("{value} => {{\n{}\n}}", self.assign(slot))).collect();
                    format!("match {test} {{\n{}\n}}", arms.join("\n"))
                }
                None => self.assign(slot),
            },
            _ => self.assign(slot),
        };
        self.slots[slot].assigned = true;
        text
    }

    fn condition(&mut self, slot: usize) -> (String, u64) {
        let mut reader = self.reader(slot, u64::MAX);
        let depth = 1 + self.random.below(DEPTH);
        let text = self.expression(&mut reader, Type::Bit, depth);
        (text, reader.depends)
    }

    /// What a match looks at, and its patterns, which have every value.
    fn look(&mut self, slot: usize) -> Option<(String, Vec<String>, u64)> {
        let mut reader = self.reader(slot, u64::MAX);
        let (read, kind) = self.read(&mut reader, |kind| {
            matches!(kind, Type::Enum(_)) || matches!(kind, Type::Bits(width) if width <= 8)
        })?;
        let (text, mut patterns, all) = match kind {
            Type::Enum(index) => {
                let (name, values) = &self.enumerations[index];
                let patterns: Vec<_> = values.iter().map(|value| format!("{name}::{value}")).collect();
                (read, patterns, true)
            }
            Type::Bits(width) => {
                let suffix = ["usize", ""][self.random.below(2)];
                let patterns = (0..4.min(1 << width)).map(|value| format!("{value}{suffix}")).collect();
                (format!("{read}.index()"), patterns, false)
            }
            _ => return None,
        };
        if !all || self.random.below(2) == 0 {
            let keep = 1 + self.random.below(patterns.len());
            patterns.truncate(keep);
            patterns.push("_".into());
        }
        Some((text, patterns, reader.depends))
    }

    /// A statement that changes signals which have a value.
    pub fn more(&mut self, depth: usize) -> Option<String> {
        let may: Vec<usize> =
            (0..self.slots.len()).filter(|&slot| self.slots[slot].assigned && self.slots[slot].target).collect();
        if may.is_empty() {
            return None;
        }
        let slot = may[self.random.below(may.len())];
        if depth == 0 || self.random.below(3) == 0 {
            return Some(self.change(slot));
        }
        // What is assigned under a condition depends on what the condition reads.
        let (condition, depends) = match self.random.below(3) {
            0 => return self.match_more(slot, depth),
            _ => self.condition(slot),
        };
        let late = self.slots[slot].late;
        let mut text = format!("if {condition} {{\n{}\n}}", self.branch(slot, depth, depends));
        for _ in 0..self.random.below(2) {
            let mut reader = Reader { sources: late, limit: self.slots[slot].limit, index: None, depends: 0 };
            let condition = self.expression(&mut reader, Type::Bit, 2);
            self.slots[slot].depends |= reader.depends;
            text += &format!(" else if {condition} {{\n{}\n}}", self.branch(slot, depth, depends | reader.depends));
        }
        if self.random.below(2) == 0 {
            // Under all conditions of the chain.
            let all = self.slots[slot].depends | depends;
            text += &format!(" else {{\n{}\n}}", self.branch(slot, depth, all));
        }
        Some(text)
    }

    fn match_more(&mut self, slot: usize, depth: usize) -> Option<String> {
        let (test, values, depends) = self.look(slot)?;
        let arms: Vec<_> =
            values.iter().map(|value| format!("{value} => {{\n{}\n}}", self.branch(slot, depth, depends))).collect();
        Some(format!("match {test} {{\n{}\n}}", arms.join("\n")))
    }

    /// The statements of a branch whose conditions depend on some instances, one of which changes the signal.
    fn branch(&mut self, slot: usize, depth: usize, depends: u64) -> String {
        let mut texts = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            // Another signal may stand under this condition only if it may depend on what the condition reads.
            let sources_only = self.slots[slot].late;
            let may: Vec<usize> = (0..self.slots.len())
                .filter(|&other| {
                    let other = &self.slots[other];
                    other.assigned && other.target && depends & !other.limit == 0 && (!other.late || sources_only)
                })
                .collect();
            let target =
                if self.random.below(2) == 0 || may.is_empty() { slot } else { may[self.random.below(may.len())] };
            self.slots[target].depends |= depends;
            let nested = depth > 1 && self.random.below(3) == 0;
            texts.push(if nested {
                let mut reader = self.reader(target, u64::MAX);
                let condition = self.expression(&mut reader, Type::Bit, 2);
                let depends = depends | reader.depends;
                self.slots[target].depends |= depends;
                format!("if {condition} {{\n{}\n}}", self.branch(target, depth - 1, depends))
            } else {
                self.change(target)
            });
        }
        texts.join("\n")
    }

    /// A loop over an array that assigns each element for the first time, or again.
    pub fn all_of(&mut self, array: &str, length: usize) -> String {
        let slots: Vec<usize> = (0..length)
            .map(|place| self.slots.iter().position(|slot| slot.path == format!("self.{array}[{place}]")).unwrap())
            .collect();
        let variable = ["i", "k", "place"][self.random.below(3)].to_string();
        let mut reader = self.reader(slots[0], u64::MAX);
        reader.index = Some((variable.clone(), length));
        let kind = self.slots[slots[0]].kind;
        let mut assign = || format!("self.{array}[{variable}].next = {};", self.expression(&mut reader, kind, 2));
        let first = assign();
        let text = match self.random.below(3) {
            0 => {
                let second = {
                    let text = self.expression(&mut reader, kind, 1);
                    format!("self.{array}[{variable}].next = {text};")
                };
                let place = self.random.below(length);
                format!("if {variable} == {place} {{\n{first}\n}} else {{\n{second}\n}}")
            }
            _ => first,
        };
        for slot in slots {
            self.slots[slot].depends |= reader.depends;
            self.slots[slot].assigned = true;
        }
        format!("for {variable} in 0..{length} {{\n{text}\n}}")
    }
}
