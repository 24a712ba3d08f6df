// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate schemes`: lists schemes and their parameters.

use super::{completions, json_value, print_json, say};
use anyhow::Result;
use clap_complete::ArgValueCandidates;
use serde_json::json;
use tidegate_core::error::Usage;
use tidegate_core::units::Micro;
use tidegate_report::fill::fill;
use tidegate_report::table;
use tidegate_schemes::registry::{self, SCHEMES, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::{Kind, Specification, Value};

/// List the schemes, or the parameters of one.
#[derive(clap::Args)]
pub struct Arguments {
    /// Show this scheme with its blocks and parameters.
    #[arg(add = ArgValueCandidates::new(completions::schemes))]
    scheme: Option<String>,
    /// Print a JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Result<()> {
    let schemes: Vec<&Scheme> = match &arguments.scheme {
        Some(name) => vec![registry::find(name).map_err(Usage)?],
        None => SCHEMES.iter().collect(),
    };
    if arguments.json {
        return print_json(&json!({
            "format_version": 3,
            "schemes": schemes.iter().map(|scheme| as_json(scheme)).collect::<Vec<_>>(),
        }));
    }
    if arguments.scheme.is_some() {
        return say(&details(schemes[0]));
    }
    let row = |scheme: &&Scheme| {
        let [benches, profiles] = [scheme.benches(), scheme.profile_names()].map(|words| words.join(", "));
        vec![scheme.name.to_string(), scheme.title.to_string(), benches, profiles]
    };
    let rows: Vec<Vec<String>> = schemes.iter().map(row).collect();
    let table = table::render(&["scheme", "name", "benches", "profiles"], &rows, &[]);
    say(&(table + "\n`tidegate schemes SCHEME` shows its source, its frame and its parameters.\n"))
}

fn blocks(scheme: &Scheme, part: Part) -> Vec<&'static str> {
    scheme.blocks(part).iter().map(|circuit| circuit.block).collect()
}

fn range(kind: &Kind) -> String {
    match kind {
        Kind::Integer(least, most) => format!("{least} to {most}"),
        Kind::Decimal(least, most) => format!("{} to {}", Micro(*least), Micro(*most)),
        Kind::Flag => "true, false".into(),
        Kind::Choice(words) => words.join(", "),
        Kind::Shares => "four shares from 0 to 1".into(),
        Kind::Mac => "an individual address".into(),
        Kind::Cpid => "64 bits, or auto".into(),
    }
}

/// The default, and in brackets those of the profiles that have another one.
fn default(scheme: &Scheme, known: &Specification) -> String {
    let mut others: Vec<(&str, Vec<&str>)> = Vec::new();
    for &profile in scheme.profile_names() {
        let default = known.default_in(profile);
        if default == known.default || known.key == "profile" {
            continue;
        }
        match others.iter_mut().find(|(other, _)| *other == default) {
            Some((_, profiles)) => profiles.push(profile),
            None => others.push((default, vec![profile])),
        }
    }
    let others = others.iter().map(|(default, profiles)| format!(" ({}: {default})", profiles.join(", ")));
    known.default.to_string() + &others.collect::<String>()
}

fn details(scheme: &Scheme) -> String {
    let rows: Vec<Vec<String>> = scheme
        .specifications()
        .map(|known| vec![known.key.into(), default(scheme, &known), range(&known.kind), known.meaning.into()])
        .collect();
    let facts = [
        format!("{} ({})", scheme.title, scheme.name),
        format!("source: {}", scheme.paper),
        format!("frame: {}", scheme.frame),
        format!("congestion point: {}", blocks(scheme, Part::CongestionPoint).join(", ")),
        format!("reaction point: {}", blocks(scheme, Part::ReactionPoint).join(", ")),
    ];
    let facts = facts.map(|fact| fill(&fact, 2)).concat();
    facts + "\n" + &table::render(&["parameter", "default", "range", "meaning"], &rows, &[])
}

fn as_json(scheme: &Scheme) -> serde_json::Value {
    json!({
        "name": scheme.name,
        "title": scheme.title,
        "source": scheme.paper,
        "frame": scheme.frame,
        "profiles": scheme.profile_names(),
        "benches": scheme.benches(),
        "congestion_point": blocks(scheme, Part::CongestionPoint),
        "reaction_point": blocks(scheme, Part::ReactionPoint),
        "parameters": scheme.specifications().map(|known| parameter(scheme, &known)).collect::<Vec<_>>(),
    })
}

/// One key: numbers as numbers, its default in each other profile of the scheme, `kind` with its bounds or words, `unit`
/// if it has one.
fn parameter(scheme: &Scheme, known: &Specification) -> serde_json::Value {
    let typed = |text: &str| json_value(known.kind.parse(text).expect("a default is in its range"));
    let mut object = json!({
        "key": known.key,
        "kind": match known.kind {
            Kind::Integer(..) => "integer",
            Kind::Decimal(..) => "decimal",
            Kind::Flag => "flag",
            Kind::Choice(_) => "choice",
            Kind::Shares => "shares",
            Kind::Mac => "mac",
            Kind::Cpid => "cpid",
        },
        "default": typed(known.default),
    });
    for &profile in scheme.profile_names().iter().skip(1) {
        // The profile itself is chosen, and is not a default of any other.
        let default = if known.key == "profile" { profile } else { known.default_in(profile) };
        object[format!("default_{profile}")] = typed(default);
    }
    match known.kind {
        Kind::Integer(least, most) => {
            object["min"] = least.into();
            object["max"] = most.into();
        }
        Kind::Decimal(least, most) => {
            object["min"] = json_value(Value::Decimal(Micro(least)));
            object["max"] = json_value(Value::Decimal(Micro(most)));
        }
        Kind::Choice(words) => object["values"] = words.into(),
        Kind::Flag | Kind::Shares | Kind::Mac | Kind::Cpid => {}
    }
    if !known.unit().is_empty() {
        object["unit"] = known.unit().into();
    }
    object["meaning"] = known.meaning.into();
    object
}
