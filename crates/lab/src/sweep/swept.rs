// SPDX-License-Identifier: MIT OR Apache-2.0
//! A key that is swept: a parameter, or a field of a flow or of an output, and how a value of it becomes part of a variant.

use crate::experiment::case::SAID_ELSEWHERE;
use crate::experiment::scenario::{Ablation, File, Flow, Output, Stated, Variant};
use crate::experiment::spanned::Spanned;
use anyhow::{Result, ensure};
use tidegate_core::error::suggestion;
use tidegate_schemes::registry;

/// What is swept.
pub struct Swept {
    /// The key, as the plan writes it.
    pub key: Spanned<String>,
    place: Place,
}

/// Where a value goes.
enum Place {
    Parameter,
    Flow(String, &'static FlowField),
    Output(String, &'static OutputField),
}

type FlowField = (&'static str, fn(&mut Flow, &Spanned<String>) -> Outcome);
type OutputField = (&'static str, fn(&mut Output, &Spanned<String>) -> Outcome);
/// What was expected, if a value is refused.
type Outcome = std::result::Result<(), &'static str>;

macro_rules! fields {
    ($type:ty: $($read:ident $field:ident),* $(,)?) => {
        &[$((stringify!($field), |patch: &mut $type, value| {
            patch.$field = Some($read(value)?);
            Ok(())
        })),*]
    };
}

/// The fields of a flow that can be swept.
const FLOW_FIELDS: &[FlowField] = fields![
    Flow: placed_whole count, number rate_mbps, number start_rate_mbps, number start_s, number stop_s, number last_s,
    number size_bytes, number delay_us,
];

/// The fields of an output that can be swept.
const OUTPUT_FIELDS: &[OutputField] = fields![
    Output: number rate_mbps, number delay_us, whole buffer_bytes, flag congestion_point, number feedback_us,
    flag sample_dropped,
];

fn number(value: &Spanned<String>) -> std::result::Result<Spanned<f64>, &'static str> {
    let number = value.get_ref().parse().ok().filter(|number: &f64| number.is_finite()).ok_or("expected a number")?;
    Ok(Spanned::new(value.span(), number))
}

fn whole(value: &Spanned<String>) -> std::result::Result<u32, &'static str> {
    value.get_ref().parse().map_err(|_| "expected a whole number from 0 to 4294967295")
}

fn placed_whole(value: &Spanned<String>) -> std::result::Result<Spanned<u32>, &'static str> {
    Ok(Spanned::new(value.span(), whole(value)?))
}

fn flag(value: &Spanned<String>) -> std::result::Result<bool, &'static str> {
    value.get_ref().parse().map_err(|_| "expected true or false")
}

