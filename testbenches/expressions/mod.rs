// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions have the same meaning in Verilog as in Rust. In widths, wrapping and precedence, the Verilog of
//! `rust-hdl` silently differs from its own simulation. So expressions are compared one by one and at random, not only
//! inside real modules.

mod assigned;
mod clocked;
mod comments;
mod legal;
mod random;
mod refused;
mod settled;
mod statements;
mod table;
mod values;

/// Splitmix64: the same numbers in every run.
pub struct Random(pub u64);

impl Random {
    /// A number of 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// A number of so many bits.
    pub fn bits(&mut self, bits: usize) -> u64 {
        self.word() >> (64 - bits)
    }

    /// A number below another.
    pub fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }
}
