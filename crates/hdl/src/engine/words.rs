// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic on values of any width, as words of 64 bits, the low word first. Bits above the width are zero.

use super::graph::{Graph, Id, ones};

/// A value: one operation for each 64 bits.
pub type Words = Vec<Id>;

/// Number of words of a value.
pub fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// Width of a word of a value.
pub fn bits_of_word(bits: usize, word: usize) -> u32 {
    (bits - 64 * word).min(64) as u32
}

impl Graph {
    /// A number in some bits.
    pub fn wide_constant(&mut self, value: u128, bits: usize) -> Words {
        let word = |word: usize| match word {
            0 => value as u64,
            1 => (value >> 64) as u64,
            _ => 0,
        };
        (0..words(bits)).map(|at| self.constant(word(at) & ones(bits_of_word(bits, at)))).collect()
    }

    /// Clears the bits above a width.
    fn cut(&mut self, mut value: Words, bits: usize) -> Words {
        value.truncate(words(bits));
        let last = value.len() - 1;
        value[last] = self.low(value[last], bits_of_word(bits, last));
        value
    }

    /// The same operation on each pair of words.
    pub fn wide_each(&mut self, left: &[Id], right: &[Id], each: fn(&mut Graph, Id, Id) -> Id) -> Words {
        left.iter().zip(right).map(|(&left, &right)| each(self, left, right)).collect()
    }

    /// All bits inverted.
    pub fn wide_not(&mut self, value: &[Id], bits: usize) -> Words {
        let invert = |(at, &word): (usize, &Id)| {
            let mask = self.constant(ones(bits_of_word(bits, at)));
            self.xor(word, mask)
        };
        value.iter().enumerate().map(invert).collect()
    }

    /// Sum.
    pub fn wide_add(&mut self, left: &[Id], right: &[Id], bits: usize) -> Words {
        let mut carry = self.constant(0);
        let mut sum = Words::with_capacity(left.len());
        for (&left, &right) in left.iter().zip(right) {
            let (most, with_carry) = (self.bits(left).max(self.bits(right)), self.add(left, right));
            let word = self.add(with_carry, carry);
            if most == 64 {
                let (first, second) = (self.less(with_carry, left), self.less(word, with_carry));
                carry = self.or(first, second);
            } else {
                carry = self.constant(0);
            }
            sum.push(word);
        }
        self.cut(sum, bits)
    }

    /// Difference.
    pub fn wide_subtract(&mut self, left: &[Id], right: &[Id], bits: usize) -> Words {
        let mut borrow = self.constant(0);
        let mut difference = Words::with_capacity(left.len());
        for (&left, &right) in left.iter().zip(right) {
            let partial = self.subtract(left, right);
            difference.push(self.subtract(partial, borrow));
            let (first, second) = (self.less(left, right), self.less(partial, borrow));
            borrow = self.or(first, second);
        }
        self.cut(difference, bits)
    }

    /// Product.
    pub fn wide_multiply(&mut self, left: &[Id], right: &[Id], bits: usize) -> Words {
        let zero = self.constant(0);
        let count = words(bits);
        let mut sum = vec![zero; count];
        for (low, &one) in left.iter().enumerate() {
            for (high, &other) in right.iter().enumerate().take(count - low) {
                let at = low + high;
                let mut partial = vec![zero; count];
                partial[at] = self.multiply(one, other);
                if at + 1 < count {
                    partial[at + 1] = self.multiply_high(one, other);
                }
                sum = self.wide_add(&sum, &partial, bits);
            }
        }
        self.cut(sum, bits)
    }

    /// Whether two values are equal.
    pub fn wide_equal(&mut self, left: &[Id], right: &[Id]) -> Id {
        let mut all = self.constant(1);
        for (&left, &right) in left.iter().zip(right) {
            let equal = self.equal(left, right);
            all = self.and(all, equal);
        }
        all
    }

    /// Whether one value is below the other; unsigned.
    pub fn wide_less(&mut self, left: &[Id], right: &[Id]) -> Id {
        let mut less = self.constant(0);
        for (&left, &right) in left.iter().zip(right) {
            let (below, equal) = (self.less(left, right), self.equal(left, right));
            let undecided = self.and(equal, less);
            less = self.or(below, undecided);
        }
        less
    }

    /// `then` where one bit is 1, else `otherwise`.
    pub fn wide_select(&mut self, test: Id, then: &[Id], otherwise: &[Id]) -> Words {
        then.iter().zip(otherwise).map(|(&then, &otherwise)| self.select(test, then, otherwise)).collect()
    }

    /// The inverse of the sign bit: two's complement values then compare as unsigned ones.
    pub fn wide_flip_sign(&mut self, value: &[Id], bits: usize) -> Words {
        let mut value = value.to_vec();
        let last = value.len() - 1;
        let sign = self.constant(1 << ((bits - 1) % 64));
        value[last] = self.xor(value[last], sign);
        value
    }

