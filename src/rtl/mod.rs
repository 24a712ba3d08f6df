//! The schemes as synthesizable `rust-hdl` modules.
//!
//! Rules of this room. Every module has `clock` and a synchronous, active-high `reset`. A parameter of a scheme is an input,
//! so that a register can drive it; [`ParameterInputs`] lists them. No port is wider than 32 bits: a 64-bit word of a stream
//! travels as `data_high` (octets 0 to 3) and `data_low` (octets 4 to 7), the first octet in the most significant byte,
//! because `rust-hdl` simulates wider signals as arrays of bool. Arithmetic goes through local signals of stated width
//! before it is compared, cut or extended: `rust-hdl` writes literals 32 bits wide, and only a full-width assignment makes
//! the emitted Verilog wrap where Rust wraps. Locals are assigned above the lines that read them.

pub mod congestion_point;
pub mod jitter;
pub mod reaction_point;

pub mod slice;

use rust_hdl::prelude::{Bits, Block};

/// A value for a port, from an integer that fits.
pub trait FromValue {
    /// The value as the type of a signal.
    fn from_value(value: u64) -> Self;
}

impl FromValue for bool {
    fn from_value(value: u64) -> Self {
        value != 0
    }
}

impl<const N: usize> FromValue for Bits<N> {
    fn from_value(value: u64) -> Self {
        value.into()
    }
}

/// A module whose parameters are inputs.
pub trait ParameterInputs: Block + Default {
    /// Name of the module, as in the emitted Verilog.
    const MODULE: &'static str;
    /// The inputs that are parameters, in the order of the ports.
    const PARAMETERS: &'static [&'static str];
    /// The other inputs, without clock and reset.
    const INPUTS: &'static [&'static str];
    /// Drives an input that is in one of the lists.
    ///
    /// # Panics
    /// If it is in none.
    fn set(&mut self, input: &str, value: u64);
    /// Drives `clock`.
    fn set_clock(&mut self, level: bool);
    /// Drives `reset`.
    fn set_reset(&mut self, level: bool);
}

/// Implements [`ParameterInputs`] from two lists of fields: parameters; other inputs.
macro_rules! parameter_inputs {
    ($block:ty, $module:literal: $($parameter:ident),* $(,)?; $($input:ident),* $(,)?) => {
        impl $crate::rtl::ParameterInputs for $block {
            const MODULE: &'static str = $module;
            const PARAMETERS: &'static [&'static str] = &[$(stringify!($parameter)),*];
            const INPUTS: &'static [&'static str] = &[$(stringify!($input)),*];
            fn set(&mut self, input: &str, value: u64) {
                match input {
                    $(stringify!($parameter) => self.$parameter.next = $crate::rtl::FromValue::from_value(value),)*
                    $(stringify!($input) => self.$input.next = $crate::rtl::FromValue::from_value(value),)*
                    _ => panic!("{} has no input `{input}`", Self::MODULE),
                }
            }
            fn set_clock(&mut self, level: bool) {
                self.clock.next = level.into();
                // Seen by the blocks inside in the next round, not in the one after it.
                rust_hdl::prelude::Block::update_all(&mut self.clock);
            }
            fn set_reset(&mut self, level: bool) {
                self.reset.next = level;
            }
        }
    };
}
pub(crate) use parameter_inputs;
