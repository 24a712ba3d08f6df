// SPDX-License-Identifier: MIT OR Apache-2.0
//! Four transmit gates before one rate limiter of many flows.

use tidegate_hdl::prelude::*;

/// What is done for the gate whose turn it is.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum GateStep {
    /// Read what it requests.
    Look,
    /// See whether a packet of this flow is announced.
    Compare,
    /// Announce its packet.
    Announce,
    /// Wait whether the limiter refuses it.
    Answer,
}

module! {
    /// Announces the packets of four gates to the rate limiter of many flows, one gate after the other, and tells each gate
    /// when its packet is granted.
    ///
    /// A packet, or a part of its octets, is announced if no other packet of its flow is. What the limiter refuses, because it
    /// is longer than the bucket, is told to its gate with `refuse`, one cycle later. A granted packet is paid in the next cycles, whether
    /// its transmit queue has room or not: no gate waits for the transmit queue of another one. Its gate is told one cycle later.
    ///
    /// What the limiter says in a cycle is computed in it. So it ends in registers here, before it goes on to the gates.
    pub struct GateTurns: "gate_turns" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// For each gate: a packet waits for the limiter; held until `paid` or `refuse`.
        pub request: [Signal<In, Bit>; 4],
        /// Its flow.
        pub request_flow: [Signal<In, Bits<12>>; 4],
        /// Its octets.
        pub request_bytes: [Signal<In, Bits<14>>; 4],
        /// For each gate: its packet was paid in the cycle before.
        pub paid: [Signal<Out, Bit>; 4],
        /// For each gate: the limiter will never grant so many octets.
        pub refuse: [Signal<Out, Bit>; 4],
        /// A packet is announced; held until `announce_ready`.
        pub announce: Signal<Out, Bit>,
        /// Its flow.
        pub announce_flow: Signal<Out, Bits<12>>,
        /// Its octets.
        pub announce_bytes: Signal<Out, Bits<14>>,
        /// The announcement is taken in this cycle, if `announce`.
        pub announce_ready: Signal<In, Bit>,
        /// The announcement that was taken three cycles before is refused.
        pub refused: Signal<In, Bit>,
        /// The packet of `grant_flow` may be sent; held until `sent`.
        pub grant: Signal<In, Bit>,
        /// Its flow.
        pub grant_flow: Signal<In, Bits<12>>,
        /// The packet of `grant_flow` can be sent.
        pub send_ready: Signal<Out, Bit>,
        /// Its octets.
        pub send_bytes: Signal<Out, Bits<14>>,
        /// The packet of `grant_flow` is paid in this cycle.
        pub sent: Signal<In, Bit>,
        step: DFF<GateStep>,
        /// The gate whose turn it is.
        turn: Register<Bits<2>>,
        /// It has a packet that is not announced.
        wants: DFF<Bit>,
        /// The flow of this packet.
        flow: DFF<Bits<12>>,
        /// Its octets.
        bytes: DFF<Bits<14>>,
        /// Cycles since it was announced. The limiter refuses in the third one.
        since: DFF<Bits<2>>,
        /// For each gate: its packet is announced, and not paid earlier than in the cycle before.
        announced: [Register<Bit>; 4],
        /// For each gate: the limiter grants its packet, or granted it before it was paid.
        granted: [Register<Bit>; 4],
        /// For each gate: its packet was paid in the cycle before.
        told: [Register<Bit>; 4],
        /// For gates 1 and 0, 2 and 0, 2 and 1, 3 and 0, 3 and 1, 3 and 2: in the cycle before, their packets were of the
        /// same flow.
        same: [DFF<Bit>; 6],
        /// One of these is high.
        sendable: Register<Bit>,
        /// A packet was paid in the cycle before.
        was_sent: Register<Bit>,
        was_refused: DFF<Bit>,
        grants: [Signal<Local, Bit>; 4],
        chosen: Signal<Local, Bits<4>>,
        announces: Signal<Local, Bit>,
        answers: Signal<Local, Bit>,
        clashes: [Signal<Local, Bit>; 4],
        clash: Signal<Local, Bit>,
        next_turn: Signal<Local, Bit>,
    }
}

