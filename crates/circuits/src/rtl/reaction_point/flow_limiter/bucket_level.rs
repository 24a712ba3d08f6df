// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level of the token bucket that is visited.

use super::frame_cost::FrameCost;
use tidegate_hdl::prelude::*;

module! {
    /// Computes the level of a bucket in a visit, one phase after the other: `Check` takes the level that was read, `Settle`
    /// adds what the time since then has brought, `Cap` keeps it within the depth of the bucket, `Deduct` subtracts a frame
    /// that is announced.
    pub struct BucketLevel: "bucket_level" {
        pub clock: Signal<In, Clock>,
        #[parameter]
        pub bucket_bytes: Signal<In, Bits<14>>,
        #[parameter]
        pub overhead_bytes: Signal<In, Bits<5>>,
        pub announce_bytes: Signal<In, Bits<14>>,
        pub send_bytes: Signal<In, Bits<14>>,
        pub takes_grant: Signal<In, Bit>,
        pub in_turn: Signal<In, Bit>,
        pub in_fetch: Signal<In, Bit>,
        /// The phase is `Check`: `read_level` is valid.
        pub in_check: Signal<In, Bit>,
        /// The phase is `Settle`: `brought` is valid.
        pub in_settle: Signal<In, Bit>,
        /// The phase is `Cap`, which follows it: `brought_more` is valid.
        pub in_cap: Signal<In, Bit>,
        /// The phase is `Deduct`, which follows if a frame is announced or sent.
        pub in_deduct: Signal<In, Bit>,
        pub for_send: Signal<In, Bit>,
        /// The flow is visited because a frame of it is announced; from the phase `Fetch` on.
        pub for_announce: Signal<In, Bit>,
        /// Level of the bucket before this visit, bytes, 2 fraction bits, two's complement.
        pub read_level: Signal<In, Bits<22>>,
        /// What the time since the last visit has brought, bytes, 2 fraction bits.
        pub brought: Signal<In, Bits<20>>,
        /// It is more than that: the bucket is full.
        pub brought_more: Signal<In, Bit>,
        /// What the rate brings in a tick, bytes, 14 fraction bits; from the phase `Check` on.
        pub tick_rate: Signal<In, Bits<32>>,
        pub exceeds: Signal<Out, Bit>,
        /// Level of the bucket, bytes, 2 fraction bits, two's complement; in the phase `Write`, that after the visit.
        pub new_level: Signal<Out, Bits<22>>,
        /// What the bucket lacks until its level is not negative, bytes, 14 fraction bits; valid in the phase `Write` if the
        /// level is negative.
        pub missing: Signal<Out, Bits<32>>,
        /// The bucket was full, or the rest of the tick may fill it; valid in the phase `Deduct`.
        pub fills: Signal<Out, Bit>,
        frame_cost: FrameCost,
        /// Level of the bucket, bytes, 2 fraction bits, two's complement.
        level: DFF<Bits<22>>,
        /// The highest level less what a tick brings, two's complement.
        nearly_full: DFF<Bits<22>>,
        /// In the cycle before, the bucket was full, or the rest of the tick may fill it.
        may_be_full: DFF<Bit>,
        bound: Signal<Local, Bits<22>>,
        below_bound: Signal<Local, Bits<22>>,
        over_bound: Signal<Local, Bit>,
        below_nearly_full: Signal<Local, Bits<22>>,
        deducted: Signal<Local, Bits<22>>,
    }
}

impl Logic for BucketLevel {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, level, nearly_full, may_be_full);
        clock!(self, clock, frame_cost);
        self.frame_cost.bucket_bytes.next = self.bucket_bytes.val();
        self.frame_cost.overhead_bytes.next = self.overhead_bytes.val();
        self.frame_cost.announce_bytes.next = self.announce_bytes.val();
        self.frame_cost.send_bytes.next = self.send_bytes.val();
        self.frame_cost.takes_grant.next = self.takes_grant.val();
        self.frame_cost.in_turn.next = self.in_turn.val();
        self.frame_cost.in_fetch.next = self.in_fetch.val();
        self.frame_cost.for_send.next = self.for_send.val();
        self.exceeds.next = self.frame_cost.exceeds.val();

        self.bound.next = bit_cast::<22, 15>(self.frame_cost.highest_level.val()).to_bits() << 2;
        self.below_bound.next = self.bound.val() - self.level.q.val();
        self.over_bound.next = self.brought_more.val() | self.below_bound.val().get_bit(21);
        self.nearly_full.d.next =
            self.bound.val() - bit_cast::<22, 20>(self.tick_rate.val().to_bits().get_bits::<20>(12));
        self.below_nearly_full.next = self.level.q.val() - self.nearly_full.q.val();
        self.may_be_full.d.next = self.over_bound.val() | !self.below_nearly_full.val().get_bit(21);
        self.deducted.next = self.level.q.val() - (bit_cast::<22, 15>(self.frame_cost.whole_cost.val()).to_bits() << 2);

        if self.in_check.val() {
            self.level.d.next = self.read_level.val();
        }
        if self.in_settle.val() {
            self.level.d.next = self.level.q.val() + bit_cast::<22, 20>(self.brought.val());
        }
        if self.in_cap.val() & self.over_bound.val() {
            self.level.d.next = self.bound.val();
        }
        if self.in_deduct.val() & self.for_announce.val() {
            self.level.d.next = self.deducted.val();
        }

        self.new_level.next = self.level.q.val();
        self.missing.next = (bit_cast::<32, 22>(bits::<22>(0) - self.level.q.val())).to_bits() << 12;
        self.fills.next = self.may_be_full.q.val();
    }
}
