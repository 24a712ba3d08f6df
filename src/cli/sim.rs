//! `tidegate sim`: the cycle-accurate benches.

use super::setting;
use crate::bench::dumbbell::{self, Observation};
use crate::bench::trace::Trace;
use crate::bench::vcd::Waveform;
use crate::bench::{capture, cp, marking, rp, source, Engine, Reports};
use crate::error::Usage;
use crate::registry::{self, Family, Scheme};
use crate::report::fairness::jain_index;
use crate::scheme::parameters::Parameters;
use crate::units::Cycles;
use anyhow::{bail, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{json, Map, Value};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Cycles that a bench runs on after its last event, unless told otherwise.
const CYCLES_AFTER_EVENTS: Cycles = 1000;
/// Cycles of the dumbbell, unless told otherwise: 20 ms at 125 MHz.
const DUMBBELL_CYCLES: Cycles = 2_500_000;

/// Run a cycle-accurate bench.
///
/// dumbbell: sources with reaction points, one bottleneck queue with a congestion point, real frames between them.
/// rp: a calculator alone; --events has `cycle,event,a,b` with `cnm` (QCN: a = QntzFb; BCN, SMCC, ASM: a = Q offset, b = Q delta
/// in 64-octet units; DSM: the same two fields, a = F >> 16, b = its low 16 bits, signed) and `sent` (a = bytes). infiniband: a source that always has a packet to send; `ack` (a = 1 if its packet
/// was marked, else 0; one that comes while no packet is out waits until one is) and `flow` (a new flow begins).
/// cp: a congestion point alone; --events has `enqueue` (a = bytes, b = flow) and `dequeue` (a = bytes), or --pcap plays
/// real traffic.
/// marking: the marking of an InfiniBand switch alone; --events has `enter` and `leave` (a = output, b = input; the oldest such
/// packet leaves, and its slot is free at once). What cannot happen in one cycle as the file orders it goes on in the next.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Which bench.
    #[arg(value_enum)]
    bench: Bench,
    /// Which scheme; `tidegate schemes` lists them.
    #[arg(long, value_name = "SCHEME", default_value = "qcn")]
    scheme: String,
    /// Clock cycles to run [default: dumbbell 2500000; others: 1000 after the last event]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cycles: Option<u64>,
    /// Seed of every random choice; the same as --set seed=N.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Set a parameter; `tidegate schemes SCHEME` lists them. May be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// The circuits, clocked, or the integer models [default: rtl; with --pcap: model]
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// Write what happened as CSV.
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Events for rp, cp and marking.
    #[arg(long, value_name = "FILE.csv", conflicts_with = "pcap")]
    events: Option<PathBuf>,
    /// Play a capture (pcap or pcapng) through cp.
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// Write the frames that pass and the feedback frames as nanosecond pcap.
    #[arg(long, value_name = "FILE", requires = "pcap")]
    pcap_out: Option<PathBuf>,
    /// Play the capture N times as fast, so that a queue builds.
    #[arg(long, value_name = "N", requires = "pcap", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    speedup: u64,
    /// Write the signals of the circuits as VCD; engine rtl only.
    #[arg(long, value_name = "FILE.vcd")]
    vcd: Option<PathBuf>,
    /// First cycle of the waveform.
    #[arg(long, value_name = "CYCLE", requires = "vcd", default_value_t = 0)]
    vcd_from: u64,
    /// First cycle after the waveform.
    #[arg(long, value_name = "CYCLE", requires = "vcd", default_value_t = u64::MAX, hide_default_value = true)]
    vcd_to: u64,
    /// Only signals whose path matches this regular expression; paths look like rp0.calculator.rate.q
    #[arg(long, value_name = "REGEX", requires = "vcd")]
    vcd_signals: Option<regex::Regex>,
    /// Print a JSON object instead of a summary.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Bench {
    Dumbbell,
    Rp,
    Cp,
    Marking,
}

