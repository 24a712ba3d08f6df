//! The comments of ports: an inherited comment comes from the port that says what the signal is.

use rust_hdl::prelude::*;
use tidegate::netlist::{Description, Field, Netlist};

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
    Field { name, meaning, module: None }
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
        Field { name: "reader", meaning: "", module: Some(&READER) },
        Field { name: "driver", meaning: "", module: Some(&DRIVER) },
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
