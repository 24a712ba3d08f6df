// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sixteen flows in the closed loop, 20 ms: each with a reaction point of its own, and all behind one that serves many.
//!
//! Run it with `cargo run --release --example one_for_many -- [SCHEME] [PICTURE.svg]`. It prints the queue, the rates and
//! the latencies of both in the second half of the run, over ten seeds, and draws the run of the first seed. The scheme
//! is one with Ethernet frames; without one it is SMCC.

use anyhow::{Context, Result, bail};
use std::collections::VecDeque;
use tidegate::bench::dumbbell::{self, HEADER, Observation, Summary};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::experiment::fairness::jain_index;
use tidegate::model::wire::FRAME_WORDS;
use tidegate::output::commit_all;
use tidegate::registry;
use tidegate::report::plot::{Picture, Series, TimeSeries, side_by_side, time_series};
use tidegate::report::steps::StepFunction;
use tidegate::scheme::parameters::Parameters;
use tidegate::units::Cycles;

const FLOWS: usize = 16;
/// 20 ms at 125 MHz.
const CYCLES: Cycles = 2_500_000;
const SEEDS: u64 = 10;
/// What both worlds have in common: links of 1 Gb/s into a bottleneck of half of it; enough samples for 20 ms.
const SETTINGS: [(&str, &str); 4] =
    [("line_rate_mbps", "1000"), ("bottleneck_mbps", "500"), ("sample_packets", "5"), ("min_rate_mbps", "5")];
/// A look at the queue and the rates each 64 µs.
const LOOK: Cycles = 8000;
const KB: f64 = 1024.0;

/// The two worlds: name, and the key for the number of flows.
const WORLDS: [(&str, &str); 2] =
    [("16 reaction points and links", "flows"), ("one for 16 flows, one link", "rp_flows")];

/// A run and what its trace says.
struct Run {
    parameters: Parameters,
    summary: Summary,
    latencies: Latencies,
}

/// Mean latencies in the second half of a run, cycles.
struct Latencies {
    /// From the last word of a feedback frame at the parser to the first cycle with the new rate.
    rate: f64,
    /// The longest of them.
    rate_longest: f64,
    /// From the cycle in which rate, bucket and the packet before let a packet go to its start.
    start: f64,
    /// The same without the time in which the link carries other packets, if the rate did not rise since the packet
    /// before.
    steady: f64,
    /// The longest of them.
    steady_longest: f64,
    /// The same, if it rose.
    risen: f64,
    /// The longest of them.
    risen_longest: f64,
}

fn run(scheme: &str, key: &str, seed: u64) -> Result<Run> {
    let row = registry::find(scheme).map_err(anyhow::Error::msg)?;
    let mut settings: Vec<_> = SETTINGS.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    settings.push((key.to_string(), FLOWS.to_string()));
    settings.push(("seed".to_string(), seed.to_string()));
    let parameters = row.parameters(&settings)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("trace.csv");
    let mut trace = Trace::create(Some(&path), HEADER)?;
    let observation = Observation { period: LOOK };
    let reports = Reports::trace(&mut trace);
    let summary = dumbbell::run(row, &parameters, Engine::Model, CYCLES, observation, reports)?;
    commit_all(trace.finish())?;
    let latencies = Latencies::of(&std::fs::read_to_string(path)?, &parameters)?;
    Ok(Run { parameters, summary, latencies })
}

/// A flow as its trace shows it.
struct Flow {
    /// Feedback on its way: the cycle of its last word at the parser, and its fields.
    feedback: VecDeque<(Cycles, String)>,
    /// The last word of the feedback that was taken.
    taken: Option<Cycles>,
    /// Bytes per cycle.
    rate: f64,
    /// Bytes in the bucket in cycle `at`.
    level: f64,
    at: Cycles,
    /// When the bucket held a packet, since the last one.
    full: Option<f64>,
    /// When the packet before let the next one go.
    free: Cycles,
    /// The rate rose since then.
    rose: bool,
}

impl Flow {
    /// Fills the bucket up to a cycle.
    fn fill(&mut self, to: Cycles, packet: f64, depth: f64) {
        let missing = packet - self.level;
        let time = (to - self.at) as f64;
        if self.full.is_none() && missing <= time * self.rate {
            self.full = Some(self.at as f64 + missing.max(0.0) / self.rate);
        }
        (self.level, self.at) = ((self.level + time * self.rate).min(depth), to);
    }
}

