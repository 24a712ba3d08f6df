// SPDX-License-Identifier: MIT OR Apache-2.0
//! What many queues or flows cost: as copies of the part for one, and as one part that serves all of them.
//!
//! Copies share only parameters, so n copies are counted as n times the part for one. One part for n is another circuit
//! (`cp_queues`, `rp_flows`), whose blocks are synthesized as those of every part. For n = 1 both are the same.

use super::area::total;
use super::{Emit, Request, Variant, job, pairs, settings_of, variants};
use anyhow::{Context, Result};
use serde::Serialize;
use tidegate_package::emit::EmittedBlock;
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::{ETHERNET, Kind};
use tidegate_toolchain::cells::{Family, Resources};
use tidegate_toolchain::yosys::Job;

/// How many queues or flows are served.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// By a copy of the part for each.
    Copies,
    /// By one part.
    OnePart,
}

/// What some queues or flows cost in one form.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// FPGA family.
    pub family: Family,
    /// Name of the scheme.
    pub scheme: String,
    /// Profile of the scheme.
    pub profile: String,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Number of queues of a congestion point, or of flows of a reaction point.
    pub count: u32,
    /// As copies or as one part.
    pub form: Form,
    /// What it costs.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What a [`Row`] says.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// The counts.
    Counted(Cost),
    /// There is no such part.
    Missing {
        /// Why not.
        missing: String,
    },
}

/// The counts of a [`Row`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cost {
    /// The sum of the blocks.
    #[serde(flatten)]
    pub resources: Resources,
    /// As [`Family::slices_at_least`]; left out in families other than the Virtex-II Pro.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slices_at_least: Option<u32>,
    /// Bits of state for each queue or flow. Of copies and of the part for one: flip-flops and bits of the memories of a
    /// copy. Of one part for many: the bits of its memories that each of them takes, because registers do not grow with
    /// their number.
    pub state_bits: u32,
}

impl Row {
    /// The counts, if there is such a part.
    pub fn cost(&self) -> Option<&Cost> {
        match &self.outcome {
            Outcome::Counted(cost) => Some(cost),
            Outcome::Missing { .. } => None,
        }
    }
}

/// The difference in flip-flops between two schemes that serve as many queues or flows in the same form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// FPGA family.
    pub family: Family,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// The scheme, with its profile, from which the other is subtracted.
    pub more: (String, String),
    /// The scheme, with its profile, that is subtracted.
    pub less: (String, String),
    /// Number of queues or flows.
    pub count: u32,
    /// As copies or as one part.
    pub form: Form,
    /// Flip-flops of the first scheme minus flip-flops of the second.
    pub flip_flops: i64,
}

/// Copies of a part beside one part for many.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Counts {
    /// For each family, part, scheme, profile and number a row of copies and a row of one part.
    pub rows: Vec<Row>,
    /// Differences of two schemes, where both have a part.
    pub differences: Vec<Difference>,
}

/// A part for one queue or flow.
pub(super) struct Single {
    pub family: Family,
    pub part: Part,
    pub variant: Variant,
    pub resources: Resources,
    pub state_bits: u32,
}

/// The numbers that one part of some scheme can serve: powers of two.
pub fn servable() -> impl Iterator<Item = u32> {
    let words = ETHERNET.iter().filter(|specification| specification.key == Part::ReactionPoint.count_key());
    words.flat_map(|specification| numbers(specification.kind))
}

/// The numbers among the words of a choice.
fn numbers(kind: Kind) -> impl Iterator<Item = u32> {
    let words = if let Kind::Choice(words) = kind { words } else { &[] };
    words.iter().filter_map(|word| word.parse().ok())
}

/// Why a scheme has no part for so many; `None` if it has one.
fn refusal(scheme: &Scheme, part: Part, count: u32) -> Option<String> {
    let (key, title, serves) = (part.count_key(), part.title(), part.serves());
    let Some(specification) = scheme.specifications().find(|specification| specification.key == key) else {
        return Some(format!("{} has no {title} for many {serves}", scheme.name));
    };
    if !numbers(specification.kind).any(|number| number == count) {
        let most = numbers(specification.kind).max()?;
        return Some(format!("a {title} serves at most {most} {serves}"));
    }
    let refused = scheme.parameters(&[(key.to_string(), count.to_string())]).is_err_and(|error| error.key == key);
    refused.then(|| format!("{} has no {title} for many {serves} yet", scheme.name))
}

