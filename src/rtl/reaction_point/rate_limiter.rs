//! The token bucket that lets the next packet go.

use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// A token bucket in bytes with 18 fraction bits: each cycle adds the rate, up to the depth; a frame goes when its length is
    /// there, and takes it out (smcc.txt section 2.2: the rate limiter at the NIC).
    ///
    /// `grant` is high in the cycle after the one in which the length was there, for one cycle: the requested frame may start. The
    /// request must hold until then, and the next one can be granted two cycles after this one. A frame longer than the bucket could
    /// never go: `oversize` says so at once, and the source must discard and count it. The bucket starts empty, so that never more
    /// than rate × time + depth is granted. In the cycle of a grant the bucket loses the frame and gains the rate, but never grows:
    /// a frame shorter than one cycle's rate costs as much as that. It loses the length that was asked for in the cycle before.
    /// A bucket deeper than a frame by the rate of two cycles loses nothing to the wait for a grant.
    pub struct RateLimiter: "rate_limiter" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// Bytes per cycle, 18 fraction bits.
        pub rate: Signal<In, Bits<25>>,
        /// Depth of the bucket, bytes, 128 to 16255.
        pub bucket_bytes: Signal<In, Bits<14>>,
        /// Added to each frame, bytes: 20 where preamble and gap count.
        pub overhead_bytes: Signal<In, Bits<5>>,
        /// A frame waits; hold until `grant`.
        pub request: Signal<In, Bit>,
        /// Its length, bytes.
        pub request_bytes: Signal<In, Bits<14>>,
        /// It may start in this cycle.
        pub grant: Signal<Out, Bit>,
        /// Length of the frame that is granted, bytes.
        pub grant_bytes: Signal<Out, Bits<14>>,
        /// It is longer than the bucket and can never go: discard and count it.
        pub oversize: Signal<Out, Bit>,
        /// The length of the request was there in the cycle before.
        granted: Register<Bit>,
        /// Length of the request in the cycle before, bytes.
        granted_bytes: DFF<Bits<14>>,
        /// Tokens less the depth, bytes with 18 fraction bits, modulo 2^32: 0 is a full bucket, and no value between 0 and 2^25
        /// comes up.
        level: DFF<Bits<32>>,
        whole: Signal<Local, Bits<14>>,
        less_request: Signal<Local, Bits<14>>,
        largest: Signal<Local, Bits<14>>,
        allowed: Signal<Local, Bit>,
        full: Signal<Local, Bit>,
        sums: Signal<Local, Bits<14>>,
        carries: Signal<Local, Bits<14>>,
        left: Signal<Local, Bits<15>>,
        enough: Signal<Local, Bit>,
        filled: Signal<Local, Bits<32>>,
        rate_whole: Signal<Local, Bits<16>>,
        less_bytes: Signal<Local, Bits<16>>,
        less_overhead: Signal<Local, Bits<16>>,
        growth_sums: Signal<Local, Bits<16>>,
        growth_carried: Signal<Local, Bits<16>>,
        growth_carries: Signal<Local, Bits<16>>,
        growth: Signal<Local, Bits<16>>,
        growth_one: Signal<Local, Bits<14>>,
        growth_other: Signal<Local, Bits<14>>,
        paid_sums: Signal<Local, Bits<14>>,
        paid_carries: Signal<Local, Bits<14>>,
        fraction: Signal<Local, Bits<18>>,
        rate_fraction: Signal<Local, Bits<18>>,
        paid: Signal<Local, Bits<32>>,
        empty: Signal<Local, Bits<32>>,
    }
}

parameter_inputs!(RateLimiter: bucket_bytes, overhead_bytes;
    rate, request, request_bytes);

