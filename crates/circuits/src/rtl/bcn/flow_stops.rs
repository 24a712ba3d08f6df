// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN's stops of many flows.

use crate::rtl::flow_memory::FlowMemory;
use crate::rtl::reaction_point::flow_numbers::FlowNumbers;
use tidegate_hdl::prelude::*;

/// What is done in a cycle.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum StopsPhase {
    /// Clear the memory after a reset.
    Clear,
    /// Choose the next flow.
    Idle,
    /// The memory reads the state of the flow.
    Fetch,
    /// The state goes into a register, because block RAM is slow.
    Load,
    /// See what is to do.
    Check,
    /// Wait for the rate of the flow, and for the calculator.
    Work,
    /// Store that the flow stops.
    Stop,
}

module! {
    /// Which of many flows of BCN are stopped, and until when (Jiang 2015b, section 2.2: BCN(0,0)). One after the other, a
    /// feedback is taken or the next flow is looked at, which takes four cycles. A flow whose time is over starts again
    /// at the minimum rate when it has its turn: 4 cycles × flows later at most, and as much more as feedback takes in
    /// that time. Reset ends all stops.
    pub struct FlowStops: "flow_stops" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        /// A feedback waits; hold it until `feedback_ready`.
        pub feedback_valid: Signal<In, Bit>,
        /// Flow of the feedback; valid with `feedback_valid`.
        pub feedback_flow: Signal<In, Bits<12>>,
        /// The rate of `flow` is needed, until `rate_taken`.
        pub rate_wanted: Signal<Out, Bit>,
        /// The flow that is visited.
        pub flow: Signal<Out, Bits<12>>,
        /// The rate of `flow` is valid; held until `rate_taken`.
        pub rate_valid: Signal<In, Bit>,
        /// The rate is not needed any more.
        pub rate_taken: Signal<Out, Bit>,
        /// The rate of `flow` changes; valid with `rate_taken`.
        pub change: Signal<Out, Bit>,
        /// Its new rate, bytes per cycle, 18 fraction bits; valid with `change`.
        pub change_rate: Signal<Out, Bits<25>>,
        /// The calculator works on the feedback: its rate and `stopped` are valid, until `feedback_ready`.
        pub works: Signal<Out, Bit>,
        /// `flow` is stopped; valid with `works`.
        pub stopped: Signal<Out, Bit>,
        /// The calculator takes the feedback in this cycle.
        pub feedback_ready: Signal<In, Bit>,
        /// The rate of `flow` changes; valid with `feedback_ready`.
        pub changes: Signal<In, Bit>,
        /// Its new rate, bytes per cycle, 18 fraction bits; valid with `changes`.
        pub new_rate: Signal<In, Bits<25>>,
        /// The flow stops; valid with `changes`.
        pub stops: Signal<In, Bit>,
        /// Cycles until it starts again; valid with `stops` and in the cycle after it.
        pub wait_cycles: Signal<In, Bits<25>>,
        flow_numbers: FlowNumbers,
        /// Bit 26 = the flow is stopped; bits 25 to 0 = last cycle of the stop.
        ends: FlowMemory<27>,
        /// What is done in this cycle.
        phase: DFF<StopsPhase>,
        /// The flow is visited because its turn has come, not for a feedback.
        sweeps: Register<Bit>,
        /// The flow that is visited.
        visited: Register<Bits<12>>,
        /// Flow of the next sweep.
        sweep_flow: Register<Bits<12>>,
        /// Cycles since the reset.
        time: Register<Bits<26>>,
        /// Of the flow that is visited, as the memory read it in the cycle before.
        old_end: Delay<Bits<27>>,
        cycles_left: Signal<Local, Bits<26>>,
        over: Signal<Local, Bit>,
        restarts: Signal<Local, Bit>,
        last_cycle: Signal<Local, Bits<26>>,
    }
}

