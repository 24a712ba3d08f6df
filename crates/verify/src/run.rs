// SPDX-License-Identifier: MIT OR Apache-2.0
//! All checks of some schemes, block by block, two at a time.

use super::replay::{Replay, Simulator};
use super::stimulus::long::LongEpoch;
use super::stimulus::{Stimulus, Values};
use super::{Check, Difference, Verdict, formal, model, window};
use anyhow::Result;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::output::folder::ResultFolder;
use tidegate_lab::bench::vectors::Recording;
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::MissingTool;
use tidegate_toolchain::find::Tool;
use tidegate_toolchain::formal::Prover;
use tidegate_toolchain::icarus::Icarus;
use tidegate_toolchain::verilator::{Effort, Verilator};

/// Circuits that are checked at the same time. Each needs some hundred megabytes of disk for a recording, a simulator
/// and a core.
const MOST_AT_ONCE: usize = 2;
/// The cycles of a whole part are divided by this for a block.
const BLOCK_SHARE: u64 = 10;
/// The same for a whole part of many flows: it has as many registers and memories as several other parts.
const FLOWS_SHARE: u64 = 4;
/// Icarus is some hundred times slower than Verilator, so it replays only the first part of the recorded cycles: their
/// number is divided by this.
const ICARUS_SHARE: u64 = 10;
/// Least number of cycles that Icarus replays, if as many were recorded.
const ICARUS_LEAST: u64 = 2_000;

/// A tool that checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Judge {
    /// The integer model, cycle by cycle with the circuit.
    Rtl,
    /// The emitted Verilog, compiled.
    Verilator,
    /// The emitted Verilog, interpreted.
    Icarus,
    /// Proofs over the emitted Verilog.
    Formal,
}

impl Judge {
    /// All of them, in the order of the forms of a scheme.
    pub const ALL: [Judge; 4] = [Judge::Rtl, Judge::Verilator, Judge::Icarus, Judge::Formal];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Judge::Rtl => "rtl",
            Judge::Verilator => "verilator",
            Judge::Icarus => "icarus",
            Judge::Formal => "formal",
        }
    }

    /// The outside tools that it needs.
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Judge::Rtl => &[],
            Judge::Verilator => &[Tool::Verilator, Tool::Compiler, Tool::Make],
            Judge::Icarus => &[Tool::Icarus],
            Judge::Formal => &[Tool::Yosys, Tool::Z3],
        }
    }

    fn simulator(self) -> Result<Simulator> {
        if self == Judge::Icarus {
            return Ok(Simulator::Icarus(Icarus::find()?));
        }
        Verilator::find_builders()?;
        Ok(Simulator::Verilator(Verilator::find()?))
    }

    /// Number of recorded cycles that it replays.
    fn share(self, cycles: u64) -> u64 {
        match self {
            Judge::Icarus => (cycles / ICARUS_SHARE).max(ICARUS_LEAST).min(cycles),
            _ => cycles,
        }
    }
}

/// What to check.
pub struct Request {
    /// The schemes.
    pub schemes: Vec<&'static Scheme>,
    /// Their parts.
    pub parts: Vec<Part>,
    /// The tools.
    pub judges: Vec<Judge>,
    /// Cycles of a whole part; a part of many flows gets a quarter, a block a tenth.
    pub cycles: u64,
    /// Whether a circuit with long timers also gets epochs that are long enough for them.
    pub long: bool,
    /// Seed of the random inputs.
    pub seed: u64,
    /// The folder for waveforms of differences, as the user names it.
    pub out: PathBuf,
    /// What is written into it; `None` if nothing is simulated.
    pub waveforms: Option<Mutex<ResultFolder>>,
}

/// A circuit to check.
struct Job {
    scheme: &'static Scheme,
    part: Part,
    circuit: Circuit,
    cycles: u64,
    /// The long epochs that it gets beside these cycles.
    long: Vec<LongEpoch>,
    /// Its settings, if they are not the defaults.
    variant: &'static [(&'static str, &'static str)],
}

impl Job {
    /// Cycles with those of its long epochs.
    fn all_cycles(&self) -> u64 {
        self.cycles + self.long.iter().map(LongEpoch::cycles).sum::<u64>()
    }

    /// The statement, with the settings.
    fn stated(&self, property: &str) -> String {
        let settings: String = self.variant.iter().map(|(key, value)| format!(", {key} = {value}")).collect();
        property.to_string() + &settings
    }
}

/// The results for a circuit.
#[derive(Default)]
struct Outcome {
    /// Simulations; empty for a circuit that another scheme has too, which is simulated there.
    simulated: Vec<Check>,
    /// Proofs, for every circuit, because they may depend on the parameters of the scheme.
    proved: Vec<Check>,
}

/// A simulator, or the reason why there is none.
type Found = (Judge, Result<Simulator, String>);

