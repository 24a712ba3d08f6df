//! The rate limiter of an InfiniBand source: one packet out, and idle packet times between two.

use crate::rtl::register::Register;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// A window of one packet, and a packet at most every 1 + ipd packet times (infiniband.txt section IV-B and V-D).
    ///
    /// `grant` is combinational: high in the cycle in which a requested packet may start: the ACK of the one before was handed
    /// over, and 1 + ipd times `packet_cycles` have gone by since that was granted. The delay counts as it was in the cycle before,
    /// not as it was then: a calculator that is ready has not changed it since. The first packet after a reset waits for nothing. An ACK is handed to the calculator from the next cycle on, until it
    /// is taken, which nothing but `feedback_ready` lets be; one that comes while no packet is out, or while one waits to be handed
    /// over, is `stray` and counts for nothing.
    pub struct InterPacketDelay: "inter_packet_delay" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// Cycles that one packet takes at R_max, 2 or more.
        pub packet_cycles: Signal<In, Bits<16>>,
        /// Idle packet times between two packets.
        pub ipd: Signal<In, Bits<8>>,
        /// A packet waits; hold until `grant`.
        pub request: Signal<In, Bit>,
        /// It may start in this cycle.
        pub grant: Signal<Out, Bit>,
        /// A packet is out whose ACK was not handed over yet.
        pub outstanding: Signal<Out, Bit>,
        /// An ACK comes.
        pub ack: Signal<In, Bit>,
        /// Its packet was marked.
        pub ack_marked: Signal<In, Bit>,
        /// It belongs to no packet.
        pub stray: Signal<Out, Bit>,
        /// An ACK for the calculator.
        pub feedback_valid: Signal<Out, Bit>,
        /// Its packet was marked.
        pub feedback_marked: Signal<Out, Bit>,
        /// The calculator takes it; no packet is granted while it is low.
        pub feedback_ready: Signal<In, Bit>,
        /// A packet is out.
        out: Register<Bit>,
        /// Its ACK is here.
        acknowledged: Register<Bit>,
        /// It was marked.
        marked: DFF<Bit>,
        /// There was a packet.
        begun: Register<Bit>,
        /// Cycles of the packet time under way.
        cycles: Register<Bits<16>>,
        /// Packet times since the last packet began, at most 256.
        packet_times: Register<Bits<9>>,
        /// The packet times have gone by.
        due: Register<Bit>,
        ends: Signal<Local, Bit>,
        start: Signal<Local, Bit>,
        taken: Signal<Local, Bit>,
        next_cycles: Signal<Local, Bits<16>>,
    }
}

parameter_inputs!(InterPacketDelay: packet_cycles; ipd, request, ack, ack_marked, feedback_ready);

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

        self.ends.next = self.next_cycles.val() == self.packet_cycles.val();
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
