//! A whole part: the references of its blocks, wired at their ports.

use super::{block, Reference};
use crate::emit::{Circuit, Port};

/// Where a value comes from.
#[derive(Clone, Copy)]
enum Source {
    /// A column of the part.
    Part(usize),
    /// A column of a block, by its place in the list.
    Block(usize, usize),
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
    /// In which order outputs are asked for, so that each input is there by then; a block may come twice.
    order: Vec<usize>,
    /// Each output with its source.
    outputs: Vec<(usize, Source)>,
}

fn find(ports: &[Port], name: &str, input: bool) -> Option<usize> {
    ports.iter().position(|port| port.name == name && port.input == input)
}

impl Part {
    /// Wires the blocks of a part: each input to what `wires` says (`block.input` from `block.output` or a port of the part), else
    /// to the port of the part that has its name. Each output of the part comes from `outputs` or from the one block that
    /// has an output of its name. `None` where a block has no reference.
    ///
    /// # Panics
    /// If a port stays without a source.
    pub fn new(circuit: &Circuit, blocks: &[Circuit], wires: &[(&str, &str)], order: &[&str]) -> Option<Self> {
        let place = |name: &str| blocks.iter().position(|block| block.block == name);
        let source = |text: &str| match text.split_once('.') {
            Some((block, port)) => {
                place(block).and_then(|place| Some(Source::Block(place, find(&blocks[place].ports, port, false)?)))
            }
            None => find(&circuit.ports, text, true).map(Source::Part),
        };
        let wire = |sink: &str| wires.iter().find(|wire| wire.0 == sink).map(|wire| wire.1);
        let found = |what: &str, source: Option<Source>| {
            source.unwrap_or_else(|| panic!("{}: nothing drives `{what}`", circuit.module))
        };
        let mut wired = Vec::new();
        for block in blocks {
            let inputs = block.ports.iter().enumerate().filter(|(_, port)| port.input).map(|(column, port)| {
                let sink = format!("{}.{}", block.block, port.name);
                (column, found(&sink, source(wire(&sink).unwrap_or(&port.name))))
            });
            wired.push(Block {
                inputs: inputs.collect(),
                reference: self::block(block)?,
                row: vec![0; block.ports.len()],
            });
        }
        let outputs = circuit.ports.iter().enumerate().filter(|(_, port)| !port.input).map(|(column, port)| {
            let by_name = || blocks.iter().find_map(|block| source(&format!("{}.{}", block.block, port.name)));
            (column, found(&port.name, wire(&port.name).and_then(source).or_else(by_name)))
        });
        let outputs = outputs.collect();
        let order = order.iter().map(|name| place(name).expect("a block of this part")).collect();
        Some(Part { blocks: wired, order, outputs })
    }

    fn value(&self, source: Source, row: &[u32]) -> u32 {
        match source {
            Source::Part(column) => row[column],
            Source::Block(block, column) => self.blocks[block].row[column],
        }
    }

    fn feed(&mut self, place: usize, row: &[u32]) {
        for at in 0..self.blocks[place].inputs.len() {
            let (column, source) = self.blocks[place].inputs[at];
            self.blocks[place].row[column] = self.value(source, row);
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
            let (column, source) = self.outputs[at];
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
}
