// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate sim`: the cycle-accurate benches.

mod meaning;

use super::progress::Progress;
use super::{completions, hint, json_value, print_json, refuse_repeats, say_beside, setting, shown};
use anyhow::{Result, bail};
use clap_complete::{ArgValueCandidates, ArgValueCompleter};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tidegate_core::error::Usage;
use tidegate_core::frame::capture::CaptureWriter;
use tidegate_core::output::{OutputFile, STANDARD, commit_all, refuse_collisions};
use tidegate_core::units::{CYCLES_MAX, Cycles};
use tidegate_lab::bench::trace::Trace;
use tidegate_lab::bench::waveform::Waveform;
use tidegate_lab::bench::{Engine, Reports, capture, cp, dumbbell, frames, marking, overload, rp, source};
use tidegate_package::switch::PORTS_MAX;
use tidegate_package::switch::core::of_internal_port;
use tidegate_schemes::model::wire::Address;
use tidegate_schemes::registry::{self, Family, Scheme};
use tidegate_schemes::scheme::parameters::Parameters;

/// Default number of cycles after the last event.
const CYCLES_AFTER_EVENTS: Cycles = 1000;
/// Default number of cycles of the closed loops: 20 ms at 125 MHz.
const LOOP_CYCLES: Cycles = 2_500_000;
/// The longest run of circuits in seconds: eleven days. Every cycle is simulated.
const SECONDS_MAX: u64 = 1_000_000;
/// Of a longer run of circuits the time is said before.
const SECONDS_SAID: u64 = 600;

