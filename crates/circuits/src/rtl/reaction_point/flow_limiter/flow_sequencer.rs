// SPDX-License-Identifier: MIT OR Apache-2.0
//! The phases of a visit of the flow limiter.

use tidegate_hdl::prelude::*;

/// What the limiter does in a cycle.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum FlowPhase {
    /// Clear the memories after a reset.
    Clear,
    /// Read the first flow of the list of this turn.
    Aim,
    /// Choose the next visit.
    Turn,
    /// The memories read the state of the flow.
    Fetch,
    /// The state goes into registers, because block RAM is slow.
    Load,
    /// See what is to do.
    Check,
    /// Multiply rate and time: one bit of the time.
    Multiply,
    /// Add the product to the level.
    Settle,
    /// The level is at most the depth of the bucket.
    Cap,
    /// Subtract a frame that is announced; if a frame is sent, see whether the bucket is full.
    Deduct,
    /// Write the state; the frame goes, or it waits.
    Write,
    /// Put the flow behind those whose frames may go.
    Release,
    /// Divide what is missing by the rate: find the highest bit of the quotient.
    Climb,
    /// One bit of the quotient after the other: whether it is 1.
    Descend,
    /// Subtract its share.
    Reduce,
    /// Round the time, and add it to that of the next cycle.
    Round,
    /// Choose the list for this time.
    Place,
    /// Not a list that comes to its turn before its time: the last one before it.
    Avoid,
    /// Read the first flow of this list.
    Follow,
    /// Put the flow into the list.
    Push,
}

module! {
    /// Leads a flow through the phases of its visit, and clears the memories after a reset. A visit takes some 10 to 70
    /// cycles.
    ///
    /// All visits go from `Fetch` to `Check`. One that reads a rate, an announcement that is refused, and a sweep of a flow
    /// that waits end there. All others go on to `Write`. Then a flow whose frame waits is put into the queue (`Release`),
    /// or its time is computed (`Climb` to `Round`) and it is put into a list (`Place` to `Push`).
    pub struct FlowSequencer: "flow_sequencer" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// All memories have been cleared at the end of this cycle; valid with `in_clear`.
        pub last_clear: Signal<In, Bit>,
        /// A visit begins; valid with `in_turn`.
        pub begins: Signal<In, Bit>,
        /// The visit ends with the phase `Check`; valid with `in_check`.
        pub ends_early: Signal<In, Bit>,
        /// A frame is announced or sent: there is a phase `Deduct`; valid with `in_cap`.
        pub pays: Signal<In, Bit>,
        /// A frame of the flow waits: it is put into a list, or into the queue; valid with `in_write`.
        pub goes_on: Signal<In, Bit>,
        /// The product is known in the next cycle; valid with `in_multiply`.
        pub product_ends: Signal<In, Bit>,
        /// The level of the bucket is negative; valid with `in_write`.
        pub level_negative: Signal<In, Bit>,
        /// The highest bit of the quotient is known; valid with `in_climb`.
        pub climb_ends: Signal<In, Bit>,
        /// All bits of the quotient are known; valid with `in_descend`.
        pub quotient_ends: Signal<In, Bit>,
        /// The phase is `Clear`: the memories are being cleared, after a reset.
        pub in_clear: Signal<Out, Bit>,
        /// The phase is `Turn`: a visit may begin.
        pub in_turn: Signal<Out, Bit>,
        /// The phase is `Fetch`: the memories read the state of the flow. It is the first phase of a visit.
        pub in_fetch: Signal<Out, Bit>,
        /// The phase is `Load`: this state goes into registers.
        pub in_load: Signal<Out, Bit>,
        /// The phase is `Check`: it is seen what is to do.
        pub in_check: Signal<Out, Bit>,
        /// The phase is `Multiply`: rate × time, one bit of the time.
        pub in_multiply: Signal<Out, Bit>,
        /// The phase is `Settle`: the product is added to the level.
        pub in_settle: Signal<Out, Bit>,
        /// The phase is `Cap`: the level is kept within the depth of the bucket.
        pub in_cap: Signal<Out, Bit>,
        /// The phase is `Deduct`: a frame that is announced is subtracted.
        pub in_deduct: Signal<Out, Bit>,
        /// The phase is `Write`: the state of the flow is written.
        pub in_write: Signal<Out, Bit>,
        /// The phase is `Release`: the flow enters the queue of those whose frames may go.
        pub in_release: Signal<Out, Bit>,
        /// The phase is `Climb`: the highest bit of the time to wait is looked for.
        pub in_climb: Signal<Out, Bit>,
        /// The phase is `Descend`: the next bit of the time to wait is found.
        pub in_descend: Signal<Out, Bit>,
        /// The phase is `Reduce`: its share is subtracted.
        pub in_reduce: Signal<Out, Bit>,
        /// The phase is `Round`: the time to wait is known.
        pub in_round: Signal<Out, Bit>,
        /// The phase is `Place`: the list for this time is chosen.
        pub in_place: Signal<Out, Bit>,
        /// The phase is `Avoid`: a list that has its turn too early is replaced.
        pub in_avoid: Signal<Out, Bit>,
        /// The phase is `Follow`: the first flow of the chosen list is read.
        pub in_follow: Signal<Out, Bit>,
        /// The phase is `Push`: the flow becomes the first one of this list.
        pub in_push: Signal<Out, Bit>,
        /// What happens in this cycle.
        phase: DFF<FlowPhase>,
        /// The phase is `Turn`: known without decoding `phase`.
        turns: DFF<Bit>,
        /// The same of `Check`.
        checks: Register<Bit>,
        /// The same of `Settle`.
        settles: Register<Bit>,
        /// The same of `Cap`.
        caps: Register<Bit>,
        /// The same of `Deduct`.
        deducts: Register<Bit>,
        /// The same of `Write`.
        writes: Register<Bit>,
        /// The same of `Descend`.
        descends: Register<Bit>,
    }
}

