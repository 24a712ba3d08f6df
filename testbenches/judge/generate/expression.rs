// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random expressions of a type, from what may be read at their place.

use super::{Maker, Slot, Type};

/// The text of an expression and how strongly its outermost operator binds in Rust.
pub struct Text {
    text: String,
    strength: u8,
}

const ATOM: u8 = 12;
const UNARY: u8 = 11;
const PRODUCT: u8 = 10;
const SUM: u8 = 9;
const SHIFT: u8 = 8;
const AND: u8 = 7;
const XOR: u8 = 6;
const OR: u8 = 5;
const COMPARISON: u8 = 4;
const BOTH: u8 = 3;
const EITHER: u8 = 2;

fn text(text: String, strength: u8) -> Text {
    Text { text, strength }
}

/// What an expression may read, and what it has read.
pub struct Reader {
    /// Only what no signal of the module leads to within a cycle: inputs and registers.
    pub sources: bool,
    /// Only what depends on these instances.
    pub limit: u64,
    /// The variable of the loop around, and its end; none inside `bit_cast`, where the macro of `rust-hdl` knows no variable.
    pub index: Option<(String, usize)>,
    /// The instances that the expression depends on.
    pub depends: u64,
}

impl Maker {
    /// What may be read of a type.
    fn readable(&self, reader: &Reader, fits: impl Fn(Type) -> bool) -> Vec<(String, Type, u64)> {
        let may = |slot: &&Slot| {
            slot.readable
                && (slot.assigned || slot.late)
                && slot.depends & !reader.limit == 0
                && (slot.source || !reader.sources)
                && fits(slot.kind)
        };
        let mut found: Vec<_> =
            self.slots.iter().filter(may).map(|slot| (slot.path.clone(), slot.kind, slot.depends)).collect();
        // All elements of an array, by the variable of a loop.
        if let Some((variable, end)) = &reader.index {
            for (array, length) in self.arrays.iter().filter(|(_, length)| length >= end) {
                let elements: Vec<_> = (0..*length).map(|place| format!("self.{array}[{place}]")).collect();
                let kind = self.slots.iter().find(|slot| slot.path == elements[0]).map(|slot| slot.kind);
                if elements.iter().all(|element| found.iter().any(|(path, ..)| path == element)) {
                    let depends = found
                        .iter()
                        .filter(|(path, ..)| elements.contains(path))
                        .fold(0, |all, (.., depends)| all | depends);
                    // Twice: a loop is there for its arrays.
                    for by in [variable.clone(), format!("{variable} / 2")] {
                        found.push((format!("self.{array}[{by}]"), kind.unwrap(), depends));
                    }
                }
            }
        }
        found
    }

    /// A signal of the type, or of any that fits.
    pub fn read(&mut self, reader: &mut Reader, fits: impl Fn(Type) -> bool) -> Option<(String, Type)> {
        let found = self.readable(reader, fits);
        if found.is_empty() {
            return None;
        }
        let (path, kind, depends) = found[self.random.below(found.len())].clone();
        reader.depends |= depends;
        Some((format!("{path}.val()"), kind))
    }

    /// A number as Rust has it: with its type where it is no `i32`.
    fn number(&mut self, width: usize) -> String {
        let value = match self.random.below(4) {
            0 => self.random.bits(1),
            1 => u64::MAX >> (64 - width.min(64)),
            _ => self.random.bits(width.min(64)),
        };
        match (value > 0x7fff_ffff, self.random.below(3)) {
            (true, _) => format!("{value:#x}u64"),
            (false, 0) => format!("{value:#x}"),
            (false, _) => value.to_string(),
        }
    }

    fn parenthesized(&mut self, inner: Text, least: u8) -> String {
        if inner.strength < least || (inner.strength < ATOM && self.random.below(3) == 0) {
            format!("({})", inner.text)
        } else {
            inner.text
        }
    }

