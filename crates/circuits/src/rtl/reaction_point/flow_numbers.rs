// SPDX-License-Identifier: MIT OR Apache-2.0
//! What depends on the number of flows.

use tidegate_hdl::prelude::*;

module! {
    /// Constants of a reaction point that serves many flows.
    ///
    /// Time is counted in ticks of 32 cycles; of 64 cycles for 2,048 flows and 128 for 4,096, because no flow may be left
    /// alone for 4,096 ticks. For the same reason a sweep comes more often if there are more than 256 flows.
    pub struct FlowNumbers: "flow_numbers" with constants {
        /// Number of the last flow.
        pub last_flow: Signal<Out, Bits<12>>,
        /// Cycles of a tick, minus one.
        pub last_cycle: Signal<Out, Bits<7>>,
        /// Binary logarithm of the cycles of a tick, minus 4.
        pub tick_scale: Signal<Out, Bits<2>>,
        /// Cycles between two sweeps, minus one.
        pub last_of_sweep: Signal<Out, Bits<8>>,
        last: Constant<Bits<12>>,
        cycle: Constant<Bits<7>>,
        scale: Constant<Bits<2>>,
        sweep: Constant<Bits<8>>,
    }
}

impl FlowNumbers {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        let tick_bits = tick_bits(flow_bits);
        FlowNumbers {
            last_flow: Signal::default(),
            last_cycle: Signal::default(),
            tick_scale: Signal::default(),
            last_of_sweep: Signal::default(),
            last: Constant::new(((1u64 << flow_bits) - 1).into()),
            cycle: Constant::new(((1u64 << tick_bits) - 1).into()),
            scale: Constant::new((tick_bits as u64 - 4).into()),
            sweep: Constant::new((sweep_cycles(flow_bits) - 1).into()),
        }
    }
}

/// Binary logarithm of the cycles of a tick.
pub fn tick_bits(flow_bits: usize) -> usize {
    flow_bits.saturating_sub(5).max(5)
}

/// Cycles between two sweeps, each of which visits one flow. A visit takes the time of an announcement: as few as the times that are
/// stored allow.
pub fn sweep_cycles(flow_bits: usize) -> u64 {
    if flow_bits <= 8 { 256 } else { 64 }
}

/// For four flows.
impl Default for FlowNumbers {
    fn default() -> Self {
        FlowNumbers::new(2)
    }
}

impl Logic for FlowNumbers {
    #[hdl_gen]
    fn update(&mut self) {
        self.last_flow.next = self.last.val();
        self.last_cycle.next = self.cycle.val();
        self.tick_scale.next = self.scale.val();
        self.last_of_sweep.next = self.sweep.val();
    }
}
