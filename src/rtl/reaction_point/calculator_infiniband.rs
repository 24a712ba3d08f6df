//! InfiniBand's calculator: an inter-packet delay from marked and unmarked ACKs.

use super::response_table::ResponseTable;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// LIPD, FIMD or AIMD over the discrete rates R_max / (1 + ipd), by one look-up table (infiniband.txt section V).
    ///
    /// An unmarked ACK adds 1 + ipd packet times to a credit; a credit of what the table says for this delay buys the next
    /// higher rate, and the rest of it is kept. A marked ACK sets the delay that the table says and keeps, shortens or drops the
    /// credit. An ACK taken in cycle t sets delay and credit in cycle t + 1, the k-th rate that it buys in t + 1 + 4k, and the
    /// calculator is ready again four cycles behind the last. A new flow, where the rate does not persist, starts at R_max; an ACK
    /// taken in the same cycle counts for nothing. Reset sets R_max; it is ready five cycles behind a reset.
    pub struct InfiniBandCalculator: "calculator_infiniband" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// An ACK is there.
        pub feedback_valid: Signal<In, Bit>,
        /// It is taken.
        pub feedback_ready: Signal<Out, Bit>,
        /// Its packet was marked.
        pub feedback_marked: Signal<In, Bit>,
        /// A new flow to the same destination begins.
        pub flow_start: Signal<In, Bit>,
        /// 0 = LIPD, 1 = FIMD, 2 = AIMD.
        pub response: Signal<In, Bits<2>>,
        /// A new flow goes on at the rate of the one before.
        pub persistent: Signal<In, Bit>,
        /// Idle packet times between two packets.
        pub ipd: Signal<Out, Bits<8>>,
        /// What the table says of the delay.
        look_up: ResponseTable,
        /// The same, a cycle later.
        entry: DFF<Bits<29>>,
        /// Idle packet times between two packets.
        delay: Register<Bits<8>>,
        /// Packet times towards the next rate.
        credit: Register<Bits<16>>,
        /// Nothing is under way.
        idle: Register<Bit>,
        /// Look up, take over, compare, decide.
        stage: Register<Bits<2>>,
        /// Credit less what the next rate costs.
        left: DFF<Bits<17>>,
        /// There is credit.
        some: DFF<Bit>,
        price: Signal<Local, Bits<16>>,
        decreased: Signal<Local, Bits<8>>,
        at_minimum: Signal<Local, Bit>,
        credit_shift: Signal<Local, Bits<4>>,
        afford: Signal<Local, Bit>,
        restart: Signal<Local, Bit>,
    }
}

parameter_inputs!(InfiniBandCalculator: response, persistent; feedback_valid, feedback_marked, flow_start);

impl InfiniBandCalculator {
    /// With the table for a division of the rate by `decrease_factor` and R_min = R_max / `rate_steps`, both from 2 to 256. They are
    /// no ports: the table is a memory whose words are computed when the circuit is made and stand in its Verilog.
    pub fn new(decrease_factor: u32, rate_steps: u32) -> Self {
        InfiniBandCalculator { look_up: ResponseTable::new(decrease_factor, rate_steps), ..Self::default() }
    }
}

impl Logic for InfiniBandCalculator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, entry, delay, credit, idle, stage, left, some);
        self.look_up.clock.next = self.clock.val();
        self.delay.reset.next = self.reset.val();
        self.credit.reset.next = self.reset.val();
        self.idle.reset.next = self.reset.val();
        self.stage.reset.next = self.reset.val();
        self.look_up.address.next =
            (bit_cast::<10, 2>(self.response.val()).to_bits() << 8) | bit_cast::<10, 8>(self.delay.q.val());
        self.entry.d.next = self.look_up.data.val();
        self.price.next = self.entry.q.val().to_bits().get_bits::<16>(0);
        self.decreased.next = self.entry.q.val().to_bits().get_bits::<8>(16);
        self.at_minimum.next = self.entry.q.val().get_bit(24);
        self.credit_shift.next = self.entry.q.val().to_bits().get_bits::<4>(25);
        self.left.d.next = bit_cast::<17, 16>(self.credit.q.val()) - bit_cast::<17, 16>(self.price.val());
        self.some.d.next = self.credit.q.val().any();
        self.afford.next = self.some.q.val() & !self.left.q.val().get_bit(16) & self.delay.q.val().any();
        self.restart.next = self.flow_start.val() & !self.persistent.val();

        self.stage.d.next = self.stage.q.val() + 1;
        if self.restart.val() {
            self.delay.d.next = 0.into();
            self.credit.d.next = 0.into();
            self.idle.d.next = false;
            self.stage.d.next = 0.into();
        } else if self.idle.q.val() {
            self.stage.d.next = 0.into();
            if self.feedback_valid.val() {
                self.idle.d.next = false;
                if !self.feedback_marked.val() {
                    self.credit.d.next = self.credit.q.val() + bit_cast::<16, 8>(self.delay.q.val()) + 1;
                } else {
                    self.delay.d.next = self.decreased.val();
                    self.credit.d.next = self.credit.q.val().to_bits() >> self.credit_shift.val();
                    if self.at_minimum.val() {
                        self.credit.d.next = 0.into();
                    }
                }
            }
        } else if self.stage.q.val() == 3 {
            if self.afford.val() {
                self.credit.d.next = self.left.q.val().to_bits().get_bits::<16>(0);
                self.delay.d.next = self.delay.q.val() - 1;
            } else {
                self.idle.d.next = true;
                if !self.delay.q.val().any() {
                    self.credit.d.next = 0.into();
                }
            }
        }
        self.feedback_ready.next = self.idle.q.val();
        self.ipd.next = self.delay.q.val();
    }
}