    /// An expression of a type, at most so deep.
    pub fn expression(&mut self, reader: &mut Reader, kind: Type, depth: usize) -> String {
        match kind {
            Type::Bit => self.bit(reader, depth).text,
            Type::Bits(width) => self.bits(reader, width, depth).text,
            Type::Signed(width) => self.signed(reader, width, depth).text,
            Type::Enum(index) => {
                if self.random.below(2) == 0
                    && let Some((read, _)) = self.read(reader, |other| other == kind)
                {
                    return read;
                }
                self.value_of(index)
            }
            Type::Struct(_) => self.read(reader, |other| other == kind).map(|(read, _)| read).unwrap_or_default(),
        }
    }

    /// A value of an enumeration.
    pub fn value_of(&mut self, index: usize) -> String {
        let (name, values) = self.enumerations[index].clone();
        format!("{name}::{}", values[self.random.below(values.len())])
    }

    /// A field of a structure that may be read.
    fn field(&mut self, reader: &mut Reader, kind: Type) -> Option<String> {
        let has: Vec<usize> = (0..self.structures.len())
            .filter(|&index| self.structures[index].1.iter().any(|(_, field)| *field == kind))
            .collect();
        let (read, found) = self.read(reader, |other| matches!(other, Type::Struct(index) if has.contains(&index)))?;
        let Type::Struct(index) = found else { unreachable!("a structure") };
        let fields: Vec<_> = self.structures[index].1.iter().filter(|(_, field)| *field == kind).collect();
        Some(format!("{read}.{}", fields[self.random.below(fields.len())].0))
    }

    /// Something of any width, with its width.
    fn any_bits(&mut self, reader: &mut Reader, depth: usize) -> (Text, usize) {
        if let Some((read, Type::Bits(width))) = self.read(reader, |kind| matches!(kind, Type::Bits(_))) {
            if depth > 0 && self.random.below(3) == 0 {
                return (self.bits(reader, width, depth - 1), width);
            }
            return (text(read, ATOM), width);
        }
        (self.bits(reader, 8, 0), 8)
    }

    fn leaf(&mut self, reader: &mut Reader, width: usize) -> Text {
        if self.random.below(8) > 0 {
            if let Some((read, _)) = self.read(reader, |kind| kind == Type::Bits(width)) {
                return text(read, ATOM);
            }
            if let Some(field) = self.field(reader, Type::Bits(width)) {
                return text(field, ATOM);
            }
            let index = reader.index.take();
            let any = self.read(reader, |kind| matches!(kind, Type::Bits(_)));
            reader.index = index;
            if let Some((read, Type::Bits(other))) = any {
                return text(format!("bit_cast::<{width}, {other}>({read})"), ATOM);
            }
        }
        let number = self.number(width);
        text(format!("bits::<{width}>({number})"), ATOM)
    }

