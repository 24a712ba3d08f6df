//! The schemes as synthesizable `rust-hdl` modules.
//!
//! Rules of this room:
//! - Every module has `clock` and a synchronous, active-high `reset`.
//! - A parameter of a scheme is an input port, so that a register can drive it. [`ParameterInputs`] lists these ports.
//! - No port is wider than 32 bits, because `rust-hdl` simulates wider signals as arrays of bool. A 64-bit stream word
//!   is two ports: `data_high` (octets 0 to 3) and `data_low` (octets 4 to 7), the first octet in the most significant
//!   byte.
//! - A local signal is assigned above the lines that read it, and never under a condition on itself.
//! - A register that a reset sets to zero is a [`register::Register`].
//! - A module is written inside [`module!`](self), which keeps its name and the meaning of its ports.
//! - No port has the name of a Verilog or SystemVerilog keyword.

pub mod circuit;
pub mod congestion_point;
pub mod jitter;
pub mod reaction_point;
pub mod register;
pub mod scaled_product;
pub mod simulation;
pub mod slice;
pub mod sum_reaches;

use crate::netlist::Description;
use rust_hdl::core::direction::Direction;
use rust_hdl::prelude::{Bits, Block, Signal, Synth, DFF, RAM};

/// Converts an integer into the value of a port. The integer must fit.
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
pub trait ParameterInputs: Block + Default + Described + 'static {
    /// Name of the module, as in the emitted Verilog.
    const MODULE: &'static str = match Self::DESCRIPTION {
        Some(description) => description.module,
        None => panic!("a module has a description"),
    };
    /// The inputs that are parameters, in the order of the ports.
    const PARAMETERS: &'static [&'static str];
    /// The other inputs, without clock and reset. An array is listed once, by its name.
    const INPUTS: &'static [&'static str];
    /// Drives an input of one of the two lists.
    ///
    /// # Panics
    /// If neither list has this input.
    fn set(&mut self, input: &str, value: u64);
    /// Drives `clock`.
    fn set_clock(&mut self, level: bool);
    /// Drives `reset`.
    fn set_reset(&mut self, level: bool);
}

/// The name of a block and the meaning of its ports, from the Rust source. The tree of `rust-hdl` holds neither.
pub trait Described {
    /// `None` for anything that is not a module of this room: a signal, a register, a memory.
    const DESCRIPTION: Option<&'static Description>;
}

impl<D: Direction, T: Synth> Described for Signal<D, T> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<T: Synth> Described for DFF<T> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<T: Synth> Described for register::Delay<T> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<T: Synth> Described for register::Register<T> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<D: Synth, const N: usize> Described for RAM<D, N> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl Described for reaction_point::response_table::ResponseTable {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<T: Described, const N: usize> Described for [T; N] {
    const DESCRIPTION: Option<&'static Description> = T::DESCRIPTION;
}

/// Defines a `rust-hdl` module: the struct, and its name in Verilog. The doc comment of a port gives its meaning and
/// unit and is copied into the emitted Verilog. A port without one takes the comment of the inner port that it is
/// connected to.
macro_rules! module {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident: $module:literal {
            $($(#[doc = $meaning:literal])* $visibility:vis $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(LogicBlock, Default)]
        pub struct $name {
            $($(#[doc = $meaning])* $visibility $field: $type,)*
        }

        impl $crate::rtl::Described for $name {
            const DESCRIPTION: Option<&'static $crate::netlist::Description> = Some(&$crate::netlist::Description {
                module: $module,
                meaning: concat!($($about, "\n"),*),
                fields: &[$($crate::netlist::Field {
                    name: stringify!($field),
                    meaning: concat!($($meaning, "\n"),*),
                    module: <$type as $crate::rtl::Described>::DESCRIPTION,
                }),*],
            });
        }
    };
}
pub(crate) use module;

/// A comment in the emitted Verilog, above the statement that follows. The statement must not be inside a condition. In
/// Rust it does nothing.
macro_rules! comment {
    ($text:literal) => {};
}
pub(crate) use comment;

/// Implements [`ParameterInputs`] from lists of fields: parameters; other inputs; inputs that are arrays. Element 3 of
/// the array `waiting` is the port `waiting_3`.
macro_rules! parameter_inputs {
    ($block:ty: $($parameter:ident),* $(,)?; $($input:ident),* $(,)? $(; arrays: $($array:ident),*)?) => {
        impl $crate::rtl::ParameterInputs for $block {
            const PARAMETERS: &'static [&'static str] = &[$(stringify!($parameter)),*];
            const INPUTS: &'static [&'static str] = &[$(stringify!($input),)* $($(stringify!($array)),*)?];
            fn set(&mut self, input: &str, value: u64) {
                match input {
                    $(stringify!($parameter) => self.$parameter.next = $crate::rtl::FromValue::from_value(value),)*
                    $(stringify!($input) => self.$input.next = $crate::rtl::FromValue::from_value(value),)*
                    _ => {
                        let element = input.rsplit_once('_').and_then(|(array, at)| Some((array, at.parse::<usize>().ok()?)));
                        match element {
                            $($(Some((stringify!($array), at)) => {
                                self.$array[at].next = $crate::rtl::FromValue::from_value(value)
                            })*)?
                            _ => panic!("{} has no input `{input}`", Self::MODULE),
                        }
                    }
                }
            }
            fn set_clock(&mut self, level: bool) {
                self.clock.next = level.into();
                // The inner blocks then see the clock in the next round of the simulation, not one round later.
                rust_hdl::prelude::Block::update_all(&mut self.clock);
            }
            fn set_reset(&mut self, level: bool) {
                self.reset.next = level;
            }
        }
    };
}
pub(crate) use parameter_inputs;