impl Bench {
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

pub fn run(arguments: Arguments) -> Result<()> {
    let scheme = registry::find(&arguments.scheme).map_err(Usage)?;
    if !scheme.benches().contains(&arguments.bench.name().as_str()) {
        let (bench, benches) = (arguments.bench.name(), scheme.benches().join(", "));
        return Err(Usage(format!("{} has no bench `{bench}`: expected one of {benches}", scheme.name)).into());
    }
    let mut settings = arguments.settings.clone();
    settings.extend(arguments.seed.map(|seed| ("seed".to_string(), seed.to_string())));
    let parameters = scheme.parameters(&settings).map_err(|error| Usage(error.to_string()))?;
    check(&arguments)?;
    let default_engine = if arguments.pcap.is_some() { Engine::Model } else { Engine::Rtl };
    let engine = arguments.engine.unwrap_or(default_engine);
    if arguments.vcd.is_some() && engine == Engine::Model {
        return Err(Usage("--vcd shows the signals of circuits: it needs --engine rtl".into()).into());
    }
    let waveform = match &arguments.vcd {
        Some(path) => {
            let window = arguments.vcd_from..arguments.vcd_to;
            if window.is_empty() {
                return Err(Usage("--vcd-to: expected a cycle after --vcd-from".into()).into());
            }
            Some(Waveform::create(path, window, arguments.vcd_signals.clone(), parameters.decimal("clock_mhz"))?)
        }
        None => None,
    };
    let started = Instant::now();
    let results = bench(&arguments, scheme, &parameters, engine, waveform.as_ref())?;
    let seconds = started.elapsed().as_secs_f64();
    waveform.map_or(Ok(()), Waveform::finish)?;
    print(&arguments, scheme, &parameters, engine, results, seconds)
}

/// What goes with which bench.
fn check(arguments: &Arguments) -> Result<()> {
    let fail = |reason: &str| Err(Usage(reason.to_string()).into());
    match arguments.bench {
        Bench::Dumbbell if arguments.events.is_some() => {
            fail("--events: the dumbbell makes its own traffic; rp, cp and marking take events")
        }
        Bench::Rp if arguments.events.is_none() => fail("sim rp needs --events FILE.csv"),
        Bench::Cp if arguments.events.is_none() && arguments.pcap.is_none() => {
            fail("sim cp needs --events FILE.csv or --pcap FILE")
        }
        Bench::Marking if arguments.events.is_none() => fail("sim marking needs --events FILE.csv"),
        Bench::Dumbbell | Bench::Rp | Bench::Marking if arguments.pcap.is_some() => {
            fail("--pcap: only cp plays captures")
        }
        Bench::Cp if arguments.pcap.is_some() && arguments.cycles.is_some() => {
            fail("--cycles: a capture is played to its end")
        }
        _ => Ok(()),
    }
}

/// Runs the bench; what it came to, by name.
fn bench(
    arguments: &Arguments,
    scheme: &'static Scheme,
    parameters: &Parameters,
    engine: Engine,
    waveform: Option<&Waveform>,
) -> Result<Map<String, Value>> {
    let reports = |header, progress| -> Result<Reports> {
        Ok(Reports { trace: Trace::create(arguments.trace.as_deref(), header)?, waveform, progress })
    };
    let silent = |_| ();
    let until = |last: Option<Cycles>| arguments.cycles.unwrap_or(last.unwrap_or(0) + CYCLES_AFTER_EVENTS);
    let results = match (arguments.bench, &arguments.events, &arguments.pcap) {
        (Bench::Dumbbell, ..) => {
            let cycles = arguments.cycles.unwrap_or(DUMBBELL_CYCLES);
            let bar = progress_bar(cycles, "cycles");
            let observation = Observation::every(cycles / 4096, cycles, parameters);
            let progress = |now| bar.set_position(now);
            let reports = reports(dumbbell::HEADER, &progress)?;
            let summary = dumbbell::run(scheme, parameters, engine, cycles, observation, reports)?;
            bar.finish_and_clear();
            of_dumbbell(&summary, parameters)
        }
        (Bench::Rp, Some(events), _) => {
            let (count, summary) = if scheme.family == Family::InfiniBand {
                let events = source::read(events)?;
                let reports = reports(rp::HEADER, &silent)?;
                (events.len(), source::run(scheme, parameters, engine, &events, arguments.cycles, reports)?)
            } else {
                let events = rp::read(events, scheme)?;
                let cycles = until(events.last().map(|event| event.cycle));
                let reports = reports(rp::HEADER, &silent)?;
                (events.len(), rp::run(scheme, parameters, engine, &events, cycles, reports)?)
            };
            json!({
                "cycles": summary.cycles,
                "events": count,
                "changes": summary.changes,
                "final_rate_mbps": summary.final_rate_mbps,
            })
        }
        (Bench::Marking, Some(events), _) => {
            let events = marking::read(events, parameters)?;
            let cycles = until(marking::last_cycle(parameters, &events));
            let summary =
                marking::run(scheme, parameters, engine, &events, cycles, reports(marking::HEADER, &silent)?)?;
            json!({
                "cycles": summary.cycles,
                "entered": summary.entered,
                "left": summary.left,
                "marked": summary.marked,
            })
        }
        (Bench::Cp, Some(events), _) => {
            let events = cp::read(events)?;
            let cycles = until(events.last().map(|event| event.cycle));
            let summary = cp::run(scheme, parameters, engine, &events, cycles, reports(cp::HEADER, &silent)?)?;
            json!({
                "cycles": summary.cycles,
                "packets": summary.packets,
                "samples": summary.samples,
                "feedback_sent": summary.feedback_sent,
                "longest_queue_bytes": summary.longest_queue_bytes,
            })
        }
        (Bench::Cp, None, Some(input)) => {
            let playback =
                capture::Playback { input, output: arguments.pcap_out.as_deref(), speedup: arguments.speedup };
            let bar = progress_bar(0, "cycles");
            let progress = |now| bar.set_position(now);
            let summary = capture::run(scheme, parameters, engine, &playback, reports(cp::HEADER, &progress)?)?;
            bar.finish_and_clear();
            serde_json::to_value(summary)?
        }
        (Bench::Rp | Bench::Marking, None, _) | (Bench::Cp, None, None) => bail!("no input"),
    };
    match results {
        Value::Object(results) => Ok(results),
        _ => bail!("a summary is an object"),
    }
}

/// The dumbbell's summary: counts, and what queue and rates did in the second half.
fn of_dumbbell(summary: &dumbbell::Summary, parameters: &Parameters) -> Value {
    let clock = parameters.decimal("clock_mhz");
    let half = summary.queue.len() / 2;
    let mean = |values: &mut dyn Iterator<Item = f64>, count: usize| values.sum::<f64>() / count.max(1) as f64;
    let queue = mean(&mut summary.queue[half..].iter().map(|&(_, bytes)| f64::from(bytes)), summary.queue.len() - half);
    let flows = summary.rates.first().map_or(0, Vec::len);
    let rates: Vec<f64> = (0..flows)
        .map(|flow| {
            let rates = &summary.rates[half..];
            mean(&mut rates.iter().map(|rates| rates[flow].to_mbps(clock).to_f64()), rates.len())
        })
        .collect();
    let overhead = f64::from(parameters.overhead()) * summary.dequeued as f64;
    let capacity = parameters.rate("line_rate_mbps").to_mbps(clock).to_f64() / 8.0 / clock.to_f64();
    json!({
        "cycles": summary.cycles,
        "enqueued": summary.enqueued,
        "dequeued": summary.dequeued,
        "dropped": summary.dropped,
        "samples": summary.samples,
        "feedback_sent": summary.feedback_sent,
        "feedback_received": summary.feedback_received,
        "utilisation": (summary.bytes_out as f64 + overhead) / capacity / summary.cycles as f64,
        "second_half": {
            "mean_queue_bytes": queue,
            "mean_rates_mbps": rates,
            "jain_index": jain_index(&rates),
        },
    })
}

fn progress_bar(length: u64, unit: &str) -> ProgressBar {
    // indicatif draws on a terminal only.
    let bar = if length > 0 { ProgressBar::new(length) } else { ProgressBar::no_length() };
    let style = format!("{{bar:40}} {{human_pos}} {unit}, {{eta}} to go");
    bar.with_style(ProgressStyle::with_template(&style).expect("a valid template"))
}

fn print(
    arguments: &Arguments,
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    results: Map<String, Value>,
    seconds: f64,
) -> Result<()> {
    let mut out = std::io::stdout();
    let engine = format!("{engine:?}").to_lowercase();
    if arguments.json {
        let parameters: Map<String, Value> =
            parameters.iter().map(|(key, value)| (key.to_string(), value.to_string().into())).collect();
        let report = json!({
            "format_version": 1,
            "bench": arguments.bench.name(),
            "scheme": scheme.name,
            "engine": engine,
            "parameters": parameters,
            "results": results,
            "seconds": seconds,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    let seed = if parameters.has("seed") { format!(", seed {}", parameters.integer("seed")) } else { String::new() };
    writeln!(out, "{} on {:?} ({engine}){seed}:", scheme.name, arguments.bench)?;
    for (name, value) in &results {
        match value {
            Value::Object(inner) => {
                writeln!(out, "  {}:", name.replace('_', " "))?;
                for (name, value) in inner {
                    writeln!(out, "    {:<22} {}", name.replace('_', " "), plain(value))?;
                }
            }
            _ => writeln!(out, "  {:<24} {}", name.replace('_', " "), plain(value))?,
        }
    }
    writeln!(out, "  {:<24} {seconds:.2} s", "took")?;
    for path in [&arguments.trace, &arguments.vcd, &arguments.pcap_out].into_iter().flatten() {
        writeln!(out, "  wrote {}", path.display())?;
    }
    Ok(())
}

/// A value for a person: numbers with at most four decimals.
fn plain(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => format!("{:.4}", number.as_f64().unwrap_or(0.0)),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