    fn bits(&mut self, reader: &mut Reader, width: usize, depth: usize) -> Text {
        if depth == 0 {
            return self.leaf(reader, width);
        }
        let depth = depth - 1;
        match self.random.below(20) {
            0..=6 => {
                let (operator, strength) =
                    [(" + ", SUM), (" - ", SUM), (" & ", AND), (" | ", OR), (" ^ ", XOR)][self.random.below(5)];
                let left = self.bits(reader, width, depth);
                let left = self.parenthesized(left, strength);
                let right = if self.random.below(3) == 0 {
                    self.number(width)
                } else {
                    let right = self.bits(reader, width, depth);
                    self.parenthesized(right, strength + 1)
                };
                text(format!("{left}{operator}{right}"), strength)
            }
            7 => {
                let value = self.bits(reader, width, depth);
                let bit = self.bit(reader, depth);
                let (value, bit) = (self.parenthesized(value, SUM), self.parenthesized(bit, SUM + 1));
                text(format!("{value} + {bit}"), SUM)
            }
            8 => {
                let inner = self.bits(reader, width, depth);
                text(format!("!{}", self.parenthesized(inner, UNARY)), UNARY)
            }
            9..=11 => {
                let operator = ["<<", ">>"][self.random.below(2)];
                let value = self.bits(reader, width, depth);
                let value = self.parenthesized(value, SHIFT);
                // A wide amount is shifted without a bound by rust-hdl itself: gigabytes.
                let amount = match self.read(reader, |kind| matches!(kind, Type::Bits(width) if width <= 9)) {
                    Some((read, _)) if self.random.below(2) == 0 => read,
                    _ => self.random.below(width + 3).to_string(),
                };
                text(format!("{value} {operator} {amount}"), SHIFT)
            }
            12 | 13 => {
                let index = reader.index.take();
                let (value, other) = self.any_bits(reader, depth);
                reader.index = index;
                text(format!("bit_cast::<{width}, {other}>({})", value.text), ATOM)
            }
            14 | 15 => {
                let (value, other) = self.any_bits(reader, depth);
                let value = self.parenthesized(value, ATOM);
                let place = match self
                    .read(reader, |kind| matches!(kind, Type::Bits(width) if width <= 8 && 1 << width <= other))
                {
                    Some((read, _)) if self.random.below(3) == 0 => format!("{read}.index()"),
                    _ => self.random.below(other).to_string(),
                };
                text(format!("{value}.get_bits::<{width}>({place})"), ATOM)
            }
            16 => {
                let value = self.bits(reader, width, depth);
                let (value, bit) = (self.parenthesized(value, ATOM), self.bit(reader, depth).text);
                let place = self.place(reader, width);
                text(format!("{value}.replace_bit({place}, {bit})"), ATOM)
            }
            17 => {
                let index = reader.index.take();
                let bit = self.bit(reader, depth);
                reader.index = index;
                let bit = self.parenthesized(bit, ATOM);
                text(format!("bit_cast::<{width}, 1>({bit}.into())"), ATOM)
            }
            18 => text(format!("unsigned_cast({})", self.signed(reader, width, depth).text), ATOM),
            _ if width == 32 => {
                let [left, right] = [(); 2].map(|()| self.leaf(reader, 16));
                let (left, right) = (self.parenthesized(left, PRODUCT), self.parenthesized(right, PRODUCT + 1));
                text(format!("{left} * {right}"), PRODUCT)
            }
            _ => self.leaf(reader, width),
        }
    }

    /// The index of a bit of a value. One that varies reaches no further than the value: rust-hdl's own simulation stops
    /// there.
    fn place(&mut self, reader: &mut Reader, width: usize) -> String {
        if let Some((variable, end)) = reader.index.clone()
            && end <= width
            && self.random.below(2) == 0
        {
            return variable;
        }
        match self.read(reader, |kind| matches!(kind, Type::Bits(index) if index <= 8 && 1 << index <= width)) {
            Some((read, _)) if self.random.below(2) == 0 => format!("{read}.index()"),
            _ => self.random.below(width).to_string(),
        }
    }

    fn signed(&mut self, reader: &mut Reader, width: usize, depth: usize) -> Text {
        if (depth == 0 || self.random.below(3) == 0)
            && let Some((read, _)) = self.read(reader, |kind| kind == Type::Signed(width))
        {
            return text(read, ATOM);
        }
        if depth == 0 {
            return text(format!("signed_cast({})", self.leaf(reader, width).text), ATOM);
        }
        match self.random.below(5) {
            operator @ (0 | 1) => {
                let left = self.signed(reader, width, depth - 1);
                let right = self.signed(reader, width, depth - 1);
                let (left, right) = (self.parenthesized(left, SUM), self.parenthesized(right, SUM + 1));
                text(format!("{left} {} {right}", ["+", "-"][operator]), SUM)
            }
            2 => {
                let inner = self.signed(reader, width, depth - 1);
                text(format!("-{}", self.parenthesized(inner, UNARY)), UNARY)
            }
            3 => match self.read(reader, |kind| matches!(kind, Type::Signed(_))) {
                Some((read, Type::Signed(other))) if other > width => {
                    text(format!("{read}.get_bits::<{width}>({})", self.random.below(other - width + 1)), ATOM)
                }
                _ => text(format!("signed_cast({})", self.bits(reader, width, depth - 1).text), ATOM),
            },
            _ => text(format!("signed_cast({})", self.bits(reader, width, depth - 1).text), ATOM),
        }
    }