impl Latencies {
    fn of(trace: &str, parameters: &Parameters) -> Result<Latencies> {
        let one = parameters.rp_flows() > 1;
        let depth = parameters.integer("bucket_bytes") as f64;
        let packet = (parameters.integer("packet_bytes") + u64::from(parameters.overhead())) as f64;
        let line_rate = parameters.rate("line_rate_mbps").0 as f64 / f64::from(1 << 18);
        let on_the_link = (packet / line_rate).ceil() as Cycles;
        // All words are sent, one cycle passes, and the parser reads all words.
        let on_the_way = 2 * (FRAME_WORDS as Cycles - 1) + 1;
        let mut flows: Vec<_> = (0..FLOWS)
            .map(|_| Flow {
                feedback: VecDeque::new(),
                taken: None,
                rate: line_rate,
                level: 0.0,
                at: 0,
                full: None,
                free: 0,
                rose: false,
            })
            .collect();
        let (mut of_rates, mut of_starts, mut of_steady, mut of_risen) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // When the packets end on the one link.
        let mut ends: Vec<Cycles> = Vec::new();
        let second_half = |at: Cycles| at > CYCLES / 2;
        // In the order of time: at which flow, and the new rate, or a packet that starts.
        let mut events = Vec::new();
        for line in trace.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let (now, number): (Cycles, usize) = (fields[0].parse()?, fields[2].parse()?);
            let (flow, offsets) = (&mut flows[number], fields[5..7].join(","));
            match fields[1] {
                "feedback_sent" => flow.feedback.push_back((now + on_the_way, offsets)),
                "feedback_received" => {
                    // Those before it were dropped, because another one waited.
                    while let Some((read, sent)) = flow.feedback.pop_front() {
                        if sent == offsets {
                            flow.taken = Some(read);
                            break;
                        }
                    }
                }
                "rate" => {
                    // A rate of QCN or BCN also changes without a feedback.
                    of_rates.extend(flow.taken.take().filter(|_| second_half(now)).map(|read| (now - read) as f64));
                    let rate = fields[7].parse::<f64>()? / 8.0 / parameters.decimal("clock_mhz").to_f64();
                    events.push((now, number, Some(rate)));
                }
                "enqueue" | "drop" => events.push((now - on_the_link, number, None)),
                _ => {}
            }
        }
        events.sort_by_key(|&(at, ..)| at);
        for (at, number, rate) in events {
            let flow = &mut flows[number];
            flow.fill(at, packet, depth);
            if let Some(rate) = rate {
                flow.rose |= rate > flow.rate;
                flow.rate = rate;
                continue;
            }
            if let Some(full) = flow.full.take().filter(|_| second_half(at)) {
                let (allowed, at) = (full.max(flow.free as f64), at as f64);
                of_starts.push(at - allowed);
                let busy = |&end: &Cycles| (end as f64 - allowed).clamp(0.0, on_the_link as f64);
                let on_link: f64 = ends.iter().rev().map(busy).take_while(|&time| time > 0.0).sum();
                if flow.rose { &mut of_risen } else { &mut of_steady }.push(at - allowed - on_link);
            }
            if one {
                ends.push(at + on_the_link);
            }
            flow.rose = false;
            flow.level -= packet;
            // A packet leaves its own link before the next one is requested; that of a flow of many is announced in the
            // next cycle.
            flow.free = if one { at + 1 } else { at + on_the_link };
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let longest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        Ok(Latencies {
            rate: mean(&of_rates),
            rate_longest: longest(&of_rates),
            start: mean(&of_starts),
            steady: mean(&of_steady),
            steady_longest: longest(&of_steady),
            risen: mean(&of_risen),
            risen_longest: longest(&of_risen),
        })
    }
}

impl Run {
    /// Queue over time, KB.
    fn queue(&self) -> Vec<(Cycles, f64)> {
        self.summary.queue.iter().map(|&(at, bytes)| (at, f64::from(bytes) / KB)).collect()
    }

    /// Rate of a flow over time, Mb/s.
    fn rate(&self, flow: usize) -> Vec<(Cycles, f64)> {
        let clock = self.parameters.decimal("clock_mhz");
        let looks = self.summary.queue.iter().zip(&self.summary.rates);
        looks.map(|(&(at, _), rates)| (at, rates[flow].to_mbps(clock).to_f64())).collect()
    }

    /// Mean rate of each flow in the second half, Mb/s.
    fn mean_rates(&self) -> Result<Vec<f64>> {
        let mean =
            |flow| Ok(StepFunction::new(&self.rate(flow), CYCLES)?.starting_at(CYCLES / 2)?.time_weighted_mean());
        (0..FLOWS).map(mean).collect()
    }

    /// The figures, in the order of [`FIGURES`].
    fn figures(&self) -> Result<Vec<f64>> {
        let queue = self.queue();
        let queue = StepFunction::new(&queue, CYCLES)?.starting_at(CYCLES / 2)?;
        let rates = self.mean_rates()?;
        let largest = self.queue().iter().map(|&(_, length)| length).fold(0.0, f64::max);
        Ok(vec![
            queue.time_weighted_mean(),
            queue.time_weighted_deviation(),
            largest,
            self.summary.bytes_out as f64 * 8.0 * self.parameters.decimal("clock_mhz").to_f64() / CYCLES as f64,
            self.summary.dropped as f64,
            rates.iter().copied().fold(f64::INFINITY, f64::min),
            rates.iter().copied().fold(0.0, f64::max),
            jain_index(&rates),
            self.summary.feedback_sent as f64,
            self.summary.feedback_received as f64,
            self.latencies.rate,
            self.latencies.rate_longest,
            self.latencies.start,
            self.latencies.steady,
            self.latencies.steady_longest,
            self.latencies.risen,
            self.latencies.risen_longest,
        ])
    }
}

