// SPDX-License-Identifier: MIT OR Apache-2.0
//! State elements that say what they are.
//!
//! A block of state has no statements, and the tree of `rust-hdl` has no name of its type. A state element therefore has a
//! field of type `Constant<Element>`: those of this crate, and those that a user writes.

use rust_hdl::core::ast::VerilogLiteral;
use rust_hdl::core::synth::VCDValue;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use rust_hdl::prelude::{Bits, Synth};

/// What a block with a field `Constant<Element>` is. Its ports have the names that stand here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Element {
    /// A register with a synchronous reset, active high: ports `d`, `q`, `clock`, `reset`. Its value at power-up and
    /// after a reset is that of its field `zero`, a `Constant` too.
    #[default]
    Register,
    /// A register without a value at power-up: ports `d`, `q`, `clock`.
    Delay,
    /// A memory that is read within the cycle: ports `read_address`, `read_data`, `clock`, `write_address`, `write_data`,
    /// `write_enable`.
    LutRam,
    /// The same with a clocked read. It uses only low bits of its addresses, and of its words.
    ClockedRam {
        /// The bits of an address that it uses, less than 256.
        address_bits: u8,
        /// The bits of a word that it stores.
        bits: u8,
    },
}

impl Element {
    const NAME: &str = "tidegate_hdl::netlist::Element";

    fn code(self) -> u64 {
        match self {
            Element::Register => 0,
            Element::Delay => 1,
            Element::LutRam => 2,
            Element::ClockedRam { address_bits, bits } => 3 | u64::from(address_bits) << 8 | u64::from(bits) << 16,
        }
    }

    /// The element that a constant of the type names, if it is one: its type, its value.
    pub(super) fn of(descriptor: &TypeDescriptor, value: u64) -> Option<Element> {
        if descriptor.name != Element::NAME {
            return None;
        }
        Some(match value & 3 {
            0 => Element::Register,
            1 => Element::Delay,
            2 => Element::LutRam,
            _ => Element::ClockedRam { address_bits: (value >> 8) as u8, bits: (value >> 16) as u8 },
        })
    }
}

impl Synth for Element {
    const BITS: usize = 24;

    fn descriptor() -> TypeDescriptor {
        TypeDescriptor { name: Element::NAME.to_string(), kind: TypeKind::Bits(Self::BITS) }
    }

    fn vcd(self) -> VCDValue {
        Bits::<24>::from(self.code()).into()
    }

    fn verilog(self) -> VerilogLiteral {
        Bits::<24>::from(self.code()).into()
    }
}
