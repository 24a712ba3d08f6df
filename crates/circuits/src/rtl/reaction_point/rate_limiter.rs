// SPDX-License-Identifier: MIT OR Apache-2.0
//! The token bucket that decides when the next frame may start.

use tidegate_hdl::prelude::*;

module! {
    /// A token bucket that counts bytes with 18 fraction bits. Each cycle adds the rate, up to the depth of the bucket.
    /// A frame is granted when the bucket holds its length, and the grant removes this length (Jiang 2015b, section
    /// 2.2: the rate limiter).
    ///
    /// If the bucket holds enough bytes in cycle t, `grant` is high in cycle t + 1, for one cycle: the requested frame may
    /// start. Hold `request` and `request_bytes` until `grant`, also in the cycle of the grant: the length of the cycle
    /// before is paid then. The next grant can come two cycles later. A frame longer than the bucket can never be granted:
    /// `oversize` is high in the same cycle, and the source requests it in parts, or counts it and does something else. A
    /// new depth or overhead counts one cycle later: in the first cycle after power-up `oversize` may be wrong. Reset
    /// empties the bucket, so that never more than rate × time + depth is granted. In the cycle of a grant the bucket
    /// loses the length of the frame and gains the rate, but its level never rises: a frame shorter than the rate of one
    /// cycle costs as much as the rate of one cycle. A bucket that is deeper than the frame by at least the rate of two
    /// cycles loses no bytes while it waits for a grant.
    pub struct RateLimiter: "rate_limiter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Rate, bytes per cycle, 18 fraction bits.
        pub rate: Signal<In, Bits<25>>,
        /// Depth of the bucket, bytes, 128 to 16224.
        #[parameter]
        pub bucket_bytes: Signal<In, Bits<14>>,
        /// Bytes added to the length of each frame: 20 if preamble and inter-frame gap count, else 0.
        #[parameter]
        pub overhead_bytes: Signal<In, Bits<5>>,
        /// A frame waits to be sent; hold until `grant`.
        pub request: Signal<In, Bit>,
        /// Length of the frame that waits, bytes; valid with `request`, hold until `grant`.
        pub request_bytes: Signal<In, Bits<14>>,
        /// The requested frame may start in this cycle.
        pub grant: Signal<Out, Bit>,
        /// The requested frame is longer than the bucket and will never be granted.
        pub oversize: Signal<Out, Bit>,
        /// The longest frame, bytes: the depth less the overhead, of the cycle before. What depends on parameters only comes
        /// from registers, which constants remove.
        largest: Delay<Bits<14>>,
        /// What the request costs: its length and the overhead, of the cycle before.
        cost: Delay<Bits<15>>,
        /// In the cycle before, the bucket held enough bytes for the request.
        granted: Register<Bit>,
        /// Bytes in the bucket minus its depth, 18 fraction bits, modulo 2^32: 0 means full, also at power-up. Values
        /// from 1 to 2^25 - 1 do not occur.
        level: DFF<Bits<32>>,
        whole: Signal<Local, Bits<14>>,
        less_request: Signal<Local, Bits<14>>,
        allowed: Signal<Local, Bit>,
        full: Signal<Local, Bit>,
        sums: Signal<Local, Bits<14>>,
        carries: Signal<Local, Bits<14>>,
        margin: Signal<Local, Bits<15>>,
        enough: Signal<Local, Bit>,
        filled: Signal<Local, Bits<33>>,
        rate_whole: Signal<Local, Bits<16>>,
        less_cost: Signal<Local, Bits<14>>,
        growth: Signal<Local, Bits<16>>,
        rate_low: Signal<Local, Bits<14>>,
        paid_sums: Signal<Local, Bits<14>>,
        paid_carries: Signal<Local, Bits<14>>,
        fraction: Signal<Local, Bits<18>>,
        rate_fraction: Signal<Local, Bits<18>>,
        paid: Signal<Local, Bits<32>>,
        empty: Signal<Local, Bits<32>>,
    }
}

