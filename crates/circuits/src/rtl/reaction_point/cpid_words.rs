// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is stored of a congestion point's identifier.

use tidegate_hdl::prelude::*;

module! {
    /// The two words that stand for a congestion point identifier (CPID): its halves, or with `cpid_digest` zero and 16
    /// bits that are made of all 64. The identifier comes in one piece, or its high half first.
    pub struct CpidWords: "cpid_words" {
        pub clock: Signal<In, Clock>,
        /// Identifier, bits 63 to 32.
        pub high: Signal<In, Bits<32>>,
        /// Identifier, bits 31 to 0.
        pub low: Signal<In, Bits<32>>,
        /// `high` is valid.
        pub high_valid: Signal<In, Bit>,
        /// Compare digests of 16 bits, not whole identifiers.
        #[parameter]
        pub cpid_digest: Signal<In, Bit>,
        /// The word for the high half; valid with `high`.
        pub high_word: Signal<Out, Bits<32>>,
        /// The word for the low half; valid with `low`.
        pub low_word: Signal<Out, Bits<32>>,
        /// Digest of the high half of the identifier.
        half: DFF<Bits<16>>,
        high_digest: Signal<Local, Bits<16>>,
        low_digest: Signal<Local, Bits<16>>,
        port: Signal<Local, Bits<16>>,
        digest: Signal<Local, Bits<16>>,
    }
}

impl Logic for CpidWords {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, half);
        // Every bit of the identifier is in one bit of the digest. The low 16 bits, which mostly count ports, come in
        // with the order of their groups of four reversed: else port 1 of one switch would look like port 0 of the next.
        self.port.next = self.low.val().to_bits().get_bits::<16>(0);
        self.high_digest.next =
            self.high.val().to_bits().get_bits::<16>(16) ^ self.high.val().to_bits().get_bits::<16>(0);
        self.low_digest.next = self.low.val().to_bits().get_bits::<16>(16)
            ^ (self.port.val() << 12)
            ^ ((self.port.val() & 0xf0) << 4)
            ^ ((self.port.val() >> 4) & 0xf0)
            ^ (self.port.val() >> 12);
        self.digest.next = self.half.q.val() ^ self.low_digest.val();
        if self.high_valid.val() {
            self.half.d.next = self.high_digest.val();
            self.digest.next = self.high_digest.val() ^ self.low_digest.val();
        }
        self.high_word.next = self.high.val();
        self.low_word.next = self.low.val();
        if self.cpid_digest.val() {
            self.high_word.next = 0.into();
            self.low_word.next = bit_cast::<32, 16>(self.digest.val());
        }
    }
}