impl Swept {
    /// Finds what a key names, in each of the variants.
    ///
    /// # Errors
    /// There is none; with the place of the key, and what there is.
    pub fn new(file: &File, variants: &[&Variant], key: &Spanned<String>) -> Result<Swept> {
        let text: &str = key.get_ref();
        let scenario = &file.scenario;
        // A name may have dots in it, a field has none.
        let parts = text.split_once('.').and_then(|(kind, rest)| Some((kind, rest.rsplit_once('.')?)));
        let place = match parts {
            Some(("flow", (name, field))) => {
                let found = FLOW_FIELDS.iter().find(|(known, _)| *known == field);
                let names = scenario.flow.iter().map(|flow| &flow.name);
                let at = file.find("flow", &Spanned::new(key.span(), name.into()), names)?;
                let found = known_field(file, key, "flow", field, found, FLOW_FIELDS.iter().map(|(name, _)| *name))?;
                for variant in variants {
                    let own = variant.flow.get(name);
                    let flow = own.map_or(scenario.flow[at].clone(), |own| scenario.flow[at].over(own));
                    refuse_hidden(file, key, &flow, field)?;
                }
                Place::Flow(name.into(), found)
            }
            Some(("output", (name, field))) => {
                let found = OUTPUT_FIELDS.iter().find(|(known, _)| *known == field);
                let unnamed = scenario.output.is_empty().then_some("bottleneck");
                let named = scenario.output.iter().map(|output| output.name.as_ref().map_or("", |name| name.get_ref()));
                file.find_name("output", &Spanned::new(key.span(), name.into()), unnamed.into_iter().chain(named))?;
                let known = OUTPUT_FIELDS.iter().map(|(name, _)| *name);
                Place::Output(name.into(), known_field(file, key, "output", field, found, known)?)
            }
            _ => {
                if let Some((_, instead)) = SAID_ELSEWHERE.iter().find(|(said, _)| *said == text) {
                    return Err(file.error(key, format!("`{text}` is no parameter of a scenario: use {instead}")));
                }
                for variant in variants {
                    let scheme =
                        registry::find(variant.scheme.get_ref()).map_err(|why| file.error(&variant.scheme, why))?;
                    let keys = scheme.specifications().map(|known| known.key);
                    let hint = suggestion(text, keys.clone());
                    let reason = format!(
                        "variant {}: {} has no parameter `{text}`: expected one that all variants have, `flow.NAME.FIELD` \
                         or `output.NAME.FIELD`{hint}",
                        variant.name, scheme.name
                    );
                    ensure!(keys.clone().any(|known| known == text), file.error(key, reason));
                }
                Place::Parameter
            }
        };
        Ok(Swept { key: key.clone(), place })
    }

    /// Puts a value in its place.
    ///
    /// # Errors
    /// It is of the wrong type; with the place of the value.
    pub fn put(&self, file: &File, value: &Spanned<String>, ablation: &mut Ablation) -> Result<()> {
        let outcome = match &self.place {
            Place::Parameter => {
                let stated = Stated { value: value.get_ref().clone(), from: String::new() };
                let key: String = self.key.get_ref().clone();
                ablation.parameters.insert(Spanned::new(value.span(), key), stated);
                Ok(())
            }
            Place::Flow(name, (_, set)) => {
                set(ablation.flow.entry(Spanned::new(self.key.span(), name.clone())).or_default(), value)
            }
            Place::Output(name, (_, set)) => {
                set(ablation.output.entry(Spanned::new(self.key.span(), name.clone())).or_default(), value)
            }
        };
        outcome.map_err(|expected| file.error(value, format!("{}: {expected}", self.key)))
    }

    /// Whether it is a parameter, which the results have as a column in any case.
    pub fn is_parameter(&self) -> bool {
        matches!(self.place, Place::Parameter)
    }
}

fn known_field<T>(
    file: &File,
    key: &Spanned<String>,
    kind: &str,
    field: &str,
    found: Option<&'static T>,
    known: impl Iterator<Item = &'static str> + Clone,
) -> Result<&'static T> {
    found.ok_or_else(|| {
        let hint = suggestion(field, known.clone());
        let known = known.collect::<Vec<_>>().join(", ");
        file.error(key, format!("no field `{field}` of a {kind} that can be swept: expected one of {known}{hint}"))
    })
}

/// Refuses a field that would have no effect, because another one of the flow goes before it.
fn refuse_hidden(file: &File, key: &Spanned<String>, flow: &Flow, field: &str) -> Result<()> {
    let hidden = [
        ("start_s", "start_within_s", flow.start_within_s.is_some()),
        ("size_bytes", "size_within_bytes", flow.size_within_bytes.is_some()),
        ("delay_us", "delay_within_us", flow.delay_within_us.is_some()),
        ("last_s", "stop_s", flow.stop_s.is_some()),
        ("start_rate_mbps", "rate_mbps", flow.rate_mbps.is_some()),
    ];
    for (hidden, by, is_there) in hidden {
        let reason = format!("`{field}` has no effect, because the flow has `{by}`");
        ensure!(hidden != field || !is_there, file.error(key, reason));
    }
    Ok(())
}
