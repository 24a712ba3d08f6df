// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter of an InfiniBand source: a window of one packet, and idle packet times between two packets.

use tidegate_hdl::prelude::*;

module! {
    /// Limits the source to one outstanding packet, and to one packet in 1 + ipd packet times (Santos 2002, sections
    /// IV.B and V.D).
    ///
    /// `grant` is combinational. It is high in the cycle in which a requested packet may start: the calculator has
    /// taken the ACK of the packet before, and (1 + ipd) × `packet_cycles` cycles have passed since that packet was
    /// granted. `ipd` of the cycle before is used; a calculator that is ready has not changed it since. The first
    /// packet after reset does not wait. An ACK is passed to the calculator from the next cycle on, and
    /// `feedback_valid` stays high until `feedback_ready`. An ACK that arrives while no packet is outstanding, or while
    /// an earlier ACK still waits for the calculator, is ignored and makes `stray` high.
    pub struct InterPacketDelay: "inter_packet_delay" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Packet time: cycles that one packet takes at R_max, 2 or more.
        #[parameter]
        pub packet_cycles: Signal<In, Bits<16>>,
        /// Inter-packet delay: idle packet times between two packets, 0 to 255.
        pub ipd: Signal<In, Bits<8>>,
        /// A packet waits to be sent; hold until `grant`.
        pub request: Signal<In, Bit>,
        /// The requested packet may start in this cycle.
        pub grant: Signal<Out, Bit>,
        /// A packet is outstanding: the calculator has not yet taken its ACK.
        pub outstanding: Signal<Out, Bit>,
        /// An ACK arrives in this cycle.
        pub ack: Signal<In, Bit>,
        /// The packet of this ACK was marked; valid with `ack`.
        pub ack_marked: Signal<In, Bit>,
        /// The ACK of this cycle belongs to no outstanding packet and is ignored.
        pub stray: Signal<Out, Bit>,
        /// An ACK waits for the calculator; high until `feedback_ready`.
        pub feedback_valid: Signal<Out, Bit>,
        /// The packet of this ACK was marked; valid with `feedback_valid`.
        pub feedback_marked: Signal<Out, Bit>,
        /// The calculator is ready and takes an ACK in this cycle, if `feedback_valid`; no packet is granted while it
        /// is low.
        pub feedback_ready: Signal<In, Bit>,
        /// A packet is outstanding.
        out: Register<Bit>,
        /// The ACK of the outstanding packet has arrived and waits for the calculator.
        acknowledged: Register<Bit>,
        /// The acknowledged packet was marked.
        marked: DFF<Bit>,
        /// A packet has been granted since reset.
        begun: Register<Bit>,
        /// Cycles of the current packet time.
        cycles: Register<Bits<16>>,
        /// Packet times since the last grant, at most 256.
        packet_times: Register<Bits<9>>,
        /// 1 + ipd packet times have passed since the last grant.
        due: Register<Bit>,
        ends: Signal<Local, Bit>,
        start: Signal<Local, Bit>,
        taken: Signal<Local, Bit>,
        next_cycles: Signal<Local, Bits<16>>,
    }
}

impl Logic for InterPacketDelay {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, out, acknowledged, marked, begun, cycles, packet_times, due);
        self.out.reset.next = self.reset.val();
        self.acknowledged.reset.next = self.reset.val();
        self.begun.reset.next = self.reset.val();
        self.cycles.reset.next = self.reset.val();
        self.packet_times.reset.next = self.reset.val();
        self.due.reset.next = self.reset.val();
        self.start.next = self.request.val()
            & (self.due.q.val() | !self.begun.q.val())
            & !self.out.q.val()
            & self.feedback_ready.val();
        self.taken.next = self.acknowledged.q.val() & self.feedback_ready.val();
        self.next_cycles.next = self.cycles.q.val() + 1;

        // A packet time that becomes shorter may be over already.
        self.ends.next = self.next_cycles.val() >= self.packet_cycles.val();
        self.cycles.d.next = self.next_cycles.val();
        self.due.d.next = self.packet_times.q.val() > bit_cast::<9, 8>(self.ipd.val());
        if self.ends.val() {
            self.due.d.next = self.packet_times.q.val() >= bit_cast::<9, 8>(self.ipd.val());
            self.cycles.d.next = 0.into();
            if !self.packet_times.q.val().get_bit(8) {
                self.packet_times.d.next = self.packet_times.q.val() + 1;
            }
        }
        if self.start.val() {
            // This cycle is the first of the packet.
            self.cycles.d.next = 1.into();
            self.packet_times.d.next = 0.into();
            self.due.d.next = false;
            self.begun.d.next = true;
            self.out.d.next = true;
        }
        if self.taken.val() {
            self.out.d.next = false;
            self.acknowledged.d.next = false;
        }
        if self.ack.val() & self.out.q.val() & !self.acknowledged.q.val() {
            self.acknowledged.d.next = true;
            self.marked.d.next = self.ack_marked.val();
        }
        self.stray.next = self.ack.val() & (!self.out.q.val() | self.acknowledged.q.val());
        self.grant.next = self.start.val();
        self.outstanding.next = self.out.q.val();
        self.feedback_valid.next = self.acknowledged.q.val();
        self.feedback_marked.next = self.marked.q.val();
    }
}
