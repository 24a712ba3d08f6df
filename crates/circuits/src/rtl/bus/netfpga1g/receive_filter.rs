// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path of a reaction point.

use crate::rtl::bus::feedback_finder::FeedbackFinder;
use crate::rtl::bus::hold_queue::HoldQueue;
use tidegate_hdl::prelude::*;

module! {
    /// Stands in the receive path of a NetFPGA-1G, shows every packet to the parser of a reaction point, and removes
    /// feedback for this reaction point, with its module headers. Every other packet passes unchanged and in order.
    ///
    /// A word of cycle t goes out in cycle t + 3 at the earliest, the first one of a packet in cycle t + 4. The first words
    /// of a packet wait until it is decided: at most for its third word. As long as `out_rdy` is high, `in_rdy` is high:
    /// nothing here stops the receive path. `out_rdy` ends in one register. A packet with more than seven module headers passes, also if it is feedback.
    pub struct ReceiveFilter: "netfpga1g_receive_filter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub in_high: Signal<In, Bits<32>>,
        pub in_low: Signal<In, Bits<32>>,
        /// ctrl of the word.
        pub in_ctrl: Signal<In, Bits<8>>,
        pub in_wr: Signal<In, Bit>,
        pub in_rdy: Signal<Out, Bit>,
        /// Octets 0 to 3 of the word that goes out.
        pub out_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of the word that goes out.
        pub out_low: Signal<Out, Bits<32>>,
        /// Its ctrl.
        pub out_ctrl: Signal<Out, Bits<8>>,
        /// A word goes out in this cycle.
        pub out_wr: Signal<Out, Bit>,
        /// The receiver has room.
        pub out_rdy: Signal<In, Bit>,
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
        /// The ctrl of the last word has not exactly one bit.
        pub bad_frame: Signal<Out, Bit>,
        /// There is a word for the parser.
        pub valid: Signal<Out, Bit>,
        /// No packet has begun to come in.
        pub boundary: Signal<Out, Bit>,
        pub removed_frame: Signal<Out, Bit>,
        pub lost_word: Signal<Out, Bit>,
        hold_queue: HoldQueue,
        feedback_finder: FeedbackFinder,
        /// Module headers are over.
        within: Register<Bit>,
        /// A packet or its module headers have begun.
        begun: Register<Bit>,
        /// Module headers so far, at most 7.
        headers: Register<Bits<3>>,
        high: DFF<Bits<32>>,
        low: DFF<Bits<32>>,
        ctrl: DFF<Bits<8>>,
        /// There is a word in the registers before.
        holds: Register<Bit>,
        /// The receiver had room in the cycle before.
        may_go: Register<Bit>,
        comes: Signal<Local, Bit>,
        is_data: Signal<Local, Bit>,
        of_packet: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        room: Signal<Local, Bit>,
    }
}

impl Logic for ReceiveFilter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, within, begun, headers, high, low, ctrl, holds, may_go);
        clock!(self, clock, hold_queue, feedback_finder);
        self.hold_queue.reset.next = self.reset.val();
        self.feedback_finder.reset.next = self.reset.val();
        self.within.reset.next = self.reset.val();
        self.begun.reset.next = self.reset.val();
        self.headers.reset.next = self.reset.val();
        self.holds.reset.next = self.reset.val();
        self.may_go.reset.next = self.reset.val();

        comment!("What comes in: a lost word is not seen");
        self.hold_queue.in_high.next = self.in_high.val();
        self.hold_queue.in_low.next = self.in_low.val();
        self.hold_queue.in_mark.next = bit_cast::<10, 8>(self.in_ctrl.val());
        self.hold_queue.in_wr.next = self.in_wr.val();
        self.in_rdy.next = self.hold_queue.in_rdy.val();
        self.lost_word.next = self.hold_queue.lost_word.val();
        self.comes.next = self.in_wr.val() & self.hold_queue.takes.val();
        self.is_data.next = self.in_ctrl.val() == 0;
        self.of_packet.next = self.comes.val() & (self.is_data.val() | self.within.q.val());
        self.ends.next = self.within.q.val() & !self.is_data.val();
        if self.comes.val() {
            self.within.d.next = self.is_data.val();
            self.begun.d.next = !self.ends.val();
            if self.ends.val() {
                self.headers.d.next = 0.into();
            } else if !self.of_packet.val() & (self.headers.q.val() != 7) {
                self.headers.d.next = self.headers.q.val() + 1;
            }
        }
        self.boundary.next = !self.begun.q.val();

        comment!("The parser, and what is removed");
        self.data_high.next = self.in_high.val();
        self.data_low.next = self.in_low.val();
        self.valid.next = self.of_packet.val();
        self.last.next = self.ends.val();
        self.bad_frame.next = (self.in_ctrl.val() & (self.in_ctrl.val() - 1)).any();
        self.octets.next = 8.into();
        if self.in_ctrl.val().get_bit(7) {
            self.octets.next = 1.into();
        } else if self.in_ctrl.val().get_bit(6) {
            self.octets.next = 2.into();
        } else if self.in_ctrl.val().get_bit(5) {
            self.octets.next = 3.into();
        } else if self.in_ctrl.val().get_bit(4) {
            self.octets.next = 4.into();
        } else if self.in_ctrl.val().get_bit(3) {
            self.octets.next = 5.into();
        } else if self.in_ctrl.val().get_bit(2) {
            self.octets.next = 6.into();
        } else if self.in_ctrl.val().get_bit(1) {
            self.octets.next = 7.into();
        }
        self.feedback_finder.seen.next = self.of_packet.val();
        self.feedback_finder.seen_high.next = self.in_high.val();
        self.feedback_finder.seen_low.next = self.in_low.val();
        self.feedback_finder.ends.next = self.ends.val();
        // The queue must not fill with words that wait for the third word of a packet.
        self.feedback_finder.give_up.next = self.comes.val() & !self.of_packet.val() & (self.headers.q.val() == 7);
        self.feedback_finder.rp_mac_high.next = self.rp_mac_high.val();
        self.feedback_finder.rp_mac_low.next = self.rp_mac_low.val();
        self.feedback_finder.flow_mask.next = self.flow_mask.val();
        self.feedback_finder.flow_from_tag.next = self.flow_from_tag.val();
        self.feedback_finder.pass_feedback.next = self.pass_feedback.val();
        self.hold_queue.releases.next = self.feedback_finder.releases.val();
        self.hold_queue.discards.next = self.feedback_finder.removes.val();
        self.removed_frame.next = self.feedback_finder.removed_frame.val();

        comment!("What goes out");
        self.may_go.d.next = self.out_rdy.val();
        self.room.next = !self.holds.q.val() | self.may_go.q.val();
        self.hold_queue.pop.next = self.hold_queue.word_valid.val() & self.room.val();
        if self.room.val() {
            self.holds.d.next = self.hold_queue.word_valid.val();
            self.high.d.next = self.hold_queue.word_high.val();
            self.low.d.next = self.hold_queue.word_low.val();
            self.ctrl.d.next = self.hold_queue.word_mark.val().to_bits().get_bits::<8>(0);
        }
        self.out_high.next = self.high.q.val();
        self.out_low.next = self.low.q.val();
        self.out_ctrl.next = self.ctrl.q.val();
        self.out_wr.next = self.holds.q.val() & self.may_go.q.val();
    }
}