/// Run a cycle-accurate bench
///
/// Benches:
///   dumbbell  sources with reaction points, one bottleneck queue with a
///             congestion point, real frames between them.
///             --set rp_flows=N: N sources are the flows of one reaction
///             point (a card), and one link at line rate carries the frames
///             of all; the queue then drains at three quarters of the line
///             rate, or at bottleneck_mbps
///   rp        a calculator (--events), or a whole reaction point that reads
///             raw frames (--pcap) while it always has a packet to send
///   cp        a congestion point, driven by --events or by real traffic
///             (--pcap)
///   marking   the marking of an InfiniBand switch, driven by --events
///   switch    the whole switch that `tidegate build` puts on a board, with
///             models of its MACs: its internal port and a station at port 1
///             overload port 0. --ports N: so many Gigabit ports
///
/// Event files are CSV with the header `cycle,event,a,b`, in the order of time. A
/// cycle is a whole number from 0 to 2^62. Empty lines and lines that begin with #
/// are skipped.
///   bench, scheme     event    a                     b
///   rp, qcn           cnm      QntzFb, 0 to 63       -
///   rp, bcn smcc asm  cnm      QOffset *             QDelta *
///   rp, dsm           cnm      F, bits 31 to 16 *    F, bits 15 to 0 *
///   rp, all of these  sent     bytes, 1 to 16777215  -
///   rp, infiniband    ack      1: marked, 0: not     -
///   rp, infiniband    flow     -                     -
///   cp                enqueue  bytes, 1 to 16777215  flow, 0 to 65535
///   cp                dequeue  bytes, 1 to 16777215  -
///   marking           enter    output                input
///   marking           complete -                     input
///   marking           leave    output                input
/// Values with a star are -32768 to 32767; QOffset and QDelta have units of 64
/// octets. `flow` begins a new flow. `enter` is the header of a packet, `complete`
/// its last byte; with full_when=header none is needed. With `leave` the oldest
/// packet of its input and output leaves. Inputs and outputs are numbered from 0.
/// An ACK that arrives while no packet is outstanding waits for the next packet. If
/// events of one cycle conflict, the later ones are moved to the next cycle.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, group(clap::ArgGroup::new("waveform").args(["vcd", "fst"]).multiple(true)))]
pub struct Arguments {
    /// The bench
    #[arg(value_enum)]
    bench: Bench,
    /// The scheme; `tidegate schemes` lists them
    #[arg(long, value_name = "SCHEME", default_value = "qcn", add = ArgValueCandidates::new(completions::schemes))]
    scheme: String,
    /// Gigabit ports of the switch [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=PORTS_MAX as i64))]
    ports: Option<u8>,
    /// Clock cycles to run [default: dumbbell and switch 2500000; others: 1000 after the last event or frame]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=CYCLES_MAX))]
    cycles: Option<u64>,
    /// Seed of every random choice; the same as --set seed=N
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Set a parameter; `tidegate schemes SCHEME` lists them. May be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting, add = ArgValueCompleter::new(completions::settings))]
    settings: Vec<(String, String)>,
    /// What to run; all write the same traces. --vcd and --fst need rtl and select it; switch has rtl only [default: model]
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// Write the trace as CSV
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Events for rp, cp and marking
    #[arg(long, value_name = "FILE.csv", conflicts_with = "pcap")]
    events: Option<PathBuf>,
    /// Play a capture (pcap or pcapng): as traffic through cp, or as frames that rp receives
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// Write the frames that leave the queue of cp and the feedback frames, or what leaves port 1 of the switch, as pcap with nanoseconds
    #[arg(long, value_name = "FILE")]
    pcap_out: Option<PathBuf>,
    /// Play the capture N times as fast, so that a queue builds [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    speedup: Option<u64>,
    /// Write the signals of the circuits as VCD
    #[arg(long, value_name = "FILE.vcd")]
    vcd: Option<PathBuf>,
    /// Write the signals of the circuits as FST: smaller than VCD, for GTKWave and Surfer
    #[arg(long, value_name = "FILE.fst")]
    fst: Option<PathBuf>,
    /// First cycle of the waveform [default: 0]
    #[arg(long, value_name = "CYCLE", requires = "waveform")]
    wave_from: Option<u64>,
    /// First cycle after the waveform [default: the end]
    #[arg(long, value_name = "CYCLE", requires = "waveform")]
    wave_to: Option<u64>,
    /// Only signals whose path matches this regular expression; paths look like rp0.calculator.rate
    #[arg(long, value_name = "REGEX", requires = "waveform")]
    wave_signals: Option<regex::Regex>,
    /// Print a JSON object instead of a summary
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn has_waveform(&self) -> bool {
        self.vcd.is_some() || self.fst.is_some()
    }

    fn switch_ports(&self) -> usize {
        self.ports.map_or(2, usize::from)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Bench {
    /// Sources, one bottleneck, feedback
    Dumbbell,
    /// A reaction point alone
    Rp,
    /// A congestion point alone
    Cp,
    /// The marking of an InfiniBand switch alone
    Marking,
    /// A whole switch that is overloaded
    Switch,
}

impl Bench {
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A requested run, after the checks of the command line.
struct Run<'a> {
    arguments: &'a Arguments,
    scheme: &'static Scheme,
    parameters: Parameters,
    engine: Engine,
    /// What the user has set.
    settings: Vec<(String, String)>,
}

/// The files that a run writes.
struct Outputs {
    trace: Trace,
    pcap: Option<CaptureWriter>,
    waveform: Option<Waveform>,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let scheme = registry::find(&arguments.scheme).map_err(Usage)?;
    check(&arguments, scheme)?;
    let mut settings = arguments.settings.clone();
    settings.extend(arguments.seed.map(|seed| ("seed".to_string(), seed.to_string())));
    refuse_repeats(&settings)?;
    let parameters = match arguments.bench {
        Bench::Switch => scheme.parameters(&of_internal_port(scheme, arguments.switch_ports(), &settings))?,
        _ => scheme.parameters(&settings)?,
    };
    let many = |key: &str| settings.iter().any(|(name, value)| name == key && value != "1");
    if many("cp_queues") {
        return Err(Usage("parameter `cp_queues`: expected 1: `sim` runs congestion points of one queue".into()).into());
    }
    if many("rp_flows") && arguments.bench != Bench::Dumbbell {
        let reason = "parameter `rp_flows`: expected 1: only `sim dumbbell` runs a reaction point of many flows";
        return Err(Usage(reason.into()).into());
    }
    if settings.iter().any(|(key, value)| key == "flow_from" && value == "tag") {
        let reason = "parameter `flow_from`: expected `address`: the frames of the benches have no CN-TAG";
        return Err(Usage(reason.into()).into());
    }
    let of_frames = ["rp_mac", "allowed_cpid", "allowed_cpid_mask"];
    let by_events = arguments.bench == Bench::Rp && arguments.events.is_some();
    if let Some((key, _)) = settings.iter().find(|(key, _)| by_events && of_frames.contains(&key.as_str())) {
        let reason = format!(
            "parameter `{key}`: it has no effect: the events of `sim rp` come behind the parser; leave it out, or play frames with --pcap"
        );
        return Err(Usage(reason).into());
    }
    let circuits = arguments.has_waveform() || arguments.bench == Bench::Switch;
    let engine = arguments.engine.unwrap_or(if circuits { Engine::Rtl } else { Engine::Model });
    let run = Run { arguments: &arguments, scheme, parameters, engine, settings };
    let started = Instant::now();
    let (results, outputs) = run.bench()?;
    let seconds = started.elapsed();
    let Outputs { trace, pcap, waveform } = outputs;
    let mut files: Vec<OutputFile> = trace.finish().into_iter().collect();
    files.extend(pcap.map(CaptureWriter::finish));
    files.extend(waveform.map(Waveform::finish).transpose()?.into_iter().flatten());
    commit_all(files)?;
    run.print(results, seconds)
}

/// Checks which options have an effect with which bench.
fn check(arguments: &Arguments, scheme: &Scheme) -> Result<()> {
    let fail = |reason: String| Err(Usage(reason).into());
    let name = arguments.bench.name();
    if !scheme.benches().contains(&name.as_str()) {
        let benches = scheme.benches().join(", ");
        return fail(format!("{} has no bench `{name}`: expected one of {benches}", scheme.name));
    }
    let capture = arguments.pcap.is_some();
    let is = |benches: &[Bench]| benches.contains(&arguments.bench);
    let takes_capture = is(&[Bench::Cp]) || is(&[Bench::Rp]) && matches!(scheme.family, Family::Ethernet(_));
    // For each option: whether it was given, whether it has an effect here, and the benches where it has one.
    let options = [
        (
            "--events",
            arguments.events.is_some(),
            !is(&[Bench::Dumbbell, Bench::Switch]),
            "sim rp, sim cp and sim marking",
        ),
        ("--pcap", capture, takes_capture, "sim cp, and in sim rp of an Ethernet scheme"),
        (
            "--pcap-out",
            arguments.pcap_out.is_some(),
            is(&[Bench::Cp]) && capture || is(&[Bench::Switch]),
            "sim cp --pcap FILE, and in sim switch",
        ),
        ("--ports", arguments.ports.is_some(), is(&[Bench::Switch]), "sim switch"),
        ("--vcd or --fst", arguments.has_waveform(), !is(&[Bench::Switch]), "the benches of parts"),
        ("--speedup", arguments.speedup.is_some(), capture, "sim cp or sim rp, with --pcap FILE"),
        (
            "--cycles",
            arguments.cycles.is_some(),
            !(is(&[Bench::Cp]) && capture),
            "other benches; sim cp plays a capture to its end",
        ),
    ];
    for (option, given, has_effect, place) in options {
        if given && !has_effect {
            return fail(format!("{option} has no effect in this run: expected in {place}"));
        }
    }
    if is(&[Bench::Switch]) && arguments.engine.is_some_and(|engine| engine != Engine::Rtl) {
        return fail("sim switch runs the circuits as machine code: leave out --engine".into());
    }
    if !is(&[Bench::Dumbbell, Bench::Switch]) && arguments.events.is_none() && !capture {
        let capture = if takes_capture { " or --pcap FILE" } else { "" };
        return fail(format!("sim {name} needs --events FILE.csv{capture}"));
    }
    if arguments.has_waveform() && arguments.engine.is_some_and(|engine| engine != Engine::Rtl) {
        return fail("a waveform shows the signals of the circuits as machine code: it needs --engine rtl".into());
    }
    if arguments.wave_to.is_some_and(|to| to <= arguments.wave_from.unwrap_or(0)) {
        return fail("--wave-to: expected a cycle after --wave-from".into());
    }
    refuse_collisions(
        &[("--events", arguments.events.as_deref()), ("--pcap", arguments.pcap.as_deref())],
        &[
            ("--trace", arguments.trace.as_deref()),
            ("--vcd", arguments.vcd.as_deref()),
            ("--fst", arguments.fst.as_deref()),
            ("--pcap-out", arguments.pcap_out.as_deref()),
            ("--json", arguments.json.then_some(Path::new(STANDARD))),
        ],
    )
}

impl Run<'_> {
    /// The name of this run in messages.
    fn name(&self) -> String {
        format!("sim {} --scheme {}", self.arguments.bench.name(), self.scheme.name)
    }

    /// Opens the outputs. If the number of cycles is known, checks that the run includes the waveform and is not too
    /// long.
    fn open(&self, header: &str, cycles: Option<Cycles>) -> Result<Outputs> {
        let arguments = self.arguments;
        if let Some(cycles) = cycles {
            self.refuse_endless(cycles)?;
            if let Some(from) = arguments.wave_from.filter(|&from| from >= cycles) {
                return Err(
                    Usage(format!("--wave-from {from}: expected a cycle of the run, which has {cycles}")).into()
                );
            }
        }
        let trace = Trace::create(arguments.trace.as_deref(), header)?;
        let pcap = arguments.pcap_out.as_deref().map(CaptureWriter::create).transpose()?;
        let waveform = match arguments.has_waveform() {
            true => {
                let create = |path: &Option<PathBuf>| path.as_ref().map(OutputFile::create).transpose();
                let window = arguments.wave_from.unwrap_or(0)..arguments.wave_to.unwrap_or(Cycles::MAX);
                let (filter, clock) = (arguments.wave_signals.clone(), self.parameters.decimal("clock_mhz"));
                Some(Waveform::new(create(&arguments.vcd)?, create(&arguments.fst)?, window, filter, clock)?)
            }
            false => None,
        };
        Ok(Outputs { trace, pcap, waveform })
    }

    /// Circuits are simulated in every cycle, also without events, and so is the model of a reaction point of many flows.
    /// Refuses a run that takes too long, and says how long a long one takes.
    fn refuse_endless(&self, cycles: Cycles) -> Result<()> {
        let many = self.parameters.has("rp_flows") && self.parameters.rp_flows() > 1;
        if self.engine == Engine::Model && !many {
            return Ok(());
        }
        // Each source is a circuit of its own, unless all are flows of one.
        let apart = self.arguments.bench == Bench::Dumbbell && !many;
        let sources = if apart { self.parameters.sources() } else { 1 };
        // Measured on one core: ten million cycles of a reaction point, or eighty thousand in rust-hdl, and a million of
        // all around them.
        let per_second = match self.engine {
            Engine::RustHdl => (80_000 / sources).max(1),
            _ => (1_000_000 / sources.div_ceil(10)).max(1),
        };
        let seconds = cycles / per_second;
        let time = super::progress::duration(Duration::from_secs(seconds));
        let (parts, instead) = match (self.engine, sources) {
            (Engine::Model, _) => ("a reaction point of many flows".into(), "end the run with --cycles"),
            (_, 1) => ("circuits".into(), "use --engine model, or end the run with --cycles"),
            _ => (format!("{sources} reaction points as circuits"), "use --engine model, --cycles, or fewer flows"),
        };
        let most = SECONDS_MAX * per_second;
        if cycles > most {
            let reason = format!(
                "the run has {cycles} cycles, which takes {time} with {parts} at {per_second} cycles a second: expected at \
                 most {most}; {instead}"
            );
            return Err(Usage(reason).into());
        }
        if seconds > SECONDS_SAID {
            hint(&format!("{cycles} cycles take about {time} with {parts}; if that is too long, {instead}"));
        }
        Ok(())
    }

    /// Runs the bench. Returns its results by name.
    fn bench(&self) -> Result<(Map<String, Value>, Outputs)> {
        let Run { arguments, scheme, parameters, engine, settings } = self;
        let until = |last: Option<Cycles>| arguments.cycles.unwrap_or(last.unwrap_or(0) + CYCLES_AFTER_EVENTS);
        let name = self.name();
        // The set-up reads every key that the bench reads.
        let check = || Ok(parameters.refuse_unread(&name)?);
        let bar = Progress::new("cycles");
        let (results, outputs) = match (arguments.bench, &arguments.events, &arguments.pcap) {
            (Bench::Dumbbell, ..) => {
                let cycles = arguments.cycles.unwrap_or(LOOP_CYCLES);
                let mut outputs = self.open(dumbbell::HEADER, Some(cycles))?;
                let progress = |now| bar.set(now, Some(cycles));
                let reports = outputs.reports(&check, &progress);
                let observation = dumbbell::Observation::every(cycles / 4096, cycles, parameters);
                let summary = dumbbell::run(scheme, parameters, *engine, cycles, observation, reports)?;
                (meaning::of_dumbbell(&summary, parameters), outputs)
            }
            (Bench::Rp, Some(events), _) if matches!(scheme.family, Family::InfiniBand) => {
                let events = source::read(events)?;
                let last = events.last().map(|event| event.cycle);
                let mut outputs = self.open(rp::HEADER, Some(until(last)))?;
                let progress = |now| bar.set(now, Some(until(last).max(now)));
                let reports = outputs.reports(&check, &progress);
                let summary = source::run(scheme, parameters, *engine, &events, arguments.cycles, reports)?;
                (of_rp(events.len(), &summary), outputs)
            }
            (Bench::Rp, Some(events), _) => {
                let events = rp::read(events, scheme)?;
                let cycles = until(events.last().map(|event| event.cycle));
                let mut outputs = self.open(rp::HEADER, Some(cycles))?;
                let progress = |now| bar.set(now, Some(cycles));
                let summary =
                    rp::run(scheme, parameters, *engine, &events, cycles, outputs.reports(&check, &progress))?;
                (of_rp(events.len(), &summary), outputs)
            }
            (Bench::Rp, None, Some(input)) => {
                let mut outputs = self.open(frames::HEADER, arguments.cycles)?;
                let progress = |now| bar.set(now, arguments.cycles);
                let reports = outputs.reports(&check, &progress);
                let (speedup, cycles) = (arguments.speedup.unwrap_or(1), arguments.cycles);
                let address = Address::of(parameters, 0);
                let playback = frames::Playback { input, speedup, cycles, address };
                let summary = frames::run(scheme, parameters, *engine, &playback, reports)?;
                (serde_json::to_value(summary)?, outputs)
            }
            (Bench::Marking, Some(events), _) => {
                let events = marking::read(events, parameters)?;
                let cycles = until(marking::last_cycle(parameters, &events));
                let mut outputs = self.open(marking::HEADER, Some(cycles))?;
                let progress = |now| bar.set(now, Some(cycles));
                let reports = outputs.reports(&check, &progress);
                let summary = marking::run(scheme, parameters, *engine, &events, cycles, reports)?;
                (of_marking(&summary), outputs)
            }
            (Bench::Cp, Some(events), _) => {
                let events = cp::read(events)?;
                let cycles = until(events.last().map(|event| event.cycle));
                let mut outputs = self.open(cp::HEADER, Some(cycles))?;
                let progress = |now| bar.set(now, Some(cycles));
                let summary =
                    cp::run(scheme, parameters, *engine, &events, cycles, outputs.reports(&check, &progress))?;
                (of_cp(&summary), outputs)
            }
            (Bench::Cp, None, Some(input)) => {
                let mut outputs = self.open(cp::HEADER, None)?;
                let mut pcap = outputs.pcap.take();
                let progress = |now| bar.set(now, None);
                let reports = outputs.reports(&check, &progress);
                let speedup = arguments.speedup.unwrap_or(1);
                let playback = capture::Playback { input, output: pcap.as_mut(), speedup };
                let summary = capture::run(scheme, parameters, *engine, playback, reports)?;
                outputs.pcap = pcap;
                (serde_json::to_value(summary)?, outputs)
            }
            (Bench::Switch, ..) => {
                let cycles = arguments.cycles.unwrap_or(LOOP_CYCLES);
                let mut outputs = self.open(overload::HEADER, Some(cycles))?;
                let mut pcap = outputs.pcap.take();
                let progress = |now| bar.set(now, Some(cycles));
                let reports = outputs.reports(&|| Ok(()), &progress);
                let ports = arguments.switch_ports();
                let summary = overload::run(scheme, ports, settings, cycles, pcap.as_mut(), reports)?;
                outputs.pcap = pcap;
                (serde_json::to_value(summary)?, outputs)
            }
            (Bench::Rp | Bench::Marking | Bench::Cp, None, _) => bail!("no input"),
        };
        match results {
            Value::Object(results) => Ok((results, outputs)),
            _ => bail!("a summary is an object"),
        }
    }
}

