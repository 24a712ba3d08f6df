// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a frame costs in the bucket of its flow.

use tidegate_hdl::prelude::*;

module! {
    /// Adds the overhead to the length of a frame, and compares the cost with the depth of the bucket.
    pub struct FrameCost: "frame_cost" {
        pub clock: Signal<In, Clock>,
        /// Depth of the bucket, bytes, 128 to 16224.
        #[parameter]
        pub bucket_bytes: Signal<In, Bits<14>>,
        /// Bytes added to the length of each frame: 20 if preamble and inter-frame gap count, else 0.
        #[parameter]
        pub overhead_bytes: Signal<In, Bits<5>>,
        /// Length of the frame that is announced, bytes; valid with `in_turn`.
        pub announce_bytes: Signal<In, Bits<14>>,
        /// Length of the frame that is sent, bytes; valid with `in_turn`.
        pub send_bytes: Signal<In, Bits<14>>,
        /// The frame is sent; otherwise it is announced. Valid with `in_turn`.
        pub takes_grant: Signal<In, Bit>,
        /// The phase is `Turn`: a visit may begin.
        pub in_turn: Signal<In, Bit>,
        /// The phase is `Fetch`, which follows it if one begins.
        pub in_fetch: Signal<In, Bit>,
        /// The flow is visited because its frame is sent; from the phase `Fetch` on.
        pub for_send: Signal<In, Bit>,
        /// Length of the frame and overhead, bytes; from the phase `Load` on.
        pub whole_cost: Signal<Out, Bits<15>>,
        /// This is more than the depth of the bucket; from the phase `Check` on.
        pub exceeds: Signal<Out, Bit>,
        /// The highest level of the bucket in this visit, bytes: its depth, of a frame that is sent less its cost, or 0. From
        /// the phase `Multiply` on.
        pub highest_level: Signal<Out, Bits<15>>,
        /// Length of the frame and overhead, bytes.
        cost: DFF<Bits<15>>,
        /// The frame, with its overhead, is longer than the bucket.
        too_long: DFF<Bit>,
        /// The highest level of the bucket without the announced frame, bytes; of the frame that is sent, less its length.
        highest: DFF<Bits<15>>,
        frame_bytes: Signal<Local, Bits<14>>,
        depth: Signal<Local, Bits<15>>,
        room: Signal<Local, Bits<15>>,
    }
}

impl Logic for FrameCost {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, cost, too_long, highest);

        self.frame_bytes.next = self.announce_bytes.val();
        if self.takes_grant.val() {
            self.frame_bytes.next = self.send_bytes.val();
        }
        if self.in_turn.val() {
            self.cost.d.next = bit_cast::<15, 14>(self.frame_bytes.val());
        }
        if self.in_fetch.val() {
            self.cost.d.next = self.cost.q.val() + bit_cast::<15, 5>(self.overhead_bytes.val());
        }

        self.depth.next = bit_cast::<15, 14>(self.bucket_bytes.val());
        self.too_long.d.next = self.cost.q.val() > self.depth.val();
        self.room.next = self.depth.val() - self.cost.q.val();
        if self.too_long.q.val() {
            self.room.next = 0.into();
        }
        self.highest.d.next = self.depth.val();
        if self.for_send.val() {
            self.highest.d.next = self.room.val();
        }

        self.whole_cost.next = self.cost.q.val();
        self.exceeds.next = self.too_long.q.val();
        self.highest_level.next = self.highest.q.val();
    }
}
