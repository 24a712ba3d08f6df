//! The two counters of an output of an InfiniBand switch (infiniband.txt section IV-A).

use crate::rtl::register::Register;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

macro_rules! output_marker {
    ($output:ident: $output_module:literal, $ports:tt inputs, [$($port:tt),*]) => {
        module! {
            /// The two counters of one output: packets in the switch that wait for it, and packets that are still to be marked.
            ///
            /// `marking` hangs on registers alone: it tells whether a packet that leaves in this cycle is marked. Where a buffer becomes
            /// full, the second counter is what the first one becomes: packets that enter in that cycle count, one that leaves does
            /// not. Packets are counted in one cycle and added up in the next, and there the second counter is copied. Nobody sees the
            /// delay, as the sum stands for both until then, and no path goes through a buffer and a sum. An output sends one packet at a time: it counts one, however many bits of `leaving`
            /// are set.
            pub struct $output: $output_module {
                /// Rising edge counts.
                pub clock: Signal<In, Clock>,
                /// Synchronous, active high.
                pub reset: Signal<In, Bit>,
                /// For each input: a packet enters there for this output.
                pub entering: [Signal<In, Bit>; $ports],
                /// One leaves from there.
                pub leaving: [Signal<In, Bit>; $ports],
                /// Its buffer becomes full with a packet for this output in it.
                pub congested: [Signal<In, Bit>; $ports],
                /// A packet that leaves is marked.
                pub marking: Signal<Out, Bit>,
                /// cnt1 as it was a cycle ago, packets.
                waiting: Register<Bits<7>>,
                /// What came to it since: packets that entered less the one that left, two's complement.
                change: Register<Bits<5>>,
                /// In the cycle before, a buffer became full with a packet for this output in it: cnt2 is cnt1.
                triggered: Register<Bit>,
                /// cnt2 where it is not cnt1, packets.
                to_mark: Register<Bits<7>>,
                /// Whether that is one or more.
                any_to_mark: Register<Bit>,
                entered: [Signal<Local, Bits<5>>; $ports],
                /// 0, or −1 where a packet leaves.
                left: Signal<Local, Bits<5>>,
                leaves: Signal<Local, Bit>,
                sign: Signal<Local, Bits<7>>,
                /// cnt1.
                pub now_waiting: Signal<Local, Bits<7>>,
                /// cnt2.
                pub owed: Signal<Local, Bits<7>>,
                owes: Signal<Local, Bit>,
                owes_one: Signal<Local, Bit>,
            }
        }

        parameter_inputs!($output:;; arrays: entering, leaving, congested);

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
                self.left.next = 0.into();
                if self.leaves.val() {
                    self.left.next = 0x1f.into();
                }
                self.change.d.next = self.left.val() $(+ self.entered[$port].val())*;
                self.sign.next = 0.into();
                if self.change.q.val().get_bit(4) {
                    self.sign.next = 0x60.into();
                }
                self.now_waiting.next =
                    self.waiting.q.val() + (self.sign.val() | bit_cast::<7, 5>(self.change.q.val()));
                self.waiting.d.next = self.now_waiting.val();
                // Some packet waits where it was triggered, or it would not be congested.
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
