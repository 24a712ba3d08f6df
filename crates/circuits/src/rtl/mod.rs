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
