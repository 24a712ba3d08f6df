// SPDX-License-Identifier: MIT OR Apache-2.0
//! The visit of the flow limiter: which flow, and why.

use tidegate_hdl::prelude::*;

/// Why a flow is visited.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum FlowTask {
    /// Its waiting time is over, or part of it.
    Look,
    /// Its frame is sent.
    Send,
    /// A frame of it is announced.
    Announce,
    /// Its rate is read for the calculator.
    Read,
    /// Its rate changes.
    Change,
    /// Its turn has come: the time of its last visit must not be too long ago.
    Sweep,
}

module! {
    /// Holds which flow is visited and why, from the phase `Fetch` to the end of the visit, and says what follows from it.
    /// While the memories are cleared it holds the next word.
    pub struct FlowVisit: "flow_visit" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Number of the last flow; a constant.
        pub last_flow: Signal<In, Bits<12>>,
        /// The memories are being cleared.
        pub in_clear: Signal<In, Bit>,
        /// A visit may begin: the next six inputs are valid.
        pub in_turn: Signal<In, Bit>,
        /// It looks whether the frame of a flow may go.
        pub begins_look: Signal<In, Bit>,
        /// It reads a rate for the calculator.
        pub begins_read: Signal<In, Bit>,
        /// It changes a rate.
        pub begins_change: Signal<In, Bit>,
        /// It is a sweep.
        pub begins_sweep: Signal<In, Bit>,
        /// A frame is sent. If none of these is high, one is announced.
        pub begins_send: Signal<In, Bit>,
        /// The flow that is visited, or, of an announcement, a number that may be too large.
        pub visit_flow: Signal<In, Bits<12>>,
        /// The phase is `Check`: the next two inputs are valid.
        pub in_check: Signal<In, Bit>,
        /// A frame of the flow is announced already.
        pub read_waits: Signal<In, Bit>,
        /// The frame that is announced is longer than the bucket.
        pub too_long: Signal<In, Bit>,
        /// Number of the flow, as it was announced; with `in_clear`, the word that is cleared.
        pub this_flow: Signal<Out, Bits<12>>,
        /// The flow that is visited.
        pub known_flow: Signal<Out, Bits<12>>,
        /// It is visited because it is the first one of a list.
        pub for_look: Signal<Out, Bit>,
        /// It is visited because its frame is sent.
        pub for_send: Signal<Out, Bit>,
        /// It is visited because a frame of it is announced.
        pub for_announce: Signal<Out, Bit>,
        /// It is visited to read its rate for the calculator.
        pub for_read: Signal<Out, Bit>,
        /// It is visited because its rate changes.
        pub for_change: Signal<Out, Bit>,
        /// A frame is announced or sent in this visit.
        pub pays: Signal<Out, Bit>,
        /// A frame of the flow waits: the visit ends in a list, or in the queue of frames that may go.
        pub goes_on: Signal<Out, Bit>,
        /// The announcement is refused: no such flow, its frame is longer than the bucket, or another frame of this flow
        /// waits. In the phase `Check`.
        pub refused: Signal<Out, Bit>,
        /// The visit ends with the phase `Check`; valid with `in_check`.
        pub ends_early: Signal<Out, Bit>,
        /// All memories have been cleared at the end of this cycle; valid with `in_clear`.
        pub last_clear: Signal<Out, Bit>,
        /// Why the current flow is visited.
        task: DFF<FlowTask>,
        /// The current flow.
        flow: Register<Bits<12>>,
        unknown: Signal<Local, Bit>,
        bad: Signal<Local, Bit>,
    }
}

impl Logic for FlowVisit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, task, flow);
        self.flow.reset.next = self.reset.val();

        // A flow and a task that are not taken do not matter.
        if self.in_turn.val() {
            self.flow.d.next = self.visit_flow.val();
            self.task.d.next = FlowTask::Announce;
            if self.begins_look.val() {
                self.task.d.next = FlowTask::Look;
            } else if self.begins_sweep.val() {
                self.task.d.next = FlowTask::Sweep;
            } else if self.begins_change.val() {
                self.task.d.next = FlowTask::Change;
            } else if self.begins_read.val() {
                self.task.d.next = FlowTask::Read;
            } else if self.begins_send.val() {
                self.task.d.next = FlowTask::Send;
            }
        }
        // The memory of the lists has 64 words; those of the flows may have more.
        self.last_clear.next = (self.flow.q.val() >= self.last_flow.val()) & (self.flow.q.val() >= 63);
        if self.in_clear.val() {
            self.flow.d.next = self.flow.q.val() + 1;
        }

        // With fewer flows than 4,096, the upper bits of all that stores the number of a flow are 0.
        self.known_flow.next = self.flow.q.val() & self.last_flow.val();
        self.unknown.next = self.flow.q.val() != self.known_flow.val();
        self.for_look.next = self.task.q.val() == FlowTask::Look;
        self.for_send.next = self.task.q.val() == FlowTask::Send;
        self.for_announce.next = self.task.q.val() == FlowTask::Announce;
        self.for_read.next = self.task.q.val() == FlowTask::Read;
        self.for_change.next = self.task.q.val() == FlowTask::Change;
        self.pays.next = self.for_announce.val() | self.for_send.val();
        self.goes_on.next = self.for_announce.val() | self.for_look.val();
        self.bad.next = self.for_announce.val() & (self.read_waits.val() | self.too_long.val() | self.unknown.val());
        self.refused.next = self.in_check.val() & self.bad.val();
        self.ends_early.next =
            self.bad.val() | self.for_read.val() | ((self.task.q.val() == FlowTask::Sweep) & self.read_waits.val());
        self.this_flow.next = self.flow.q.val();
    }
}