/// Name and decimals of each figure.
const FIGURES: [(&str, usize); 17] = [
    ("mean queue, second half, KB", 1),
    ("standard deviation, second half, KB", 1),
    ("longest queue, KB", 1),
    ("throughput, Mb/s", 1),
    ("packets dropped", 0),
    ("least mean rate of a flow, Mb/s", 1),
    ("largest mean rate of a flow, Mb/s", 1),
    ("Jain's index of these rates", 3),
    ("feedback frames sent", 0),
    ("feedback taken", 0),
    ("feedback read to new rate, cycles", 1),
    ("  the longest", 0),
    ("packet allowed to its start, cycles", 1),
    ("  of these the link is free for", 1),
    ("    the longest", 0),
    ("  the same after a rise of the rate", 1),
    ("    the longest", 0),
];

/// Mean, least and most.
fn spread(values: &[f64], decimals: usize) -> String {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!("{mean:.decimals$} ({least:.decimals$} to {most:.decimals$})")
}

/// The queues above, the rates below; both worlds side by side.
fn picture(runs: &[Run], scheme: &str) -> Result<Picture> {
    let seconds =
        |points: Vec<(Cycles, f64)>| points.into_iter().map(|(at, value)| (at as f64 / 125e3, value)).collect();
    let mut columns = Vec::new();
    for (run, (name, _)) in runs.iter().zip(WORLDS) {
        let target = run.parameters.integer("q0_bytes") as f64 / KB;
        let buffer = run.parameters.integer("buffer_bytes") as f64 / KB;
        let queue = TimeSeries::new(format!("{scheme}, {name}: queue"), "time (ms)", "queue length (KB)")
            .series(Series::new("queue", seconds(run.queue())).steps())
            .reference(target, format!("q0 = {target} KB"))
            .reference(buffer, format!("buffer, {buffer} KB"));
        let mut rates = TimeSeries::new(format!("{scheme}, {name}: rates"), "time (ms)", "rate of each flow (Mb/s)");
        for flow in 0..FLOWS {
            rates = rates.series(Series::new(format!("{}", flow + 1), seconds(run.rate(flow))).steps());
        }
        let share = run.parameters.bottleneck().to_mbps(run.parameters.decimal("clock_mhz")).to_f64() / FLOWS as f64;
        rates = rates.reference(share, format!("even share, {share:.0} Mb/s"));
        columns.push(vec![time_series(&queue)?, time_series(&rates)?]);
    }
    Ok(side_by_side(&columns))
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let scheme = arguments.next().unwrap_or_else(|| "smcc".to_string());
    let file = arguments.next();
    if arguments.next().is_some() {
        bail!("usage: one_for_many [SCHEME] [PICTURE.svg]");
    }
    let mut runs = Vec::new();
    let mut columns = Vec::new();
    for (_, key) in WORLDS {
        let all = (1..=SEEDS).map(|seed| run(&scheme, key, seed)).collect::<Result<Vec<_>>>()?;
        columns.push(all.iter().map(Run::figures).collect::<Result<Vec<_>>>()?);
        runs.extend(all.into_iter().take(1));
    }
    let settings: Vec<_> = SETTINGS.iter().map(|(key, value)| format!("{key}={value}")).collect();
    println!("{scheme}, {FLOWS} flows, {CYCLES} cycles, seeds 1 to {SEEDS}, {}", settings.join(" "));
    println!("{:38}{:32}{}", "mean (least to most) over the seeds", WORLDS[0].0, WORLDS[1].0);
    for (index, (name, decimals)) in FIGURES.into_iter().enumerate() {
        let [copies, one] = [0, 1].map(|world| {
            let values: Vec<f64> = columns[world].iter().map(|figures: &Vec<f64>| figures[index]).collect();
            spread(&values, decimals)
        });
        println!("{name:38}{copies:32}{one}");
    }
    println!("mean rates of the flows with seed 1, second half, Mb/s:");
    for (run, (name, _)) in runs.iter().zip(WORLDS) {
        let rates: Vec<_> = run.mean_rates()?.iter().map(|rate| format!("{rate:.1}")).collect();
        println!("  {name}: {}", rates.join(" "));
    }
    if let Some(file) = file {
        std::fs::write(&file, picture(&runs, &scheme)?.svg()).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(())
}
