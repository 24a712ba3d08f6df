// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands around a block that reads, stores or changes the rates of many flows.

use super::random::{PATTERNS, Pattern, Random, Willing};
use super::values::{Meaning, Mood, World};
use super::{Names, set};
use tidegate_schemes::qcn::model::OPERATION_LATENCY;

/// Feedback for some flow, held until the circuit takes it; and when what answers it is willing.
struct Feedbacks {
    valid: usize,
    flow: usize,
    offers: Willing,
    answers: Willing,
}

impl Feedbacks {
    fn of(names: &Names) -> Option<Self> {
        Some(Feedbacks {
            valid: names.input("feedback_valid")?,
            flow: names.input("feedback_flow")?,
            offers: Willing::new(PATTERNS[0]),
            answers: Willing::new(PATTERNS[0]),
        })
    }

    /// A new phase.
    fn begin(&mut self, random: &mut Random) {
        self.offers = Willing::new(random.pick(&[Pattern::Always, Pattern::Random(1), Pattern::Bursts(60)]));
        self.answers = Willing::new(random.pick(&PATTERNS));
    }

    /// No new feedback until the next phase.
    fn rest(&mut self) {
        self.offers = Willing::new(Pattern::Never);
    }

    /// The next feedback, if there is one.
    fn offer(&mut self, random: &mut Random, mood: Mood, world: &World, row: &mut [u32]) {
        set(row, self.valid, u32::from(self.offers.next(random)));
        set(row, self.flow, world.value(Meaning::Flow, random, mood));
    }
}

/// Feedback for a rate limiter of many flows: it waits for the rate of its flow, and may change it.
pub struct Reader {
    feedbacks: Feedbacks,
    rate_valid: usize,
    feedback_taken: usize,
    change: usize,
    new_rate: usize,
    new_mode: usize,
}

impl Reader {
    /// The feedback of a circuit that gives a rate for it.
    pub fn of(names: &Names) -> Option<Self> {
        Some(Reader {
            feedbacks: Feedbacks::of(names)?,
            rate_valid: names.output("rate_valid")?,
            feedback_taken: names.input("feedback_taken")?,
            change: names.input("change")?,
            new_rate: names.input("new_rate")?,
            new_mode: names.input("new_mode")?,
        })
    }

    /// Its columns.
    pub fn columns(&self) -> [usize; 6] {
        let Feedbacks { valid, flow, .. } = self.feedbacks;
        [valid, flow, self.feedback_taken, self.change, self.new_rate, self.new_mode]
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.feedbacks.begin(random);
    }

    /// No new feedback until the next phase.
    pub fn rest(&mut self) {
        self.feedbacks.rest();
    }

    /// The inputs of this cycle. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, row: &mut [u32]) {
        let waits = row[self.feedbacks.valid] != 0 && row[self.feedback_taken] == 0;
        let takes = waits && row[self.rate_valid] != 0 && self.feedbacks.answers.next(random);
        if !waits {
            self.feedbacks.offer(random, mood, world, row);
        }
        set(row, self.feedback_taken, u32::from(takes));
        set(row, self.change, u32::from(takes && random.chance(80)));
        set(row, self.new_rate, world.value(Meaning::Rate, random, mood));
        set(row, self.new_mode, random.below(4) as u32);
    }
}

/// Gives a rate to a block that wants it, and holds it until it is taken.
pub struct Rates {
    rate_wanted: usize,
    rate_taken: usize,
    rate_valid: usize,
    rate_waits: Option<usize>,
    willing: Willing,
}

impl Rates {
    /// The rates of a circuit that wants them.
    pub fn of(names: &Names) -> Option<Self> {
        Some(Rates {
            rate_wanted: names.output("rate_wanted")?,
            rate_taken: names.output("rate_taken")?,
            rate_valid: names.input("rate_valid")?,
            rate_waits: names.input("rate_waits"),
            willing: Willing::new(PATTERNS[0]),
        })
    }

    /// Its columns.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        [self.rate_valid].into_iter().chain(self.rate_waits)
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.willing = Willing::new(random.pick(&PATTERNS));
    }

    /// The inputs of this cycle. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, row: &mut [u32]) {
        let wanted = row[self.rate_wanted] != 0 && row[self.rate_taken] == 0;
        if wanted && row[self.rate_valid] != 0 {
            return;
        }
        set(row, self.rate_valid, u32::from(wanted && self.willing.next(random)));
        if let Some(column) = self.rate_waits {
            set(row, column, random.below(2) as u32);
        }
    }
}

