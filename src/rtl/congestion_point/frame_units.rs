//! Bytes to the units of the frame.

use crate::rtl::module;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// Bytes to 64-octet units: rounded towards minus infinity, saturated to 16 bits (SCHEMES, Frames). Combinational.
    ///
    /// Rounding down keeps the sign of a small negative offset, on which SMCC's choice of state hangs.
    pub struct FrameUnits: "frame_units" {
        /// Bytes, two's complement.
        pub bytes: Signal<In, Bits<25>>,
        /// 64 octets, two's complement, rounded down, saturated.
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
