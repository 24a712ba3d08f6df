// SPDX-License-Identifier: MIT OR Apache-2.0
//! The schemes as synthesizable `rust-hdl` modules.
//!
//! Rules of this room:
//! - Every module has `clock` and a synchronous, active-high `reset`.
//! - A parameter of a scheme is an input port, so that a register can drive it. It is marked `#[parameter]`.
//! - No port is wider than 32 bits, because `rust-hdl` simulates wider signals as arrays of bool. A 64-bit stream word
//!   is two ports: `data_high` (octets 0 to 3) and `data_low` (octets 4 to 7), the first octet in the most significant
//!   byte.
//! - A local signal is assigned above the lines that read it, and never under a condition on itself.
//! - A register that a reset sets to zero is a [`register::Register`].
//! - A module is written inside [`module!`](self), which keeps its name and the meaning of its ports.
//! - No port has the name of a Verilog or SystemVerilog keyword.

pub mod bus;
pub mod circuit;
pub mod congestion_point;
pub mod flow_memory;
pub mod lut_ram;
pub mod random_share;
pub mod random_source;
pub mod random_step;
pub mod reaction_point;
pub mod register;
pub mod scaled_product;
pub mod simulation;
pub mod slice;
pub mod sum_reaches;
pub mod switch;

use crate::netlist::Description;
use rust_hdl::prelude::{Bits, Block, Clock, Constant, DFF, In, Local, Out, RAM, Signal, SyncROM, Synth};

/// Converts an integer into the value of a port. The integer must fit.
pub trait FromValue: Synth {
    /// Whether the blocks inside see a new value in the next round of the simulation and not one round later.
    const AT_ONCE: bool = false;
    /// The value as the type of a signal.
    fn from_value(value: u64) -> Self;
}

impl FromValue for bool {
    fn from_value(value: u64) -> Self {
        value != 0
    }
}

impl FromValue for Clock {
    const AT_ONCE: bool = true;
    fn from_value(value: u64) -> Self {
        (value != 0).into()
    }
}

impl<const N: usize> FromValue for Bits<N> {
    fn from_value(value: u64) -> Self {
        value.into()
    }
}

/// A module of this room.
pub trait Module: Block + Default + Described + 'static {
    /// What the Rust source says about it.
    const OWN: &'static Description = match Self::DESCRIPTION {
        Some(description) => description,
        None => panic!("a module has a description"),
    };

    /// The inputs that are parameters, in the order of the ports.
    fn parameters() -> Vec<&'static str> {
        Self::OWN.fields.iter().filter(|field| field.parameter).map(|field| field.name).collect()
    }

    /// Drives an input. Element 3 of the array `waiting` is `waiting_3`.
    ///
    /// # Panics
    /// If there is no such input.
    fn set(&mut self, input: &str, value: u64) {
        assert!(self.drive(input, value), "{} has no input `{input}`", Self::OWN.module);
    }
}

impl<C: Block + Default + Described + 'static> Module for C {}

/// What the Rust source says about a module or about a field of one. The tree of `rust-hdl` holds neither names of
/// types nor comments, and no way to reach an input by its name.
pub trait Described {
    /// `None` for anything that is not a module of this room: a signal, a register, a memory.
    const DESCRIPTION: Option<&'static Description>;

    /// Drives the input at a path: a port of a module, `_3` for element 3 of an array, nothing for a signal itself.
    /// Returns whether there is one.
    fn drive(&mut self, _path: &str, _value: u64) -> bool {
        false
    }
}

impl<T: FromValue> Described for Signal<In, T> {
    const DESCRIPTION: Option<&'static Description> = None;

    fn drive(&mut self, path: &str, value: u64) -> bool {
        if !path.is_empty() {
            return false;
        }
        self.next = T::from_value(value);
        if T::AT_ONCE {
            self.update_all();
        }
        true
    }
}

