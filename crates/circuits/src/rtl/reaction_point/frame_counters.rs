// SPDX-License-Identifier: MIT OR Apache-2.0
//! What became of the received frames, counted.

use tidegate_hdl::prelude::*;

module! {
    /// Five counters that stop at 65,535. A count shows in the cycle after its event. A counter whose output is not
    /// connected costs nothing: synthesis removes it.
    pub struct FrameCounters: "frame_counters" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A feedback frame ended: its feedback was taken.
        pub frame_taken: Signal<In, Bit>,
        /// A feedback frame ended: it is not valid, or was received with an error.
        pub frame_malformed: Signal<In, Bit>,
        /// A feedback frame ended: its CPID is not allowed.
        pub frame_refused: Signal<In, Bit>,
        /// A feedback frame ended: it is for another address.
        pub frame_elsewhere: Signal<In, Bit>,
        /// A feedback frame ended: another feedback waited when its second word came.
        pub frame_dropped: Signal<In, Bit>,
        /// Frames whose feedback was taken.
        pub taken_frames: Signal<Out, Bits<16>>,
        /// Feedback frames for this reaction point that are not valid, or that were received with an error.
        pub malformed_frames: Signal<Out, Bits<16>>,
        /// Valid feedback frames whose CPID is not allowed.
        pub refused_frames: Signal<Out, Bits<16>>,
        /// Frames of the EtherType of feedback for another address.
        pub elsewhere_frames: Signal<Out, Bits<16>>,
        /// Feedback frames that came while another feedback waited.
        pub dropped_frames: Signal<Out, Bits<16>>,
        /// Frames whose feedback was taken.
        taken: Register<Bits<16>>,
        /// Feedback frames that are not valid.
        malformed: Register<Bits<16>>,
        /// Feedback frames whose CPID is not allowed.
        refused: Register<Bits<16>>,
        /// Feedback frames for another address.
        elsewhere: Register<Bits<16>>,
        /// Feedback frames that were dropped.
        dropped: Register<Bits<16>>,
    }
}

impl Logic for FrameCounters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, taken, malformed, refused, elsewhere, dropped);
        self.taken.reset.next = self.reset.val();
        self.malformed.reset.next = self.reset.val();
        self.refused.reset.next = self.reset.val();
        self.elsewhere.reset.next = self.reset.val();
        self.dropped.reset.next = self.reset.val();
        if self.frame_taken.val() & !self.taken.q.val().all() {
            self.taken.d.next = self.taken.q.val() + 1;
        }
        if self.frame_malformed.val() & !self.malformed.q.val().all() {
            self.malformed.d.next = self.malformed.q.val() + 1;
        }
        if self.frame_refused.val() & !self.refused.q.val().all() {
            self.refused.d.next = self.refused.q.val() + 1;
        }
        if self.frame_elsewhere.val() & !self.elsewhere.q.val().all() {
            self.elsewhere.d.next = self.elsewhere.q.val() + 1;
        }
        if self.frame_dropped.val() & !self.dropped.q.val().all() {
            self.dropped.d.next = self.dropped.q.val() + 1;
        }
        self.taken_frames.next = self.taken.q.val();
        self.malformed_frames.next = self.malformed.q.val();
        self.refused_frames.next = self.refused.q.val();
        self.elsewhere_frames.next = self.elsewhere.q.val();
        self.dropped_frames.next = self.dropped.q.val();
    }
}