impl Logic for RateLimiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, level, granted, granted_bytes);
        self.granted.reset.next = self.reset.val();
        self.granted_bytes.d.next = self.request_bytes.val();
        self.grant.next = self.granted.q.val();
        self.grant_bytes.next = self.granted_bytes.q.val();

        self.whole.next = self.level.q.val().to_bits().get_bits::<14>(18);
        self.less_request.next = self.request_bytes.val() ^ 0x3fff;

        // A request is larger than the bucket: both sides less the overhead, which is smaller than any bucket.
        self.largest.next = self.bucket_bytes.val() - bit_cast::<14, 5>(self.overhead_bytes.val());
        self.allowed.next = self.request_bytes.val() <= self.largest.val();
        self.oversize.next = self.request.val() & !self.allowed.val();

        // Is the length there? Whole bytes less overhead and request, brought down to two numbers without carries, so that one
        // chain is enough. For want of its sign the level is 2^14 bytes too high, the inverse of the request as much again less
        // 1, which is the lowest carry: what is left is 2^15 too high, and not below 0 where the request is allowed.
        self.full.next = !self.level.q.val().to_bits().get_bits::<7>(25).any();
        self.sums.next = self.whole.val() ^ self.largest.val() ^ self.less_request.val();
        self.carries.next = (self.whole.val() & self.largest.val())
            | (self.whole.val() & self.less_request.val())
            | (self.largest.val() & self.less_request.val());
        self.left.next =
            bit_cast::<15, 14>(self.sums.val()) + ((bit_cast::<15, 14>(self.carries.val()).to_bits() << 1) | 1);
        self.enough.next = self.full.val() | !self.left.val().get_bit(14);
        // In the cycle of a grant the request is the one that is granted.
        self.granted.d.next = self.request.val() & self.allowed.val() & self.enough.val() & !self.granted.q.val();

        // The rate comes in; what is below 2^25 then has passed the depth.
        self.filled.next = self.level.q.val() + bit_cast::<32, 25>(self.rate.val());

        // The rate comes in and the frame goes out, again with one chain: whole bytes of the rate less overhead and frame are
        // two numbers, and with those of the level two again. Where the bucket would grow over it, it stays.
        self.rate_whole.next = bit_cast::<16, 7>(self.rate.val().to_bits().get_bits::<7>(18));
        self.less_bytes.next = bit_cast::<16, 14>(self.granted_bytes.q.val()) ^ 0xffff;
        self.less_overhead.next = bits::<16>(0) - bit_cast::<16, 5>(self.overhead_bytes.val());
        self.growth_sums.next = self.rate_whole.val() ^ self.less_bytes.val() ^ self.less_overhead.val();
        self.growth_carried.next = (self.rate_whole.val() & self.less_bytes.val())
            | (self.rate_whole.val() & self.less_overhead.val())
            | (self.less_bytes.val() & self.less_overhead.val());
        self.growth_carries.next = (self.growth_carried.val().to_bits() << 1) | 1;
        self.growth.next = self.growth_sums.val() + self.growth_carries.val();
        self.growth_one.next = self.growth_sums.val().to_bits().get_bits::<14>(0);
        self.growth_other.next = self.growth_carries.val().to_bits().get_bits::<14>(0);
        self.paid_sums.next = self.whole.val() ^ self.growth_one.val() ^ self.growth_other.val();
        self.paid_carries.next = (self.whole.val() & self.growth_one.val())
            | (self.whole.val() & self.growth_other.val())
            | (self.growth_one.val() & self.growth_other.val());
        self.fraction.next = self.level.q.val().to_bits().get_bits::<18>(0);
        self.rate_fraction.next = self.rate.val().to_bits().get_bits::<18>(0);
        self.paid.next = ((bit_cast::<32, 14>(self.paid_sums.val()).to_bits() << 18)
            | bit_cast::<32, 18>(self.fraction.val()))
            + ((bit_cast::<32, 14>(self.paid_carries.val()).to_bits() << 19)
                | bit_cast::<32, 18>(self.rate_fraction.val()));

        self.empty.next = bits::<32>(0) - (bit_cast::<32, 14>(self.bucket_bytes.val()).to_bits() << 18);
        if !self.granted.q.val() | self.growth.val().get_bit(15) {
            if self.granted.q.val() {
                self.level.d.next = self.paid.val();
            } else if !self.filled.val().to_bits().get_bits::<7>(25).any() {
                self.level.d.next = 0.into();
            } else {
                self.level.d.next = self.filled.val();
            }
        }
        if self.reset.val() {
            self.level.d.next = self.empty.val();
        }
    }
}
