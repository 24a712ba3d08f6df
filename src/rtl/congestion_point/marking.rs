//! Packet marking in an InfiniBand switch with input buffers: two counters an output (infiniband.txt section IV-A).
//!
//! One macro makes the modules of a switch of 2, 4 or 8 ports, because the width of a port cannot be an expression of a constant.

use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

/// The buffer of an input, the counters of an output, and the switch that they make.
macro_rules! marking {
    (
        ports: $ports:tt, bits of a port: $bits:tt, of all: $all:tt,
        $buffer:ident: $buffer_module:literal, $output:ident: $output_module:literal, $switch:ident: $switch_module:literal,
        [$(($port:tt, $bit:tt)),*]
    ) => {
        module! {
            /// The packets in the buffer of one input: how many slots are in use, and how many packets wait for each output.
            ///
            /// A packet that begins to leave waits no longer, but keeps its slot until it is freed. Events of cycle t show in the
            /// registers in cycle t + 1; `entering`, `leaving` and `congested` tell of them in cycle t. An event that cannot be
            /// changes nothing, and `impossible` is high.
            pub struct $buffer: $buffer_module {
                /// Rising edge counts.
                pub clock: Signal<In, Clock>,
                /// Synchronous, active high.
                pub reset: Signal<In, Bit>,
                /// Slots, 1 to 15.
                pub buffer_packets: Signal<In, Bits<4>>,
                /// A packet enters: not while `full`.
                pub enter: Signal<In, Bit>,
                /// The output that it is for.
                pub enter_output: Signal<In, Bits<$bits>>,
                /// A packet begins to leave: one that waits.
                pub leave: Signal<In, Bit>,
                /// The output that it leaves on.
                pub leave_output: Signal<In, Bits<$bits>>,
                /// A packet is gone: one that has begun to leave, in this cycle or before.
                pub free: Signal<In, Bit>,
                /// Every slot is in use.
                pub full: Signal<Out, Bit>,
                /// An event counts for nothing, because it cannot be.
                pub impossible: Signal<Out, Bit>,
                /// A packet enters for this output.
                pub entering: Signal<Out, Bits<$ports>>,
                /// One leaves on this output.
                pub leaving: Signal<Out, Bits<$ports>>,
                /// The buffer becomes full, and a packet in it waits for this output.
                pub congested: Signal<Out, Bits<$ports>>,
                /// Every slot is in use.
                filled: Register<Bit>,
                /// Slots in use.
                used: Register<Bits<4>>,
                /// Those of packets that have begun to leave.
                sending: Register<Bits<4>>,
                /// Packets that wait for this output.
                waiting: [Register<Bits<4>>; $ports],
                enters: Signal<Local, Bit>,
                leaves: Signal<Local, Bit>,
                frees: Signal<Local, Bit>,
                fills: Signal<Local, Bit>,
                enters_for: Signal<Local, Bits<$ports>>,
                leaves_on: Signal<Local, Bits<$ports>>,
                next_used: Signal<Local, Bits<4>>,
                stays: [Signal<Local, Bit>; $ports],
                congested_bit: [Signal<Local, Bits<$ports>>; $ports],
            }
        }

        parameter_inputs!($buffer: buffer_packets; enter, enter_output, leave, leave_output, free);

        impl Logic for $buffer {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, filled, used, sending);
                self.filled.reset.next = self.reset.val();
                self.used.reset.next = self.reset.val();
                self.sending.reset.next = self.reset.val();
                self.enters.next = self.enter.val() & !self.filled.q.val();
                self.leaves.next = false;
                $(
                    if self.leave_output.val() == $port {
                        self.leaves.next = self.leave.val() & self.waiting[$port].q.val().any();
                    }
                )*
                self.frees.next = self.free.val() & (self.leaves.val() | self.sending.q.val().any());
                self.enters_for.next = 0.into();
                if self.enters.val() {
                    $(
                        if self.enter_output.val() == $port {
                            self.enters_for.next = $bit.into();
                        }
                    )*
                }
                self.leaves_on.next = 0.into();
                if self.leaves.val() {
                    $(
                        if self.leave_output.val() == $port {
                            self.leaves_on.next = $bit.into();
                        }
                    )*
                }
                self.next_used.next = self.used.q.val() + 1;
                self.fills.next =
                    self.enters.val() & !self.frees.val() & (self.next_used.val() == self.buffer_packets.val());
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
                    self.waiting[i].clock.next = self.clock.val();
                    self.waiting[i].reset.next = self.reset.val();
                    self.waiting[i].d.next = self.waiting[i].q.val();
                    if self.enters_for.val().get_bit(i) & !self.leaves_on.val().get_bit(i) {
                        self.waiting[i].d.next = self.waiting[i].q.val() + 1;
                    } else if self.leaves_on.val().get_bit(i) & !self.enters_for.val().get_bit(i) {
                        self.waiting[i].d.next = self.waiting[i].q.val() - 1;
                    }
                    // One that waits now and does not leave, or one that enters.
                    self.stays[i].next = self.enters_for.val().get_bit(i)
                        | (self.waiting[i].q.val() > 1)
                        | (self.waiting[i].q.val().any() & !self.leaves_on.val().get_bit(i));
                }
                $(
                    self.congested_bit[$port].next = 0.into();
                    if self.fills.val() & self.stays[$port].val() {
                        self.congested_bit[$port].next = $bit.into();
                    }
                )*
                self.full.next = self.filled.q.val();
                self.impossible.next = (self.enter.val() & !self.enters.val())
                    | (self.leave.val() & !self.leaves.val())
                    | (self.free.val() & !self.frees.val());
                self.entering.next = self.enters_for.val();
                self.leaving.next = self.leaves_on.val();
                self.congested.next = $(self.congested_bit[$port].val())|*;
            }
        }

        module! {
            /// The two counters of one output: packets in the switch that wait for it, and packets that are still to be marked.
            ///
            /// `marking` is a register: it tells whether a packet that leaves in this cycle is marked. Where a buffer becomes full, the
            /// second counter takes what the first one will be: packets that enter in this cycle count, one that leaves does not. An
            /// output sends one packet at a time: it counts one, however many bits of `leaving` are set.
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
                /// cnt1, packets.
                waiting: Register<Bits<7>>,
                /// cnt2, packets.
                to_mark: Register<Bits<7>>,
                /// There is one to be marked.
                any_to_mark: Register<Bit>,
                entered: [Signal<Local, Bits<7>>; $ports],
                /// 0, or −1 where a packet leaves.
                left: Signal<Local, Bits<7>>,
                change: Signal<Local, Bits<7>>,
                leaves: Signal<Local, Bit>,
                triggered: Signal<Local, Bit>,
                next_waiting: Signal<Local, Bits<7>>,
            }
        }

        impl Logic for $output {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, waiting, to_mark, any_to_mark);
                self.waiting.reset.next = self.reset.val();
                self.to_mark.reset.next = self.reset.val();
                self.any_to_mark.reset.next = self.reset.val();
                for i in 0..$ports {
                    self.entered[i].next = 0.into();
                    if self.entering[i].val() {
                        self.entered[i].next = 1.into();
                    }
                }
                self.leaves.next = $(self.leaving[$port].val())|*;
                self.triggered.next = $(self.congested[$port].val())|*;
                self.left.next = 0.into();
                if self.leaves.val() {
                    self.left.next = 0x7f.into();
                }
                self.change.next = self.left.val() $(+ self.entered[$port].val())*;
                self.next_waiting.next = self.waiting.q.val() + self.change.val();
                self.waiting.d.next = self.next_waiting.val();
                if self.triggered.val() {
                    // Some packet waits, or it would not be congested.
                    self.to_mark.d.next = self.next_waiting.val();
                    self.any_to_mark.d.next = true;
                } else if self.leaves.val() & self.any_to_mark.q.val() {
                    self.to_mark.d.next = self.to_mark.q.val() - 1;
                    self.any_to_mark.d.next = self.to_mark.q.val() != 1;
                }
                self.marking.next = self.any_to_mark.q.val();
            }
        }

        module! {
            /// Marks the packets that contend for a congested output (infiniband.txt section IV-A).
            ///
            /// Buses hold a bit, or the number of an output, for each input, input 0 lowest. Where an input buffer becomes full, every
            /// output for which a packet waits in it is congested, and as many packets as wait for it in the whole switch are marked
            /// as they leave, the first ones to leave, from the next cycle on. `mark` is high in the cycle in which a packet begins to
            /// leave. In one cycle packets leave, slots become free and packets enter, before the buffers that have become full
            /// start the marking. In a cycle at most one packet leaves on each output.
            pub struct $switch: $switch_module {
                /// Rising edge counts.
                pub clock: Signal<In, Clock>,
                /// Synchronous, active high.
                pub reset: Signal<In, Bit>,
                /// Packets that the buffer of an input holds, 1 to 15.
                pub buffer_packets: Signal<In, Bits<4>>,
                /// A packet enters at this input: not while its bit of `full` is set.
                pub enter: Signal<In, Bits<$ports>>,
                /// The output that it is for.
                pub enter_output: Signal<In, Bits<$all>>,
                /// A packet from this input begins to leave.
                pub leave: Signal<In, Bits<$ports>>,
                /// The output that it leaves on.
                pub leave_output: Signal<In, Bits<$all>>,
                /// A packet from this input is gone: its slot is free.
                pub free: Signal<In, Bits<$ports>>,
                /// The packet that begins to leave from this input is marked.
                pub mark: Signal<Out, Bits<$ports>>,
                /// The buffer of this input has no free slot.
                pub full: Signal<Out, Bits<$ports>>,
                /// An event at this input counts for nothing, because it cannot be.
                pub impossible: Signal<Out, Bits<$ports>>,
                buffers: [$buffer; $ports],
                outputs: [$output; $ports],
                marked: [Signal<Local, Bit>; $ports],
                mark_bit: [Signal<Local, Bits<$ports>>; $ports],
                full_bit: [Signal<Local, Bits<$ports>>; $ports],
                impossible_bit: [Signal<Local, Bits<$ports>>; $ports],
            }
        }

        parameter_inputs!($switch: buffer_packets; enter, enter_output, leave, leave_output, free);

        impl Logic for $switch {
            #[hdl_gen]
            fn update(&mut self) {
                for i in 0..$ports {
                    self.buffers[i].clock.next = self.clock.val();
                    self.buffers[i].reset.next = self.reset.val();
                    self.buffers[i].buffer_packets.next = self.buffer_packets.val();
                    self.buffers[i].enter.next = self.enter.val().get_bit(i);
                    self.buffers[i].enter_output.next = self.enter_output.val().to_bits().get_bits::<$bits>(i * $bits);
                    self.buffers[i].leave.next = self.leave.val().get_bit(i);
                    self.buffers[i].leave_output.next = self.leave_output.val().to_bits().get_bits::<$bits>(i * $bits);
                    self.buffers[i].free.next = self.free.val().get_bit(i);
                    self.outputs[i].clock.next = self.clock.val();
                    self.outputs[i].reset.next = self.reset.val();
                    for o in 0..$ports {
                        self.outputs[o].entering[i].next = self.buffers[i].entering.val().get_bit(o);
                        self.outputs[o].leaving[i].next = self.buffers[i].leaving.val().get_bit(o);
                        self.outputs[o].congested[i].next = self.buffers[i].congested.val().get_bit(o);
                    }
                }
                for i in 0..$ports {
                    self.marked[i].next =
                        $((self.buffers[i].leaving.val().get_bit($port) & self.outputs[$port].marking.val()))|*;
                }
                $(
                    self.mark_bit[$port].next = 0.into();
                    if self.marked[$port].val() {
                        self.mark_bit[$port].next = $bit.into();
                    }
                    self.full_bit[$port].next = 0.into();
                    if self.buffers[$port].full.val() {
                        self.full_bit[$port].next = $bit.into();
                    }
                    self.impossible_bit[$port].next = 0.into();
                    if self.buffers[$port].impossible.val() {
                        self.impossible_bit[$port].next = $bit.into();
                    }
                )*
                self.mark.next = $(self.mark_bit[$port].val())|*;
                self.full.next = $(self.full_bit[$port].val())|*;
                self.impossible.next = $(self.impossible_bit[$port].val())|*;
            }
        }
    };
}

marking!(
    ports: 2, bits of a port: 1, of all: 2,
    InputBuffer2: "input_buffer_2", OutputMarker2: "output_marker_2", Marking2: "marking_2",
    [(0, 1), (1, 2)]
);
marking!(
    ports: 4, bits of a port: 2, of all: 8,
    InputBuffer4: "input_buffer_4", OutputMarker4: "output_marker_4", Marking4: "marking_4",
    [(0, 1), (1, 2), (2, 4), (3, 8)]
);
marking!(
    ports: 8, bits of a port: 3, of all: 24,
    InputBuffer8: "input_buffer_8", OutputMarker8: "output_marker_8", Marking8: "marking_8",
    [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 64), (7, 128)]
);
