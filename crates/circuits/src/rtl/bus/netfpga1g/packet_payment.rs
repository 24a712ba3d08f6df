// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a packet pays to the rate limiter before it goes.

use tidegate_hdl::prelude::*;

module! {
    /// Requests the octets of the next packet from the rate limiter: at once if they fit the bucket, else in parts of half of
    /// what fits, and a rest.
    ///
    /// So a packet that is longer than the bucket waits as long as the rate of its flow says, and goes then. The limiter would
    /// never grant it as a whole. It must not be lost, because the bucket is a register that a user may choose too small, and
    /// it must not go without payment, because long packets could then exceed every rate. Half a bucket leaves the other half
    /// for the time between two parts. Each part pays the overhead of a packet.
    ///
    /// A packet that waits is requested three cycles later, the next part two cycles after a grant.
    pub struct PacketPayment: "packet_payment" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Depth of the bucket, bytes, 128 to 16224.
        #[parameter]
        pub bucket_bytes: Signal<In, Bits<14>>,
        /// Bytes that the limiter adds to each part.
        #[parameter]
        pub overhead_bytes: Signal<In, Bits<5>>,
        /// The next packet waits for the limiter.
        pub waits: Signal<In, Bit>,
        /// Its octets; held from `waits` to `begins`.
        pub bytes: Signal<In, Bits<14>>,
        /// The next packet begins to go out; if it waits, not before `paid`.
        pub begins: Signal<In, Bit>,
        /// Octets of the next packet are requested; held until `grant` or `refuse`.
        pub request: Signal<Out, Bit>,
        /// So many.
        pub request_bytes: Signal<Out, Bits<14>>,
        /// The limiter grants what is requested; not without `request`.
        pub grant: Signal<In, Bit>,
        /// It cannot grant so many, because the bucket was made smaller: another part is requested.
        pub refuse: Signal<In, Bit>,
        /// The next packet is paid; until `begins`.
        pub paid: Signal<Out, Bit>,
        asks: Register<Bit>,
        /// What is requested.
        part: DFF<Bits<14>>,
        /// It is all that is left.
        last: DFF<Bit>,
        /// Octets of the packet that are not paid; valid with `begun`.
        left: DFF<Bits<14>>,
        begun: Register<Bit>,
        is_paid: Register<Bit>,
        /// The most octets that fit the bucket.
        largest: DFF<Bits<14>>,
        /// `fits` and `half` are those of what is left.
        sized: Register<Bit>,
        /// What is left fits the bucket.
        fits: DFF<Bit>,
        /// Half of what fits.
        half: DFF<Bits<14>>,
    }
}

impl Logic for PacketPayment {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, asks, part, last, left, begun, is_paid, largest, sized, fits, half);
        self.asks.reset.next = self.reset.val();
        self.begun.reset.next = self.reset.val();
        self.is_paid.reset.next = self.reset.val();
        self.sized.reset.next = self.reset.val();

        comment!("What is requested next");
        self.largest.d.next = self.bucket_bytes.val() - bit_cast::<14, 5>(self.overhead_bytes.val());
        self.fits.d.next = self.left.q.val() <= self.largest.q.val();
        self.half.d.next = self.largest.q.val().to_bits() >> 1;
        if self.waits.val() & !self.begun.q.val() {
            self.begun.d.next = true;
            self.left.d.next = self.bytes.val();
        }
        self.sized.d.next = self.begun.q.val() & !self.is_paid.q.val() & !self.asks.q.val() & !self.sized.q.val();
        if self.sized.q.val() {
            self.asks.d.next = true;
            self.last.d.next = self.fits.q.val();
            self.part.d.next = self.half.q.val();
            if self.fits.q.val() {
                self.part.d.next = self.left.q.val();
            }
        }

        comment!("What is paid");
        if self.grant.val() {
            self.asks.d.next = false;
            self.left.d.next = self.left.q.val() - self.part.q.val();
            self.is_paid.d.next = self.last.q.val();
        }
        if self.refuse.val() {
            self.asks.d.next = false;
        }
        if self.begins.val() {
            self.begun.d.next = false;
            self.is_paid.d.next = false;
        }
        self.request.next = self.asks.q.val();
        self.request_bytes.next = self.part.q.val();
        self.paid.next = self.is_paid.q.val();
    }
}