    fn bit(&mut self, reader: &mut Reader, depth: usize) -> Text {
        if depth == 0 {
            if let Some((read, _)) = self.read(reader, |kind| kind == Type::Bit) {
                return text(read, ATOM);
            }
            return text(["true", "false"][self.random.below(2)].into(), ATOM);
        }
        let depth = depth - 1;
        match self.random.below(14) {
            0..=3 => {
                let (value, width) = self.any_bits(reader, depth);
                let operator = ["==", "!=", "<", "<=", ">", ">="][self.random.below(6)];
                let left = self.parenthesized(value, COMPARISON + 1);
                let right = if self.random.below(2) == 0 {
                    self.number(width)
                } else {
                    let right = self.bits(reader, width, depth);
                    self.parenthesized(right, COMPARISON + 1)
                };
                text(format!("{left} {operator} {right}"), COMPARISON)
            }
            4 => {
                let (value, width) = self.any_bits(reader, depth);
                let value = self.parenthesized(value, ATOM);
                let place = self.place(reader, width);
                text(format!("{value}.get_bit({place})"), ATOM)
            }
            5 => {
                let (value, _) = self.any_bits(reader, depth);
                let value = self.parenthesized(value, ATOM);
                text(format!("{value}.{}()", ["any", "all", "xor"][self.random.below(3)]), ATOM)
            }
            6 => {
                let inner = self.bit(reader, depth);
                text(format!("!{}", self.parenthesized(inner, UNARY)), UNARY)
            }
            7..=9 => {
                let (operator, strength) =
                    [("&", AND), ("|", OR), ("^", XOR), ("&&", BOTH), ("||", EITHER)][self.random.below(5)];
                let (left, right) = (self.bit(reader, depth), self.bit(reader, depth));
                let (left, right) = (self.parenthesized(left, strength), self.parenthesized(right, strength + 1));
                text(format!("{left} {operator} {right}"), strength)
            }
            10 => match self.read(reader, |kind| matches!(kind, Type::Enum(_))) {
                Some((read, Type::Enum(index))) => {
                    let operator = ["==", "!="][self.random.below(2)];
                    text(format!("{read} {operator} {}", self.value_of(index)), COMPARISON)
                }
                _ => self.bit(reader, depth),
            },
            11 => match self.read(reader, |kind| matches!(kind, Type::Signed(_))) {
                Some((read, Type::Signed(width))) => {
                    let operator = ["<", "<=", ">", ">=", "=="][self.random.below(5)];
                    let right = self.signed(reader, width, depth);
                    text(format!("{read} {operator} {}", self.parenthesized(right, COMPARISON + 1)), COMPARISON)
                }
                _ => self.bit(reader, depth),
            },
            12 => match self.read(reader, |kind| matches!(kind, Type::Bits(width) if width <= 32)) {
                // A whole number: one that the value cannot reach is allowed.
                Some((read, Type::Bits(width))) => {
                    let number = self.random.below(2 << width.min(4));
                    let operator = ["==", "<", ">="][self.random.below(3)];
                    text(format!("{read}.index() {operator} {number}"), COMPARISON)
                }
                _ => self.bit(reader, depth),
            },
            _ => match self.field(reader, Type::Bit) {
                Some(field) => text(field, ATOM),
                None => self.bit(reader, depth),
            },
        }
    }
}
