//! Converts bytes to the units of the frame.

use crate::rtl::module;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// Converts bytes to units of 64 octets, rounded towards minus infinity, saturated to 16 bits. Combinational.
    ///
    /// Rounding down keeps the sign of a small negative offset. SMCC needs it: the signs select its state.
    pub struct FrameUnits: "frame_units" {
        /// Number of bytes, two's complement.
        pub bytes: Signal<In, Bits<25>>,
        /// The same in units of 64 octets, two's complement, rounded down, saturated.
        pub units: Signal<Out, Bits<16>>,
        top: Signal<Local, Bits<4>>,
    }
}

impl Logic for FrameUnits {
    #[hdl_gen]
    fn update(&mut self) {
        self.top.next = self.bytes.val().to_bits().get_bits::<4>(21);
        self.units.next = self.bytes.val().to_bits().get_bits::<16>(6);
        if self.bytes.val().get_bit(24) & (self.top.val() != 0xf) {
            self.units.next = 0x8000.into();
        } else if !self.bytes.val().get_bit(24) & self.top.val().any() {
            self.units.next = 0x7fff.into();
        }
    }
}
