// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order in which the flow limiter looks for its next visit.

use tidegate_hdl::prelude::*;

module! {
    /// Chooses the next visit. There are eight turns, one after the other: 0, 2 and 4 look into a list of 1, 16 and 256
    /// ticks, 6 reads or changes a rate, 7 sweeps. What a turn finds nothing to do for goes to the link: a frame is sent, or
    /// else an announcement is taken. So each kind of visit has its turn, whatever the others do.
    ///
    /// What the next turn may do is known a cycle before it. The outputs are valid in a cycle of `in_turn`.
    pub struct FlowTurns: "flow_turns" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The turn is decided in this cycle: a visit begins, or the next turn follows.
        pub in_turn: Signal<In, Bit>,
        /// First flow of the list of this turn; valid with `head_valid`.
        pub head: Signal<In, Bits<12>>,
        /// The list of this turn is not empty.
        pub head_valid: Signal<In, Bit>,
        /// `head_valid` of the next cycle.
        pub next_head_valid: Signal<In, Bit>,
        /// The time of the list of this turn is over.
        pub list_is_late: Signal<In, Bit>,
        /// A feedback waits.
        pub feedback_valid: Signal<In, Bit>,
        /// Flow of the feedback; valid with `feedback_valid`.
        pub feedback_flow: Signal<In, Bits<12>>,
        /// The rate of this flow was read already.
        pub rate_known: Signal<In, Bit>,
        /// A new rate has not been stored yet.
        pub change_due: Signal<In, Bit>,
        /// Flow of the new rate; valid with `change_due`.
        pub reader: Signal<In, Bits<12>>,
        /// A sweep is due.
        pub sweep_due: Signal<In, Bit>,
        /// Flow of the next sweep.
        pub sweep_flow: Signal<In, Bits<12>>,
        /// A frame may be sent.
        pub ready: Signal<In, Bit>,
        /// Flow of this frame; valid with `ready`.
        pub ready_first: Signal<In, Bits<12>>,
        /// The frame can be sent now.
        pub send_ready: Signal<In, Bit>,
        /// A flow has a frame to send.
        pub announce: Signal<In, Bit>,
        /// Number of this flow.
        pub announce_flow: Signal<In, Bits<12>>,
        /// What is looked for in this turn, 0 to 7.
        pub this_turn: Signal<Out, Bits<3>>,
        /// What is looked for in the next cycle, if it is a turn.
        pub next_turn: Signal<Out, Bits<3>>,
        /// The list of this turn is empty and its time is over: the next one of its kind is looked into, in the same turn.
        pub advances: Signal<Out, Bit>,
        /// A visit begins.
        pub begins: Signal<Out, Bit>,
        /// It looks whether the frame of the first flow of the list may go.
        pub begins_look: Signal<Out, Bit>,
        /// It reads a rate for the calculator.
        pub begins_read: Signal<Out, Bit>,
        /// It changes a rate.
        pub begins_change: Signal<Out, Bit>,
        /// It is a sweep.
        pub begins_sweep: Signal<Out, Bit>,
        /// A frame is sent. If none of these is high, one is announced.
        pub begins_send: Signal<Out, Bit>,
        /// The flow that is visited; if no visit begins, it does not matter.
        pub visit_flow: Signal<Out, Bits<12>>,
        /// The frame can be sent, and the turn has nothing else to do.
        pub takes_grant: Signal<Out, Bit>,
        /// The frame of `ready_first` starts in this cycle.
        pub sent: Signal<Out, Bit>,
        /// The announcement is taken in this cycle.
        pub announce_ready: Signal<Out, Bit>,
        /// What is looked for next.
        turn: Register<Bits<3>>,
        /// The next turn looks into a list.
        looks: DFF<Bit>,
        /// The time of the list that the next turn looks into is over.
        late: DFF<Bit>,
        /// Something is to be done in the next turn that is no look: read a rate, change it, or sweep.
        asks: DFF<Bit>,
        /// The rate is to be changed.
        asks_change: DFF<Bit>,
        /// The flow that this is for.
        asked_flow: DFF<Bits<12>>,
        /// The next turn has neither a list nor any of this to do: it may send a frame, or take an announcement.
        idle: DFF<Bit>,
        needs_rate: Signal<Local, Bit>,
        will_look: Signal<Local, Bit>,
        will_ask: Signal<Local, Bit>,
        sends: Signal<Local, Bit>,
        takes_announcement: Signal<Local, Bit>,
        asks_now: Signal<Local, Bit>,
    }
}

impl Logic for FlowTurns {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, turn, looks, late, asks, asks_change, asked_flow, idle);
        self.turn.reset.next = self.reset.val();

        // What the next turn may do.
        self.next_turn.next = self.turn.q.val();
        if self.in_turn.val() {
            self.next_turn.next = self.turn.q.val() + 1;
        }
        self.will_look.next = (self.next_turn.val() == 0) | (self.next_turn.val() == 2) | (self.next_turn.val() == 4);
        self.looks.d.next = self.will_look.val();
        self.late.d.next = self.list_is_late.val();
        self.needs_rate.next = self.feedback_valid.val() & !self.rate_known.val();
        self.will_ask.next = (self.next_turn.val() == 6) & (self.change_due.val() | self.needs_rate.val());
        self.asks_change.d.next = self.change_due.val();
        self.asked_flow.d.next = self.feedback_flow.val();
        if self.change_due.val() {
            self.asked_flow.d.next = self.reader.val();
        }
        if self.next_turn.val() == 7 {
            self.will_ask.next = self.sweep_due.val();
            self.asked_flow.d.next = self.sweep_flow.val();
        }
        self.asks.d.next = self.will_ask.val();
        self.idle.d.next =
            !self.will_ask.val() & !(self.will_look.val() & (self.next_head_valid.val() | self.list_is_late.val()));

        // What this turn does.
        self.begins_look.next = self.looks.q.val() & self.head_valid.val();
        self.advances.next = self.looks.q.val() & !self.head_valid.val() & self.late.q.val();
        self.sends.next = self.ready.val() & self.send_ready.val();
        self.takes_grant.next = self.idle.q.val() & self.sends.val();
        self.takes_announcement.next = self.idle.q.val() & self.announce.val() & !self.sends.val();
        self.sent.next = self.in_turn.val() & self.takes_grant.val();
        self.announce_ready.next = self.in_turn.val() & self.takes_announcement.val();
        self.begins.next =
            self.begins_look.val() | self.asks.q.val() | self.takes_grant.val() | self.takes_announcement.val();
        self.asks_now.next = self.asks.q.val() & !self.begins_look.val();
        self.begins_sweep.next = self.asks_now.val() & (self.turn.q.val() == 7);
        self.begins_change.next = self.asks_now.val() & (self.turn.q.val() != 7) & self.asks_change.q.val();
        self.begins_read.next = self.asks_now.val() & (self.turn.q.val() != 7) & !self.asks_change.q.val();
        self.begins_send.next = self.sends.val() & !self.begins_look.val() & !self.asks.q.val();
        self.visit_flow.next = self.announce_flow.val();
        if self.begins_look.val() {
            self.visit_flow.next = self.head.val();
        } else if self.asks.q.val() {
            self.visit_flow.next = self.asked_flow.q.val();
        } else if self.sends.val() {
            self.visit_flow.next = self.ready_first.val();
        }
        if self.in_turn.val() & !self.advances.val() {
            self.turn.d.next = self.next_turn.val();
        }
        self.this_turn.next = self.turn.q.val();
    }
}
