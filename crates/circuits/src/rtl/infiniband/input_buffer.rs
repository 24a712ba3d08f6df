// SPDX-License-Identifier: MIT OR Apache-2.0
//! The buffer of an input of an InfiniBand switch (Santos 2002, section IV.A). A macro makes it for 2, 4 and 8 ports,
//! because stable Rust does not compute the width of a port from a generic constant.

use tidegate_hdl::prelude::*;

macro_rules! input_buffer {
    ($buffer:ident: $buffer_module:literal, $ports:tt outputs, $bits:tt bits, [$(($port:tt, $bit:tt)),*]) => {
        module! {
            /// Counts the packets in the buffer of one input: the slots in use, and the packets that wait for each
            /// output. A slot is the place of one packet.
            ///
            /// Each packet has four events, each in one cycle: `enter` when its header is in, `complete` when its last
            /// byte is in, `leave` when it begins to leave, and `free` when its last byte has left. `complete` can come
            /// in the cycle of `enter` or later, before or after `leave` (a packet that cuts through), and comes before
            /// `free` or with it. Packets come in one after the other. When a packet begins to leave, it no longer
            /// waits, but it keeps its slot until `free`. With `full_when_whole` the buffer becomes full when all slots
            /// hold packets whose last byte is in; else when all slots are taken. Events of cycle t change the counters
            /// in cycle t + 1; `entering`, `leaving`, `congested` and `mark` report them in cycle t. An impossible
            /// event changes nothing and makes `impossible` high.
            pub struct $buffer: $buffer_module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                /// Number of slots in the buffer, 1 to 15. A packet that enters makes the buffer full if so many slots are
                /// in use then, or more.
                #[parameter]
                pub buffer_packets: Signal<In, Bits<4>>,
                /// When the buffer becomes full and starts the marking. 1: when all slots hold packets whose last byte
                /// is in; 0: when all slots are taken.
                #[parameter]
                pub full_when_whole: Signal<In, Bit>,
                /// The header of a packet is in: it takes a slot and waits. Not allowed while `full`; with
                /// `full_when_whole` not before `complete` of the packet in front.
                pub enter: Signal<In, Bit>,
                /// Output to which the packet goes; valid with `enter`.
                pub enter_output: Signal<In, Bits<$bits>>,
                /// The last byte of a packet is in: of the one that is coming in, or if none is, of the one that enters
                /// in this cycle. Once for each packet, also if it has begun to leave. May stay low if
                /// `full_when_whole` is always 0.
                pub complete: Signal<In, Bit>,
                /// A packet that waits begins to leave.
                pub leave: Signal<In, Bit>,
                /// Output on which the packet leaves; valid with `leave`.
                pub leave_output: Signal<In, Bits<$bits>>,
                /// A packet that began to leave, in this cycle or before, has left: free its slot.
                pub free: Signal<In, Bit>,
                /// For each output: mark a packet that begins to leave on it in this cycle.
                pub marking: Signal<In, Bits<$ports>>,
                /// Mark the packet that begins to leave in this cycle.
                pub mark: Signal<Out, Bit>,
                /// All slots are in use, with whole packets or not: no packet may enter.
                pub full: Signal<Out, Bit>,
                /// An event of this cycle is impossible and is ignored.
                pub impossible: Signal<Out, Bit>,
                /// For each output: a packet for it enters in this cycle.
                pub entering: Signal<Out, Bits<$ports>>,
                /// For each output: a packet begins to leave on it in this cycle.
                pub leaving: Signal<Out, Bits<$ports>>,
                /// For each output: the buffer becomes full in this cycle, and a packet in it waits for this output.
                pub congested: Signal<Out, Bits<$ports>>,
                /// Number of packets that wait for this output, from a register.
                pub waiting: [Signal<Out, Bits<4>>; $ports],
                /// All slots are in use.
                filled: Register<Bit>,
                /// Number of slots in use.
                used: Register<Bits<4>>,
                /// Number of slots whose packets have begun to leave.
                sending: Register<Bits<4>>,
                /// The last byte of the packet that entered last is not in.
                coming: Register<Bit>,
                /// Number of packets that wait for this output.
                count: [Register<Bits<4>>; $ports],
                /// For each output: the number of packets that wait for it is not 0.
                waits: Register<Bits<$ports>>,
                enters: Signal<Local, Bit>,
                leaves: Signal<Local, Bit>,
                frees: Signal<Local, Bit>,
                fills: Signal<Local, Bit>,
                enters_for: Signal<Local, Bits<$ports>>,
                leaves_on_bit: [Signal<Local, Bits<$ports>>; $ports],
                leaves_on: Signal<Local, Bits<$ports>>,
                next_used: Signal<Local, Bits<4>>,
                sent_leaves: Signal<Local, Bit>,
                takes_last: Signal<Local, Bit>,
                holds_last: Signal<Local, Bit>,
                makes_full: Signal<Local, Bit>,
                becomes_full: Signal<Local, Bit>,
                stays_bit: [Signal<Local, Bits<$ports>>; $ports],
                stays: Signal<Local, Bits<$ports>>,
            }
        }

        impl Logic for $buffer {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, filled, used, sending, coming, waits);
                self.filled.reset.next = self.reset.val();
                self.used.reset.next = self.reset.val();
                self.sending.reset.next = self.reset.val();
                self.coming.reset.next = self.reset.val();
                self.waits.reset.next = self.reset.val();
                self.enters.next = self.enter.val()
                    & !self.filled.q.val()
                    & !(self.full_when_whole.val() & self.coming.q.val() & !self.complete.val());
                self.coming.d.next = (self.coming.q.val() & !self.complete.val())
                    | (self.enters.val() & (self.coming.q.val() | !self.complete.val()));
                $(
                    self.leaves_on_bit[$port].next = 0.into();
                    if self.leave.val() & (self.leave_output.val() == $port) & self.waits.q.val().get_bit($port) {
                        self.leaves_on_bit[$port].next = $bit.into();
                    }
                )*
                self.leaves_on.next = $(self.leaves_on_bit[$port].val())|*;
                self.leaves.next = self.leave.val() & self.waits.q.val().get_bit(self.leave_output.val().index());
                self.frees.next = self.free.val() & (self.leaves.val() | self.sending.q.val().any());
                self.enters_for.next = 0.into();
                if self.enters.val() {
                    $(
                        if self.enter_output.val() == $port {
                            self.enters_for.next = $bit.into();
                        }
                    )*
                }
                self.next_used.next = self.used.q.val() + 1;
                self.takes_last.next = self.enters.val() & (self.next_used.val() >= self.buffer_packets.val());
                self.sent_leaves.next = self.free.val() & self.sending.q.val().any();
                // `leaves` comes late: it meets as little logic as possible.
                self.fills.next =
                    self.takes_last.val() & !self.sent_leaves.val() & !(self.free.val() & self.leaves.val());
                // The last byte of the packet in the last slot, or a packet that takes the last slot.
                if self.full_when_whole.val() & self.coming.q.val() {
                    self.holds_last.next = self.filled.q.val();
                } else {
                    self.holds_last.next = self.takes_last.val();
                }
                self.makes_full.next = self.holds_last.val()
                    & (self.complete.val() | !self.full_when_whole.val())
                    & !self.sent_leaves.val();
                self.becomes_full.next = self.makes_full.val() & !(self.free.val() & self.leaves.val());
                if self.fills.val() {
                    self.filled.d.next = true;
                } else if self.frees.val() {
                    self.filled.d.next = false;
                }
                if self.enters.val() & !self.frees.val() {
                    self.used.d.next = self.next_used.val();
                } else if self.frees.val() & !self.enters.val() {
                    self.used.d.next = self.used.q.val() - 1;
                }
                if self.leaves.val() & !self.frees.val() {
                    self.sending.d.next = self.sending.q.val() + 1;
                } else if self.frees.val() & !self.leaves.val() {
                    self.sending.d.next = self.sending.q.val() - 1;
                }
                for i in 0..$ports {
                    self.count[i].clock.next = self.clock.val();
                    self.count[i].reset.next = self.reset.val();
                    self.count[i].d.next = self.count[i].q.val();
                    if self.enters_for.val().get_bit(i) & !self.leaves_on.val().get_bit(i) {
                        self.count[i].d.next = self.count[i].q.val() + 1;
                    } else if self.leaves_on.val().get_bit(i) & !self.enters_for.val().get_bit(i) {
                        self.count[i].d.next = self.count[i].q.val() - 1;
                    }
                    self.waiting[i].next = self.count[i].q.val();
                }
                $(
                    // A packet that waits and does not leave now, or a packet that enters.
                    self.stays_bit[$port].next = 0.into();
                    if self.enters_for.val().get_bit($port)
                        | (self.count[$port].q.val() > 1)
                        | (self.waits.q.val().get_bit($port) & !self.leaves_on.val().get_bit($port))
                    {
                        self.stays_bit[$port].next = $bit.into();
                    }
                )*
                self.stays.next = $(self.stays_bit[$port].val())|*;
                self.waits.d.next = self.stays.val();
                self.mark.next = (self.leaves_on.val() & self.marking.val()).any();
                self.full.next = self.filled.q.val();
                self.impossible.next = (!self.enters.val()
                    & (self.enter.val() | (self.full_when_whole.val() & self.complete.val() & !self.coming.q.val())))
                    | (self.leave.val() & !self.leaves.val())
                    | (self.free.val() & !self.frees.val());
                self.entering.next = self.enters_for.val();
                self.leaving.next = self.leaves_on.val();
                self.congested.next = 0.into();
                if self.becomes_full.val() {
                    self.congested.next = self.stays.val();
                }
            }
        }
    };
}

input_buffer!(InputBuffer2: "input_buffer_2", 2 outputs, 1 bits, [(0, 1), (1, 2)]);
input_buffer!(InputBuffer4: "input_buffer_4", 4 outputs, 2 bits, [(0, 1), (1, 2), (2, 4), (3, 8)]);
input_buffer!(InputBuffer8: "input_buffer_8", 8 outputs, 3 bits, [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 64), (7, 128)]);
