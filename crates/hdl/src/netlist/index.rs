// SPDX-License-Identifier: MIT OR Apache-2.0
//! Indices of arrays: `rust-hdl` keeps them as text, without spaces.

/// The value of an index such as `i+1`, `(2*i)/3` or `N` of a loop; `None` if it has a name that is no variable of a loop,
/// an operator that Rust's whole numbers do not have, or no value.
pub(super) fn value(text: &str, loops: &[(String, i128)]) -> Option<i128> {
    let text: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    let mut reader = Reader { rest: &text, loops };
    let value = reader.operators(0)?;
    reader.rest.is_empty().then_some(value)
}

/// The operators of Rust, those that bind least first.
const OPERATORS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

struct Reader<'a> {
    rest: &'a str,
    loops: &'a [(String, i128)],
}

impl<'a> Reader<'a> {
    fn operators(&mut self, level: usize) -> Option<i128> {
        let Some(operators) = OPERATORS.get(level) else { return self.operand() };
        let mut left = self.operators(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.rest.starts_with(**operator)) {
            self.rest = &self.rest[operator.len()..];
            let right = self.operators(level + 1)?;
            left = operate(operator, left, right)?;
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<i128> {
        let value = match self.rest.strip_prefix('(') {
            Some(inside) => {
                self.rest = inside;
                let value = self.operators(0)?;
                self.rest = self.rest.strip_prefix(')')?;
                value
            }
            None => {
                let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                self.word(word)?
            }
        };
        // `as usize`, without its spaces.
        self.rest = self.rest.strip_prefix("asusize").unwrap_or(self.rest);
        Some(value)
    }

    fn word(&self, word: &str) -> Option<i128> {
        let variable = |name: &str| self.loops.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value);
        variable(word).or_else(|| word.strip_suffix("asusize").and_then(variable)).or_else(|| number(word))
    }
}

/// The value of two whole numbers.
fn operate(operator: &str, left: i128, right: i128) -> Option<i128> {
    match operator {
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "<<" => left.checked_shl(u32::try_from(right).ok()?),
        ">>" => left.checked_shr(u32::try_from(right).ok()?),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => None,
    }
}

/// A literal of Rust: `12`, `0x1f`, `0b1_0`, with or without a type behind it.
pub(super) fn number(text: &str) -> Option<i128> {
    let types = ["usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0b") => (&text[2..], 2),
        Some("0o") => (&text[2..], 8),
        _ => (&text[..], 10),
    };
    let plain = types.iter().find_map(|suffix| digits.strip_suffix(suffix)).unwrap_or(digits);
    i128::from_str_radix(plain, radix).ok().filter(|_| !plain.starts_with(['+', '-']))
}

#[cfg(test)]
mod tests {
    #[test]
    fn indices_are_worked_out() {
        let loops = vec![("i".to_string(), 3), ("j".to_string(), 5)];
        for (text, value) in [
            ("7", 7),
            ("i", 3),
            ("i + 1", 4),
            ("((i+1))", 4),
            ("2 * i - 1", 5),
            ("(i)*(j+1)", 18),
            ("3usize", 3),
            ("0x1f", 31),
            ("0b1_01u8", 5),
            ("i / 2", 1),
            ("j % 3", 2),
            ("7 - i - 1", 3),
            ("9 - j / 2 * 2", 5),
            ("1 << i | 1", 9),
            ("(j >> 1) & 2 ^ 1", 3),
            ("i as usize + 1", 4),
        ] {
            assert_eq!(super::value(text, &loops), Some(value), "{text}");
        }
        for text in ["k", "i /", "i / 0", "(i", "i)", "", "i + -1", "i && j", "1.5"] {
            assert_eq!(super::value(text, &loops), None, "{text}");
        }
    }
}
