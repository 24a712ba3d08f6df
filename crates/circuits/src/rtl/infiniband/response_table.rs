// SPDX-License-Identifier: MIT OR Apache-2.0
//! FIMD and AIMD in the source of an InfiniBand flow, for any m.

use crate::response::{Response, Table};
use tidegate_hdl::prelude::*;

module! {
    /// FIMD or AIMD with any m: a table holds the cost of the next higher rate and the delay after a mark.
    ///
    /// The outputs are those of the delay two cycles before.
    pub struct TableResponse: "response_table" with constants {
        pub clock: Signal<In, Clock>,
        /// Inter-packet delay: idle packet times between two packets, 0 to 255.
        pub ipd: Signal<In, Bits<8>>,
        /// Cost of the next higher rate, packet times.
        pub price: Signal<Out, Bits<16>>,
        /// Inter-packet delay after a mark.
        pub decreased: Signal<Out, Bits<8>>,
        /// A mark leads to the least rate, because the decreased rate would be below it: the credit is cleared.
        pub at_minimum: Signal<Out, Bit>,
        /// Number of bits by which a mark shifts the credit right.
        pub credit_shift: Signal<Out, Bits<4>>,
        /// For each delay from bit 0 up: price (16 bits), decreased (8), at_minimum (1).
        words: SyncROM<Bits<25>, 8>,
        /// The word of the table, one cycle later.
        entry: DFF<Bits<25>>,
        kept: Constant<Bits<4>>,
    }
}

impl TableResponse {
    /// For FIMD or AIMD, a division of the rate by `decrease_factor` and R_min = R_max / `rate_steps`, both from 2 to
    /// 256.
    pub fn new(response: Response, decrease_factor: u32, rate_steps: u32) -> Self {
        let table = Table::new(response, decrease_factor, rate_steps);
        let word = |ipd| {
            let entry = table.entry(ipd);
            u64::from(entry.wait) | u64::from(entry.decreased) << 16 | u64::from(entry.at_minimum) << 24
        };
        TableResponse {
            clock: Signal::default(),
            ipd: Signal::default(),
            price: Signal::default(),
            decreased: Signal::default(),
            at_minimum: Signal::default(),
            credit_shift: Signal::default(),
            words: (0..=255).map(|ipd| word(ipd).into()).into(),
            entry: DFF::default(),
            kept: Constant::new(u64::from(table.entry(0).credit_shift).into()),
        }
    }
}

/// FIMD with m = 3 and 256 rates.
impl Default for TableResponse {
    fn default() -> Self {
        TableResponse::new(Response::Fimd, 3, 256)
    }
}

impl Logic for TableResponse {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, entry);
        self.words.clock.next = self.clock.val();
        self.words.address.next = self.ipd.val();
        self.entry.d.next = self.words.data.val();
        self.price.next = self.entry.q.val().to_bits().get_bits::<16>(0);
        self.decreased.next = self.entry.q.val().to_bits().get_bits::<8>(16);
        self.at_minimum.next = self.entry.q.val().get_bit(24);
        self.credit_shift.next = self.kept.val();
    }
}
