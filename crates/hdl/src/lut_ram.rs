// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small memory whose reads take no clock cycle.

use crate::netlist::Element;
use rust_hdl::prelude::*;

/// A memory of 2^`N` words that FPGAs make of look-up tables (LUT RAM, distributed RAM), or of flip-flops where they
/// have none. `read_data` is the word at `read_address` in the same cycle. At the rising edge of `clock`, the word at
/// `write_address` takes the value of `write_data` if `write_enable` is high. All words power up with zero.
#[derive(Clone, Debug, LogicBlock)]
pub struct LutRam<T: Synth, const N: usize> {
    /// Address of the word to read.
    pub read_address: Signal<In, Bits<N>>,
    /// The word at `read_address`, in the same cycle.
    pub read_data: Signal<Out, T>,
    /// Clock of the writes, rising edge.
    pub clock: Signal<In, Clock>,
    /// Address of the word to write.
    pub write_address: Signal<In, Bits<N>>,
    /// The word to write.
    pub write_data: Signal<In, T>,
    /// Whether to write.
    pub write_enable: Signal<In, Bit>,
    element: Constant<Element>,
    _words: Vec<T>,
}

impl<T: Synth, const N: usize> Default for LutRam<T, N> {
    fn default() -> Self {
        LutRam {
            read_address: Signal::default(),
            read_data: Signal::default(),
            clock: Signal::default(),
            write_address: Signal::default(),
            write_data: Signal::default(),
            write_enable: Signal::default(),
            element: Constant::new(Element::LutRam),
            _words: vec![T::default(); 1 << N],
        }
    }
}

impl<T: Synth, const N: usize> Logic for LutRam<T, N> {
    fn update(&mut self) {
        let place = |address: Bits<N>| {
            let address: u64 = address.into();
            address as usize
        };
        if self.clock.pos_edge() && self.write_enable.val() {
            self._words[place(self.write_address.val())] = self.write_data.val();
        }
        self.read_data.next = self._words[place(self.read_address.val())];
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (bits, last) = (T::BITS, (1 << N) - 1);
        Verilog::Custom(format!(
            "reg [{}:0] mem [0:{last}];\nassign read_data = mem[read_address];\nalways @(posedge clock) begin\n    \
             if (write_enable) mem[write_address] <= write_data;\nend\n",
            bits - 1
        ))
    }
}