impl Logic for GateTurns {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, turn, wants, flow, bytes, since, sendable, was_sent, was_refused);
        self.turn.reset.next = self.reset.val();
        self.sendable.reset.next = self.reset.val();
        self.was_sent.reset.next = self.reset.val();
        for i in 0..4 {
            self.announced[i].clock.next = self.clock.val();
            self.announced[i].reset.next = self.reset.val();
            self.announced[i].d.next = self.announced[i].q.val();
            self.granted[i].clock.next = self.clock.val();
            self.granted[i].reset.next = self.reset.val();
            self.told[i].clock.next = self.clock.val();
            self.told[i].reset.next = self.reset.val();
        }

        for pair in 0..6 {
            self.same[pair].clock.next = self.clock.val();
        }

        comment!("The packet of the gate whose turn it is");
        self.wants.d.next = self.request[0].val() & !self.announced[0].q.val();
        self.flow.d.next = self.request_flow[0].val();
        self.bytes.d.next = self.request_bytes[0].val();
        if self.turn.q.val() == 1 {
            self.wants.d.next = self.request[1].val() & !self.announced[1].q.val();
            self.flow.d.next = self.request_flow[1].val();
            self.bytes.d.next = self.request_bytes[1].val();
        } else if self.turn.q.val() == 2 {
            self.wants.d.next = self.request[2].val() & !self.announced[2].q.val();
            self.flow.d.next = self.request_flow[2].val();
            self.bytes.d.next = self.request_bytes[2].val();
        } else if self.turn.q.val() == 3 {
            self.wants.d.next = self.request[3].val() & !self.announced[3].q.val();
            self.flow.d.next = self.request_flow[3].val();
            self.bytes.d.next = self.request_bytes[3].val();
        }
        // A packet that is announced, and the one whose turn it is, keep their flows: those of the cycle before are the same.
        self.same[0].d.next = self.request_flow[1].val() == self.request_flow[0].val();
        self.same[1].d.next = self.request_flow[2].val() == self.request_flow[0].val();
        self.same[2].d.next = self.request_flow[2].val() == self.request_flow[1].val();
        self.same[3].d.next = self.request_flow[3].val() == self.request_flow[0].val();
        self.same[4].d.next = self.request_flow[3].val() == self.request_flow[1].val();
        self.same[5].d.next = self.request_flow[3].val() == self.request_flow[2].val();
        self.clashes[0].next = (self.announced[1].q.val() & self.same[0].q.val())
            | (self.announced[2].q.val() & self.same[1].q.val())
            | (self.announced[3].q.val() & self.same[3].q.val());
        self.clashes[1].next = (self.announced[0].q.val() & self.same[0].q.val())
            | (self.announced[2].q.val() & self.same[2].q.val())
            | (self.announced[3].q.val() & self.same[4].q.val());
        self.clashes[2].next = (self.announced[0].q.val() & self.same[1].q.val())
            | (self.announced[1].q.val() & self.same[2].q.val())
            | (self.announced[3].q.val() & self.same[5].q.val());
        self.clashes[3].next = (self.announced[0].q.val() & self.same[3].q.val())
            | (self.announced[1].q.val() & self.same[4].q.val())
            | (self.announced[2].q.val() & self.same[5].q.val());
        self.clash.next = self.clashes[0].val();
        if self.turn.q.val() == 1 {
            self.clash.next = self.clashes[1].val();
        } else if self.turn.q.val() == 2 {
            self.clash.next = self.clashes[2].val();
        } else if self.turn.q.val() == 3 {
            self.clash.next = self.clashes[3].val();
        }

        comment!("Announce it");
        // Apart from what depends on `announce_ready`, which depends on it: in one block both would be a loop to simulators.
        self.announce.next = self.step.q.val() == GateStep::Announce;
        self.announce_flow.next = self.flow.q.val();
        self.announce_bytes.next = self.bytes.q.val();
        self.since.d.next = self.since.q.val() + 1;
        self.next_turn.next = false;
        self.announces.next = false;
        self.answers.next = false;
        match self.step.q.val() {
            GateStep::Look => {
                self.step.d.next = GateStep::Compare;
            }
            GateStep::Compare => {
                if self.wants.q.val() & !self.clash.val() {
                    self.step.d.next = GateStep::Announce;
                } else {
                    self.step.d.next = GateStep::Look;
                    self.next_turn.next = true;
                }
            }
            GateStep::Announce => {
                self.since.d.next = 0.into();
                if self.announce_ready.val() {
                    self.step.d.next = GateStep::Answer;
                    self.announces.next = true;
                }
            }
            GateStep::Answer => {
                if self.since.q.val() == 3 {
                    self.step.d.next = GateStep::Look;
                    self.next_turn.next = true;
                    self.answers.next = true;
                }
            }
        }
        if self.next_turn.val() {
            self.turn.d.next = self.turn.q.val() + 1;
        }
        if self.reset.val() {
            self.step.d.next = GateStep::Look;
        }

        comment!("Pay what is granted");
        self.was_refused.d.next = self.refused.val();
        self.chosen.next = bits::<4>(1).to_bits() << self.turn.q.val();
        for i in 0..4 {
            self.refuse[i].next = self.answers.val() & self.was_refused.q.val() & self.chosen.val().get_bit(i);
            if self.announces.val() & self.chosen.val().get_bit(i) {
                self.announced[i].d.next = true;
            }
            if self.answers.val() & self.was_refused.q.val() & self.chosen.val().get_bit(i) {
                self.announced[i].d.next = false;
            }
            self.grants[i].next = self.grant.val()
                & self.announced[i].q.val()
                & (self.request_flow[i].val() == self.grant_flow.val())
                & !self.told[i].q.val();
            self.granted[i].d.next = self.grants[i].val();
            self.told[i].d.next = self.granted[i].q.val() & self.sent.val();
            self.paid[i].next = self.told[i].q.val();
            if self.told[i].q.val() {
                self.announced[i].d.next = false;
            }
        }
        self.sendable.d.next =
            self.grants[0].val() | self.grants[1].val() | self.grants[2].val() | self.grants[3].val();
        self.was_sent.d.next = self.sent.val();
        self.send_ready.next = self.sendable.q.val() & !self.was_sent.q.val();
        self.send_bytes.next = self.request_bytes[0].val();
        if self.granted[1].q.val() {
            self.send_bytes.next = self.request_bytes[1].val();
        } else if self.granted[2].q.val() {
            self.send_bytes.next = self.request_bytes[2].val();
        } else if self.granted[3].q.val() {
            self.send_bytes.next = self.request_bytes[3].val();
        }
    }
}
