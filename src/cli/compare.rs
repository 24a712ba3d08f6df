//! `tidegate compare`.

mod table;

use super::Usage;
use crate::emit::ParameterStyle;
use crate::scheme::Part;
use crate::toolchain::cells::Family;
use crate::toolchain::resources::{compare, Request};
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;

/// What schemes cost in an FPGA, side by side and block by block.
///
/// Every block is synthesized by itself with Yosys, without place and route; a total is the sum of its blocks.
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

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let request = request(&arguments)?;
    let bar = ProgressBar::no_length(); // draws on a terminal only
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} syntheses, {elapsed}")?);
    let outcome = compare(&request, |finished, all| {
        bar.set_length(all as u64);
        bar.set_position(finished as u64);
    });
    bar.finish_and_clear();
    let outcome = outcome?;

    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &outcome).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(table::render(&outcome).as_bytes())?;
    }
    Ok(())
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
