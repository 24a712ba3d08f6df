//! The look-up table of an InfiniBand source.

use crate::response::{ENTRY_BITS, memory};
use rust_hdl::prelude::*;

/// A read-only memory: for each response function and each inter-packet delay, the effect of a mark and the cost of the
/// next higher rate ([`crate::response`]). `data` is the word of the address at the last rising edge.
#[derive(LogicBlock)]
pub struct ResponseTable {
    /// Response function (bits 9 and 8) and inter-packet delay (bits 7 to 0).
    pub address: Signal<In, Bits<10>>,
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// The word of the address at the last rising edge.
    pub data: Signal<Out, Bits<ENTRY_BITS>>,
    _words: Vec<u32>,
}

impl ResponseTable {
    /// A table for a division of the rate by `decrease_factor` and R_min = R_max / `rate_steps`, both from 2 to 256.
    pub fn new(decrease_factor: u32, rate_steps: u32) -> Self {
        ResponseTable {
            address: Signal::default(),
            clock: Signal::default(),
            data: Signal::new_with_default(0.into()),
            _words: memory(decrease_factor, rate_steps),
        }
    }
}

/// The table of the paper: m = 2, 256 rates.
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
            text += &format!("mem[10'h{address:x}] = {ENTRY_BITS}'h{word:x};\n");
        }
        text += "end\nalways @(posedge clock) begin\n    data <= mem[address];\nend\n";
        Verilog::Custom(text)
    }
}