/// A calculator for the stages of QCN: it ends each operation some cycles after its start. Also the frames that are
/// sent.
pub struct StagesCalculator {
    starts: [usize; 3],
    moves_target: usize,
    target_changes: usize,
    new_target: usize,
    changes: usize,
    reaches_line_rate: usize,
    stages: [usize; 2],
    sent_ready: usize,
    sent: usize,
    sent_flow: usize,
    sent_bytes: usize,
    /// Cycles since the operation started, and whether it changes the target.
    operation: Option<(u64, bool)>,
    frames: Willing,
}

impl StagesCalculator {
    /// The calculator of a circuit that starts its operations.
    pub fn of(names: &Names) -> Option<Self> {
        Some(StagesCalculator {
            starts: [names.output("start_decrease")?, names.output("start_byte")?, names.output("start_time")?],
            moves_target: names.output("moves_target")?,
            target_changes: names.input("target_changes")?,
            new_target: names.input("new_target")?,
            changes: names.input("changes")?,
            reaches_line_rate: names.input("reaches_line_rate")?,
            stages: [names.input("new_byte_stage")?, names.input("new_time_stage")?],
            sent_ready: names.output("sent_ready")?,
            sent: names.input("sent")?,
            sent_flow: names.input("sent_flow")?,
            sent_bytes: names.input("sent_bytes")?,
            operation: None,
            frames: Willing::new(PATTERNS[0]),
        })
    }

    /// Its columns.
    pub fn columns(&self) -> [usize; 9] {
        let [byte_stage, time_stage] = self.stages;
        [
            self.target_changes,
            self.new_target,
            self.changes,
            self.reaches_line_rate,
            byte_stage,
            time_stage,
            self.sent,
            self.sent_flow,
            self.sent_bytes,
        ]
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.frames = Willing::new(random.pick(&[Pattern::Always, Pattern::Never, Pattern::Random(2)]));
    }

    /// No frame until the next phase.
    pub fn rest(&mut self) {
        self.frames = Willing::new(Pattern::Never);
    }

    /// The inputs of this cycle. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, row: &mut [u32]) {
        self.operation = if self.starts.iter().any(|&start| row[start] != 0) {
            Some((1, row[self.starts[0]] == 0 || row[self.moves_target] != 0))
        } else {
            self.operation.map(|(cycles, sets_target)| (cycles + 1, sets_target))
        };
        // The stages are held for a cycle more.
        let holds = row[self.changes] != 0;
        let now = self.operation.map_or(0, |(cycles, _)| cycles);
        let sets_target = self.operation.is_some_and(|(_, sets_target)| sets_target);
        let target_changes = sets_target && now == OPERATION_LATENCY - 2;
        let changes = now == OPERATION_LATENCY - 1;
        set(row, self.target_changes, u32::from(target_changes));
        set(row, self.changes, u32::from(changes));
        if target_changes || changes || random.chance(5) {
            set(row, self.new_target, world.value(Meaning::Rate, random, mood));
            set(row, self.reaches_line_rate, random.below(2) as u32);
            for stage in self.stages {
                let value = random.pick(&[0, 0, 1, 2, 5, 63]);
                if !holds {
                    set(row, stage, value);
                }
            }
        }
        if changes {
            self.operation = None;
        }
        let free = row[self.sent_ready] != 0 && row[self.sent] == 0;
        let sends = free && self.frames.next(random);
        set(row, self.sent, u32::from(sends));
        if sends || random.chance(5) {
            set(row, self.sent_flow, world.value(Meaning::Flow, random, mood));
            // Short frames, so that a byte more or less ends a byte cycle at another frame.
            let bytes = match random.chance(50) {
                true => random.between(1, 64) as u32,
                false => world.value(Meaning::Request, random, mood),
            };
            set(row, self.sent_bytes, bytes);
        }
    }

    /// A reset ends the operation.
    pub fn restart(&mut self) {
        self.operation = None;
    }
}

/// A calculator for the stops of BCN, and the feedback that it takes.
pub struct StopsCalculator {
    feedbacks: Feedbacks,
    works: usize,
    stopped: usize,
    feedback_ready: usize,
    changes: usize,
    new_rate: usize,
    stops: usize,
    wait_cycles: usize,
}

