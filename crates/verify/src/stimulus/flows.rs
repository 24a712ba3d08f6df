// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that stands around the blocks of a reaction point of many flows.

use super::Names;
use super::random::Random;
use super::rates::{Operations, Rates, Reader, StagesCalculator, StopsCalculator};
use super::sources::Sources;
use super::values::{Mood, World};

/// What a circuit has of it.
pub struct Flows {
    sources: Option<Sources>,
    reader: Option<Reader>,
    rates: Option<Rates>,
    stages: Option<StagesCalculator>,
    stops: Option<StopsCalculator>,
    operations: Option<Operations>,
    /// Outputs of a circuit that has something of it.
    outputs: Vec<usize>,
}

impl Flows {
    /// Around a circuit that serves so many flows.
    pub fn of(names: &Names, flows: u64) -> Self {
        let outputs = (0..names.ports.len()).filter(|&column| !names.ports[column].input).collect();
        let around = Flows {
            sources: Sources::of(names, flows),
            reader: Reader::of(names),
            rates: Rates::of(names),
            stages: StagesCalculator::of(names),
            stops: StopsCalculator::of(names),
            operations: Operations::of(names),
            outputs: Vec::new(),
        };
        if around.columns().is_empty() { around } else { Flows { outputs, ..around } }
    }

    /// The columns of its inputs.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns = Vec::new();
        columns.extend(self.sources.iter().flat_map(|sources| sources.columns()));
        columns.extend(self.reader.iter().flat_map(|reader| reader.columns()));
        columns.extend(self.rates.iter().flat_map(|rates| rates.columns()));
        columns.extend(self.stages.iter().flat_map(|stages| stages.columns()));
        columns.extend(self.stops.iter().flat_map(|stops| stops.columns()));
        columns.extend(self.operations.iter().flat_map(|operations| operations.columns()));
        columns
    }

    /// The cycle before this one. During a reset, outputs are not valid.
    pub fn see(&mut self, row: &mut [u32], resets: bool) {
        if resets {
            self.outputs.iter().for_each(|&column| row[column] = 0);
            self.stages.iter_mut().for_each(StagesCalculator::restart);
            self.operations.iter().for_each(|operations| operations.restart(row));
        }
        self.sources.iter_mut().for_each(|sources| sources.see(row, resets));
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.sources.iter_mut().for_each(|sources| sources.begin(random));
        self.reader.iter_mut().for_each(|reader| reader.begin(random));
        self.rates.iter_mut().for_each(|rates| rates.begin(random));
        self.stages.iter_mut().for_each(|stages| stages.begin(random));
        self.stops.iter_mut().for_each(|stops| stops.begin(random));
        self.operations.iter_mut().for_each(|operations| operations.begin(random));
    }

    /// No new frame, feedback or operation until the next phase; answers go on.
    pub fn rest(&mut self) {
        self.sources.iter_mut().for_each(Sources::rest);
        self.reader.iter_mut().for_each(Reader::rest);
        self.stages.iter_mut().for_each(StagesCalculator::rest);
        self.stops.iter_mut().for_each(StopsCalculator::rest);
        self.operations.iter_mut().for_each(Operations::rest);
    }

    /// The inputs of this cycle. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, raw: bool, row: &mut [u32]) {
        self.sources.iter_mut().for_each(|sources| sources.drive(random, mood, world, raw, row));
        self.reader.iter_mut().for_each(|reader| reader.drive(random, mood, world, row));
        self.rates.iter_mut().for_each(|rates| rates.drive(random, row));
        self.stages.iter_mut().for_each(|stages| stages.drive(random, mood, world, row));
        self.stops.iter_mut().for_each(|stops| stops.drive(random, mood, world, row));
        self.operations.iter_mut().for_each(|operations| operations.drive(random, mood, world, row));
    }
}
