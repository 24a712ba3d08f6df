// SPDX-License-Identifier: MIT OR Apache-2.0
//! The flows of the flow limiter whose frames may go.

use crate::rtl::flow_memory::FlowMemory;
use tidegate_hdl::prelude::*;

module! {
    /// A queue of the flows whose frames may go, the first one in front. Its memory holds the next flow of each flow, also
    /// of a flow that waits in a list for its time: a flow is either in the queue or in one list.
    pub struct ReadyQueue: "ready_queue" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Number of the flow that is visited, as it was announced: its upper bits may be too large.
        pub flow: Signal<In, Bits<12>>,
        /// The flow that is visited.
        pub known_flow: Signal<In, Bits<12>>,
        /// The phase is `Check`, two cycles after the visit began.
        pub in_check: Signal<In, Bit>,
        /// The flow is visited because its frame is sent: it leaves the queue in the phase `Check`.
        pub for_send: Signal<In, Bit>,
        /// The phase is `Release`: the flow enters the queue.
        pub in_release: Signal<In, Bit>,
        /// The phase is `Push`: the flow enters a list.
        pub in_push: Signal<In, Bit>,
        /// First flow of this list; valid with `head_valid`.
        pub head: Signal<In, Bits<12>>,
        /// This list is not empty; valid with `in_push`.
        pub head_valid: Signal<In, Bit>,
        /// A frame may be sent.
        pub some: Signal<Out, Bit>,
        /// The flow of this frame; valid with `some`.
        pub first: Signal<Out, Bits<12>>,
        /// The flow behind the one that is visited, in the queue or in its list; valid in the phase `Check`.
        pub next_flow: Signal<Out, Bits<12>>,
        /// The flow that is visited is the last one of its list; valid in the phase `Check`.
        pub end_of_list: Signal<Out, Bit>,
        /// The next flow of each flow; the last one of a list that waits for a time names itself.
        followers: FlowMemory<12>,
        /// The next flow in the list of the current flow, as `followers` read it in the cycle before.
        follower: Delay<Bits<12>>,
        /// A frame may be sent.
        ready: Register<Bit>,
        /// First flow whose frame may be sent.
        ready_first: DFF<Bits<12>>,
        /// Last flow whose frame may be sent.
        ready_last: DFF<Bits<12>>,
    }
}

impl ReadyQueue {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        ReadyQueue { followers: FlowMemory::narrow(flow_bits, flow_bits), ..ReadyQueue::default() }
    }
}

impl Logic for ReadyQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, follower, ready, ready_first, ready_last);
        clock!(self, clock, followers);
        self.ready.reset.next = self.reset.val();

        self.followers.read_address.next = self.flow.val();
        self.follower.d.next = self.followers.read_data.val();
        self.end_of_list.next = self.follower.q.val() == self.known_flow.val();

        self.followers.write_address.next = self.flow.val();
        self.followers.write_data.next = self.known_flow.val();
        self.followers.write_enable.next = false;
        if self.in_check.val() & self.for_send.val() {
            self.ready_first.d.next = self.follower.q.val();
            self.ready.d.next = self.ready_last.q.val() != self.known_flow.val();
        }
        if self.in_release.val() {
            self.ready.d.next = true;
            self.ready_last.d.next = self.known_flow.val();
            self.followers.write_address.next = self.ready_last.q.val();
            self.followers.write_enable.next = self.ready.q.val();
        }
        if self.in_release.val() & !self.ready.q.val() {
            self.ready_first.d.next = self.known_flow.val();
        }
        if self.in_push.val() {
            self.followers.write_enable.next = true;
            if self.head_valid.val() {
                self.followers.write_data.next = self.head.val();
            }
        }

        self.some.next = self.ready.q.val();
        self.first.next = self.ready_first.q.val();
        self.next_flow.next = self.follower.q.val();
    }
}
