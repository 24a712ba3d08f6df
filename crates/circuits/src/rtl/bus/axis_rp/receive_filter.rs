// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path of a reaction point.

use crate::rtl::bus::feedback_finder::FeedbackFinder;
use crate::rtl::bus::hold_queue::HoldQueue;
use tidegate_hdl::prelude::*;

module! {
    /// Stands in a receive path on AXI4-Stream, shows every frame to the parser of a reaction point, and removes feedback
    /// for this reaction point. Every other frame passes unchanged and in order.
    ///
    /// A word of cycle t goes out in cycle t + 3 at the earliest, the first one of a frame in cycle t + 4. The first words
    /// of a frame wait until it is decided: at most for its third word. As long as `next_tready` is high,
    /// `s_axis_rx_tready` is high: nothing here stops the receive path. The words wait in LUT RAM, and the next one in a register
    /// behind it: the stage at the output follows (`bus/output_stage`).
    pub struct AxisReceiveFilter: "axis_receive_filter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the word; octet 0 in bits 31 to 24.
        pub rx_in_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of the word; octet 4 in bits 31 to 24.
        pub rx_in_low: Signal<In, Bits<32>>,
        /// The octets that are valid: octet i is bit i.
        pub s_axis_rx_tkeep: Signal<In, Bits<8>>,
        /// The word is the last one of a frame.
        pub s_axis_rx_tlast: Signal<In, Bit>,
        /// The frame was received with an error; valid with `s_axis_rx_tlast`.
        pub s_axis_rx_tuser: Signal<In, Bit>,
        /// There is a word.
        pub s_axis_rx_tvalid: Signal<In, Bit>,
        /// It is taken in this cycle.
        pub s_axis_rx_tready: Signal<Out, Bit>,
        /// Octets 0 to 3 of the word that goes out next.
        pub next_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of the word that goes out next.
        pub next_low: Signal<Out, Bits<32>>,
        /// The octets that are valid: octet i is bit i.
        pub next_tkeep: Signal<Out, Bits<8>>,
        /// The word is the last one of a frame.
        pub next_tlast: Signal<Out, Bit>,
        /// As it came with the word.
        pub next_tuser: Signal<Out, Bit>,
        /// There is a word; it does not change until `next_tready`.
        pub next_tvalid: Signal<Out, Bit>,
        /// It goes out.
        pub next_tready: Signal<In, Bit>,
        #[parameter]
        pub rp_mac_high: Signal<In, Bits<16>>,
        #[parameter]
        pub rp_mac_low: Signal<In, Bits<32>>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        #[parameter]
        pub flow_from_tag: Signal<In, Bit>,
        #[parameter]
        pub pass_feedback: Signal<In, Bit>,
        /// Octets 0 to 3 of a word for the parser.
        pub data_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of a word for the parser.
        pub data_low: Signal<Out, Bits<32>>,
        /// Number of valid octets in the last word, 1 to 8.
        pub octets: Signal<Out, Bits<4>>,
        /// The word is the last one of a frame.
        pub last: Signal<Out, Bit>,
        /// The frame was received with an error, or `s_axis_rx_tkeep` was not as it must be; valid with `last`.
        pub bad_frame: Signal<Out, Bit>,
        /// There is a word for the parser.
        pub valid: Signal<Out, Bit>,
        /// No frame has begun to come in.
        pub boundary: Signal<Out, Bit>,
        pub removed_frame: Signal<Out, Bit>,
        hold_queue: HoldQueue,
        feedback_finder: FeedbackFinder,
        /// A frame has begun.
        begun: Register<Bit>,
        /// A word before its last one had less than eight octets.
        gaps: Register<Bit>,
        /// There is a next word.
        holds: Register<Bit>,
        high: DFF<Bits<32>>,
        low: DFF<Bits<32>>,
        mark: DFF<Bits<10>>,
        comes: Signal<Local, Bit>,
        whole: Signal<Local, Bit>,
        in_line: Signal<Local, Bit>,
        room: Signal<Local, Bit>,
    }
}

