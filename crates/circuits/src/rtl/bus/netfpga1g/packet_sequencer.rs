// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes out next: a word of a packet or of a frame.

use tidegate_hdl::prelude::*;

module! {
    /// Passes packets unchanged, and inserts frames between them.
    ///
    /// A packet and its module headers go out without a word of a frame inside, and a frame without a word of a packet
    /// inside. After a frame a packet that waits goes first. A packet is held before its first word while `hold` is high;
    /// frames are not. A frame begins with a module header: eight words, 60 octets, to the port `frame_port`. A word of a packet
    /// that is taken in cycle t is on the outputs in cycle t + 1, as long as `next_rdy` is high in cycle t. A word of a
    /// frame waits in a register first, because the way through the congestion point is long: the first word is taken
    /// when the header goes, each other one when the word before it goes. The last word is taken in the cycle in which
    /// it goes, so that the sample of the frame has its place until then.
    pub struct PacketSequencer: "packet_sequencer" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A word waits.
        pub word_valid: Signal<In, Bit>,
        /// Its octets 0 to 3.
        pub word_high: Signal<In, Bits<32>>,
        /// Its octets 4 to 7.
        pub word_low: Signal<In, Bits<32>>,
        /// Its ctrl.
        pub word_ctrl: Signal<In, Bits<8>>,
        /// Its ctrl is 0.
        pub word_is_data: Signal<In, Bit>,
        /// The word is taken in this cycle.
        pub pop: Signal<Out, Bit>,
        /// No packet may begin.
        pub hold: Signal<In, Bit>,
        /// No frame may begin.
        pub hold_frame: Signal<In, Bit>,
        /// Octets 0 to 3 of a word of a frame.
        pub data_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of a word of a frame.
        pub data_low: Signal<In, Bits<32>>,
        /// It is the last word of the frame, which has four octets.
        pub last: Signal<In, Bit>,
        /// A frame waits; high from its first word to its last one.
        pub valid: Signal<In, Bit>,
        /// The word of the frame is taken in this cycle, if `valid`; high from the header of the frame on only.
        pub data_ready: Signal<Out, Bit>,
        /// Number of the port at which the frame goes out; valid with `valid`.
        pub frame_port: Signal<In, Bits<3>>,
        /// The receiver has room.
        pub next_rdy: Signal<In, Bit>,
        /// Octets 0 to 3 of the word that goes out.
        pub next_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of the word that goes out.
        pub next_low: Signal<Out, Bits<32>>,
        /// Its ctrl.
        pub next_ctrl: Signal<Out, Bits<8>>,
        /// A word goes out in this cycle.
        pub next_wr: Signal<Out, Bit>,
        /// It is a word of a packet, not of a frame.
        pub out_of_packet: Signal<Out, Bit>,
        /// Neither a packet nor a frame was in progress in the cycle before.
        pub boundary: Signal<Out, Bit>,
        /// The last word of a frame was taken in the cycle before.
        pub frame_ended: Signal<Out, Bit>,
        /// The port of this frame.
        pub ended_port: Signal<Out, Bits<3>>,
        /// A packet or its module headers have begun.
        started: Register<Bit>,
        /// The module headers of the packet are over.
        within: Register<Bit>,
        /// The module header of a frame goes next.
        heading: Register<Bit>,
        /// It has gone, and its frame goes.
        framing: Register<Bit>,
        /// What went out last was a frame.
        frame_before: Register<Bit>,
        ended: Register<Bit>,
        was_between: Register<Bit>,
        /// The port of the frame that was chosen last.
        port_now: DFF<Bits<3>>,
        /// Octets 0 to 3 of the word of the frame that goes next; a word that is taken, or the last one.
        frame_high: DFF<Bits<32>>,
        /// Its octets 4 to 7.
        frame_low: DFF<Bits<32>>,
        /// It is the last word of the frame.
        frame_last: DFF<Bit>,
        high: DFF<Bits<32>>,
        low: DFF<Bits<32>>,
        ctrl: DFF<Bits<8>>,
        write: Register<Bit>,
        of_packet: Register<Bit>,
        between: Signal<Local, Bit>,
        may_begin: Signal<Local, Bit>,
        frame_turn: Signal<Local, Bit>,
        packet_turn: Signal<Local, Bit>,
        packet_goes: Signal<Local, Bit>,
        header_goes: Signal<Local, Bit>,
        frame_goes: Signal<Local, Bit>,
        frame_ends: Signal<Local, Bit>,
        loads: Signal<Local, Bit>,
        port_bit: Signal<Local, Bits<32>>,
    }
}