impl Request {
    /// Runs the checks. `progress` is called with the number of finished circuits and of all, each time it increases.
    pub fn run(&self, progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Check> {
        let simulators: Vec<Found> = self
            .judges
            .iter()
            .filter(|judge| matches!(judge, Judge::Verilator | Judge::Icarus))
            .map(|&judge| (judge, judge.simulator().map_err(|missing| missing.to_string())))
            .collect();
        let prover =
            self.judges.contains(&Judge::Formal).then(|| Prover::find().map_err(|missing| missing.to_string()));
        let jobs = self.jobs();
        let twin = |index: usize| {
            let same = |one: &Job, other: &Job| {
                (one.circuit.module, one.cycles, &one.circuit.netlist.modules, &one.long)
                    == (other.circuit.module, other.cycles, &other.circuit.netlist.modules, &other.long)
            };
            jobs[..index].iter().position(|job| same(job, &jobs[index]))
        };
        let twins: Vec<Option<usize>> = (0..jobs.len()).map(twin).collect();
        // The longest checks are first, so that at the end no core waits long.
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(jobs[index].all_cycles()));
        let outcomes: Vec<Mutex<Outcome>> = jobs.iter().map(|_| Mutex::default()).collect();
        let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
        progress(0, order.len());
        let work = || {
            while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let job = &jobs[index];
                let mut outcome = Outcome::default();
                if twins[index].is_none() {
                    outcome.simulated.extend(self.model(job));
                    outcome.simulated.extend(self.replay(job, &simulators));
                }
                if let Some(prover) = &prover {
                    outcome.proved = formal::checks(job.scheme, job.part, &job.circuit, prover);
                    outcome.proved.iter_mut().for_each(|check| check.property = job.stated(&check.property));
                }
                *outcomes[index].lock().expect("no thread panics while it holds an outcome") = outcome;
                progress(finished.fetch_add(1, Ordering::Relaxed) + 1, order.len());
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        std::thread::scope(|scope| {
            for _ in 0..cores.min(MOST_AT_ONCE) {
                scope.spawn(work);
            }
        });
        let outcomes: Vec<Outcome> =
            outcomes.into_iter().map(|outcome| outcome.into_inner().expect("no thread has panicked")).collect();
        let mut checks = Vec::new();
        for (index, job) in jobs.iter().enumerate() {
            match twins[index] {
                Some(twin) => checks.extend(outcomes[twin].simulated.iter().map(|check| again(check, job))),
                None => checks.extend_from_slice(&outcomes[index].simulated),
            }
            checks.extend_from_slice(&outcomes[index].proved);
        }
        checks
    }

    /// Every block of every part, then the part; then the circuits that differ with other settings.
    fn jobs(&self) -> Vec<Job> {
        let mut jobs: Vec<Job> = Vec::new();
        for &scheme in &self.schemes {
            for &part in &self.parts {
                for variant in [&[][..]].iter().chain(scheme.variants()) {
                    let (blocks, whole) = scheme.circuits_of(part, variant);
                    let cycles = self.cycles.div_ceil(BLOCK_SHARE);
                    // A part that is not divided into blocks is checked once.
                    let module = whole.module;
                    let of_flows = variant.iter().any(|(key, _)| *key == "rp_flows") && part == Part::ReactionPoint;
                    let whole_cycles = if of_flows { self.cycles.div_ceil(FLOWS_SHARE) } else { self.cycles };
                    let others = scheme.other_circuits(part).filter(|_| variant.is_empty());
                    let blocks = blocks.into_iter().filter(|block| block.module != module).chain(others);
                    let blocks = blocks.map(|circuit| (circuit, cycles, true));
                    for (circuit, cycles, is_block) in blocks.chain([(whole, whole_cycles, false)]) {
                        let same = |job: &Job| {
                            job.scheme.name == scheme.name && job.circuit.netlist.modules == circuit.netlist.modules
                        };
                        if variant.is_empty() || !jobs.iter().any(same) {
                            // The timers of a part of many are those of its blocks, where a long epoch takes less time.
                            let long = match is_block || variant.is_empty() {
                                true => self.long_epochs(scheme, &circuit, is_block),
                                false => Vec::new(),
                            };
                            jobs.push(Job { scheme, part, circuit, cycles, long, variant });
                        }
                    }
                }
            }
        }
        jobs
    }

    /// The long epochs of a circuit. Those of the longest timers are for blocks, where a cycle takes the least time.
    fn long_epochs(&self, scheme: &'static Scheme, circuit: &Circuit, is_block: bool) -> Vec<LongEpoch> {
        if !self.long || !self.judges.contains(&Judge::Rtl) {
            return Vec::new();
        }
        let longest = is_block.then(|| LongEpoch::of_longest(scheme, circuit)).flatten();
        LongEpoch::of_profiles(scheme, circuit).into_iter().chain(longest).collect()
    }

    /// Model = RTL.
    fn model(&self, job: &Job) -> Vec<Check> {
        if !self.judges.contains(&Judge::Rtl) {
            return Vec::new();
        }
        let Job { scheme, part, circuit, cycles, .. } = job;
        let short = model::check(scheme, *part, circuit, *cycles, self.seed);
        let long = job.long.iter().map(|epoch| model::check_long(scheme, *part, circuit, epoch, self.seed));
        let judged = [short].into_iter().chain(long).enumerate().map(|(run, (mut check, difference))| {
            check.property = job.stated(&check.property);
            if let Some(difference) = difference {
                let name = if run == 0 { "model".to_string() } else { format!("model_{run}") };
                let unknown = vec![vec![0; circuit.ports.len()]; difference.other.len()];
                let shown = self.show(job, &difference, &unknown, "model", &name);
                check.reason = check.reason.map(|reason| format!("{reason}; {shown}"));
            }
            check
        });
        judged.collect()
    }

    /// RTL = Verilog in each simulator: recorded once, replayed in all.
    fn replay(&self, job: &Job, simulators: &[Found]) -> Vec<Check> {
        let mut started = Instant::now();
        let recording = simulators.iter().any(|(_, simulator)| simulator.is_ok()).then(|| {
            let seed = model::seed_of(job.circuit.module, self.seed);
            let mut stimulus = Stimulus::new(job.scheme, &job.circuit, seed, Values::Raw);
            Recording::make(&job.circuit, job.cycles, &mut |cycle, row| stimulus.drive(cycle, row))
        });
        let mut checks = Vec::new();
        for (judge, simulator) in simulators {
            let cycles = judge.share(job.cycles);
            let (verdict, reason) = match (simulator, &recording) {
                (Err(missing), _) => (Verdict::Skipped, Some(missing.clone())),
                (Ok(_), None) => unreachable!("recorded where there is a simulator"),
                (Ok(_), Some(Err(error))) => (Verdict::Failed, Some(format!("{error:#}"))),
                (Ok(simulator), Some(Ok(recording))) => self.judge(job, *judge, simulator, recording, cycles),
            };
            checks.push(Check {
                scheme: job.scheme.name,
                part: job.part.name(),
                block: job.circuit.block,
                property: job.stated("RTL = Verilog"),
                tool: judge.name(),
                cycles: (verdict != Verdict::Skipped).then_some(cycles),
                depth: None,
                unbounded: None,
                verdict,
                reason,
                seconds: started.elapsed().as_secs_f64(),
            });
            started = Instant::now();
        }
        checks
    }

    /// One replay, with the reason if it failed.
    fn judge(
        &self,
        job: &Job,
        judge: Judge,
        simulator: &Simulator,
        recording: &Recording,
        cycles: u64,
    ) -> (Verdict, Option<String>) {
        let replay = Replay::new(simulator, &job.circuit, Effort::Quick);
        match replay.and_then(|replay| replay.compare(recording, cycles, &[])) {
            Ok(None) => (Verdict::Passed, None),
            Ok(Some(mismatch)) => {
                let (difference, unknown) = (&mismatch.difference, &mismatch.unknown);
                let shown = self.show(job, difference, unknown, judge.name(), judge.name());
                (Verdict::Failed, Some(format!("seed {}, {mismatch}; {shown}", self.seed)))
            }
            Err(error) if error.chain().any(|cause| cause.is::<MissingTool>()) => {
                (Verdict::Skipped, Some(format!("{error:#}")))
            }
            Err(error) => (Verdict::Failed, Some(format!("{error:#}"))),
        }
    }

    /// Writes the waveform of a difference into a file with the names of scheme, module and settings and this name. Returns
    /// the text with its path.
    fn show(&self, job: &Job, difference: &Difference, unknown: &[Vec<u32>], side: &str, name: &str) -> String {
        let settings: String = job.variant.iter().map(|(key, value)| format!("_{key}_{value}")).collect();
        let name = format!("{}_{}{settings}_{name}.vcd", job.scheme.name, job.circuit.module);
        let Some(folder) = &self.waveforms else { return "no waveform: it was not asked for".to_string() };
        let mut folder = folder.lock().unwrap_or_else(PoisonError::into_inner);
        let written =
            window::text(&job.circuit.ports, difference, unknown, side).and_then(|text| folder.write(&name, text));
        match written {
            Ok(()) => format!("the cycles around it are in {}", self.out.join(name).display()),
            Err(error) => format!("no waveform: {error:#}"),
        }
    }
}

/// The verdict on a circuit that another scheme has too, which is simulated there.
fn again(check: &Check, job: &Job) -> Check {
    Check {
        scheme: job.scheme.name,
        part: job.part.name(),
        block: job.circuit.block,
        property: format!("{}; run for {}, whose circuit is the same", check.property, check.scheme),
        seconds: 0.0,
        ..check.clone()
    }
}
