// SPDX-License-Identifier: MIT OR Apache-2.0
//! At which port a station is.

use crate::rtl::flow_memory::FlowMemory;
use tidegate_hdl::prelude::*;

module! {
    /// Learns at which ports stations are, from the source addresses of frames, and says at which port the destination of a
    /// frame is: IEEE 802.1Q, clauses 8.7 and 8.8.
    ///
    /// The table has 512 lines of two stations in block RAM. The line of an address is computed from all its bits. A third station
    /// of a line replaces the one that has been silent for longer. A station that sends from another port has moved there at once.
    /// A station is forgotten after 14 to 15 ageing intervals in which it has sent nothing.
    ///
    /// A question of cycle t is answered in cycle t + 8 at the latest. The next one comes in cycle t + 10 at the earliest. The source is
    /// learned after the answer.
    ///
    /// After a reset, `ready` is low for 2,100 cycles, in which all stations are forgotten. There must be no question then.
    pub struct AddressTable: "switch_address_table" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// There is a question: the inputs below are valid.
        pub asks: Signal<In, Bit>,
        /// Destination address, bits 47 to 32.
        pub destination_high: Signal<In, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub destination_low: Signal<In, Bits<32>>,
        /// Source address, bits 47 to 32.
        pub source_high: Signal<In, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_low: Signal<In, Bits<32>>,
        /// The port from which the frame came.
        pub source_port: Signal<In, Bits<3>>,
        /// The source is learned.
        pub learns: Signal<In, Bit>,
        /// Length of an ageing interval, in units of 1,024 cycles; 0: nothing is forgotten.
        #[parameter]
        pub ageing_interval: Signal<In, Bits<32>>,
        /// Questions may come.
        pub ready: Signal<Out, Bit>,
        /// The question is answered.
        pub answers: Signal<Out, Bit>,
        /// The destination is known; valid with `answers`.
        pub found: Signal<Out, Bit>,
        /// Its port; valid with `found`.
        pub found_port: Signal<Out, Bits<3>>,
        /// A station was learned that was not in the table.
        pub learned: Signal<Out, Bit>,
        /// A station has moved to another port.
        pub moved: Signal<Out, Bit>,
        /// A station replaced another one, because its line was full.
        pub replaced: Signal<Out, Bit>,
        /// Stations that were forgotten, a bit each.
        pub aged: Signal<Out, Bits<2>>,
        /// Addresses, bits 31 to 0.
        lows: [FlowMemory<32>; 2],
        /// Life that is left, port, address bits 47 to 32.
        highs: [FlowMemory<23>; 2],
        /// What the memories showed in the cycle before.
        low: [Delay<Bits<32>>; 2],
        high: [Delay<Bits<23>>; 2],
        /// A question waits.
        waits: Register<Bit>,
        destination_high_kept: DFF<Bits<16>>,
        destination_low_kept: DFF<Bits<32>>,
        source_high_kept: DFF<Bits<16>>,
        source_low_kept: DFF<Bits<32>>,
        source_port_kept: DFF<Bits<3>>,
        learns_kept: DFF<Bit>,
        destination_line: DFF<Bits<9>>,
        source_line: DFF<Bits<9>>,
        /// What is done with the memories; 0: nothing.
        step: Register<Bits<3>>,
        /// It is done for a line that grows older, and not for a question.
        sweeping: Register<Bit>,
        /// All lines grow older, one after the other; or they are forgotten.
        passes: Register<Bit>,
        /// After a reset, all stations are forgotten.
        forgets: DFF<Bit>,
        /// The line that grows older next.
        sweep_line: Register<Bits<9>>,
        cycles: Register<Bits<10>>,
        intervals: Register<Bits<32>>,
        is_found: DFF<Bit>,
        port_found: DFF<Bits<3>>,
        is_answer: Register<Bit>,
        /// The source is in this way of its line.
        source_is: [DFF<Bit>; 2],
        source_was_here: DFF<Bit>,
        older_way: DFF<Bit>,
        older_lives: DFF<Bit>,
        is_learned: Register<Bit>,
        is_moved: Register<Bit>,
        is_replaced: Register<Bit>,
        are_aged: Register<Bits<2>>,
        line: Signal<Local, Bits<9>>,
        key_high: Signal<Local, Bits<16>>,
        key_low: Signal<Local, Bits<32>>,
        equals: [Signal<Local, Bit>; 2],
        life: [Signal<Local, Bits<4>>; 2],
        older_life: [Signal<Local, Bits<4>>; 2],
        port: [Signal<Local, Bits<3>>; 2],
        older: [Signal<Local, Bits<23>>; 2],
        writes: [Signal<Local, Bit>; 2],
        new_highs: [Signal<Local, Bits<23>>; 2],
        new_lows: [Signal<Local, Bits<32>>; 2],
        source_word: Signal<Local, Bits<23>>,
        known: Signal<Local, Bit>,
        unit_ends: Signal<Local, Bit>,
        interval_ends: Signal<Local, Bit>,
    }
}

