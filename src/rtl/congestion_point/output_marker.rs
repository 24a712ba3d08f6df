//! The two counters of an output of an InfiniBand switch (Santos 2002, section IV.A).

use crate::rtl::module;
use crate::rtl::register::Register;
use rust_hdl::prelude::*;

macro_rules! output_marker {
    ($output:ident: $output_module:literal, $ports:tt inputs, [$($port:tt),*]) => {
        module! {
            /// The two counters of one output: cnt1, the packets in the switch that wait for it, and cnt2, the packets
            /// to mark.
            ///
            /// `marking` depends on registers only: it says whether a packet that leaves in this cycle is marked. When
            /// a buffer with a packet for this output becomes full, cnt2 takes the new value of cnt1: packets that
            /// enter in that cycle count, a packet that leaves does not. Packets are counted in one cycle, and the
            /// count is added to cnt1 and copied to cnt2 in the next. The outputs do not show this delay, because until
            /// then the sum is used in place of both counters; so no path leads through an input buffer and an adder.
            /// An output sends one packet at a time: it counts one packet, even if several bits of `leaving` are set.
            pub struct $output: $output_module {
                /// Clock, rising edge.
                pub clock: Signal<In, Clock>,
                /// Synchronous reset, active high.
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
                /// Change of cnt1 since: packets that entered minus the packet that left, two's complement.
                change: Register<Bits<5>>,
                /// In the cycle before, a buffer with a packet for this output became full: cnt2 = cnt1.
                triggered: Register<Bit>,
                /// cnt2, packets; valid if `triggered` is low.
                to_mark: Register<Bits<7>>,
                /// `to_mark` is not 0.
                any_to_mark: Register<Bit>,
                entered: [Signal<Local, Bits<5>>; $ports],
                /// −1 if a packet leaves in this cycle, else 0.
                minus_leaving: Signal<Local, Bits<5>>,
                leaves: Signal<Local, Bit>,
                sign: Signal<Local, Bits<7>>,
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
                dff_setup!(self, clock, waiting, change, triggered, to_mark, any_to_mark);
                self.waiting.reset.next = self.reset.val();
                self.change.reset.next = self.reset.val();
                self.triggered.reset.next = self.reset.val();
                self.to_mark.reset.next = self.reset.val();
                self.any_to_mark.reset.next = self.reset.val();
                for i in 0..$ports {
                    self.entered[i].next = 0.into();
                    if self.entering[i].val() {
                        self.entered[i].next = 1.into();
                    }
                }
                self.leaves.next = $(self.leaving[$port].val())|*;
                self.triggered.d.next = $(self.congested[$port].val())|*;
                self.minus_leaving.next = 0.into();
                if self.leaves.val() {
                    self.minus_leaving.next = 0x1f.into();
                }
                self.change.d.next = self.minus_leaving.val() $(+ self.entered[$port].val())*;
                self.sign.next = 0.into();
                if self.change.q.val().get_bit(4) {
                    self.sign.next = 0x60.into();
                }
                self.now_waiting.next =
                    self.waiting.q.val() + (self.sign.val() | bit_cast::<7, 5>(self.change.q.val()));
                self.waiting.d.next = self.now_waiting.val();
                // If `triggered` is high, at least one packet waits; otherwise the output would not have been
                // congested.
                self.owes.next = self.triggered.q.val() | self.any_to_mark.q.val();
                self.owed.next = self.to_mark.q.val();
                self.owes_one.next = self.to_mark.q.val() == 1;
                if self.triggered.q.val() {
                    self.owed.next = self.now_waiting.val();
                    self.owes_one.next = self.now_waiting.val() == 1;
                }
                self.to_mark.d.next = self.owed.val();
                self.any_to_mark.d.next = self.owes.val();
                if self.leaves.val() & self.owes.val() {
                    self.to_mark.d.next = self.owed.val() - 1;
                    self.any_to_mark.d.next = !self.owes_one.val();
                }
                self.marking.next = self.owes.val();
            }
        }
    };
}

output_marker!(OutputMarker2: "output_marker_2", 2 inputs, [0, 1]);
output_marker!(OutputMarker4: "output_marker_4", 4 inputs, [0, 1, 2, 3]);
output_marker!(OutputMarker8: "output_marker_8", 8 inputs, [0, 1, 2, 3, 4, 5, 6, 7]);
