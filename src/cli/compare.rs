// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate compare`.

mod table;

use super::{Force, completions, folder, print_json, refuse_repeats, say_beside, setting, shown, with_bar};
use anyhow::Result;
use clap_complete::{ArgValueCandidates, ArgValueCompleter};
use std::io::Write;
use std::path::{Path, PathBuf};
use tidegate_core::error::{Usage, quoted};
use tidegate_core::output::folder::ResultFolder;
use tidegate_core::output::{OutputFile, STANDARD, commit_all, refuse_collisions};
use tidegate_core::units::{CYCLES_MAX, Cycles};
use tidegate_lab::bench::dumbbell::{self, Observation};
use tidegate_lab::bench::trace::Trace;
use tidegate_lab::bench::{Engine, Reports};
use tidegate_lab::measure::area::{Comparison, compare};
use tidegate_lab::measure::{Request, counts, settings_of, timing, variants};
use tidegate_package::emit::ParameterStyle;
use tidegate_report::comparison::{self, area, closed_loop::Run};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_toolchain::cells::Family;
use tidegate_toolchain::nextpnr::Nextpnr;
use tidegate_toolchain::yosys::Yosys;

/// Compare the FPGA resources of schemes, block by block
///
/// Yosys synthesizes every block by itself; the total is the sum of the blocks. --fmax places and routes each part as
/// well. Shown are the counts of each block, its share of the part, and for the Virtex-II Pro (xc2vp) the smallest
/// number of slices that can hold them. A reaction point with LUT RAM has a second column, without LUT RAM.
///
/// For infiniband's switch, one port is an input buffer and its marker; --set infiniband.ports=N sets how wide they
/// are.
#[derive(clap::Args)]
pub struct Arguments {
    /// Schemes to compare
    #[arg(required = true, value_name = "SCHEME", add = ArgValueCandidates::new(completions::schemes))]
    schemes: Vec<String>,

    /// FPGA family; repeat it for several [default: all]
    #[arg(long, value_name = "FAMILY", value_parser = Family::ALL.map(Family::name))]
    family: Vec<String>,

    /// Only the congestion point or only the reaction point [default: both]
    #[arg(long, value_name = "PART", value_parser = ["cp", "rp"])]
    part: Option<String>,

    /// A parameter of every scheme, or of one as SCHEME.KEY=VALUE
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting, add = ArgValueCompleter::new(completions::settings))]
    settings: Vec<(String, String)>,

    /// Parameters as constants in the circuits (fixed), or as inputs
    #[arg(long, default_value = "fixed", value_parser = ["fixed", "inputs"])]
    parameters: String,

    /// Ports of a card; repeat it for several [default: 1 and 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    ports: Vec<u32>,

    /// Compare N copies of a part with one part that serves N queues (congestion point) or N flows (reaction point); a power
    /// of two from 1 to 4096, repeat it for several
    #[arg(long, value_name = "N", value_parser = count)]
    count: Vec<u32>,

    /// Also place and route each part for a Lattice ECP5, with parameters as constants, and print its highest clock
    /// rate
    #[arg(long)]
    fmax: bool,

    /// Place and route with the seeds 1 to N; shown are the slowest and the fastest result [default: 1]
    #[arg(long, value_name = "N", requires = "fmax", value_parser = clap::value_parser!(u32).range(seeds()))]
    seeds: Option<u32>,

    /// Write a bar chart of the flip-flops as SVG
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,

    /// Write the page DIR/index.html: area, and the schemes in the closed loop; its pictures beside it, as SVG and PNG
    #[arg(long, value_name = "DIR", value_parser = folder("--chart - prints the picture of the flip-flops, --json the counts"))]
    report: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// Clock cycles of the closed loop in the page [default: 250000000, which is 2 s at 125 MHz]
    #[arg(long, value_name = "N", requires = "report", value_parser = clap::value_parser!(u64).range(1..=CYCLES_MAX))]
    cycles: Option<u64>,

    /// Print a JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// [`timing::SEEDS`] as clap takes a range.
fn seeds() -> std::ops::RangeInclusive<i64> {
    i64::from(*timing::SEEDS.start())..=i64::from(*timing::SEEDS.end())
}

/// Reads a number of `--count`.
fn count(text: &str) -> std::result::Result<u32, String> {
    let known = || counts::servable();
    text.parse().ok().filter(|number| known().any(|known| known == *number)).ok_or_else(|| {
        let (least, most) = (known().min().unwrap_or(1), known().max().unwrap_or(1));
        format!("expected a power of two from {least} to {most}, such as 64; repeat --count for several numbers")
    })
}