/// Bits of the number of a line.
const LINE_BITS: usize = 9;

impl AddressTable {
    /// The table of 512 lines.
    pub fn new() -> Self {
        AddressTable {
            lows: std::array::from_fn(|_| FlowMemory::new(LINE_BITS)),
            highs: std::array::from_fn(|_| FlowMemory::new(LINE_BITS)),
            ..AddressTable::default()
        }
    }
}

impl Logic for AddressTable {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waits, destination_high_kept, destination_low_kept, source_high_kept, source_low_kept);
        dff_setup!(self, clock, source_port_kept, learns_kept, destination_line, source_line, step, sweeping, passes);
        dff_setup!(self, clock, forgets, sweep_line, cycles, intervals, is_found, port_found, is_answer);
        dff_setup!(self, clock, source_was_here, older_way, older_lives, is_learned, is_moved, is_replaced, are_aged);
        self.waits.reset.next = self.reset.val();
        self.step.reset.next = self.reset.val();
        self.sweeping.reset.next = self.reset.val();
        self.passes.reset.next = self.reset.val();
        self.sweep_line.reset.next = self.reset.val();
        self.cycles.reset.next = self.reset.val();
        self.intervals.reset.next = self.reset.val();
        self.is_answer.reset.next = self.reset.val();
        self.is_learned.reset.next = self.reset.val();
        self.is_moved.reset.next = self.reset.val();
        self.is_replaced.reset.next = self.reset.val();
        self.are_aged.reset.next = self.reset.val();
        for way in 0..2 {
            self.lows[way].clock.next = self.clock.val();
            self.highs[way].clock.next = self.clock.val();
            self.low[way].clock.next = self.clock.val();
            self.high[way].clock.next = self.clock.val();
            self.source_is[way].clock.next = self.clock.val();
            self.source_is[way].d.next = self.source_is[way].q.val();
        }

        comment!("A question is kept until its turn");
        if self.asks.val() {
            self.waits.d.next = true;
            self.destination_high_kept.d.next = self.destination_high.val();
            self.destination_low_kept.d.next = self.destination_low.val();
            self.source_high_kept.d.next = self.source_high.val();
            self.source_low_kept.d.next = self.source_low.val();
            self.source_port_kept.d.next = self.source_port.val();
            self.learns_kept.d.next = self.learns.val();
            self.destination_line.d.next = self.destination_low.val().to_bits().get_bits::<9>(0)
                ^ self.destination_low.val().to_bits().get_bits::<9>(9)
                ^ self.destination_low.val().to_bits().get_bits::<9>(18)
                ^ bit_cast::<9, 5>(self.destination_low.val().to_bits().get_bits::<5>(27))
                ^ self.destination_high.val().to_bits().get_bits::<9>(0)
                ^ bit_cast::<9, 7>(self.destination_high.val().to_bits().get_bits::<7>(9));
            self.source_line.d.next = self.source_low.val().to_bits().get_bits::<9>(0)
                ^ self.source_low.val().to_bits().get_bits::<9>(9)
                ^ self.source_low.val().to_bits().get_bits::<9>(18)
                ^ bit_cast::<9, 5>(self.source_low.val().to_bits().get_bits::<5>(27))
                ^ self.source_high.val().to_bits().get_bits::<9>(0)
                ^ bit_cast::<9, 7>(self.source_high.val().to_bits().get_bits::<7>(9));
        }

        comment!("When stations grow older");
        self.cycles.d.next = self.cycles.q.val() + 1;
        self.unit_ends.next = self.cycles.q.val().all();
        self.interval_ends.next = self.intervals.q.val() >= self.ageing_interval.val();
        if !self.ageing_interval.val().any() {
            self.intervals.d.next = 0.into();
        } else if self.interval_ends.val() {
            self.intervals.d.next = 0.into();
            self.passes.d.next = true;
        } else if self.unit_ends.val() {
            self.intervals.d.next = self.intervals.q.val() + 1;
        }
        if self.forgets.q.val() {
            self.passes.d.next = true;
        }

        comment!("What the memories showed, compared with the address that was looked up");
        self.key_high.next = self.destination_high_kept.q.val();
        self.key_low.next = self.destination_low_kept.q.val();
        if self.step.q.val() == 4 {
            self.key_high.next = self.source_high_kept.q.val();
            self.key_low.next = self.source_low_kept.q.val();
        }
        for way in 0..2 {
            self.life[way].next = self.high[way].q.val().to_bits().get_bits::<4>(19);
            self.port[way].next = self.high[way].q.val().to_bits().get_bits::<3>(16);
            self.equals[way].next = self.life[way].val().any()
                & (self.high[way].q.val().to_bits().get_bits::<16>(0) == self.key_high.val())
                & (self.low[way].q.val() == self.key_low.val());
            self.older_life[way].next = self.life[way].val();
            if self.life[way].val().any() {
                self.older_life[way].next = self.life[way].val() - 1;
            }
            if self.forgets.q.val() {
                self.older_life[way].next = 0.into();
            }
        }

        comment!(
            "Step by step: the destination is read in step 1, compared in step 3; the source in 2 and 4, written in 5"
        );
        self.is_answer.d.next = false;
        self.is_learned.d.next = false;
        self.is_moved.d.next = false;
        self.is_replaced.d.next = false;
        self.are_aged.d.next = 0.into();
        self.line.next = self.source_line.q.val();
        if self.step.q.val() == 1 {
            self.line.next = self.destination_line.q.val();
        }
        if self.sweeping.q.val() {
            self.line.next = self.sweep_line.q.val();
        }
        self.source_word.next = (bit_cast::<23, 3>(self.source_port_kept.q.val()).to_bits() << 16)
            | bit_cast::<23, 16>(self.source_high_kept.q.val())
            | 0x780000;
        self.older[0].next = (bit_cast::<23, 4>(self.older_life[0].val()).to_bits() << 19)
            | bit_cast::<23, 19>(self.high[0].q.val().to_bits().get_bits::<19>(0));
        self.older[1].next = (bit_cast::<23, 4>(self.older_life[1].val()).to_bits() << 19)
            | bit_cast::<23, 19>(self.high[1].q.val().to_bits().get_bits::<19>(0));
        self.known.next = self.source_is[0].q.val() | self.source_is[1].q.val();
        for way in 0..2 {
            self.writes[way].next = false;
            self.new_highs[way].next = self.source_word.val();
            self.new_lows[way].next = self.source_low_kept.q.val();
            if self.sweeping.q.val() {
                self.new_highs[way].next = self.older[way].val();
                self.new_lows[way].next = self.low[way].q.val();
            }
        }
        if self.step.q.val().any() {
            self.step.d.next = self.step.q.val() + 1;
        }
        if self.step.q.val() == 0 {
            if self.waits.q.val() {
                self.waits.d.next = self.asks.val();
                self.step.d.next = 1.into();
                self.sweeping.d.next = false;
            } else if self.passes.q.val() {
                self.step.d.next = 1.into();
                self.sweeping.d.next = true;
            }
        }
        if (self.step.q.val() == 3) & self.sweeping.q.val() {
            self.step.d.next = 0.into();
            self.sweep_line.d.next = self.sweep_line.q.val() + 1;
            if self.sweep_line.q.val().all() {
                self.passes.d.next = self.interval_ends.val() & self.ageing_interval.val().any();
                self.forgets.d.next = false;
            }
            self.writes[0].next = true;
            self.writes[1].next = true;
            if !self.forgets.q.val() {
                if self.life[0].val() == 1 {
                    self.are_aged.d.next = 1.into();
                }
                if self.life[1].val() == 1 {
                    self.are_aged.d.next = 2.into();
                    if self.life[0].val() == 1 {
                        self.are_aged.d.next = 3.into();
                    }
                }
            }
        }
        if (self.step.q.val() == 3) & !self.sweeping.q.val() {
            self.is_answer.d.next = true;
            self.is_found.d.next = self.equals[0].val() | self.equals[1].val();
            self.port_found.d.next = self.port[0].val();
            if self.equals[1].val() {
                self.port_found.d.next = self.port[1].val();
            }
        }
        if self.step.q.val() == 4 {
            for way in 0..2 {
                self.source_is[way].d.next = self.equals[way].val();
            }
            self.source_was_here.d.next = self.port[0].val() == self.source_port_kept.q.val();
            if self.equals[1].val() {
                self.source_was_here.d.next = self.port[1].val() == self.source_port_kept.q.val();
            }
            self.older_way.d.next = self.life[1].val() < self.life[0].val();
            self.older_lives.d.next = self.life[0].val().any() & self.life[1].val().any();
        }
        if self.step.q.val() == 5 {
            self.step.d.next = 0.into();
            if self.learns_kept.q.val() {
                self.writes[0].next = self.source_is[0].q.val() | (!self.known.val() & !self.older_way.q.val());
                self.writes[1].next = self.source_is[1].q.val() | (!self.known.val() & self.older_way.q.val());
                self.is_learned.d.next = !self.known.val();
                self.is_replaced.d.next = !self.known.val() & self.older_lives.q.val();
                self.is_moved.d.next = self.known.val() & !self.source_was_here.q.val();
            }
        }
        if self.reset.val() {
            self.forgets.d.next = true;
        }

        for way in 0..2 {
            self.lows[way].read_address.next = bit_cast::<12, 9>(self.line.val());
            self.lows[way].write_address.next = bit_cast::<12, 9>(self.line.val());
            self.lows[way].write_enable.next = self.writes[way].val();
            self.lows[way].write_data.next = self.new_lows[way].val();
            self.highs[way].read_address.next = bit_cast::<12, 9>(self.line.val());
            self.highs[way].write_address.next = bit_cast::<12, 9>(self.line.val());
            self.highs[way].write_enable.next = self.writes[way].val();
            self.highs[way].write_data.next = self.new_highs[way].val();
            self.low[way].d.next = self.lows[way].read_data.val();
            self.high[way].d.next = self.highs[way].read_data.val();
        }
        self.ready.next = !self.forgets.q.val();
        self.answers.next = self.is_answer.q.val();
        self.found.next = self.is_found.q.val();
        self.found_port.next = self.port_found.q.val();
        self.learned.next = self.is_learned.q.val();
        self.moved.next = self.is_moved.q.val();
        self.replaced.next = self.is_replaced.q.val();
        self.aged.next = self.are_aged.q.val();
    }
}
