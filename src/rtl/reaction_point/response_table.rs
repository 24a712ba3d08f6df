//! The look-up table of an InfiniBand source.

use crate::response::{memory, ENTRY_BITS};
use rust_hdl::prelude::*;
use std::fmt::Write;

/// A memory that is only read: what a mark and what waiting does at each inter-packet delay, for each response
/// ([`crate::response`]). The word of the address at a rising edge shows behind it.
#[derive(LogicBlock)]
pub struct ResponseTable {
    /// Response (bits 9 and 8) and inter-packet delay.
    pub address: Signal<In, Bits<10>>,
    /// Rising edge counts.
    pub clock: Signal<In, Clock>,
    /// The word.
    pub data: Signal<Out, Bits<ENTRY_BITS>>,
    _words: Vec<u32>,
}

impl ResponseTable {
    /// For a division of the rate by `decrease_factor` and R_min = R_max / `rate_steps`, both from 2 to 256.
    pub fn new(decrease_factor: u32, rate_steps: u32) -> Self {
        ResponseTable {
            address: Signal::default(),
            clock: Signal::default(),
            data: Signal::new_with_default(0.into()),
            _words: memory(decrease_factor, rate_steps),
        }
    }
}

/// The paper's: m = 2, 256 rates.
impl Default for ResponseTable {
    fn default() -> Self {
        ResponseTable::new(2, 256)
    }
}

impl Logic for ResponseTable {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let address: u64 = self.address.val().into();
            self.data.next = u64::from(self._words[address as usize]).into();
        }
    }

    fn connect(&mut self) {
        self.data.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut text = format!("reg [{}:0] mem [0:{}];\ninitial begin\n", ENTRY_BITS - 1, self._words.len() - 1);
        for (address, word) in self._words.iter().enumerate() {
            writeln!(text, "mem[10'h{address:x}] = {ENTRY_BITS}'h{word:x};").expect("text grows");
        }
        text += "end\nalways @(posedge clock) begin\n    data <= mem[address];\nend\n";
        Verilog::Custom(text)
    }
}