    /// More bits: zeros, or copies of the sign.
    pub fn wide_extend(&mut self, value: &[Id], from: usize, to: usize, signed: bool) -> Words {
        let zero = self.constant(0);
        let mut value = value.to_vec();
        if !signed {
            value.resize(words(to), zero);
            return value;
        }
        // (value ^ sign) − sign repeats the sign above the top bit of the word.
        let last = value.len() - 1;
        let amount = self.constant((from as u64 - 1) % 64);
        let negative = self.shift_right(value[last], amount);
        let sign = self.constant(1 << ((from - 1) % 64));
        let flipped = self.xor(value[last], sign);
        value[last] = self.subtract(flipped, sign);
        let fill = self.subtract(zero, negative);
        value.resize(words(to), fill);
        self.cut(value, to)
    }

    /// `bits` bits from bit `low` up.
    pub fn wide_slice(&mut self, value: &[Id], low: usize, bits: usize) -> Words {
        let (skip, shift) = (low / 64, low % 64);
        let zero = self.constant(0);
        let slice = (0..words(bits)).map(|at| {
            let this = value.get(skip + at).copied().unwrap_or(zero);
            let next = value.get(skip + at + 1).copied().unwrap_or(zero);
            if shift == 0 {
                return this;
            }
            let (right, left) = (self.constant(shift as u64), self.constant(64 - shift as u64));
            let (this, next) = (self.shift_right(this, right), self.shift_left(next, left));
            self.or(this, next)
        });
        let slice = slice.collect();
        self.cut(slice, bits)
    }

    /// A value with other bits from bit `low` up.
    pub fn wide_insert(&mut self, value: &[Id], low: usize, part: &[Id], bits: usize) -> Words {
        let mut value = value.to_vec();
        let zero = self.constant(0);
        for (at, word) in value.iter_mut().enumerate() {
            let (first, end) = (64 * at, 64 * at + 64);
            if low + bits <= first || low >= end {
                continue;
            }
            let mut mask = u64::MAX;
            if low > first {
                mask &= u64::MAX << (low - first);
            }
            if low + bits < end {
                mask &= u64::MAX >> (end - low - bits);
            }
            // The bits of the part that fall into this word.
            let moved = if low >= first {
                let amount = self.constant((low - first) as u64);
                self.shift_left(part[0], amount)
            } else {
                let (skip, shift) = ((first - low) / 64, (first - low) % 64);
                let this = part.get(skip).copied().unwrap_or(zero);
                let next = part.get(skip + 1).copied().unwrap_or(zero);
                let (right, left) = (self.constant(shift as u64), self.constant((64 - shift as u64) % 64));
                let this = self.shift_right(this, right);
                let next = if shift == 0 { zero } else { self.shift_left(next, left) };
                self.or(this, next)
            };
            let (hole, mask) = (self.constant(!mask), self.constant(mask));
            let (kept, set) = (self.and(*word, hole), self.and(moved, mask));
            *word = self.or(kept, set);
        }
        value
    }

    /// Whether an amount is not below a limit, and its low six bits.
    fn amount(&mut self, amount: &[Id], limit: usize) -> (Id, Id) {
        let most = self.constant(limit as u64);
        let inside = self.less(amount[0], most);
        let mut beyond = self.not(inside);
        for &word in &amount[1..] {
            let zero = self.constant(0);
            let high = self.not_equal(word, zero);
            beyond = self.or(beyond, high);
        }
        (beyond, self.low(amount[0], 6))
    }

    /// A value shifted by an amount of any width, zeros come in.
    pub fn wide_shift(&mut self, value: &[Id], amount: &[Id], bits: usize, left: bool) -> Words {
        let zero = self.constant(0);
        let (beyond, low) = self.amount(amount, bits);
        let six = self.constant(6);
        let skip = self.shift_right(amount[0], six);
        let (one, all) = (self.constant(1), self.constant(63));
        let rest = self.subtract(all, low);
        let mut shifted = Words::with_capacity(value.len());
        for at in 0..value.len() {
            let mut word = zero;
            for by in 0..value.len() {
                let from = |more: usize| match left {
                    true => at.checked_sub(by + more).map(|index| value[index]),
                    false => value.get(at + by + more).copied(),
                };
                let Some(this) = from(0) else { continue };
                let mut part = match left {
                    true => self.shift_left(this, low),
                    false => self.shift_right(this, low),
                };
                if let Some(next) = from(1) {
                    // By 64 − amount, in two steps: the amount may be 0.
                    let near = match left {
                        true => self.shift_right(next, one),
                        false => self.shift_left(next, one),
                    };
                    let moved = match left {
                        true => self.shift_right(near, rest),
                        false => self.shift_left(near, rest),
                    };
                    part = self.or(part, moved);
                }
                let number = self.constant(by as u64);
                let chosen = self.equal(skip, number);
                word = self.select(chosen, part, word);
            }
            shifted.push(self.select(beyond, zero, word));
        }
        self.cut(shifted, bits)
    }
}
