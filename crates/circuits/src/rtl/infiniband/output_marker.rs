// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two counters of an output of an InfiniBand switch (Santos 2002, section IV.A).

use tidegate_hdl::prelude::*;

module! {
    /// Counts the packets that enter at four inputs. Combinational, without an adder: each bit is a function of four
    /// bits.
    pub struct EnteredOfFour: "entered_of_four" {
        /// A packet enters at this input.
        pub entering: [Signal<In, Bit>; 4],
        /// Number of packets, 0 to 4.
        pub count: Signal<Out, Bits<3>>,
        /// Number of packets minus 1, two's complement.
        pub less_one: Signal<Out, Bits<4>>,
        one_low: Signal<Local, Bit>,
        one_high: Signal<Local, Bit>,
        two_low: Signal<Local, Bit>,
        two_high: Signal<Local, Bit>,
    }
}

impl Logic for EnteredOfFour {
    #[hdl_gen]
    fn update(&mut self) {
        self.one_low.next = self.entering[0].val() ^ self.entering[1].val();
        self.one_high.next = self.entering[2].val() ^ self.entering[3].val();
        self.two_low.next = self.entering[0].val() & self.entering[1].val();
        self.two_high.next = self.entering[2].val() & self.entering[3].val();
        if self.two_low.val() & self.two_high.val() {
            self.count.next = 4.into();
            self.less_one.next = 3.into();
        } else if (self.two_low.val() & self.one_high.val()) | (self.one_low.val() & self.two_high.val()) {
            self.count.next = 3.into();
            self.less_one.next = 2.into();
        } else if self.two_low.val() | self.two_high.val() | (self.one_low.val() & self.one_high.val()) {
            self.count.next = 2.into();
            self.less_one.next = 1.into();
        } else if self.one_low.val() | self.one_high.val() {
            self.count.next = 1.into();
            self.less_one.next = 0.into();
        } else {
            self.count.next = 0.into();
            self.less_one.next = 15.into();
        }
    }
}

