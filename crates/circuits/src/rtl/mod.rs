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
//! - A register that a reset sets to zero is a [`Register`](tidegate_hdl::register::Register).
//! - A module is written inside [`module!`](tidegate_hdl::module), which keeps its name and the meaning of its ports.
//! - No port has the name of a Verilog or SystemVerilog keyword.

pub mod asm;
pub mod bcn;
pub mod bus;
pub mod circuit;
pub mod congestion_point;
pub mod dsm;
pub mod flow_memory;
pub mod infiniband;
pub mod qcn;
pub mod random_share;
pub mod random_source;
pub mod random_step;
pub mod reaction_point;
pub mod scaled_product;
pub mod smcc;
pub mod sum_reaches;
pub mod switch;

/// A [`module!`](tidegate_hdl::module) around which parts are made. It also defines a macro `NAME!(OTHER: …)`, which gives the
/// parameters of the module, in the order of their ports, to the macro `OTHER!` that makes a part. `$` is handed in because a macro
/// cannot write it into the one that it makes.
macro_rules! block {
    (
        $dollar:tt $name:ident:
        $(#[doc = $about:literal])*
        pub struct $module:ident: $verilog:literal $fields:tt
    ) => {
        module! {
            $(#[doc = $about])*
            pub struct $module: $verilog $fields
        }

        $crate::rtl::parameters! { $dollar $name [] $fields }
    };
}

/// Takes the fields of a module one by one, and keeps those that are parameters.
macro_rules! parameters {
    ($dollar:tt $name:ident [$($parameter:ident: $bits:ty,)*] {}) => {
        macro_rules! $name {
            ($dollar then:ident: $dollar($dollar more:tt)*) => {
                $dollar then! { { $($parameter: $bits),* } $dollar($dollar more)* }
            };
        }
        #[allow(unused_imports, reason = "the parts may stand in the same file")]
        pub(super) use $name;
    };
    (
        $dollar:tt $name:ident [$($kept:tt)*]
        { $(#[doc = $meaning:literal])* #[parameter] pub $field:ident: Signal<In, $bits:ty>, $($rest:tt)* }
    ) => {
        $crate::rtl::parameters! { $dollar $name [$($kept)* $field: $bits,] { $($rest)* } }
    };
    (
        $dollar:tt $name:ident [$($kept:tt)*]
        { $(#[doc = $meaning:literal])* $visibility:vis $field:ident: $type:ty, $($rest:tt)* }
    ) => {
        $crate::rtl::parameters! { $dollar $name [$($kept)*] { $($rest)* } }
    };
}
pub(crate) use {block, parameters};
