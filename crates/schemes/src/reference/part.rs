// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole part: the references of its blocks, connected at their ports.

use super::{Reference, of_block};
use crate::registry::Scheme;
use tidegate_circuits::rtl::circuit::{Circuit, Port};

/// An input that is computed from several sources.
pub type Glue<'a> = (&'a str, &'a [&'a str], fn(&[u32]) -> u32);

/// The source of a value.
#[derive(Clone)]
enum Source {
    /// A column of the part.
    Part(usize),
    /// A column of a block; the block by its index in the list.
    Block(usize, usize),
    /// Always 0.
    Low,
    /// Computed from others.
    Computed(Vec<Source>, fn(&[u32]) -> u32),
}

struct Block {
    reference: Box<dyn Reference>,
    row: Vec<u32>,
    /// Each input with its source.
    inputs: Vec<(usize, Source)>,
}

/// The blocks of a part.
pub struct Part {
    blocks: Vec<Block>,
    /// The order in which the outputs of the blocks are computed, so that their inputs are known; a block may occur
    /// twice.
    order: Vec<usize>,
    /// Each output with its source.
    outputs: Vec<(usize, Source)>,
}

fn find(ports: &[Port], name: &str, input: bool) -> Option<usize> {
    ports.iter().position(|port| port.name == name && port.input == input)
}

impl Part {
    /// Connects the blocks of a part. `glue` and after it `wires` give the source of an input (`block.input` from
    /// `block.output` or from a port of the part): the first one that exists. Any other input comes from the port of
    /// the part with its name, or is low where the list `idle` has it. An output of the part comes from the block that
    /// has an output of this name. `None` if a block has no reference.
    ///
    /// # Panics
    /// If a port has no source.
    pub fn new(
        scheme: &Scheme,
        circuit: &Circuit,
        blocks: &[Circuit],
        wires: &[(&str, &str)],
        glue: &[Glue],
        idle: &[&str],
        order: &[&str],
    ) -> Option<Self> {
        let place = |name: &str| blocks.iter().position(|block| block.block == name);
        let source = |text: &str| match text.split_once('.') {
            Some((block, port)) => {
                place(block).and_then(|place| Some(Source::Block(place, find(&blocks[place].ports, port, false)?)))
            }
            None => find(&circuit.ports, text, true).map(Source::Part),
        };
        let wire = |sink: &str| wires.iter().filter(|wire| wire.0 == sink).find_map(|wire| source(wire.1));
        let glued = |sink: &str| {
            glue.iter().filter(|glue| glue.0 == sink).find_map(|&(_, from, of)| {
                let from: Option<Vec<Source>> = from.iter().map(|name| source(name)).collect();
                Some(Source::Computed(from?, of))
            })
        };
        let found = |what: &str, source: Option<Source>| {
            source.unwrap_or_else(|| panic!("{}: nothing drives `{what}`", circuit.module))
        };
        let mut wired = Vec::new();
        for block in blocks {
            let inputs = block.ports.iter().enumerate().filter(|(_, port)| port.input).map(|(column, port)| {
                let sink = format!("{}.{}", block.block, port.name);
                let driver = glued(&sink).or_else(|| wire(&sink)).or_else(|| source(&port.name));
                let low = || idle.contains(&sink.as_str()).then_some(Source::Low);
                (column, found(&sink, driver.or_else(low)))
            });
            wired.push(Block {
                inputs: inputs.collect(),
                reference: of_block(scheme, block)?,
                row: vec![0; block.ports.len()],
            });
        }
        let outputs = circuit.ports.iter().enumerate().filter(|(_, port)| !port.input).map(|(column, port)| {
            let by_name = || blocks.iter().find_map(|block| source(&format!("{}.{}", block.block, port.name)));
            (column, found(&port.name, wire(&port.name).or_else(by_name)))
        });
        let outputs = outputs.collect();
        let order = order.iter().map(|name| place(name).expect("a block of this part")).collect();
        Some(Part { blocks: wired, order, outputs })
    }

    fn value(&self, source: &Source, row: &[u32]) -> u32 {
        match source {
            &Source::Part(column) => row[column],
            &Source::Block(block, column) => self.blocks[block].row[column],
            Source::Low => 0,
            Source::Computed(from, of) => {
                let mut values = [0; 2];
                from.iter().zip(&mut values).for_each(|(source, value)| *value = self.value(source, row));
                of(&values)
            }
        }
    }

    fn feed(&mut self, place: usize, row: &[u32]) {
        for at in 0..self.blocks[place].inputs.len() {
            let (column, ref source) = self.blocks[place].inputs[at];
            let value = self.value(source, row);
            self.blocks[place].row[column] = value;
        }
    }
}

impl Reference for Part {
    fn outputs(&mut self, row: &mut [u32]) {
        for at in 0..self.order.len() {
            let place = self.order[at];
            self.feed(place, row);
            let block = &mut self.blocks[place];
            block.reference.outputs(&mut block.row);
        }
        for at in 0..self.outputs.len() {
            let (column, ref source) = self.outputs[at];
            row[column] = self.value(source, row);
        }
    }

    fn edge(&mut self, row: &[u32]) {
        for place in 0..self.blocks.len() {
            self.feed(place, row);
        }
        for block in &mut self.blocks {
            block.reference.edge(&block.row);
        }
    }

    fn settled(&self) -> bool {
        self.blocks.iter().all(|block| block.reference.settled())
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            // The stream of a congestion point: where no frame is sent, the fields may be those of no sample.
            "data_high" | "data_low" => Some("valid"),
            "grant_flow" => Some("grant"),
            "visited_flow" | "visited_rate" => Some("visited"),
            _ => None,
        }
    }
}
