// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion points of the last decreases of all flows.

use super::cpid_words::CpidWords;
use crate::rtl::flow_memory::FlowMemory;
use tidegate_hdl::prelude::*;

module! {
    /// Holds the congestion point (CPID) of the feedback that waits, while the next frame is read, and compares it with
    /// the one that was remembered for the flow.
    ///
    /// `same_point` is valid from three cycles after `frame_taken` on, because block RAM is slow. A congestion point
    /// that was never remembered has the identifier 0: `known` tells whether one was. With `cpid_digest`, 16 bits that
    /// are made of all 64 stand for the identifier; with `cpid_any`, all congestion points are the same.
    pub struct FlowPoints: "flow_points" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// If the frame that is read is feedback: its CPID, bits 63 to 32.
        pub frame_cpid_high: Signal<In, Bits<32>>,
        /// Its CPID, bits 31 to 0.
        pub frame_cpid_low: Signal<In, Bits<32>>,
        /// `frame_cpid_high` is valid.
        pub frame_cpid_high_valid: Signal<In, Bit>,
        /// `frame_cpid_low` is valid.
        pub frame_cpid_low_valid: Signal<In, Bit>,
        /// The frame that was read last is the feedback that waits from this cycle on.
        pub frame_taken: Signal<In, Bit>,
        /// Flow of the feedback that waits, from the cycle of `frame_taken` on.
        pub flow: Signal<In, Bits<12>>,
        /// A congestion point has been remembered for the flow.
        pub known: Signal<In, Bit>,
        /// Remember the congestion point of the feedback that waits; not before `same_point` is valid.
        pub remember: Signal<In, Bit>,
        /// All congestion points are the same.
        #[parameter]
        pub cpid_any: Signal<In, Bit>,
        #[parameter]
        pub cpid_digest: Signal<In, Bit>,
        /// The feedback that waits comes from the congestion point that is remembered for its flow.
        pub same_point: Signal<Out, Bit>,
        cpid_words: CpidWords,
        /// Bits 63 to 32 of the CPID of the feedback that waits, and of the frame that is read.
        highs_read: LutRam<Bits<32>, 1>,
        /// Bits 31 to 0 of both.
        lows_read: LutRam<Bits<32>, 1>,
        /// Bits 63 to 32 of the CPID that is remembered for each flow.
        highs: FlowMemory<32>,
        /// Bits 31 to 0 of the CPID that is remembered for each flow.
        lows: FlowMemory<32>,
        /// The word of the feedback that waits.
        place: Register<Bits<1>>,
        /// Bits 63 to 32 that were remembered for this flow.
        high_before: Delay<Bits<32>>,
        /// Bits 31 to 0 that were remembered for this flow.
        low_before: Delay<Bits<32>>,
        /// Bits 63 to 32 are those that are remembered.
        same_high: DFF<Bit>,
        /// Bits 31 to 0 are those that are remembered.
        same_low: DFF<Bit>,
    }
}

impl FlowPoints {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        FlowPoints { highs: FlowMemory::new(flow_bits), lows: FlowMemory::new(flow_bits), ..FlowPoints::default() }
    }
}

impl Logic for FlowPoints {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, place, high_before, low_before, same_high, same_low);
        clock!(self, clock, cpid_words, highs_read, lows_read, highs, lows);
        self.place.reset.next = self.reset.val();

        if self.frame_taken.val() {
            self.place.d.next = !self.place.q.val();
        }

        self.cpid_words.high.next = self.frame_cpid_high.val();
        self.cpid_words.low.next = self.frame_cpid_low.val();
        self.cpid_words.high_valid.next = self.frame_cpid_high_valid.val();
        self.cpid_words.cpid_digest.next = self.cpid_digest.val();
        self.highs_read.read_address.next = self.place.q.val();
        self.highs_read.write_address.next = !self.place.q.val();
        self.highs_read.write_data.next = self.cpid_words.high_word.val();
        self.highs_read.write_enable.next = self.frame_cpid_high_valid.val();
        self.lows_read.read_address.next = self.place.q.val();
        self.lows_read.write_address.next = !self.place.q.val();
        self.lows_read.write_data.next = self.cpid_words.low_word.val();
        self.lows_read.write_enable.next = self.frame_cpid_low_valid.val();

        self.highs.read_address.next = self.flow.val();
        self.highs.write_address.next = self.flow.val();
        self.highs.write_data.next = self.highs_read.read_data.val();
        self.highs.write_enable.next = self.remember.val();
        self.lows.read_address.next = self.flow.val();
        self.lows.write_address.next = self.flow.val();
        self.lows.write_data.next = self.lows_read.read_data.val();
        self.lows.write_enable.next = self.remember.val();
        self.high_before.d.next = self.highs.read_data.val();
        self.low_before.d.next = self.lows.read_data.val();
        self.same_high.d.next = self.high_before.q.val() == self.highs_read.read_data.val();
        self.same_low.d.next = self.low_before.q.val() == self.lows_read.read_data.val();
        self.same_point.next =
            (self.known.val() & self.same_high.q.val() & self.same_low.q.val()) | self.cpid_any.val();
    }
}
