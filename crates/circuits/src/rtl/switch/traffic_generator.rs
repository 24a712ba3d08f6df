// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of a station inside the switch.

use tidegate_hdl::prelude::*;

module! {
    /// Makes frames of one length for one station, with EtherType 0x88B5 (for local experiments: IEEE 802) and a number of 32 bits
    /// behind it; the rest is zero.
    ///
    /// A frame begins in the first cycle with `generate` in which the last one has ended and `generator_interval` cycles have passed
    /// since it began. What is written while a frame goes out is used for the next one.
    pub struct TrafficGenerator: "switch_traffic_generator" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// 1: frames are made.
        #[parameter]
        pub generate: Signal<In, Bit>,
        /// Their destination address, bits 47 to 32.
        #[parameter]
        pub generator_destination_high: Signal<In, Bits<16>>,
        /// Destination address, bits 31 to 0.
        #[parameter]
        pub generator_destination_low: Signal<In, Bits<32>>,
        /// Their source address, bits 47 to 32.
        #[parameter]
        pub generator_source_high: Signal<In, Bits<16>>,
        /// Source address, bits 31 to 0.
        #[parameter]
        pub generator_source_low: Signal<In, Bits<32>>,
        /// Their length, octets; at least 24.
        #[parameter]
        pub generator_octets: Signal<In, Bits<14>>,
        /// Cycles from the begin of a frame to that of the next one, if it has ended then.
        #[parameter]
        pub generator_interval: Signal<In, Bits<32>>,
        /// Octets 0 to 3 of a beat; octet 0 in bits 31 to 24.
        pub made_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7.
        pub made_low: Signal<Out, Bits<32>>,
        /// Its octets that are valid: octet i is bit i.
        pub made_keep: Signal<Out, Bits<8>>,
        /// It is the last one of its frame.
        pub made_last: Signal<Out, Bit>,
        /// There is a beat; it does not change until it is taken.
        pub made_valid: Signal<Out, Bit>,
        /// It is taken.
        pub made_ready: Signal<In, Bit>,
        /// A frame was made.
        pub generated: Signal<Out, Bit>,
        valid: Register<Bit>,
        /// Place of the beat in its frame; 3 for all from that on.
        place: DFF<Bits<2>>,
        /// Octets of this beat and of those after it.
        left: DFF<Bits<14>>,
        number: Register<Bits<32>>,
        /// Cycles until the next frame may begin; 1 and 0: it may.
        wait: Register<Bits<32>>,
        goes: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        last: Signal<Local, Bit>,
    }
}

impl Logic for TrafficGenerator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valid, place, left, number, wait);
        self.valid.reset.next = self.reset.val();
        self.number.reset.next = self.reset.val();
        self.wait.reset.next = self.reset.val();

        self.last.next = self.left.q.val() <= 8;
        self.goes.next = self.valid.q.val() & self.made_ready.val();
        self.ends.next = self.goes.val() & self.last.val();
        if self.wait.q.val().any() {
            self.wait.d.next = self.wait.q.val() - 1;
        }
        comment!("The next beat, or the next frame");
        if self.goes.val() {
            self.left.d.next = self.left.q.val() - 8;
            if !self.place.q.val().all() {
                self.place.d.next = self.place.q.val() + 1;
            }
        }
        if self.ends.val() {
            self.valid.d.next = false;
            self.number.d.next = self.number.q.val() + 1;
        }
        if !self.valid.q.val() & self.generate.val() & (self.wait.q.val() <= 1) {
            self.valid.d.next = true;
            self.place.d.next = 0.into();
            self.left.d.next = self.generator_octets.val();
            self.wait.d.next = self.generator_interval.val();
        }

        comment!("Its octets");
        self.made_high.next = 0.into();
        self.made_low.next = 0.into();
        if self.place.q.val() == 0 {
            self.made_high.next = (bit_cast::<32, 16>(self.generator_destination_high.val()).to_bits() << 16)
                | bit_cast::<32, 16>(self.generator_destination_low.val().to_bits().get_bits::<16>(16));
            self.made_low.next =
                (bit_cast::<32, 16>(self.generator_destination_low.val().to_bits().get_bits::<16>(0)).to_bits() << 16)
                    | bit_cast::<32, 16>(self.generator_source_high.val());
        }
        if self.place.q.val() == 1 {
            self.made_high.next = self.generator_source_low.val();
            self.made_low.next = bit_cast::<32, 16>(self.number.q.val().to_bits().get_bits::<16>(16)) | 0x88b5_0000_u64;
        }
        if self.place.q.val() == 2 {
            self.made_high.next = bit_cast::<32, 16>(self.number.q.val().to_bits().get_bits::<16>(0)).to_bits() << 16;
        }
        self.made_keep.next = 0xff.into();
        if self.left.q.val() < 8 {
            self.made_keep.next = 0x7f.into();
        }
        if self.left.q.val() < 7 {
            self.made_keep.next = 0x3f.into();
        }
        if self.left.q.val() < 6 {
            self.made_keep.next = 0x1f.into();
        }
        if self.left.q.val() < 5 {
            self.made_keep.next = 0x0f.into();
        }
        if self.left.q.val() < 4 {
            self.made_keep.next = 0x07.into();
        }
        if self.left.q.val() < 3 {
            self.made_keep.next = 0x03.into();
        }
        if self.left.q.val() < 2 {
            self.made_keep.next = 0x01.into();
        }
        self.made_last.next = self.last.val();
        self.made_valid.next = self.valid.q.val();
        self.generated.next = self.ends.val();
    }
}