/// Default number of clock cycles of the closed loop.
const LOOP_CYCLES: Cycles = 250_000_000;

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let request = request(&arguments);
    check(&arguments, &request)?;
    let nextpnr = arguments.fmax.then(Nextpnr::find).transpose()?;
    Yosys::find()?;
    // The files are opened before the long work, so that its result is not lost.
    let page_path = arguments.report.as_ref().map(|folder| folder.join("index.html"));
    refuse_collisions(
        &[],
        &[
            ("--chart", arguments.chart.as_deref()),
            ("--report", page_path.as_deref()),
            ("--json", arguments.json.then_some(Path::new(STANDARD))),
        ],
    )?;
    let chart = arguments.chart.as_ref().map(OutputFile::create).transpose()?;
    let claim = arguments.force.claim("compare", &[]);
    let folder = arguments.report.as_deref().map(|folder| ResultFolder::open(folder, claim)).transpose()?;

    let mut outcome = with_bar("syntheses", |progress| compare(&request, progress))?;
    if let Some(nextpnr) = &nextpnr {
        let seeds = arguments.seeds.unwrap_or(1);
        outcome.timing =
            Some(with_bar("runs of nextpnr", |progress| timing::measure(nextpnr, &request, seeds, progress))?);
    }
    let mut files = Vec::new();
    if let Some(mut chart) = chart {
        let title = format!("Flip-flops, parameters {}", outcome.parameters);
        let picture = area::chart(&outcome, &title, &outcome.tables(), area::Quantity::FlipFlops)?;
        chart.write_all(picture.svg().as_bytes())?;
        files.push(chart);
    }
    match (folder, &arguments.report) {
        (Some(mut folder), Some(path)) => {
            for (name, octets) in report(&request, &outcome, arguments.cycles.unwrap_or(LOOP_CYCLES))? {
                let own = path.join(&name);
                refuse_collisions(&[], &[("--report", Some(&own)), ("--chart", arguments.chart.as_deref())])?;
                folder.write(name, octets)?;
            }
            folder.commit_with(files)?;
        }
        _ => commit_all(files)?,
    }
    if arguments.json {
        return print_json(&outcome);
    }
    say_beside(&[&arguments.chart], &table::render(&outcome))?;
    page_path.map_or(Ok(()), |path| say_beside(&[&arguments.chart], &format!("report: {}\n", shown(&path))))
}

/// Checks the command line.
fn check(arguments: &Arguments, request: &Request) -> Result<()> {
    let schemes: Vec<&Scheme> =
        request.schemes.iter().map(|name| registry::find(name)).collect::<Result<_, _>>().map_err(Usage)?;
    if arguments.report.is_some()
        && let Some(scheme) = schemes.iter().find(|scheme| !scheme.benches().contains(&"dumbbell"))
    {
        return Err(Usage(format!(
            "--report: {} has no closed loop (sim dumbbell), which the page shows: expected Ethernet schemes only; \
                 without --report it is compared",
            scheme.name
        ))
        .into());
    }
    if arguments.force.force && arguments.report.is_none() {
        return Err(Usage("--force has no effect: it is about the folder of --report".into()).into());
    }
    refuse_repeats(&request.settings)?;
    check_count(arguments)?;
    for (key, _) in &request.settings {
        if let Some((scheme, _)) = key.split_once('.') {
            registry::find(scheme).map_err(|error| Usage(format!("--set {}: {error}", quoted(key))))?;
            if !request.schemes.iter().any(|compared| compared == scheme) {
                let compared = request.schemes.join(", ");
                return Err(Usage(format!(
                    "--set {}: {scheme} is not compared, expected one of {compared}",
                    quoted(key)
                ))
                .into());
            }
        }
    }
    let mut variants_read = Vec::new();
    for variant in variants(request) {
        let scheme = registry::find(&variant.scheme).map_err(Usage)?;
        let hint = if request.schemes.len() > 1 { "; SCHEME.KEY=VALUE sets a key of one scheme only" } else { "" };
        let parameters =
            scheme.parameters(&settings_of(request, &variant)).map_err(|error| Usage(format!("{error}{hint}")))?;
        read_all(arguments, request, scheme, &parameters)?;
        for &part in &request.parts {
            for &count in &request.counts {
                if let Ok(settings) = counts::settings_for(request, &variant, part, count)? {
                    scheme.parameters(&settings).map_err(|error| Usage(format!("--count {count}: {error}")))?;
                }
            }
        }
        variants_read.push((variant, parameters));
    }
    // A setting for all schemes has an effect if at least one scheme reads it.
    for (key, _) in &request.settings {
        let (only, bare) = key.split_once('.').map_or((None, key.as_str()), |(scheme, key)| (Some(scheme), key));
        let mut for_these =
            variants_read.iter().filter(|(variant, _)| only.is_none_or(|scheme| scheme == variant.scheme));
        if for_these.all(|(_, parameters)| parameters.unread().any(|unread| unread == bare)) {
            let without = if arguments.report.is_some() { "" } else { " without --report" };
            return Err(Usage(format!(
                "parameter {}: it has no effect: compare{without} does not read it with these settings; leave it out",
                quoted(key)
            ))
            .into());
        }
    }
    Ok(())
}

