// SPDX-License-Identifier: MIT OR Apache-2.0
//! The time of the flow limiter, and when it sweeps.

use tidegate_hdl::prelude::*;

module! {
    /// Counts ticks, and says which flow is swept next and when: the time of the last visit of a flow must not be too long
    /// ago. Time stands still while the memories are cleared.
    pub struct TickCounter: "tick_counter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Number of the last flow; a constant.
        pub last_flow: Signal<In, Bits<12>>,
        /// Cycles of a tick, minus one; a constant.
        pub last_cycle: Signal<In, Bits<7>>,
        /// Cycles between two sweeps, minus one; a constant.
        pub last_of_sweep: Signal<In, Bits<8>>,
        /// The memories are being cleared.
        pub in_clear: Signal<In, Bit>,
        /// A visit may begin in this cycle.
        pub in_turn: Signal<In, Bit>,
        /// It is that of the sweep that is due; valid with `in_turn`.
        pub begins_sweep: Signal<In, Bit>,
        /// Tick of this cycle.
        pub tick: Signal<Out, Bits<12>>,
        /// Tick of the next cycle.
        pub time_then: Signal<Out, Bits<12>>,
        /// The tick ends in this cycle.
        pub tick_ends: Signal<Out, Bit>,
        /// A flow must be swept, from the cycle after its time has come until the sweep begins.
        pub sweep_waits: Signal<Out, Bit>,
        /// The flow of the next sweep.
        pub next_flow: Signal<Out, Bits<12>>,
        /// Cycles of the current tick.
        cycle: Register<Bits<7>>,
        /// Ticks since the memories were cleared.
        now: Register<Bits<12>>,
        /// `now` + 1.
        next_now: DFF<Bits<12>>,
        /// The tick ends in this cycle; known a cycle before.
        cycle_ends: Register<Bit>,
        /// Cycles since the time of the last sweep.
        sweep_cycle: Register<Bits<8>>,
        /// A sweep is due.
        sweep_due: Register<Bit>,
        /// Flow of the next sweep.
        sweep_flow: Register<Bits<12>>,
        sweep_ends: Signal<Local, Bit>,
    }
}

impl Logic for TickCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, cycle, now, next_now, cycle_ends, sweep_cycle, sweep_due, sweep_flow);
        self.cycle.reset.next = self.reset.val();
        self.now.reset.next = self.reset.val();
        self.cycle_ends.reset.next = self.reset.val();
        self.sweep_cycle.reset.next = self.reset.val();
        self.sweep_due.reset.next = self.reset.val();
        self.sweep_flow.reset.next = self.reset.val();

        comment!("Ticks");
        self.cycle.d.next = (self.cycle.q.val() + 1) & self.last_cycle.val();
        self.cycle_ends.d.next = self.cycle.q.val() == self.last_cycle.val() - 1;
        self.time_then.next = self.now.q.val();
        if self.cycle_ends.q.val() {
            self.time_then.next = self.next_now.q.val();
            self.next_now.d.next = self.next_now.q.val() + 1;
        }
        self.now.d.next = self.time_then.val();

        comment!("Sweeps");
        self.sweep_ends.next = self.sweep_cycle.q.val() == self.last_of_sweep.val();
        self.sweep_cycle.d.next = (self.sweep_cycle.q.val() + 1) & self.last_of_sweep.val();
        if self.sweep_ends.val() {
            self.sweep_due.d.next = true;
        }
        if self.in_turn.val() & self.begins_sweep.val() {
            self.sweep_flow.d.next = (self.sweep_flow.q.val() + 1) & self.last_flow.val();
            self.sweep_due.d.next = self.sweep_ends.val();
        }
        if self.in_clear.val() {
            self.cycle.d.next = 0.into();
            self.next_now.d.next = 1.into();
            self.sweep_cycle.d.next = 0.into();
        }

        self.tick.next = self.now.q.val();
        self.tick_ends.next = self.cycle_ends.q.val();
        self.sweep_waits.next = self.sweep_due.q.val();
        self.next_flow.next = self.sweep_flow.q.val();
    }
}