impl Logic for AxisReceiveFilter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, begun, gaps, holds, high, low, mark);
        clock!(self, clock, hold_queue, feedback_finder);
        self.hold_queue.reset.next = self.reset.val();
        self.feedback_finder.reset.next = self.reset.val();
        self.begun.reset.next = self.reset.val();
        self.gaps.reset.next = self.reset.val();
        self.holds.reset.next = self.reset.val();

        comment!("What comes in");
        self.comes.next = self.s_axis_rx_tvalid.val() & self.hold_queue.in_rdy.val();
        self.s_axis_rx_tready.next = self.hold_queue.in_rdy.val();
        self.hold_queue.in_wr.next = self.comes.val();
        self.hold_queue.in_high.next = self.rx_in_high.val();
        self.hold_queue.in_low.next = self.rx_in_low.val();
        self.hold_queue.in_mark.next = bit_cast::<10, 8>(self.s_axis_rx_tkeep.val());
        if self.s_axis_rx_tlast.val() & self.s_axis_rx_tuser.val() {
            self.hold_queue.in_mark.next = bit_cast::<10, 8>(self.s_axis_rx_tkeep.val()) | 0x300;
        } else if self.s_axis_rx_tlast.val() {
            self.hold_queue.in_mark.next = bit_cast::<10, 8>(self.s_axis_rx_tkeep.val()) | 0x100;
        } else if self.s_axis_rx_tuser.val() {
            self.hold_queue.in_mark.next = bit_cast::<10, 8>(self.s_axis_rx_tkeep.val()) | 0x200;
        }
        self.whole.next = self.s_axis_rx_tkeep.val().all();
        if self.comes.val() {
            self.begun.d.next = !self.s_axis_rx_tlast.val();
            self.gaps.d.next = !self.s_axis_rx_tlast.val() & (self.gaps.q.val() | !self.whole.val());
        }
        self.boundary.next = !self.begun.q.val();

        comment!("The parser, and what is removed");
        self.data_high.next = self.rx_in_high.val();
        self.data_low.next = self.rx_in_low.val();
        self.valid.next = self.comes.val();
        self.last.next = self.s_axis_rx_tlast.val();
        // The valid octets are the first ones: one more is a carry through all of them.
        self.in_line.next = self.s_axis_rx_tkeep.val().get_bit(0)
            & ((self.s_axis_rx_tkeep.val() & (self.s_axis_rx_tkeep.val() + 1)) == 0);
        self.bad_frame.next = self.s_axis_rx_tuser.val() | self.gaps.q.val() | !self.in_line.val();
        self.octets.next = 1.into();
        if self.s_axis_rx_tkeep.val().get_bit(7) {
            self.octets.next = 8.into();
        } else if self.s_axis_rx_tkeep.val().get_bit(6) {
            self.octets.next = 7.into();
        } else if self.s_axis_rx_tkeep.val().get_bit(5) {
            self.octets.next = 6.into();
        } else if self.s_axis_rx_tkeep.val().get_bit(4) {
            self.octets.next = 5.into();
        } else if self.s_axis_rx_tkeep.val().get_bit(3) {
            self.octets.next = 4.into();
        } else if self.s_axis_rx_tkeep.val().get_bit(2) {
            self.octets.next = 3.into();
        } else if self.s_axis_rx_tkeep.val().get_bit(1) {
            self.octets.next = 2.into();
        }
        self.feedback_finder.seen.next = self.comes.val();
        self.feedback_finder.seen_high.next = self.rx_in_high.val();
        self.feedback_finder.seen_low.next = self.rx_in_low.val();
        self.feedback_finder.ends.next = self.s_axis_rx_tlast.val();
        self.feedback_finder.give_up.next = false;
        self.feedback_finder.rp_mac_high.next = self.rp_mac_high.val();
        self.feedback_finder.rp_mac_low.next = self.rp_mac_low.val();
        self.feedback_finder.flow_mask.next = self.flow_mask.val();
        self.feedback_finder.flow_from_tag.next = self.flow_from_tag.val();
        self.feedback_finder.pass_feedback.next = self.pass_feedback.val();
        self.hold_queue.releases.next = self.feedback_finder.releases.val();
        self.hold_queue.discards.next = self.feedback_finder.removes.val();
        self.removed_frame.next = self.feedback_finder.removed_frame.val();

        comment!("What goes out");
        self.room.next = !self.holds.q.val() | self.next_tready.val();
        self.hold_queue.pop.next = self.hold_queue.word_valid.val() & self.room.val();
        if self.room.val() {
            self.holds.d.next = self.hold_queue.word_valid.val();
            self.high.d.next = self.hold_queue.word_high.val();
            self.low.d.next = self.hold_queue.word_low.val();
            self.mark.d.next = self.hold_queue.word_mark.val();
        }
        self.next_tvalid.next = self.holds.q.val();
        self.next_high.next = self.high.q.val();
        self.next_low.next = self.low.q.val();
        self.next_tkeep.next = self.mark.q.val().to_bits().get_bits::<8>(0);
        self.next_tlast.next = self.mark.q.val().get_bit(8);
        self.next_tuser.next = self.mark.q.val().get_bit(9);
    }
}