/// Refuses what says for a second time how many are served, and the clock rates of parts for one beside many.
fn check_count(arguments: &Arguments) -> Result<()> {
    if arguments.count.is_empty() {
        return Ok(());
    }
    let refuse = |message: String| Err(Usage(message).into());
    if !arguments.ports.is_empty() {
        return refuse(
            "--count with --ports: both say how many copies are counted, expected one of them; leave out --ports"
                .into(),
        );
    }
    if arguments.fmax {
        return refuse(
            "--count with --fmax: expected one of them; for the clock rate of one part for 64, leave out --count and set \
             cp_queues=64 or rp_flows=64"
                .into(),
        );
    }
    let keys = [Part::CongestionPoint, Part::ReactionPoint].map(Part::count_key);
    match arguments.settings.iter().find(|(key, _)| keys.contains(&key.rsplit('.').next().unwrap_or(key))) {
        Some((key, _)) => refuse(format!(
            "--count with --set {}: both say how many one part serves, expected one of them; leave out this --set",
            quoted(key)
        )),
        None => Ok(()),
    }
}

/// Reads every key that the work will read.
fn read_all(arguments: &Arguments, request: &Request, scheme: &Scheme, parameters: &Parameters) -> Result<()> {
    for &part in &request.parts {
        (scheme.blocks)(part, parameters);
        if request.style == ParameterStyle::Fixed || arguments.fmax {
            registry::part_ports(scheme, parameters, part);
        }
    }
    if arguments.report.is_some() {
        let trace = &mut Trace::create(None, dumbbell::HEADER)?;
        let observation = Observation::every(1, 1, parameters);
        dumbbell::run(scheme, parameters, Engine::Model, 1, observation, Reports::trace(trace))?;
    }
    Ok(())
}

/// The files of the report: `outcome`, the difference for each option, and every variant in the closed loop.
fn report(request: &Request, outcome: &Comparison, cycles: u64) -> Result<Vec<(String, Vec<u8>)>> {
    let sweep = with_bar("comparisons", |progress| comparison::sweep(request, progress))?;
    let all = variants(request);
    let length = all.len() as u64 * Run::work(cycles);
    let runs = with_bar("cycles", |progress| {
        let run = |(index, variant)| {
            let before = index as u64 * Run::work(cycles);
            let progress = |at: u64| progress((before + at) as usize, length as usize);
            Run::new(variant, settings_of(request, variant), cycles, &progress)
        };
        all.iter().enumerate().map(run).collect::<Result<Vec<_>>>()
    })?;
    let mut commands = vec![command_line()];
    commands.extend(runs.iter().map(Run::command));
    comparison::files(request, outcome, &sweep, &runs, &commands)
}

/// The command line of this run.
fn command_line() -> String {
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c));
    let quoted = |word: String| if plain(&word) { word } else { format!("'{}'", word.replace('\'', r"'\''")) };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("tidegate".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

fn request(arguments: &Arguments) -> Request {
    let families = arguments.family.iter().filter_map(|name| Family::from_name(name)).collect::<Vec<_>>();
    Request {
        schemes: without_repeats(arguments.schemes.clone()),
        families: without_repeats(if families.is_empty() { Family::ALL.to_vec() } else { families }),
        parts: [Part::CongestionPoint, Part::ReactionPoint]
            .into_iter()
            .filter(|part| arguments.part.as_deref().is_none_or(|wanted| wanted == part.name()))
            .collect(),
        settings: arguments.settings.clone(),
        style: match arguments.parameters.as_str() {
            "inputs" => ParameterStyle::Inputs,
            _ => ParameterStyle::Fixed,
        },
        counts: without_repeats(arguments.count.clone()),
        ports: without_repeats(if arguments.ports.is_empty() { vec![1, 4] } else { arguments.ports.clone() }),
    }
}

/// Removes duplicates.
fn without_repeats<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut once = Vec::with_capacity(all.len());
    for item in all {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}
