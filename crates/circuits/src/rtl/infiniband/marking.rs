// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packet marking in an InfiniBand switch with input buffers (Santos 2002, section IV.A): with two counters per output,
//! or the naive baseline, which marks the packets in the full buffer.
//!
//! A macro makes the switches with 2, 4 and 8 ports, because stable Rust does not compute the width of a port from a
//! generic constant.

use crate::rtl::infiniband::input_buffer::{InputBuffer2, InputBuffer4, InputBuffer8};
use crate::rtl::infiniband::naive_marker::{NaiveMarker2, NaiveMarker4, NaiveMarker8};
use crate::rtl::infiniband::output_marker::{OutputMarker2, OutputMarker4, OutputMarker8};
use tidegate_hdl::prelude::*;

/// The switch with counters, and the naive switch, which marks the packets in the full buffer.
macro_rules! marking {
    (
        ports: $ports:tt, bits of a port: $bits:tt, of all: $all:tt, $buffer:ident,
        $switch:ident: $switch_module:literal with $output:ident, $naive:ident: $naive_module:literal with $marker:ident,
        [$(($port:tt, $bit:tt)),*]
    ) => {
        module! {
            /// Marks the packets that contend for a congested output of an InfiniBand switch (Santos 2002, section
            /// IV.A).
            ///
            /// A bus has one bit, or one output number, for each input; input 0 is lowest. When an input buffer becomes
            /// full, every output for which a packet waits in this buffer is congested. If n packets wait for that
            /// output in the whole switch, the next n packets that leave on it are marked, from the next cycle on.
            /// `mark` is high in the cycle in which a packet begins to leave. Order of the events of one cycle: packets
            /// leave, slots become free, packets enter and last bytes come, then full buffers start the marking. In one
            /// cycle at most one packet may leave on each output.
            ///
            /// A switch drives four events for each packet, each for one cycle: `enter` when its header is in and its
            /// output is known, `complete` when its last byte is in, `leave` when it begins to leave, at the earliest
            /// in the cycle after `enter`, and `free` when its last byte has left. A packet that cuts through begins to
            /// leave before its last byte is in: then `complete` comes after `leave`, and before `free` or with it. A
            /// packet whose last byte comes with its header has `complete` in the cycle of `enter`. At an input packets
            /// come in one after the other, so `complete` needs no number.
            ///
            /// A packet that cuts through waits from `enter` to `leave` as any other: it counts, and `mark` can be high
            /// for it. A switch whose header has gone by then ignores `mark`: the packet counts as marked all the same.
            /// So does the network simulator with `marks_cut_through = false`.
            pub struct $switch: $switch_module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                /// Number of packets that the buffer of an input holds, 1 to 15.
                #[parameter]
                pub buffer_packets: Signal<In, Bits<4>>,
                /// When a buffer becomes full and starts the marking. 1: when all its slots hold packets whose last
                /// byte is in; 0: when all its slots are taken.
                #[parameter]
                pub full_when_whole: Signal<In, Bit>,
                /// For each input: the header of a packet is in. Not allowed while the bit of `full` is set; with
                /// `full_when_whole` not before `complete` of the packet in front.
                pub enter: Signal<In, Bits<$ports>>,
                /// For each input: output to which the packet goes; valid with `enter`.
                pub enter_output: Signal<In, Bits<$all>>,
                /// For each input: the last byte of a packet is in: of the one that is coming in, or if none is, of the
                /// one that enters in this cycle. Once for each packet, also if it has begun to leave. May stay low if
                /// `full_when_whole` is always 0.
                pub complete: Signal<In, Bits<$ports>>,
                /// For each input: a packet that waits begins to leave.
                pub leave: Signal<In, Bits<$ports>>,
                /// For each input: output on which the packet leaves; valid with `leave`.
                pub leave_output: Signal<In, Bits<$all>>,
                /// For each input: the last byte of a packet that began to leave, in this cycle or before, has left;
                /// free its slot.
                pub free: Signal<In, Bits<$ports>>,
                /// For each input: mark the packet that begins to leave in this cycle.
                pub mark: Signal<Out, Bits<$ports>>,
                /// For each input: the buffer has no free slot, so no packet may enter.
                pub full: Signal<Out, Bits<$ports>>,
                /// For each input: an event of this cycle is impossible and is ignored.
                pub impossible: Signal<Out, Bits<$ports>>,
                buffers: [$buffer; $ports],
                outputs: [$output; $ports],
                marking_bit: [Signal<Local, Bits<$ports>>; $ports],
                marking: Signal<Local, Bits<$ports>>,
                mark_bit: [Signal<Local, Bits<$ports>>; $ports],
                full_bit: [Signal<Local, Bits<$ports>>; $ports],
                impossible_bit: [Signal<Local, Bits<$ports>>; $ports],
            }
        }

        impl Logic for $switch {
            #[hdl_gen]
            fn update(&mut self) {
                for i in 0..$ports {
                    self.buffers[i].clock.next = self.clock.val();
                    self.buffers[i].reset.next = self.reset.val();
                    self.buffers[i].buffer_packets.next = self.buffer_packets.val();
                    self.buffers[i].full_when_whole.next = self.full_when_whole.val();
                    self.buffers[i].enter.next = self.enter.val().get_bit(i);
                    self.buffers[i].enter_output.next = self.enter_output.val().to_bits().get_bits::<$bits>(i * $bits);
                    self.buffers[i].complete.next = self.complete.val().get_bit(i);
                    self.buffers[i].leave.next = self.leave.val().get_bit(i);
                    self.buffers[i].leave_output.next = self.leave_output.val().to_bits().get_bits::<$bits>(i * $bits);
                    self.buffers[i].free.next = self.free.val().get_bit(i);
                }
                for i in 0..$ports {
                    self.outputs[i].clock.next = self.clock.val();
                    self.outputs[i].reset.next = self.reset.val();
                    for o in 0..$ports {
                        self.outputs[o].entering[i].next = self.buffers[i].entering.val().get_bit(o);
                        self.outputs[o].leaving[i].next = self.buffers[i].leaving.val().get_bit(o);
                        self.outputs[o].congested[i].next = self.buffers[i].congested.val().get_bit(o);
                    }
                }
                $(
                    self.marking_bit[$port].next = 0.into();
                    if self.outputs[$port].marking.val() {
                        self.marking_bit[$port].next = $bit.into();
                    }
                )*
                self.marking.next = $(self.marking_bit[$port].val())|*;
                for i in 0..$ports {
                    self.buffers[i].marking.next = self.marking.val();
                }
                $(
                    self.mark_bit[$port].next = 0.into();
                    if self.buffers[$port].mark.val() {
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

        module! {
            /// Marks the packets in a full input buffer: the naive baseline of the paper (Santos 2002, section VI.A).
            ///
            /// The ports, the events of a packet and their order are those of the switch with counters, and so is what
            /// happens with a packet that cuts through. When an input buffer becomes full, all packets that wait in it
            /// are marked when they leave, from the next cycle on. No other packets are marked.
            pub struct $naive: $naive_module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                /// Number of packets that the buffer of an input holds, 1 to 15.
                #[parameter]
                pub buffer_packets: Signal<In, Bits<4>>,
                /// When a buffer becomes full and starts the marking. 1: when all its slots hold packets whose last
                /// byte is in; 0: when all its slots are taken.
                #[parameter]
                pub full_when_whole: Signal<In, Bit>,
                /// For each input: the header of a packet is in. Not allowed while the bit of `full` is set; with
                /// `full_when_whole` not before `complete` of the packet in front.
                pub enter: Signal<In, Bits<$ports>>,
                /// For each input: output to which the packet goes; valid with `enter`.
                pub enter_output: Signal<In, Bits<$all>>,
                /// For each input: the last byte of a packet is in: of the one that is coming in, or if none is, of the
                /// one that enters in this cycle. Once for each packet, also if it has begun to leave. May stay low if
                /// `full_when_whole` is always 0.
                pub complete: Signal<In, Bits<$ports>>,
                /// For each input: a packet that waits begins to leave.
                pub leave: Signal<In, Bits<$ports>>,
                /// For each input: output on which the packet leaves; valid with `leave`.
                pub leave_output: Signal<In, Bits<$all>>,
                /// For each input: the last byte of a packet that began to leave, in this cycle or before, has left;
                /// free its slot.
                pub free: Signal<In, Bits<$ports>>,
                /// For each input: mark the packet that begins to leave in this cycle.
                pub mark: Signal<Out, Bits<$ports>>,
                /// For each input: the buffer has no free slot, so no packet may enter.
                pub full: Signal<Out, Bits<$ports>>,
                /// For each input: an event of this cycle is impossible and is ignored.
                pub impossible: Signal<Out, Bits<$ports>>,
                buffers: [$buffer; $ports],
                markers: [$marker; $ports],
                mark_bit: [Signal<Local, Bits<$ports>>; $ports],
                full_bit: [Signal<Local, Bits<$ports>>; $ports],
                impossible_bit: [Signal<Local, Bits<$ports>>; $ports],
            }
        }

        impl Logic for $naive {
            #[hdl_gen]
            fn update(&mut self) {
                for i in 0..$ports {
                    self.buffers[i].clock.next = self.clock.val();
                    self.buffers[i].reset.next = self.reset.val();
                    self.buffers[i].buffer_packets.next = self.buffer_packets.val();
                    self.buffers[i].full_when_whole.next = self.full_when_whole.val();
                    self.buffers[i].enter.next = self.enter.val().get_bit(i);
                    self.buffers[i].enter_output.next = self.enter_output.val().to_bits().get_bits::<$bits>(i * $bits);
                    self.buffers[i].complete.next = self.complete.val().get_bit(i);
                    self.buffers[i].leave.next = self.leave.val().get_bit(i);
                    self.buffers[i].leave_output.next = self.leave_output.val().to_bits().get_bits::<$bits>(i * $bits);
                    self.buffers[i].free.next = self.free.val().get_bit(i);
                }
                for i in 0..$ports {
                    self.markers[i].clock.next = self.clock.val();
                    self.markers[i].reset.next = self.reset.val();
                    self.markers[i].leaving.next = self.buffers[i].leaving.val();
                    self.markers[i].congested.next = self.buffers[i].congested.val();
                    self.buffers[i].marking.next = self.markers[i].marking.val();
                    for o in 0..$ports {
                        self.markers[i].waiting[o].next = self.buffers[i].waiting[o].val();
                    }
                }
                $(
                    self.mark_bit[$port].next = 0.into();
                    if self.buffers[$port].mark.val() {
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
    ports: 2, bits of a port: 1, of all: 2, InputBuffer2,
    Marking2: "marking_2" with OutputMarker2, NaiveMarking2: "naive_marking_2" with NaiveMarker2,
    [(0, 1), (1, 2)]
);
marking!(
    ports: 4, bits of a port: 2, of all: 8, InputBuffer4,
    Marking4: "marking_4" with OutputMarker4, NaiveMarking4: "naive_marking_4" with NaiveMarker4,
    [(0, 1), (1, 2), (2, 4), (3, 8)]
);
marking!(
    ports: 8, bits of a port: 3, of all: 24, InputBuffer8,
    Marking8: "marking_8" with OutputMarker8, NaiveMarking8: "naive_marking_8" with NaiveMarker8,
    [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 64), (7, 128)]
);
