// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints a counter as Verilog, and what it has counted after a hundred cycles in the engine.

use tidegate_hdl::engine::Program;
use tidegate_hdl::module::Module;
use tidegate_hdl::prelude::*;
use tidegate_hdl::verilog;

module! {
    /// Counts in steps.
    pub struct Counter: "counter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// What is added in each cycle.
        pub step: Signal<In, Bits<8>>,
        /// The sum of the steps since the reset.
        pub count: Signal<Out, Bits<16>>,
        sum: Register<Bits<16>>,
    }
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.clock.next = self.clock.val();
        self.sum.reset.next = self.reset.val();
        self.sum.d.next = self.sum.q.val() + bit_cast::<16, 8>(self.step.val());
        self.count.next = self.sum.q.val();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let netlist = Counter::default().netlist()?;
    print!("{}", verilog::text(&netlist));

    let program = Program::compile(&netlist)?;
    let mut simulation = program.start(1);
    simulation.set(program.input("step")?, 3);
    for _ in 0..100 {
        simulation.step();
    }
    simulation.settle();
    println!("// after 100 cycles: {}", simulation.get(program.output("count")?));
    Ok(())
}
