// SPDX-License-Identifier: MIT OR Apache-2.0
//! The flow of each feedback.

use tidegate_hdl::prelude::*;

module! {
    /// Holds the flow of the feedback that waits, while the next frame is read. The low bits of a frame's destination
    /// address number its flow; or with `flow_from_tag`, the flow identifier of its CN-TAG does (IEEE 802.1Q, clause 33).
    /// Feedback without a CN-TAG, or for a flow that does not exist, is then counted and goes no further.
    pub struct FeedbackFlow: "feedback_flow" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The first word of a frame is read.
        pub frame_start: Signal<In, Bit>,
        /// Low bits of the destination address of this frame; valid with `frame_start`.
        pub frame_flow: Signal<In, Bits<12>>,
        /// A feedback waits: that of the frame that had begun last two cycles before it came to wait.
        pub feedback_valid: Signal<In, Bit>,
        /// It has a CN-TAG; valid with `feedback_valid`.
        pub has_flow_id: Signal<In, Bit>,
        /// Flow identifier of its CN-TAG; valid with `feedback_valid`.
        pub flow_id: Signal<In, Bits<16>>,
        /// Number of flows minus one: the bits that number a flow.
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        /// 1: the CN-TAG names the flow. 0: the low bits of the destination address do.
        #[parameter]
        pub flow_from_tag: Signal<In, Bit>,
        /// A feedback for `flow` waits.
        pub valid: Signal<Out, Bit>,
        /// Flow of the feedback that waits; valid with `valid`.
        pub flow: Signal<Out, Bits<12>>,
        /// The feedback that waits names no flow of this reaction point: it is taken in this cycle.
        pub unknown: Signal<Out, Bit>,
        /// Feedback frames that named no flow, at most 65,535.
        pub unknown_frames: Signal<Out, Bits<16>>,
        /// Flow of the frame that is read.
        reads: DFF<Bits<12>>,
        /// Flow of the feedback that waits; while none waits, of the frame that is read, one cycle later than `reads`:
        /// when a feedback begins to wait, the first word of the next frame may have come in the cycle before.
        waits: DFF<Bits<12>>,
        /// Feedback frames that named no flow.
        unknowns: Register<Bits<16>>,
        beyond: Signal<Local, Bits<16>>,
        is_unknown: Signal<Local, Bit>,
    }
}

impl Logic for FeedbackFlow {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, reads, waits, unknowns);
        self.unknowns.reset.next = self.reset.val();
        if self.frame_start.val() {
            self.reads.d.next = self.frame_flow.val() & self.flow_mask.val();
        }
        if !self.feedback_valid.val() {
            self.waits.d.next = self.reads.q.val();
        }
        self.flow.next = self.waits.q.val();
        self.beyond.next = self.flow_id.val() & (bit_cast::<16, 12>(self.flow_mask.val()) ^ 0xffff);
        self.is_unknown.next = self.flow_from_tag.val() & (!self.has_flow_id.val() | self.beyond.val().any());
        if self.flow_from_tag.val() {
            self.flow.next = self.flow_id.val().to_bits().get_bits::<12>(0);
        }
        self.valid.next = self.feedback_valid.val() & !self.is_unknown.val();
        self.unknown.next = self.feedback_valid.val() & self.is_unknown.val();
        if self.feedback_valid.val() & self.is_unknown.val() & !self.unknowns.q.val().all() {
            self.unknowns.d.next = self.unknowns.q.val() + 1;
        }
        self.unknown_frames.next = self.unknowns.q.val();
    }
}
