// SPDX-License-Identifier: MIT OR Apache-2.0
//! Modules that keep what the Rust source says about them: names, meanings of ports, parameters.

use crate::netlist::{Description, Error, Netlist};
use crate::{lut_ram, register};
use rust_hdl::core::check_error::check_all;
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

/// A module that [`module!`](crate::module) made.
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

    /// Connects what is inside, and reads the netlist. Call it once, before the circuit runs.
    ///
    /// # Errors
    /// What the checks of `rust-hdl` find (an unconnected input, a loop), and what [`Netlist::of`] refuses.
    fn netlist(&mut self) -> Result<Netlist, Error>
    where
        Self: Sized,
    {
        self.connect_all();
        check_all(self).map_err(|error| Error {
            module: Self::OWN.module.to_string(),
            signal: "(all)".to_string(),
            reason: format!("rust-hdl refuses it: {error:?}"),
        })?;
        Netlist::of(self, Self::OWN.module, Some(Self::OWN))
    }
}

impl<C: Block + Default + Described + 'static> Module for C {}

/// What the Rust source says about a module or about a field of one. The tree of `rust-hdl` holds neither names of
/// types nor comments, and no way to reach an input by its name.
pub trait Described {
    /// `None` for anything that [`module!`](crate::module) did not make: a signal, a register, a memory.
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
/// connected to; what `clock` and `reset` mean is known. `#[parameter]` marks an input that a setting drives, which changes rarely or
/// never. A module `with constants` has fields of the type `Constant`, so its `Default` is written by hand. A module may be generic
/// in numbers. A file that uses it has `use tidegate_hdl::prelude::*`.
#[macro_export]
macro_rules! module {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident $(<$(const $size:ident: usize),+>)?: $module:literal { $($fields:tt)* }
    ) => {
        $crate::module! {
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
        #[derive($crate::prelude::LogicBlock $(, $derived)?)]
        pub struct $name $(<$(const $size: usize),+>)? {
            $($($(#[doc = $meaning])?)* $visibility $field: $type,)*
        }

        impl $(<$(const $size: usize),+>)? $crate::module::Described for $name $(<$($size),+>)? {
            const DESCRIPTION: Option<&'static $crate::netlist::Description> = Some(&$crate::netlist::Description {
                module: $module,
                meaning: concat!($($about, "\n"),*),
                fields: &[$($crate::netlist::Field {
                    name: stringify!($field),
                    meaning: concat!($($($meaning, "\n",)?)*),
                    parameter: $crate::module::is_parameter(&[$(stringify!($attribute)),*]),
                    module: <$type as $crate::module::Described>::DESCRIPTION,
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

/// Whether a field with these attributes is a parameter. [`module!`](crate::module) makes a doc comment the attribute `doc`.
pub const fn is_parameter(attributes: &[&str]) -> bool {
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
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
