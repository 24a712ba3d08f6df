//! Naive marking, one input of an InfiniBand switch (infiniband.txt section IV-A, the baseline of section VI-A).

use crate::rtl::register::Register;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

macro_rules! naive_marker {
    ($marker:ident: $marker_module:literal, $ports:tt outputs, [$(($port:tt, $bit:tt)),*]) => {
        module! {
            /// The marks of the packets in the buffer of one input: the paper's baseline, which marks what waits in the full buffer.
            ///
            /// For each output a counter of packets that are still to be marked as they leave, the oldest ones. `marking` hangs on
            /// registers alone. Where the buffer becomes full, the counters are what `waiting` becomes: one that enters in that
            /// cycle counts, one that leaves does not. They are copied a cycle later; until then `waiting` stands for them.
            pub struct $marker: $marker_module {
                /// Rising edge counts.
                pub clock: Signal<In, Clock>,
                /// Synchronous, active high.
                pub reset: Signal<In, Bit>,
                /// A packet leaves the buffer on this output.
                pub leaving: Signal<In, Bits<$ports>>,
                /// The buffer becomes full, and a packet in it waits for this output.
                pub congested: Signal<In, Bits<$ports>>,
                /// Packets in the buffer that wait for this output.
                pub waiting: [Signal<In, Bits<4>>; $ports],
                /// For each output: a packet that leaves on it is marked.
                pub marking: Signal<Out, Bits<$ports>>,
                /// The buffer became full in the cycle before.
                triggered: Register<Bit>,
                /// Packets that are still to be marked, where the buffer did not.
                to_mark: [Register<Bits<4>>; $ports],
                owed: [Signal<Local, Bits<4>>; $ports],
                owes: [Signal<Local, Bit>; $ports],
                marking_bit: [Signal<Local, Bits<$ports>>; $ports],
            }
        }

        parameter_inputs!($marker:; leaving, congested; arrays: waiting);

        impl Logic for $marker {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, triggered);
                self.triggered.reset.next = self.reset.val();
                // The packet that fills a buffer waits for some output.
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
