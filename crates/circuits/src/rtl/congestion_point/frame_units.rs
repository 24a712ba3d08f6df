// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts bytes to the units of the frame.

use tidegate_hdl::prelude::*;

module! {
    /// Converts bytes to units of 64 octets, rounded towards minus infinity, saturated to 16 bits. Combinational.
    ///
    /// Rounding down keeps the sign of a small negative offset. SMCC needs it: the signs select its state. What is out
    /// of range is told, and comes back as an input: a block that has the time puts registers between.
    pub struct FrameUnits: "frame_units" {
        /// Number of bytes, two's complement.
        pub bytes: Signal<In, Bits<25>>,
        /// There are too few units for 16 bits.
        pub below: Signal<Out, Bit>,
        /// There are too many units for 16 bits.
        pub above: Signal<Out, Bit>,
        /// `below`, of this number.
        pub is_below: Signal<In, Bit>,
        /// `above`, of this number.
        pub is_above: Signal<In, Bit>,
        /// The same in units of 64 octets, two's complement, rounded down, saturated.
        pub units: Signal<Out, Bits<16>>,
        top: Signal<Local, Bits<4>>,
    }
}

impl Logic for FrameUnits {
    #[hdl_gen]
    fn update(&mut self) {
        self.top.next = self.bytes.val().to_bits().get_bits::<4>(21);
        self.below.next = self.bytes.val().get_bit(24) & (self.top.val() != 0xf);
        self.above.next = !self.bytes.val().get_bit(24) & self.top.val().any();
        self.units.next = self.bytes.val().to_bits().get_bits::<16>(6);
        if self.is_below.val() {
            self.units.next = 0x8000.into();
        } else if self.is_above.val() {
            self.units.next = 0x7fff.into();
        }
    }
}