/// The settings of one part for so many, or why there is none.
///
/// # Errors
/// An unknown scheme.
pub fn settings_for(
    request: &Request,
    variant: &Variant,
    part: Part,
    count: u32,
) -> Result<Result<Vec<(String, String)>, String>> {
    let scheme = registry::find(&variant.scheme).map_err(tidegate_core::error::Usage)?;
    let mut settings = settings_of(request, variant);
    if count == 1 {
        return Ok(Ok(settings));
    }
    settings.push((part.count_key().to_string(), count.to_string()));
    Ok(refusal(scheme, part, count).map_or(Ok(settings), Err))
}

/// One part for many, to be synthesized for one family.
struct OnePart {
    family: Family,
    part: Part,
    variant: Variant,
    count: u32,
    /// Its syntheses and the bits of state of each queue or flow, or why there is no such part.
    made: Result<(Vec<Job>, u32), String>,
}

/// The syntheses of a request that are of one part for many.
pub(super) struct Plan {
    parts: Vec<OnePart>,
}

impl Plan {
    /// # Errors
    /// See [`tidegate_package::emit::blocks`].
    pub(super) fn of(request: &Request, emit: Emit) -> Result<Plan> {
        let mut parts = Vec::new();
        for &part in &request.parts {
            for variant in variants(request) {
                for &count in request.counts.iter().filter(|&&count| count > 1) {
                    let blocks = match settings_for(request, &variant, part, count)? {
                        Ok(settings) => {
                            let blocks = emit(&variant.scheme, part, &settings, request.style)
                                .with_context(|| format!("cannot compare {}", variant.scheme))?;
                            // The same part for another number: memories that grow with it have another length.
                            let another = if count == 2 { 4 } else { count / 2 };
                            let another = [(part.count_key().to_string(), another.to_string())];
                            let another = emit(&variant.scheme, part, &another, request.style)?;
                            let bits = bits_of_each(count, &blocks, &another);
                            Ok((blocks, bits))
                        }
                        Err(reason) => Err(reason),
                    };
                    parts.extend(request.families.iter().map(|&family| OnePart {
                        family,
                        part,
                        variant: variant.clone(),
                        count,
                        made: match &blocks {
                            Ok((blocks, bits)) => Ok((blocks.iter().map(|block| job(family, block)).collect(), *bits)),
                            Err(reason) => Err(reason.clone()),
                        },
                    }));
                }
            }
        }
        Ok(Plan { parts })
    }

    /// All syntheses.
    pub(super) fn jobs(&self) -> Vec<Job> {
        self.parts.iter().filter_map(|part| part.made.as_ref().ok()).flat_map(|(jobs, _)| jobs).cloned().collect()
    }

    /// The rows and differences, from the parts for one and the results of [`Self::jobs`].
    pub(super) fn counts(&self, counts: &[u32], singles: &[Single], mut results: &[Resources]) -> Counts {
        let cost = |family: Family, resources: Resources, state_bits: u32| {
            Outcome::Counted(Cost { slices_at_least: family.slices_at_least(&resources), resources, state_bits })
        };
        let mut outcomes = Vec::new();
        for part in &self.parts {
            let outcome = match &part.made {
                Ok((jobs, state_bits)) => {
                    let (own, rest) = results.split_at(jobs.len());
                    results = rest;
                    cost(part.family, total(own), *state_bits)
                }
                Err(missing) => Outcome::Missing { missing: missing.clone() },
            };
            outcomes.push((part, outcome));
        }
        let mut rows = Vec::new();
        for single in singles {
            for &count in counts {
                let copies = cost(single.family, single.resources.times(count), single.state_bits);
                let here = |(part, _): &&(&OnePart, Outcome)| {
                    (part.family, part.part, &part.variant, part.count)
                        == (single.family, single.part, &single.variant, count)
                };
                let one_part = outcomes.iter().find(here).map_or(copies.clone(), |(_, outcome)| outcome.clone());
                rows.extend([(Form::Copies, copies), (Form::OnePart, one_part)].map(|(form, outcome)| Row {
                    family: single.family,
                    scheme: single.variant.scheme.clone(),
                    profile: single.variant.profile.clone(),
                    part: single.part.name(),
                    count,
                    form,
                    outcome,
                }));
            }
        }
        Counts { differences: differences(&rows), rows }
    }
}