impl Logic for FlowSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, turns, checks, settles, caps, deducts, writes, descends);
        self.checks.reset.next = self.reset.val();
        self.settles.reset.next = self.reset.val();
        self.caps.reset.next = self.reset.val();
        self.deducts.reset.next = self.reset.val();
        self.writes.reset.next = self.reset.val();
        self.descends.reset.next = self.reset.val();

        self.in_clear.next = self.phase.q.val() == FlowPhase::Clear;
        self.in_turn.next = self.turns.q.val();
        self.in_fetch.next = self.phase.q.val() == FlowPhase::Fetch;
        self.in_load.next = self.phase.q.val() == FlowPhase::Load;
        self.in_check.next = self.checks.q.val();
        self.in_multiply.next = self.phase.q.val() == FlowPhase::Multiply;
        self.in_settle.next = self.settles.q.val();
        self.in_cap.next = self.caps.q.val();
        self.in_deduct.next = self.deducts.q.val();
        self.in_write.next = self.writes.q.val();
        self.in_release.next = self.phase.q.val() == FlowPhase::Release;
        self.in_climb.next = self.phase.q.val() == FlowPhase::Climb;
        self.in_descend.next = self.descends.q.val();
        self.in_reduce.next = self.phase.q.val() == FlowPhase::Reduce;
        self.in_round.next = self.phase.q.val() == FlowPhase::Round;
        self.in_place.next = self.phase.q.val() == FlowPhase::Place;
        self.in_avoid.next = self.phase.q.val() == FlowPhase::Avoid;
        self.in_follow.next = self.phase.q.val() == FlowPhase::Follow;
        self.in_push.next = self.phase.q.val() == FlowPhase::Push;

        comment!("Phases that are known without decoding them");
        // Where a visit ends without the use of a list, the list of the next turn has been read already.
        self.turns.d.next = (self.phase.q.val() == FlowPhase::Aim)
            | self.in_release.val()
            | (self.writes.q.val() & !self.goes_on.val());
        self.checks.d.next = self.in_load.val();
        self.settles.d.next = self.in_multiply.val() & self.product_ends.val();
        self.caps.d.next = self.settles.q.val();
        self.deducts.d.next = self.caps.q.val() & self.pays.val();
        self.writes.d.next = self.deducts.q.val() | (self.caps.q.val() & !self.pays.val());
        self.descends.d.next = (self.in_climb.val() & self.climb_ends.val()) | self.in_reduce.val();

        comment!("From phase to phase");
        match self.phase.q.val() {
            FlowPhase::Clear => {
                if self.last_clear.val() {
                    self.phase.d.next = FlowPhase::Aim;
                }
            }
            FlowPhase::Aim => {
                self.phase.d.next = FlowPhase::Turn;
            }
            FlowPhase::Turn => {
                self.phase.d.next = FlowPhase::Aim;
                if self.begins.val() {
                    self.phase.d.next = FlowPhase::Fetch;
                }
            }
            FlowPhase::Fetch => {
                self.phase.d.next = FlowPhase::Load;
            }
            FlowPhase::Load => {
                self.phase.d.next = FlowPhase::Check;
            }
            FlowPhase::Check => {
                self.phase.d.next = FlowPhase::Multiply;
                if self.ends_early.val() {
                    self.phase.d.next = FlowPhase::Aim;
                }
            }
            FlowPhase::Multiply => {
                if self.product_ends.val() {
                    self.phase.d.next = FlowPhase::Settle;
                }
            }
            FlowPhase::Settle => {
                self.phase.d.next = FlowPhase::Cap;
            }
            FlowPhase::Cap => {
                self.phase.d.next = FlowPhase::Write;
                if self.pays.val() {
                    self.phase.d.next = FlowPhase::Deduct;
                }
            }
            FlowPhase::Deduct => {
                self.phase.d.next = FlowPhase::Write;
            }
            FlowPhase::Write => {
                self.phase.d.next = FlowPhase::Turn;
                if self.goes_on.val() {
                    self.phase.d.next = FlowPhase::Release;
                    if self.level_negative.val() {
                        self.phase.d.next = FlowPhase::Climb;
                    }
                }
            }
            FlowPhase::Release => {
                self.phase.d.next = FlowPhase::Turn;
            }
            FlowPhase::Climb => {
                if self.climb_ends.val() {
                    self.phase.d.next = FlowPhase::Descend;
                }
            }
            FlowPhase::Descend => {
                self.phase.d.next = FlowPhase::Reduce;
                if self.quotient_ends.val() {
                    self.phase.d.next = FlowPhase::Round;
                }
            }
            FlowPhase::Reduce => {
                self.phase.d.next = FlowPhase::Descend;
            }
            FlowPhase::Round => {
                self.phase.d.next = FlowPhase::Place;
            }
            FlowPhase::Place => {
                self.phase.d.next = FlowPhase::Avoid;
            }
            FlowPhase::Avoid => {
                self.phase.d.next = FlowPhase::Follow;
            }
            FlowPhase::Follow => {
                self.phase.d.next = FlowPhase::Push;
            }
            FlowPhase::Push => {
                self.phase.d.next = FlowPhase::Aim;
            }
        }
        if self.reset.val() {
            self.turns.d.next = false;
            self.phase.d.next = FlowPhase::Clear;
        }
    }
}
