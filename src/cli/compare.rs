//! `tidegate compare`.

mod table;

use super::with_bar;
use crate::emit::ParameterStyle;
use crate::error::Usage;
use crate::output::{create_folder, OutputFile};
use crate::registry;
use crate::report::comparison::{self, area, closed_loop::Run};
use crate::scheme::Part;
use crate::toolchain::cells::Family;
use crate::toolchain::nextpnr::{self, Nextpnr};
use crate::toolchain::resources::{compare, settings_of, variants, Comparison, Request};
use crate::toolchain::yosys::Yosys;
use anyhow::Result;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What schemes cost in an FPGA, side by side and block by block.
///
/// Every block is synthesized by itself with Yosys, the total is their sum; without place and route, unless --fmax asks for it.
/// Of infiniband's switch a port is an input buffer and the marker beside it; --set infiniband.ports=N says how wide they are.
#[derive(clap::Args)]
pub struct Arguments {
    /// Schemes to compare
    #[arg(required = true, value_name = "SCHEME")]
    schemes: Vec<String>,

    /// FPGA family; repeat it for several [default: all]
    #[arg(long, value_name = "FAMILY", value_parser = Family::ALL.map(Family::name))]
    family: Vec<String>,

    /// Only the congestion point or only the reaction point [default: both]
    #[arg(long, value_name = "PART", value_parser = ["cp", "rp"])]
    part: Option<String>,

    /// A parameter of every scheme, or of one as SCHEME.KEY=VALUE
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,

    /// Parameters as constants, or as ports that registers drive
    #[arg(long, default_value = "fixed", value_parser = ["fixed", "inputs"])]
    parameters: String,

    /// Ports of a card; repeat it for several [default: 1 and 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    ports: Vec<u32>,

    /// Also place and route each part, with fixed parameters, for a Lattice ECP5: how fast it can be clocked
    #[arg(long)]
    fmax: bool,

    /// Write a bar chart of the flip-flops as SVG
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,

    /// Write a page: area, and the schemes in the closed loop
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// Clock cycles of the closed loop in the page: 2 s at 125 MHz
    #[arg(long, value_name = "N", requires = "report", default_value_t = 250_000_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let request = request(&arguments)?;
    for variant in variants(&request) {
        let scheme = registry::find(&variant.scheme).map_err(Usage)?;
        let hint = if request.schemes.len() > 1 { "; SCHEME.KEY=VALUE sets a key of one scheme only" } else { "" };
        scheme.parameters(&settings_of(&request, &variant)).map_err(|error| Usage(format!("{error}{hint}")))?;
    }
    // The page has every scheme in the closed loop.
    if arguments.report.is_some() {
        for name in &request.schemes {
            let scheme = registry::find(name).map_err(Usage)?;
            if !scheme.benches().contains(&"dumbbell") {
                return Err(Usage(format!(
                    "--report: {name} has no closed loop (sim dumbbell), which the page shows: expected Ethernet schemes only; \
                     without --report it is compared"
                ))
                .into());
            }
        }
    }
    let nextpnr = arguments.fmax.then(Nextpnr::find).transpose()?;
    Yosys::find()?; // before a folder is made for nothing
                    // Long work whose result could not be written would be lost: the files are opened first.
    let mut files = Vec::new();
    if let Some(path) = &arguments.chart {
        files.push(OutputFile::create(path)?);
    }
    if let Some(folder) = &arguments.report {
        create_folder(folder)?;
        files.push(OutputFile::create(folder.join("index.html"))?);
    }
    let mut files = files.into_iter();

    let mut outcome = with_bar("syntheses", |progress| compare(&request, progress))?;
    if let Some(nextpnr) = &nextpnr {
        outcome.timing = Some(with_bar("parts", |progress| nextpnr::measure_all(nextpnr, &request, progress))?);
    }
    if arguments.chart.is_some() {
        let title = format!("Flip-flops, parameters {}", outcome.parameters);
        let picture = area::chart(&outcome, &title, &outcome.tables())?;
        finish(files.next(), &picture)?;
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &outcome).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(table::render(&outcome).as_bytes())?;
    }
    if let Some(folder) = &arguments.report {
        let page = report(&request, &outcome, arguments.cycles)?;
        finish(files.next(), &page)?;
        if !arguments.json {
            writeln!(out, "report: {}", Path::new(folder).join("index.html").display())?;
        }
    }
    Ok(())
}

fn finish(file: Option<OutputFile>, text: &str) -> Result<()> {
    let mut file = file.expect("opened before the work began");
    file.write_all(text.as_bytes())?;
    file.commit()
}

/// The page: the sweep of options on top of `outcome`, then every variant in the closed loop.
fn report(request: &Request, outcome: &Comparison, cycles: u64) -> Result<String> {
    let sweep = with_bar("comparisons", |progress| comparison::sweep(request, progress))?;
    let all = variants(request);
    let length = all.len() as u64 * cycles;
    let runs = with_bar("cycles", |progress| {
        let run = |(index, variant)| {
            let before = index as u64 * cycles;
            let progress = |at: u64| progress((before + at) as usize, length as usize);
            Run::new(variant, settings_of(request, variant), cycles, &progress)
        };
        all.iter().enumerate().map(run).collect::<Result<Vec<_>>>()
    })?;
    let mut commands = vec![command_line()];
    commands.extend(runs.iter().map(Run::command));
    comparison::page(request, outcome, &sweep, &runs, &commands)
}

/// This command, as it was given.
fn command_line() -> String {
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c));
    let quoted = |word: String| if plain(&word) { word } else { format!("'{}'", word.replace('\'', r"'\''")) };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("tidegate".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

fn request(arguments: &Arguments) -> Result<Request> {
    let families = arguments.family.iter().filter_map(|name| Family::from_name(name)).collect::<Vec<_>>();
    let mut settings = Vec::new();
    for pair in &arguments.settings {
        let (key, value) = pair
            .split_once('=')
            .filter(|(key, _)| !key.trim().is_empty())
            .ok_or_else(|| Usage(format!("--set {pair}: expected KEY=VALUE, such as w=2")))?;
        settings.push((key.trim().to_string(), value.trim().to_string()));
    }
    Ok(Request {
        schemes: without_repeats(arguments.schemes.clone()),
        families: without_repeats(if families.is_empty() { Family::ALL.to_vec() } else { families }),
        parts: [Part::CongestionPoint, Part::ReactionPoint]
            .into_iter()
            .filter(|part| arguments.part.as_deref().is_none_or(|wanted| wanted == part.name()))
            .collect(),
        settings,
        style: match arguments.parameters.as_str() {
            "inputs" => ParameterStyle::Inputs,
            _ => ParameterStyle::Fixed,
        },
        ports: without_repeats(if arguments.ports.is_empty() { vec![1, 4] } else { arguments.ports.clone() }),
    })
}

/// What is asked for twice is shown once.
fn without_repeats<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut once = Vec::with_capacity(all.len());
    for item in all {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}