/// Bits of each queue or flow in the memories of one part for `count` of them: of those whose length is another one in
/// the same part for `another` number.
fn bits_of_each(count: u32, blocks: &[EmittedBlock], another: &[EmittedBlock]) -> u32 {
    let [these, those] = [blocks, another].map(|blocks| blocks.iter().flat_map(|block| &block.memories));
    let grown = these.zip(those).filter(|(this, that)| this.words != that.words);
    grown.map(|(memory, _)| memory.words * memory.bits).sum::<u32>() / count
}

/// Each variant against each variant of another scheme that serves as many in the same form.
fn differences(rows: &[Row]) -> Vec<Difference> {
    fn key(row: &Row) -> (Family, &str, u32, Form) {
        (row.family, row.part, row.count, row.form)
    }
    let counted: Vec<&Row> = rows.iter().filter(|row| row.cost().is_some()).collect();
    let flip_flops = |row: &Row| row.cost().map_or(0, |cost| i64::from(cost.resources.flip_flops));
    let difference = |(more, less): (&Row, &Row)| Difference {
        family: more.family,
        part: more.part,
        more: (more.scheme.clone(), more.profile.clone()),
        less: (less.scheme.clone(), less.profile.clone()),
        count: more.count,
        form: more.form,
        flip_flops: flip_flops(more) - flip_flops(less),
    };
    pairs(&counted, |row| &row.scheme, |one, other| key(one) == key(other)).into_iter().map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::super::area::{TOTAL, compare_emitted};
    use super::*;
    use tidegate_package::emit::{EmittedMemory, ParameterStyle, blocks};

    fn request(schemes: &[&str], counts: &[u32]) -> Request {
        Request {
            schemes: schemes.iter().map(|scheme| scheme.to_string()).collect(),
            families: vec![Family::Ecp5],
            parts: vec![Part::ReactionPoint],
            settings: Vec::new(),
            style: ParameterStyle::Fixed,
            ports: vec![1],
            counts: counts.to_vec(),
        }
    }

    /// A register, of DSM two bits wider, and a memory of 16 words; of one part for n flows twice as wide, and memories
    /// of which two grow with n.
    fn emit_registers(
        scheme: &str,
        _: Part,
        settings: &[(String, String)],
        _: ParameterStyle,
    ) -> Result<Vec<EmittedBlock>> {
        let flows = settings.iter().find(|(key, _)| key == "rp_flows").map(|(_, value)| value.parse::<u32>().unwrap());
        let bits = (if scheme == "dsm" { 12 } else { 10 }) * if flows.is_some() { 2 } else { 1 };
        let verilog = format!(
            "module block(input wire clk, input wire write, input wire [3:0] at, input wire [{top}:0] d,
             output reg [{top}:0] q, output wire [3:0] word);
             reg [3:0] words [0:15];
             assign word = words[at];
             always @(posedge clk) begin q <= d; if (write) words[at] <= d[3:0]; end
             endmodule\n",
            top = bits - 1
        );
        let memory = |words, bits| EmittedMemory { words, bits };
        let memories = match flows {
            None => vec![memory(16, 4)],
            // One of four words, for any number of flows.
            Some(flows) => vec![memory(4, 9), memory(flows, 7), memory(64 * flows, 3)],
        };
        let top = "block".to_string();
        Ok(vec![EmittedBlock { block: "calculator", top, verilog, memories }])
    }

    #[test]
    fn copies_are_multiples_of_one_and_one_part_is_another_circuit() {
        let request = request(&["smcc", "dsm", "infiniband"], &[1, 4]);
        let outcome = compare_emitted(&request, &emit_registers, |_, _| ()).unwrap();
        let counts = outcome.counts.as_ref().unwrap();
        let row = |scheme: &str, count, form| {
            let wanted = |row: &&Row| (row.scheme.as_str(), row.count, row.form) == (scheme, count, form);
            counts.rows.iter().find(wanted).unwrap()
        };
        let cost = |scheme: &str, count, form| row(scheme, count, form).cost().unwrap();
        for scheme in ["smcc", "dsm", "infiniband"] {
            let single = outcome.rows.iter().find(|row| row.scheme == scheme && row.block == TOTAL).unwrap();
            for form in [Form::Copies, Form::OnePart] {
                assert_eq!(cost(scheme, 1, form).resources, single.resources, "{scheme}: the part for one");
            }
            assert_eq!(cost(scheme, 4, Form::Copies).resources, single.resources.times(4), "{scheme}");
            assert!(single.resources.lut_rams > 0);
            assert_eq!(cost(scheme, 4, Form::Copies).state_bits, single.resources.flip_flops + 16 * 4, "{scheme}");
        }
        assert_eq!(cost("smcc", 4, Form::OnePart).resources.flip_flops, 20);
        assert_eq!(cost("smcc", 4, Form::OnePart).state_bits, 7 + 64 * 3);
        let missing = Outcome::Missing { missing: "infiniband has no reaction point for many flows".to_string() };
        assert_eq!(row("infiniband", 4, Form::OnePart).outcome, missing);

        let differences: Vec<_> = counts
            .differences
            .iter()
            .filter(|one| (one.more.0.as_str(), one.less.0.as_str()) == ("smcc", "dsm"))
            .map(|one| (one.count, one.form, one.flip_flops))
            .collect();
        let expected = [(1, Form::Copies, -2), (1, Form::OnePart, -2), (4, Form::Copies, -8), (4, Form::OnePart, -4)];
        assert_eq!(differences, expected);

        let json = serde_json::to_value(counts).unwrap();
        let rows = json["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 3 * 2 * 2);
        assert_eq!((&rows[0]["form"], &rows[1]["form"]), (&"copies".into(), &"one_part".into()));
        for field in ["count", "flip_flops", "luts", "lut_rams", "block_rams", "state_bits"] {
            assert!(rows[0][field].is_u64(), "{field}: {}", rows[0]);
        }
        let missing = rows.iter().find(|row| row.get("missing").is_some()).unwrap().as_object().unwrap();
        assert!(missing["missing"].is_string() && !missing.contains_key("flip_flops"), "{missing:?}");
        assert!(json["differences"][0]["flip_flops"].is_i64());
    }

    #[test]
    fn without_numbers_nothing_is_said_of_copies() {
        let outcome = compare_emitted(&request(&["smcc"], &[]), &emit_registers, |_, _| ()).unwrap();
        assert_eq!(outcome.counts, None);
        assert!(serde_json::to_value(&outcome).unwrap().get("counts").is_none());
    }

    /// The memories of the circuits, of which one has as many words as there are flows by chance.
    #[test]
    fn bits_of_state_are_those_of_the_memories_that_grow() {
        let bits = |scheme: &str, part: Part, count: u32| {
            let of = |count: u32| {
                let settings = [(part.count_key().to_string(), count.to_string())];
                blocks(scheme, part, &settings, ParameterStyle::Fixed).unwrap()
            };
            bits_of_each(count, &of(count), &of(if count == 2 { 4 } else { count / 2 }))
        };
        // Rate, whether it is the line rate, mode, CPID, bucket, and the number of a flow for the lists. The lists begin in a
        // memory of 64 words.
        for flows in [2, 64, 1024] {
            assert_eq!(bits("smcc", Part::ReactionPoint, flows), 25 + 1 + 2 + 64 + 30 + flows.ilog2(), "{flows}");
        }
        // Length now and at the last sample, interval and random number. Samples wait in memories of four words.
        for queues in [4, 64] {
            assert_eq!(bits("smcc", Part::CongestionPoint, queues), 24 + 24 + 24 + 24, "{queues}");
        }
        // And the last 64 steps, with their number, the m that they are for, and two sums.
        assert_eq!(bits("dsm", Part::CongestionPoint, 4), 4 * 24 + 64 * 26 + 12 + 6 + 32 + 32);
    }

    #[test]
    fn a_part_that_does_not_exist_has_a_reason() {
        let reason = |scheme: &str, part, count| refusal(registry::find(scheme).unwrap(), part, count);
        let most = "a congestion point serves at most 64 queues";
        assert_eq!(reason("smcc", Part::CongestionPoint, 128).as_deref(), Some(most));
        assert_eq!(reason("smcc", Part::CongestionPoint, 64), None);
        assert_eq!(reason("smcc", Part::ReactionPoint, 4096), None);
        let none = "infiniband has no congestion point for many queues";
        assert_eq!(reason("infiniband", Part::CongestionPoint, 4).as_deref(), Some(none));
        assert_eq!(servable().collect::<Vec<_>>(), (0..=12).map(|bits| 1 << bits).collect::<Vec<u32>>());
    }
}
