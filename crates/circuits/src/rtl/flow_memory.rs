// SPDX-License-Identifier: MIT OR Apache-2.0
//! A memory with one word for each flow.

use tidegate_hdl::module::Described;
use tidegate_hdl::netlist::{Description, Element};
use tidegate_hdl::prelude::*;

/// A memory of one word for each of 2^`flow_bits` flows. FPGAs make it of look-up tables (LUT RAM) or of block RAM,
/// whatever the synthesis finds better for its size. In cycle t + 1, `read_data` is the word at `read_address` of cycle
/// t. At the rising edge of `clock`, the word at `write_address` takes the value of `write_data` if `write_enable` is
/// high. A read in the cycle of a write to the same word must not be used: block RAM may return anything then. All words
/// power up with zero. Only the low `flow_bits` bits of an address are used. If only the low bits of a word are stored,
/// the others read as zero.
#[derive(Clone, Debug, LogicBlock)]
pub struct FlowMemory<const N: usize> {
    /// Flow whose word is read.
    pub read_address: Signal<In, Bits<12>>,
    /// The word at `read_address` of the cycle before.
    pub read_data: Signal<Out, Bits<N>>,
    pub clock: Signal<In, Clock>,
    /// Flow whose word is written.
    pub write_address: Signal<In, Bits<12>>,
    /// The word to write.
    pub write_data: Signal<In, Bits<N>>,
    /// Whether to write.
    pub write_enable: Signal<In, Bit>,
    element: Constant<Element>,
    _words: Vec<Bits<N>>,
    _bits: usize,
}

impl<const N: usize> FlowMemory<N> {
    /// A memory for 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        FlowMemory::narrow(flow_bits, N)
    }

    /// The same, which stores only the low `bits` bits of each word: 1 to 63, and not more than the word has.
    pub fn narrow(flow_bits: usize, bits: usize) -> Self {
        FlowMemory {
            read_address: Signal::default(),
            read_data: Signal::default(),
            clock: Signal::default(),
            write_address: Signal::default(),
            write_data: Signal::default(),
            write_enable: Signal::default(),
            element: Constant::new(Element::ClockedRam { address_bits: flow_bits.max(1) as u8, bits: bits as u8 }),
            _words: vec![Bits::default(); 1 << flow_bits],
            _bits: bits,
        }
    }
}

impl<const N: usize> Described for FlowMemory<N> {
    const DESCRIPTION: Option<&'static Description> = None;
}

/// For four flows.
impl<const N: usize> Default for FlowMemory<N> {
    fn default() -> Self {
        FlowMemory::new(2)
    }
}

impl<const N: usize> Logic for FlowMemory<N> {
    fn update(&mut self) {
        let words = self._words.len();
        let place = |address: Bits<12>| {
            let address: u64 = address.into();
            address as usize % words
        };
        let stored: Bits<N> = ((1u64 << self._bits) - 1).into();
        if self.clock.pos_edge() {
            self.read_data.next = self._words[place(self.read_address.val())];
            if self.write_enable.val() {
                self._words[place(self.write_address.val())] = self.write_data.val() & stored;
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let words = self._words.len();
        let (top, last) = (words.ilog2().max(1) - 1, words - 1);
        let (bits, all) = (self._bits, N);
        let word = if bits < all { format!("write_data[{}:0]", bits - 1) } else { "write_data".to_string() };
        let read = format!("mem[read_address[{top}:0]]");
        let read = if bits < all { format!("{{{}'d0, {read}}}", all - bits) } else { read };
        Verilog::Custom(format!(
            "reg [{}:0] mem [0:{last}];\nalways @(posedge clock) begin\n    read_data <= {read};\n    \
             if (write_enable) mem[write_address[{top}:0]] <= {word};\nend\n",
            bits - 1
        ))
    }
}