macro_rules! output_marker {
    (
        $output:ident: $output_module:literal, $ports:tt inputs, [$($port:tt),*],
        $fours:tt times four: [$($four:tt[$place:tt]),*], idle: [$($free:tt),*], more: [$($more:tt),*]
    ) => {
        module! {
            /// The two counters of one output: cnt1, the packets in the switch that wait for it, and cnt2, the packets
            /// to mark.
            ///
            /// `marking` depends on registers only: it says whether a packet that leaves in this cycle is marked. When
            /// a buffer with a packet for this output becomes full, cnt2 takes the new value of cnt1: packets that
            /// enter in that cycle count, a packet that leaves does not. Packets are counted in one cycle; in the next
            /// the count is added to cnt1, and cnt2 takes the sum or loses a packet that was marked. The outputs do not
            /// show this delay, so no path leads through an input buffer and an adder of both counters.
            /// An output sends one packet at a time: it counts one packet, even if several bits of `leaving` are set.
            pub struct $output: $output_module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                /// A packet for this output enters at this input in this cycle.
                pub entering: [Signal<In, Bit>; $ports],
                /// A packet from this input begins to leave on this output in this cycle.
                pub leaving: [Signal<In, Bit>; $ports],
                /// The buffer of this input becomes full in this cycle, with a packet for this output in it.
                pub congested: [Signal<In, Bit>; $ports],
                /// Mark a packet that leaves in this cycle.
                pub marking: Signal<Out, Bit>,
                /// cnt1 of the cycle before, packets.
                waiting: Register<Bits<7>>,
                /// Packets that entered in the cycle before, minus 1, two's complement.
                entered_less_one: Register<Bits<4>>,
                /// No packet left in the cycle before: 1 is added again.
                none_left: Register<Bit>,
                /// In the cycle before, a buffer with a packet for this output became full: cnt2 = cnt1.
                triggered: Register<Bit>,
                /// cnt2 of the cycle before, packets; valid if `triggered` is low.
                to_mark: Register<Bits<7>>,
                /// A packet that left in the cycle before was marked: cnt2 is one less.
                marked: Register<Bit>,
                /// cnt2 is not 0; valid if `triggered` is low.
                any_to_mark: Register<Bit>,
                /// Packets that enter at up to four inputs each.
                fours: [EnteredOfFour; $fours],
                leaves: Signal<Local, Bit>,
                sign: Signal<Local, Bits<8>>,
                sum: Signal<Local, Bits<8>>,
                /// cnt1: packets in the switch that wait for this output.
                pub now_waiting: Signal<Local, Bits<7>>,
                /// cnt2: packets still to mark.
                pub owed: Signal<Local, Bits<7>>,
                owes: Signal<Local, Bit>,
                owes_one: Signal<Local, Bit>,
            }
        }

        impl Logic for $output {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, waiting, entered_less_one, none_left, triggered, to_mark, marked, any_to_mark);
                self.waiting.reset.next = self.reset.val();
                self.entered_less_one.reset.next = self.reset.val();
                self.none_left.reset.next = self.reset.val();
                self.triggered.reset.next = self.reset.val();
                self.to_mark.reset.next = self.reset.val();
                self.marked.reset.next = self.reset.val();
                self.any_to_mark.reset.next = self.reset.val();
                $(self.fours[$four].entering[$place].next = self.entering[$port].val();)*
                $(self.fours[0].entering[$free].next = false;)*
                self.leaves.next = $(self.leaving[$port].val())|*;
                self.triggered.d.next = $(self.congested[$port].val())|*;
                self.none_left.d.next = !self.leaves.val();
                self.entered_less_one.d.next = self.fours[0].less_one.val()
                    $(+ bit_cast::<4, 3>(self.fours[$more].count.val()))*;
                // One carry chain: bit 0 makes `none_left` the carry into bit 1.
                self.sign.next = 0.into();
                if self.entered_less_one.q.val().get_bit(3) {
                    self.sign.next = 0xe0.into();
                }
                self.sum.next = ((bit_cast::<8, 7>(self.waiting.q.val()).to_bits() << 1) | 1)
                    + (self.sign.val()
                        | (bit_cast::<8, 4>(self.entered_less_one.q.val()).to_bits() << 1)
                        | bit_cast::<8, 1>(self.none_left.q.val().into()));
                self.now_waiting.next = self.sum.val().to_bits().get_bits::<7>(1);
                self.waiting.d.next = self.now_waiting.val();
                // If `triggered` is high, at least one packet waits; otherwise the output would not have been
                // congested.
                self.owes.next = self.triggered.q.val() | self.any_to_mark.q.val();
                self.owed.next = self.to_mark.q.val();
                self.owes_one.next = self.to_mark.q.val() == 1;
                if self.marked.q.val() {
                    self.owed.next = self.to_mark.q.val() - 1;
                    self.owes_one.next = self.to_mark.q.val() == 2;
                }
                if self.triggered.q.val() {
                    self.owed.next = self.now_waiting.val();
                    self.owes_one.next = self.now_waiting.val() == 1;
                }
                self.to_mark.d.next = self.owed.val();
                self.marked.d.next = self.leaves.val() & self.owes.val();
                self.any_to_mark.d.next = self.owes.val() & !(self.leaves.val() & self.owes_one.val());
                self.marking.next = self.owes.val();
            }
        }
    };
}

output_marker!(
    OutputMarker2: "output_marker_2", 2 inputs, [0, 1],
    1 times four: [0[0], 0[1]], idle: [2, 3], more: []
);
output_marker!(
    OutputMarker4: "output_marker_4", 4 inputs, [0, 1, 2, 3],
    1 times four: [0[0], 0[1], 0[2], 0[3]], idle: [], more: []
);
output_marker!(
    OutputMarker8: "output_marker_8", 8 inputs, [0, 1, 2, 3, 4, 5, 6, 7],
    2 times four: [0[0], 0[1], 0[2], 0[3], 1[0], 1[1], 1[2], 1[3]], idle: [], more: [1]
);