impl Outputs {
    /// The outputs for a bench.
    fn reports<'a>(&'a mut self, set_up: &'a dyn Fn() -> Result<()>, progress: &'a dyn Fn(Cycles)) -> Reports<'a> {
        Reports { trace: &mut self.trace, waveform: self.waveform.as_ref(), set_up, progress }
    }
}

fn of_rp(events: usize, summary: &rp::Summary) -> Value {
    json!({
        "cycles": summary.cycles,
        "events": events,
        "changes": summary.changes,
        "final_rate_mbps": summary.final_rate_mbps,
    })
}

fn of_marking(summary: &marking::Summary) -> Value {
    json!({
        "cycles": summary.cycles,
        "entered": summary.entered,
        "left": summary.left,
        "marked": summary.marked,
    })
}

fn of_cp(summary: &cp::Summary) -> Value {
    json!({
        "cycles": summary.cycles,
        "packets": summary.packets,
        "samples": summary.samples,
        "feedback_sent": summary.feedback_sent,
        "longest_queue_bytes": summary.longest_queue_bytes,
    })
}

/// Longer lists of numbers are summarised.
const MOST_LISTED: usize = 8;

impl Run<'_> {
    fn print(&self, results: Map<String, Value>, time: Duration) -> Result<()> {
        let arguments = self.arguments;
        let seconds = time.as_secs_f64();
        let engine =
            clap::ValueEnum::to_possible_value(&self.engine).expect("every engine has a name").get_name().to_string();
        if arguments.json {
            let parameters: Map<String, Value> =
                self.parameters.iter().map(|(key, value)| (key.to_string(), json_value(value))).collect();
            return print_json(&json!({
                "format_version": 2,
                "bench": arguments.bench.name(),
                "scheme": self.scheme.name,
                "engine": engine,
                "parameters": parameters,
                "results": results,
                "seconds": seconds,
            }));
        }
        let seed = match self.parameters.has("seed") {
            true => format!(", seed {}", self.parameters.integer("seed")),
            false => String::new(),
        };
        let form = match self.engine {
            Engine::Rtl => "circuits",
            Engine::RustHdl => "circuits in rust-hdl",
            Engine::Model => "model",
        };
        let mut text =
            format!("{} on {}: {form} (--engine {engine}){seed}\n", self.scheme.name, arguments.bench.name());
        if let Some(Value::String(meaning)) = results.get("meaning") {
            writeln!(text, "  {}", meaning.replace(". ", ".\n  "))?;
        }
        for (name, value) in results.iter().filter(|(name, _)| *name != "meaning") {
            match value {
                Value::Object(inner) => {
                    writeln!(text, "  {}:", name.replace('_', " "))?;
                    for (name, value) in inner {
                        writeln!(text, "    {:<22} {}", name.replace('_', " "), plain(value))?;
                    }
                }
                _ => writeln!(text, "  {:<24} {}", name.replace('_', " "), plain(value))?,
            }
        }
        writeln!(text, "  {:<24} {seconds:.2} s", "took")?;
        let outputs = [&arguments.trace, &arguments.vcd, &arguments.fst, &arguments.pcap_out];
        for path in outputs.into_iter().flatten().filter(|path| path.as_os_str() != STANDARD) {
            writeln!(text, "  wrote {}", shown(path))?;
        }
        // The summary must not be part of a trace.
        say_beside(&outputs, &text)
    }
}

/// A value for a reader: numbers with at most four decimals, long lists as mean and bounds.
fn plain(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => format!("{:.4}", number.as_f64().unwrap_or(0.0)),
        Value::Array(values) if values.len() > MOST_LISTED => {
            let numbers: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
            let (least, most) = numbers
                .iter()
                .fold((f64::MAX, f64::MIN), |(least, most), &number| (least.min(number), most.max(number)));
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            format!("{mean:.4} in the mean of {}, {least:.4} to {most:.4}", numbers.len())
        }
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
