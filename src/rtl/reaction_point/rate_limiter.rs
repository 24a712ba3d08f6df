//! The token bucket that lets the next packet go.

use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// A token bucket in bytes with 18 fraction bits: each cycle adds the rate, up to the depth; a frame goes when its length is
    /// there, and takes it out (smcc.txt section 2.2: the rate limiter at the NIC).
    ///
    /// `grant` is combinational: high in the cycle in which a requested frame may start. The request must hold until then. A frame
    /// longer than the bucket could never go: `oversize` says so, and the source must discard and count it. The bucket starts
    /// empty, so that never more than rate × time + depth is granted. In the cycle of a grant the bucket loses the frame and gains
    /// the rate, but never grows: a frame shorter than one cycle's rate costs as much as that.
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
        /// It is longer than the bucket and can never go: discard and count it.
        pub oversize: Signal<Out, Bit>,
        /// A frame was granted in the cycle before.
        pub sent: Signal<Out, Bit>,
        /// Its length, bytes.
        pub sent_bytes: Signal<Out, Bits<14>>,
        /// A frame was granted in the cycle before.
        granted: DFF<Bit>,
        /// Its length, bytes.
        granted_bytes: DFF<Bits<14>>,
        /// Bytes, 18 fraction bits.
        tokens: Register<Bits<32>>,
        depth: Signal<Local, Bits<32>>,
        cost: Signal<Local, Bits<15>>,
        cost_tokens: Signal<Local, Bits<32>>,
        affordable: Signal<Local, Bit>,
        allowed: Signal<Local, Bit>,
        rate_tokens: Signal<Local, Bits<32>>,
        nearly_full: Signal<Local, Bits<32>>,
        net_cost: Signal<Local, Bits<32>>,
    }
}

parameter_inputs!(RateLimiter: bucket_bytes, overhead_bytes;
    rate, request, request_bytes);

impl Logic for RateLimiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tokens, granted, granted_bytes);
        self.tokens.reset.next = self.reset.val();
        // Who counts bytes has a sum and a comparison of its own: a register stands between.
        self.granted_bytes.d.next = self.request_bytes.val();
        self.sent.next = self.granted.q.val();
        self.sent_bytes.next = self.granted_bytes.q.val();
        self.depth.next = bit_cast::<32, 14>(self.bucket_bytes.val()).to_bits() << 18;
        self.cost.next = bit_cast::<15, 14>(self.request_bytes.val()) + bit_cast::<15, 5>(self.overhead_bytes.val());
        self.allowed.next = self.cost.val() <= bit_cast::<15, 14>(self.bucket_bytes.val());
        self.oversize.next = self.request.val() & !self.allowed.val();
        self.cost_tokens.next = bit_cast::<32, 15>(self.cost.val()).to_bits() << 18;
        self.affordable.next =
            self.request.val() & self.allowed.val() & (self.tokens.q.val() >= self.cost_tokens.val());
        self.grant.next = self.affordable.val();
        self.granted.d.next = self.affordable.val() & !self.reset.val();
        self.rate_tokens.next = bit_cast::<32, 25>(self.rate.val());
        self.nearly_full.next = self.depth.val() - self.rate_tokens.val();
        self.net_cost.next = self.cost_tokens.val() - self.rate_tokens.val();
        if self.affordable.val() {
            if self.cost_tokens.val() > self.rate_tokens.val() {
                self.tokens.d.next = self.tokens.q.val() - self.net_cost.val();
            }
        } else if self.tokens.q.val() >= self.nearly_full.val() {
            self.tokens.d.next = self.depth.val();
        } else {
            self.tokens.d.next = self.tokens.q.val() + self.rate_tokens.val();
        }
    }
}