impl Logic for PacketSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            started,
            within,
            heading,
            framing,
            frame_before,
            ended,
            was_between,
            port_now,
            frame_high,
            frame_low,
            frame_last,
            high,
            low,
            ctrl,
            write,
            of_packet
        );
        self.started.reset.next = self.reset.val();
        self.within.reset.next = self.reset.val();
        self.heading.reset.next = self.reset.val();
        self.framing.reset.next = self.reset.val();
        self.frame_before.reset.next = self.reset.val();
        self.ended.reset.next = self.reset.val();
        self.was_between.reset.next = self.reset.val();
        self.write.reset.next = self.reset.val();
        self.of_packet.reset.next = self.reset.val();

        comment!("Whose turn it is");
        self.between.next = !self.started.q.val() & !self.heading.q.val() & !self.framing.q.val();
        self.was_between.d.next = self.between.val();
        self.may_begin.next = self.between.val() & self.valid.val() & !self.hold_frame.val();
        self.packet_turn.next =
            self.between.val() & !self.hold.val() & (self.frame_before.q.val() | !self.may_begin.val());
        self.frame_turn.next =
            self.may_begin.val() & (!self.frame_before.q.val() | self.hold.val() | !self.word_valid.val());
        self.packet_goes.next =
            self.next_rdy.val() & self.word_valid.val() & (self.started.q.val() | self.packet_turn.val());
        self.header_goes.next = self.next_rdy.val() & self.heading.q.val();
        self.frame_goes.next = self.next_rdy.val() & self.framing.q.val();
        self.frame_ends.next = self.frame_goes.val() & self.frame_last.q.val();
        self.loads.next = self.header_goes.val() | self.frame_goes.val();

        self.write.d.next = self.packet_goes.val() | self.header_goes.val() | self.frame_goes.val();
        self.of_packet.d.next = self.packet_goes.val();
        self.ended.d.next = false;
        self.port_bit.next = bit_cast::<32, 24>(0x01_0000.into()).to_bits() << self.port_now.q.val();
        if self.packet_goes.val() {
            self.frame_before.d.next = false;
            self.started.d.next = !self.within.q.val() | self.word_is_data.val();
            self.within.d.next = self.word_is_data.val();
        }
        if self.frame_turn.val() {
            self.heading.d.next = true;
            self.port_now.d.next = self.frame_port.val();
        }
        if self.header_goes.val() {
            self.heading.d.next = false;
            self.framing.d.next = true;
        }
        if self.frame_ends.val() {
            self.framing.d.next = false;
            self.frame_before.d.next = true;
            self.ended.d.next = true;
        }
        if self.loads.val() {
            self.frame_high.d.next = self.data_high.val();
            self.frame_low.d.next = self.data_low.val();
            self.frame_last.d.next = self.last.val();
        }

        comment!("The word that goes out");
        self.high.d.next = self.word_high.val();
        self.low.d.next = self.word_low.val();
        self.ctrl.d.next = self.word_ctrl.val();
        if self.framing.q.val() {
            self.high.d.next = self.frame_high.q.val();
            self.low.d.next = self.frame_low.q.val();
            self.ctrl.d.next = 0.into();
            if self.frame_last.q.val() {
                self.ctrl.d.next = 0x10.into();
            }
        } else if self.heading.q.val() {
            self.high.d.next = self.port_bit.val() | 8;
            self.low.d.next = 60.into();
            self.ctrl.d.next = 0xff.into();
        }

        self.pop.next = self.packet_goes.val();
        self.data_ready.next = (self.loads.val() & !self.last.val()) | self.frame_ends.val();
        self.next_high.next = self.high.q.val();
        self.next_low.next = self.low.q.val();
        self.next_ctrl.next = self.ctrl.q.val();
        self.next_wr.next = self.write.q.val();
        self.out_of_packet.next = self.of_packet.q.val();
        self.boundary.next = self.was_between.q.val();
        self.frame_ended.next = self.ended.q.val();
        self.ended_port.next = self.port_now.q.val();
    }
}