impl Logic for RateLimiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, level, granted, largest, cost);
        self.granted.reset.next = self.reset.val();
        self.grant.next = self.granted.q.val();

        self.whole.next = self.level.q.val().to_bits().get_bits::<14>(18);
        self.less_request.next = self.request_bytes.val() ^ 0x3fff;

        comment!("The request must fit the bucket. The overhead is subtracted from the depth");
        // It is not added to the request, which would be a second carry chain. It is smaller than any depth.
        self.largest.d.next = self.bucket_bytes.val() - bit_cast::<14, 5>(self.overhead_bytes.val());
        self.allowed.next = self.request_bytes.val() <= self.largest.q.val();
        self.oversize.next = self.request.val() & !self.allowed.val();

        comment!("The bucket must hold the length. One carry chain gives the sign of the margin");
        // The margin is `whole` + `largest` − `request_bytes`. `whole` has 14 bits and no sign: unless the bucket is
        // full, it is 2^14 too high. The inverse of `request_bytes` in 14 bits is −`request_bytes` + 2^14 − 1; the
        // carry into bit 0 adds the 1. So the sum is 2^15 too high, which has no effect in 15 bits. The magnitude of
        // the margin is below 2^14 if the request is allowed, so bit 14 is its sign.
        self.full.next = !self.level.q.val().to_bits().get_bits::<7>(25).any();
        self.sums.next = self.whole.val() ^ self.largest.q.val() ^ self.less_request.val();
        self.carries.next = (self.whole.val() & self.largest.q.val())
            | (self.whole.val() & self.less_request.val())
            | (self.largest.q.val() & self.less_request.val());
        self.margin.next =
            bit_cast::<15, 14>(self.sums.val()) + ((bit_cast::<15, 14>(self.carries.val()).to_bits() << 1) | 1);
        self.enough.next = self.full.val() | !self.margin.val().get_bit(14);
        // In the cycle of a grant the request is still that of the granted frame: it is not granted again.
        self.granted.d.next = self.request.val() & self.allowed.val() & self.enough.val() & !self.granted.q.val();

        comment!("Level without a grant: add the rate; a carry out of bit 31 is a level above the depth");
        self.filled.next = bit_cast::<33, 32>(self.level.q.val()) + bit_cast::<33, 25>(self.rate.val());

        comment!("Level with a grant: add the rate, subtract what the frame costs");
        // One carry chain is enough: a carry-save adder reduces the whole bytes of level, rate and cost to two numbers. The
        // cost comes from a register: in the cycle of a grant the request is still that of the cycle before.
        self.cost.d.next = bit_cast::<15, 14>(self.request_bytes.val()) + bit_cast::<15, 5>(self.overhead_bytes.val());
        self.less_cost.next = bit_cast::<14, 15>(self.cost.q.val()) ^ 0x3fff;
        self.rate_whole.next = bit_cast::<16, 7>(self.rate.val().to_bits().get_bits::<7>(18));
        self.growth.next = self.rate_whole.val() - bit_cast::<16, 15>(self.cost.q.val());
        self.rate_low.next = self.rate_whole.val().to_bits().get_bits::<14>(0);
        self.paid_sums.next = self.whole.val() ^ self.rate_low.val() ^ self.less_cost.val();
        self.paid_carries.next = (self.whole.val() & self.rate_low.val())
            | (self.whole.val() & self.less_cost.val())
            | (self.rate_low.val() & self.less_cost.val());
        self.fraction.next = self.level.q.val().to_bits().get_bits::<18>(0);
        self.rate_fraction.next = self.rate.val().to_bits().get_bits::<18>(0);
        self.paid.next = ((bit_cast::<32, 14>(self.paid_sums.val()).to_bits() << 18)
            | bit_cast::<32, 18>(self.fraction.val()))
            + ((bit_cast::<32, 14>(self.paid_carries.val()).to_bits() << 19)
                | bit_cast::<32, 18>(self.rate_fraction.val())
                | 0x4_0000);

        comment!("Level of an empty bucket, for reset");
        self.empty.next = bits::<32>(0) - (bit_cast::<32, 14>(self.bucket_bytes.val()).to_bits() << 18);
        comment!("After a grant the level never rises; without a grant it stops at the depth");
        if !self.granted.q.val() | self.growth.val().get_bit(15) {
            if self.granted.q.val() {
                self.level.d.next = self.paid.val();
            } else if self.full.val() | self.filled.val().get_bit(32) {
                self.level.d.next = 0.into();
            } else {
                self.level.d.next = self.filled.val().get_bits::<32>(0);
            }
        }
        if self.reset.val() {
            self.level.d.next = self.empty.val();
        }
    }
}