impl<T: Synth> Described for Signal<Out, T> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<T: Synth> Described for Signal<Local, T> {
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

impl<T: Synth, const N: usize> Described for lut_ram::LutRam<T, N> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<const N: usize> Described for flow_memory::FlowMemory<N> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<D: Synth, const N: usize> Described for SyncROM<D, N> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<T: Synth> Described for Constant<T> {
    const DESCRIPTION: Option<&'static Description> = None;
}

impl<T: Described, const N: usize> Described for [T; N] {
    const DESCRIPTION: Option<&'static Description> = T::DESCRIPTION;

    fn drive(&mut self, path: &str, value: u64) -> bool {
        let place = path.strip_prefix('_').and_then(|place| place.parse::<usize>().ok());
        place.and_then(|place| self.get_mut(place)).is_some_and(|element| element.drive("", value))
    }
}

/// Defines a `rust-hdl` module: the struct, and its name in Verilog. The doc comment of a port gives its meaning and
/// unit and is copied into the emitted Verilog. A port without one takes the comment of the inner port that it is
/// connected to; what `clock` and `reset` mean is known. `#[parameter]` marks an input that a parameter of the scheme drives. A module `with constants` has
/// fields of the type `Constant`, so its `Default` is written by hand. A module may be generic in numbers.
macro_rules! module {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident $(<$(const $size:ident: usize),+>)?: $module:literal { $($fields:tt)* }
    ) => {
        $crate::rtl::module! {
            #[derive(Default)]
            $(#[doc = $about])*
            pub struct $name $(<$(const $size: usize),+>)?: $module with constants { $($fields)* }
        }
    };
    (
        $(#[derive($derived:ident)])?
        $(#[doc = $about:literal])*
        pub struct $name:ident $(<$(const $size:ident: usize),+>)?: $module:literal with constants {
            $($(#[$attribute:ident $(= $meaning:literal)?])* $visibility:vis $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(LogicBlock $(, $derived)?)]
        pub struct $name $(<$(const $size: usize),+>)? {
            $($($(#[doc = $meaning])?)* $visibility $field: $type,)*
        }

        impl $(<$(const $size: usize),+>)? $crate::rtl::Described for $name $(<$($size),+>)? {
            const DESCRIPTION: Option<&'static $crate::netlist::Description> = Some(&$crate::netlist::Description {
                module: $module,
                meaning: concat!($($about, "\n"),*),
                fields: &[$($crate::netlist::Field {
                    name: stringify!($field),
                    meaning: concat!($($($meaning, "\n",)?)*),
                    parameter: $crate::rtl::is_parameter(&[$(stringify!($attribute)),*]),
                    module: <$type as $crate::rtl::Described>::DESCRIPTION,
                }),*],
            });

            fn drive(&mut self, path: &str, value: u64) -> bool {
                $(
                    if path.strip_prefix(stringify!($field)).is_some_and(|rest| self.$field.drive(rest, value)) {
                        return true;
                    }
                )*
                false
            }
        }
    };
}
pub(crate) use module;

/// Defines a macro `NAME!(OTHER: …)` that gives the parameters of a block, in the order of their ports, to the macro `OTHER!`
/// that makes a module around the block. `$` is handed in because a macro cannot write it into the one that it makes.
macro_rules! parameters {
    ($dollar:tt $name:ident: $($parameter:ident: $bits:ty),* $(,)?) => {
        macro_rules! $name {
            ($dollar then:ident: $dollar($dollar more:tt)*) => {
                $dollar then! { { $($parameter: $bits),* } $dollar($dollar more)* }
            };
        }
        pub(super) use $name;
    };
}
pub(crate) use parameters;

/// Whether a field with these attributes is a parameter. [`module!`](self) makes a doc comment the attribute `doc`.
pub(crate) const fn is_parameter(attributes: &[&str]) -> bool {
    let mut parameter = false;
    let mut place = 0;
    while place < attributes.len() {
        match attributes[place].as_bytes() {
            b"parameter" => parameter = true,
            b"doc" => {}
            _ => panic!("expected a doc comment or `#[parameter]`"),
        }
        place += 1;
    }
    parameter
}

/// A comment in the emitted Verilog, above the statement that follows. The statement must not be inside a condition. In
/// Rust it does nothing.
macro_rules! comment {
    ($text:literal) => {};
}
pub(crate) use comment;
