// SPDX-License-Identifier: MIT OR Apache-2.0
//! The comments of ports: an inherited comment is that of the port that drives the signal.

use tidegate::netlist::{Description, Field, Netlist};
use tidegate_hdl::prelude::*;

/// Reads the grant of its neighbour.
#[derive(LogicBlock, Default)]
struct Reader {
    request: Signal<In, Bit>,
    taken: Signal<In, Bit>,
    counted: Signal<Out, Bit>,
}

impl Logic for Reader {
    #[hdl_gen]
    fn update(&mut self) {
        self.counted.next = self.taken.val() & self.request.val();
    }
}

/// Drives the grant.
#[derive(LogicBlock, Default)]
struct Driver {
    request: Signal<In, Bit>,
    grant: Signal<Out, Bit>,
}

impl Logic for Driver {
    #[hdl_gen]
    fn update(&mut self) {
        self.grant.next = !self.request.val();
    }
}

#[derive(LogicBlock, Default)]
struct Pair {
    request: Signal<In, Bit>,
    grant: Signal<Out, Bit>,
    counted: Signal<Out, Bit>,
    reader: Reader,
    driver: Driver,
}

impl Logic for Pair {
    #[hdl_gen]
    fn update(&mut self) {
        self.reader.request.next = self.request.val();
        self.driver.request.next = self.request.val();
        self.reader.taken.next = self.driver.grant.val();
        self.grant.next = self.driver.grant.val();
        self.counted.next = self.reader.counted.val();
    }
}

const fn field(name: &'static str, meaning: &'static str) -> Field {
    Field { name, meaning, parameter: false, module: None }
}

const READER: Description = Description {
    module: "reader",
    meaning: "",
    fields: &[field("request", "First."), field("taken", "A frame left."), field("counted", "Counts.")],
};

const DRIVER: Description = Description {
    module: "driver",
    meaning: "",
    fields: &[field("request", "Second."), field("grant", "The frame may start.")],
};

const PAIR: Description = Description {
    module: "pair",
    meaning: " One.\n\n Two.\n",
    fields: &[
        field("request", ""),
        field("grant", ""),
        field("counted", ""),
        Field { name: "reader", meaning: "", parameter: false, module: Some(&READER) },
        Field { name: "driver", meaning: "", parameter: false, module: Some(&DRIVER) },
    ],
};

#[test]
fn an_output_takes_the_comment_of_its_driver_and_an_input_that_of_its_first_reader() {
    let mut circuit = Pair::default();
    circuit.connect_all();
    let netlist = Netlist::of(&circuit, "pair", Some(&PAIR)).unwrap();
    let meanings: Vec<&str> = netlist.top().ports().map(|(_, port)| port.meaning.as_str()).collect();
    assert_eq!(meanings, ["First.", "The frame may start.", "Counts."]);
    assert_eq!(netlist.top().meaning, "One.\n\nTwo.");
}

/// As in `rtl/`: `rust-hdl` keeps the text, Rust does nothing.
macro_rules! comment {
    ($text:literal) => {};
}

#[derive(LogicBlock, Default)]
struct Sections {
    clock: Signal<In, Clock>,
    start: Signal<In, Bit>,
    number: Signal<In, Bits<8>>,
    sum: Signal<Out, Bits<8>>,
    next: Signal<Out, Bit>,
    count: DFF<Bits<8>>,
}

impl Logic for Sections {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count);
        comment!("The sum − with the count");
        self.sum.next = self.number.val() + self.count.q.val();
        comment!("The state: `next` and `count`");
        self.next.next = false;
        comment!("The count, clocked");
        if self.start.val() {
            self.count.d.next = self.count.q.val() + 1;
            self.next.next = true;
        }
    }
}

#[test]
fn a_comment_between_statements_stays_above_its_statement() {
    let mut circuit = Sections::default();
    circuit.connect_all();
    let netlist = Netlist::of(&circuit, "sections", None).unwrap();
    let text = tidegate::verilog::module(netlist.top(), &netlist);
    for piece in [
        "    // The sum - with the count\n    assign sum = ",
        "    // The state: `next` and `count`\n    assign next = start ? 1'd1 : 1'd0;\n",
        "    always @(posedge clock) begin\n        // The count, clocked\n        if (start) begin\n",
    ] {
        assert_eq!(text.matches(piece).count(), 1, "{piece}\nin\n{text}");
    }
    assert_eq!(text.matches("// ").count(), 3, "{text}");
}