impl StopsCalculator {
    /// The calculator of a circuit that gives it feedback.
    pub fn of(names: &Names) -> Option<Self> {
        Some(StopsCalculator {
            feedbacks: Feedbacks::of(names)?,
            works: names.output("works")?,
            stopped: names.output("stopped")?,
            feedback_ready: names.input("feedback_ready")?,
            changes: names.input("changes")?,
            new_rate: names.input("new_rate")?,
            stops: names.input("stops")?,
            wait_cycles: names.input("wait_cycles")?,
        })
    }

    /// Its columns.
    pub fn columns(&self) -> [usize; 7] {
        [
            self.feedbacks.valid,
            self.feedbacks.flow,
            self.feedback_ready,
            self.changes,
            self.new_rate,
            self.stops,
            self.wait_cycles,
        ]
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.feedbacks.begin(random);
    }

    /// No new feedback until the next phase.
    pub fn rest(&mut self) {
        self.feedbacks.rest();
    }

    /// The inputs of this cycle. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, row: &mut [u32]) {
        let waits = row[self.feedbacks.valid] != 0 && row[self.feedback_ready] == 0;
        let taken = waits && row[self.works] != 0 && self.feedbacks.answers.next(random);
        let changes = taken && row[self.stopped] == 0 && random.chance(70);
        // The time of a stop is held in the next cycle.
        if row[self.stops] == 0 || row[self.changes] == 0 {
            let longest = random.pick(&[4, 300, 3000, 1 << 25]);
            set(row, self.wait_cycles, random.below(longest) as u32);
        }
        if !waits {
            self.feedbacks.offer(random, mood, world, row);
        }
        set(row, self.feedback_ready, u32::from(taken));
        set(row, self.changes, u32::from(changes));
        set(row, self.stops, random.below(2) as u32);
        set(row, self.new_rate, world.value(Meaning::Rate, random, mood));
    }
}

/// Operations of a calculator of QCN: one at a time, with what it needs held.
pub struct Operations {
    starts: [usize; 3],
    busy: usize,
    changes: usize,
    target_changes: usize,
    target: usize,
    fields: Vec<(usize, Meaning)>,
    willing: Willing,
}

impl Operations {
    /// The operations of a circuit that does them.
    pub fn of(names: &Names) -> Option<Self> {
        let field = |name: &str| {
            let column = names.input(name)?;
            let meaning = match name {
                "rate" => Meaning::CurrentRate,
                _ => Meaning::of(name, names.ports[column].bits),
            };
            Some((column, meaning))
        };
        let fields = ["quantized_feedback", "moves_target", "rate", "target", "byte_stage", "time_stage"];
        Some(Operations {
            starts: [names.input("start_decrease")?, names.input("start_byte")?, names.input("start_time")?],
            busy: names.output("busy")?,
            changes: names.output("changes")?,
            target_changes: names.output("target_changes")?,
            target: names.input("target")?,
            fields: fields.into_iter().filter_map(field).collect(),
            willing: Willing::new(PATTERNS[0]),
        })
    }

    /// Its columns.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.fields.iter().map(|&(column, _)| column).chain(self.starts)
    }

    /// A new phase.
    pub fn begin(&mut self, random: &mut Random) {
        self.willing = Willing::new(random.pick(&PATTERNS));
    }

    /// A reset ends the operation. Parameters change in it, and a rate must fit them.
    pub fn restart(&self, row: &mut [u32]) {
        self.starts.iter().for_each(|&start| set(row, start, 0));
    }

    /// No new operation until the next phase.
    pub fn rest(&mut self) {
        self.willing = Willing::new(Pattern::Never);
    }

    /// The inputs of this cycle. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, row: &mut [u32]) {
        let started = self.starts.iter().any(|&start| row[start] != 0);
        self.starts.iter().for_each(|&start| set(row, start, 0));
        if started || row[self.busy] != 0 && row[self.changes] == 0 {
            if row[self.target_changes] != 0 {
                set(row, self.target, world.value(Meaning::Rate, random, mood));
            }
            return;
        }
        if self.willing.next(random) {
            set(row, random.pick(&self.starts), 1);
        }
        for &(column, meaning) in &self.fields {
            set(row, column, world.value(meaning, random, mood));
        }
    }
}
