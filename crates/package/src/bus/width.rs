// SPDX-License-Identifier: MIT OR Apache-2.0
//! The width of an AXI4-Stream.

/// The width of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// 64 bits.
    W64,
    /// 128 bits.
    W128,
    /// 256 bits.
    W256,
    /// 512 bits.
    W512,
}

impl Width {
    /// All widths.
    pub const ALL: [Width; 4] = [Width::W64, Width::W128, Width::W256, Width::W512];

    /// Bits of a beat.
    pub fn bits(self) -> usize {
        match self {
            Width::W64 => 64,
            Width::W128 => 128,
            Width::W256 => 256,
            Width::W512 => 512,
        }
    }

    /// Octets of a beat.
    pub fn octets(self) -> usize {
        self.bits() / 8
    }

    /// Bits of the place of an octet in a beat.
    pub(super) fn octet_bits(self) -> usize {
        self.octets().ilog2() as usize
    }

    /// The options of `emit`.
    pub(super) fn option(self) -> &'static str {
        match self {
            Width::W64 => "--bus axis --width 64",
            Width::W128 => "--bus axis --width 128",
            Width::W256 => "--bus axis --width 256",
            Width::W512 => "--bus axis --width 512",
        }
    }
}