impl FlowStops {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        FlowStops {
            flow_numbers: FlowNumbers::new(flow_bits),
            ends: FlowMemory::new(flow_bits),
            ..FlowStops::default()
        }
    }
}

impl Logic for FlowStops {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, sweeps, visited, sweep_flow, time, old_end);
        clock!(self, clock, ends);
        self.sweeps.reset.next = self.reset.val();
        self.visited.reset.next = self.reset.val();
        self.sweep_flow.reset.next = self.reset.val();
        self.time.reset.next = self.reset.val();
        self.time.d.next = self.time.q.val() + 1;

        comment!("State of the flow");
        self.ends.read_address.next = self.visited.q.val();
        self.old_end.d.next = self.ends.read_data.val();
        self.stopped.next = self.old_end.q.val().get_bit(26);
        self.cycles_left.next = self.old_end.q.val().to_bits().get_bits::<26>(0) - self.time.q.val();
        self.over.next = self.old_end.q.val().get_bit(26) & self.cycles_left.val().get_bit(25);

        comment!("The end of a stop: the flow is not stopped any more, or the calculator stops it");
        self.last_cycle.next = self.time.q.val() + bit_cast::<26, 25>(self.wait_cycles.val());
        self.ends.write_address.next = self.visited.q.val();
        self.ends.write_data.next = 0.into();
        self.ends.write_enable.next = false;

        comment!("Phases of a visit");
        self.rate_wanted.next = self.phase.q.val() == StopsPhase::Work;
        self.works.next = (self.phase.q.val() == StopsPhase::Work) & self.rate_valid.val() & !self.sweeps.q.val();
        self.restarts.next = (self.phase.q.val() == StopsPhase::Work) & self.rate_valid.val() & self.sweeps.q.val();
        self.rate_taken.next = self.restarts.val() | self.feedback_ready.val();
        self.change.next = self.restarts.val() | self.changes.val();
        self.change_rate.next = self.new_rate.val();
        if self.sweeps.q.val() {
            self.change_rate.next = self.min_rate.val();
        }
        match self.phase.q.val() {
            StopsPhase::Clear => {
                self.ends.write_enable.next = true;
                self.visited.d.next = self.visited.q.val() + 1;
                if self.visited.q.val() == self.flow_numbers.last_flow.val() {
                    self.phase.d.next = StopsPhase::Idle;
                }
            }
            StopsPhase::Idle => {
                self.phase.d.next = StopsPhase::Fetch;
                self.sweeps.d.next = true;
                self.visited.d.next = self.sweep_flow.q.val();
                if self.feedback_valid.val() & self.sweeps.q.val() {
                    self.sweeps.d.next = false;
                    self.visited.d.next = self.feedback_flow.val();
                } else {
                    self.sweep_flow.d.next = (self.sweep_flow.q.val() + 1) & self.flow_numbers.last_flow.val();
                }
            }
            StopsPhase::Fetch => {
                self.phase.d.next = StopsPhase::Load;
            }
            StopsPhase::Load => {
                self.phase.d.next = StopsPhase::Check;
            }
            StopsPhase::Check => {
                self.phase.d.next = StopsPhase::Idle;
                if self.over.val() | !self.sweeps.q.val() {
                    self.phase.d.next = StopsPhase::Work;
                }
            }
            StopsPhase::Work => {
                self.ends.write_enable.next = self.restarts.val();
                if self.rate_taken.val() {
                    self.phase.d.next = StopsPhase::Idle;
                }
                if self.changes.val() & self.stops.val() {
                    self.phase.d.next = StopsPhase::Stop;
                }
            }
            StopsPhase::Stop => {
                self.ends.write_enable.next = true;
                self.ends.write_data.next = bit_cast::<27, 26>(self.last_cycle.val()) | 0x400_0000;
                self.phase.d.next = StopsPhase::Idle;
            }
        }
        if self.reset.val() {
            self.phase.d.next = StopsPhase::Clear;
        }
        self.flow.next = self.visited.q.val();
    }
}
