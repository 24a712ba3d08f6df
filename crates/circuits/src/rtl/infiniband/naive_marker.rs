// SPDX-License-Identifier: MIT OR Apache-2.0
//! Naive marking, for one input of an InfiniBand switch: the baseline of Santos 2002, section VI.A.

use tidegate_hdl::prelude::*;

macro_rules! naive_marker {
    ($marker:ident: $marker_module:literal, $ports:tt outputs, [$(($port:tt, $bit:tt)),*]) => {
        module! {
            /// Selects the packets of one input buffer that are marked. This is the naive baseline of the paper: it
            /// marks all packets that wait in the buffer when it becomes full.
            ///
            /// For each output a counter holds the number of packets to mark; the next packets that leave are marked.
            /// `marking` depends on registers only. When the buffer becomes full, the counters take the new values of
            /// `waiting`: a packet that enters in that cycle counts, a packet that leaves does not. They are copied one
            /// cycle later; until then `waiting` is used in their place.
            pub struct $marker: $marker_module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                /// For each output: a packet begins to leave the buffer on it in this cycle.
                pub leaving: Signal<In, Bits<$ports>>,
                /// For each output: the buffer becomes full in this cycle, and a packet in it waits for this output.
                pub congested: Signal<In, Bits<$ports>>,
                /// Number of packets in the buffer that wait for this output.
                pub waiting: [Signal<In, Bits<4>>; $ports],
                /// For each output: mark a packet that leaves on it in this cycle.
                pub marking: Signal<Out, Bits<$ports>>,
                /// The buffer became full in the cycle before.
                triggered: Register<Bit>,
                /// Number of packets still to mark; valid if `triggered` is low.
                to_mark: [Register<Bits<4>>; $ports],
                owed: [Signal<Local, Bits<4>>; $ports],
                owes: [Signal<Local, Bit>; $ports],
                marking_bit: [Signal<Local, Bits<$ports>>; $ports],
            }
        }

        impl Logic for $marker {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, triggered);
                self.triggered.reset.next = self.reset.val();
                // If no packet waits in a buffer that becomes full, `congested` is 0, and there is none to mark.
                self.triggered.d.next = self.congested.val().any();
                for i in 0..$ports {
                    self.to_mark[i].clock.next = self.clock.val();
                    self.to_mark[i].reset.next = self.reset.val();
                    self.owed[i].next = self.to_mark[i].q.val();
                    if self.triggered.q.val() {
                        self.owed[i].next = self.waiting[i].val();
                    }
                    self.owes[i].next = self.owed[i].val().any();
                    self.to_mark[i].d.next = self.owed[i].val();
                    if self.leaving.val().get_bit(i) & self.owes[i].val() {
                        self.to_mark[i].d.next = self.owed[i].val() - 1;
                    }
                }
                $(
                    self.marking_bit[$port].next = 0.into();
                    if self.owes[$port].val() {
                        self.marking_bit[$port].next = $bit.into();
                    }
                )*
                self.marking.next = $(self.marking_bit[$port].val())|*;
            }
        }
    };
}

naive_marker!(NaiveMarker2: "naive_marker_2", 2 outputs, [(0, 1), (1, 2)]);
naive_marker!(NaiveMarker4: "naive_marker_4", 4 outputs, [(0, 1), (1, 2), (2, 4), (3, 8)]);
naive_marker!(NaiveMarker8: "naive_marker_8", 8 outputs, [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 64), (7, 128)]);
