// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenarios without a network: what the theory of the papers says of parameters, or what circuits cost. Their claims are
//! judged as those about networks are.

use super::case::parameter_error;
use super::claims::{Judged, Quantity, Question, Scope, explain, in_parts};
use super::scenario::{Ablation, Claim, Condition, File, Measure, Settings, Stated, Variant, merged};
use super::schema;
use super::spanned::Spanned;
use crate::measure::area::{TOTAL, count, total};
use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use tidegate_package::emit::{EmittedBlock, ParameterStyle, block, blocks};
use tidegate_schemes::analysis::{Analysis, Portrait};
use tidegate_schemes::registry::{self, OtherCalculator, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_toolchain::MissingTool;
use tidegate_toolchain::cells::Family;

/// What is calculated has no conditions beside its bound.
static NO_CONDITIONS: BTreeMap<Spanned<String>, Vec<Condition>> = BTreeMap::new();

/// The block that another circuit can stand for.
const CALCULATOR: &str = "calculator";

/// Most ports of a card.
const PORTS_MAX: u32 = 1024;

/// A scenario without a network.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Calculation {
    /// One line.
    pub title: String,
    /// Author, year, section and figure that it repeats; empty: of no paper.
    #[serde(default)]
    pub paper: String,
    /// What the paper's figure or text shows, in words.
    #[serde(default)]
    pub figure: String,
    /// What a reader should know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What is calculated of each variant.
    pub calculates: Subject,
    /// Of an analysis: the variants whose path is drawn.
    #[serde(default)]
    pub portraits: Vec<Spanned<String>>,
    /// Parameters of all variants.
    #[serde(default)]
    #[schemars(with = "schema::Parameters")]
    pub parameters: Settings,
    /// Schemes with parameters.
    pub variant: Vec<Variant>,
    /// Variants that are calculated only to find what decides a claim that is not reproduced.
    #[serde(default)]
    pub ablation: Vec<Ablation>,
    /// The claims.
    #[serde(default)]
    pub claim: Vec<Claim>,
}

/// What is calculated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// What `tidegate analyze` says.
    Analysis,
    /// What `tidegate compare` counts, with parameters as constants.
    Area(Area),
}

/// Which circuits are counted, and for what.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { family = \"ecp5\", part = \"rp\", ports = 4 }")]
pub struct Area {
    /// The FPGA family.
    pub family: Spanned<String>,
    /// `cp` or `rp`.
    pub part: Spanned<String>,
    /// Ports of the card: so many times the counts of one.
    pub ports: Spanned<u32>,
    /// Variants whose calculator is another circuit with the same rates, with its name.
    #[serde(default)]
    pub calculators: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// Something calculated.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its name.
    pub quantity: String,
    /// The number, if it is one.
    pub value: Option<f64>,
    /// What it says in words, if it is none.
    pub words: String,
    /// The unit of the number; empty for a ratio or a count.
    pub unit: &'static str,
    /// Where it comes from: paper and equation, or the tool.
    pub source: String,
}

/// A variant or an ablation.
struct Item<'a> {
    name: &'a str,
    scheme: &'static Scheme,
    parameters: Parameters,
    settings: Vec<(&'a Spanned<String>, &'a Stated)>,
    work: Work,
}

/// What has to be done for a variant.
enum Work {
    /// Nothing any more.
    Analysed(Analysis),
    /// A synthesis of each block.
    Blocks(Vec<EmittedBlock>),
}

/// What is needed for the area.
#[derive(Clone, Copy)]
struct Circuits {
    family: Family,
    part: Part,
    ports: u32,
}

/// What a claim names: something calculated of a variant.
struct Named {
    case: usize,
    quantity: String,
    unit: &'static str,
}

impl Quantity for Named {
    fn case(&self) -> usize {
        self.case
    }

    fn name(&self) -> String {
        self.quantity.clone()
    }

    fn unit(&self) -> &'static str {
        self.unit
    }
}

/// A checked scenario.
pub struct Study<'a> {
    /// The file.
    pub file: &'a File<Calculation>,
    circuits: Option<Circuits>,
    variants: Vec<Item<'a>>,
    /// Ablations, with an item for each variant that one changes.
    ablations: Vec<(Scope, Vec<Item<'a>>)>,
    questions: Vec<Question<'a, Named>>,
    portraits: Vec<usize>,
}

/// What a study found.
pub struct Findings<'a> {
    /// What was calculated of each variant: its name and the values.
    pub values: Vec<(&'a str, Vec<Value>)>,
    /// The verdicts, in the order of the claims.
    pub judged: Vec<Judged<'a>>,
    /// Paths of variants: the name, the scheme, the path.
    pub portraits: Vec<(&'a str, &'static Scheme, Portrait)>,
}

impl<'a> Item<'a> {
    fn new(
        file: &'a File<Calculation>,
        variant: &'a Variant,
        ablation: Option<&'a Ablation>,
        circuits: Option<Circuits>,
    ) -> Result<Item<'a>> {
        let of_ablation = ablation.into_iter().flat_map(|ablation| ablation.output.keys().chain(ablation.flow.keys()));
        let mut of_networks = variant.output.keys().chain(variant.flow.keys()).chain(of_ablation);
        const NO_NETWORK: &str = "there is no network: expected parameters only";
        if let Some(change) = variant.change.first() {
            return Err(file.error(&change.at_s, NO_NETWORK));
        }
        if let Some(name) = of_networks.next() {
            return Err(file.error(name, NO_NETWORK));
        }
        let scheme = registry::find(variant.scheme.get_ref()).map_err(|reason| file.error(&variant.scheme, reason))?;
        let name = ablation.map_or(&variant.name, |ablation| &ablation.name).get_ref();
        let own = ablation.into_iter().flat_map(|ablation| &ablation.parameters);
        let settings = merged(file.scenario.parameters.iter().chain(&variant.parameters).chain(own));
        let pairs: Vec<_> =
            settings.iter().map(|(key, stated)| (key.get_ref().clone(), stated.value.clone())).collect();
        let placed = |error| parameter_error(file, name, &error, settings.iter().copied());
        let mut parameters = scheme.parameters(&pairs).map_err(placed)?;
        let work = match circuits {
            None => {
                parameters.forget_reads();
                let analysis = (scheme.analyze)(&parameters);
                parameters.refuse_unread("analyze").map_err(placed)?;
                Work::Analysed(analysis)
            }
            Some(circuits) => {
                let mut blocks = blocks(scheme.name, circuits.part, &pairs, ParameterStyle::Fixed)?;
                if let Some(other) = other_calculator(file, scheme, variant)? {
                    let values = registry::part_ports(scheme, &parameters, circuits.part);
                    let own = blocks.iter_mut().find(|block| block.block == CALCULATOR);
                    let own = own.ok_or_else(|| file.error(&variant.name, "its part has no calculator"))?;
                    let counted = block(&(other.circuit)(), &values, ParameterStyle::Fixed)?;
                    *own = EmittedBlock { block: CALCULATOR, ..counted };
                }
                Work::Blocks(blocks)
            }
        };
        Ok(Item { name, scheme, parameters, settings, work })
    }

    /// The values; of circuits without their numbers.
    fn values(&self) -> Vec<Value> {
        match &self.work {
            Work::Analysed(analysis) => analysis
                .lines
                .iter()
                .map(|line| Value {
                    quantity: line.quantity.clone(),
                    value: line.value,
                    words: line.verdict.clone().unwrap_or_default(),
                    unit: line.unit,
                    source: line.equation.into(),
                })
                .collect(),
            Work::Blocks(blocks) => {
                let names = blocks.iter().map(|block| block.block).chain([TOTAL]);
                let of = |block: &str| if block == TOTAL { String::new() } else { format!("{block}: ") };
                let both = names.flat_map(|block| ["flip-flops", "LUTs"].map(|kind| of(block) + kind));
                both.map(|quantity| Value {
                    quantity,
                    value: None,
                    words: String::new(),
                    unit: "",
                    source: "Yosys".into(),
                })
                .collect()
            }
        }
    }
}

impl<'a> Study<'a> {
    /// Checks a scenario.
    ///
    /// # Errors
    /// With file, line and column.
    pub(crate) fn new(file: &'a File<Calculation>) -> Result<Study<'a>> {
        let scenario = &file.scenario;
        ensure!(!scenario.variant.is_empty(), "{}: expected at least one [[variant]]", file.name);
        let variants = scenario.variant.iter().map(|variant| ("variant", &variant.name));
        let ablations = scenario.ablation.iter().map(|ablation| ("ablation", &ablation.name));
        let claims = scenario.claim.iter().map(|claim| ("claim", &claim.id));
        file.check_distinct(variants.chain(ablations).chain(claims))?;
        let circuits = match &scenario.calculates {
            Subject::Analysis => None,
            Subject::Area(area) => Some(circuits(file, area)?),
        };
        if let (Some(_), Some(portrait)) = (circuits, scenario.portraits.first()) {
            return Err(file.error(portrait, "only an analysis has portraits"));
        }
        let names = || scenario.variant.iter().map(|variant| variant.name.get_ref().as_str());
        let variants: Vec<_> =
            scenario.variant.iter().map(|variant| Item::new(file, variant, None, circuits)).collect::<Result<_>>()?;
        let ablation = |ablation: &'a Ablation| {
            let scope = Scope::new(file, &scenario.variant, &scenario.claim, ablation)?;
            let item = |of: &usize| Item::new(file, &scenario.variant[*of], Some(ablation), circuits);
            let items = scope.of.iter().map(item).collect::<Result<_>>()?;
            Ok((scope, items))
        };
        let ablations: Vec<_> = scenario.ablation.iter().map(ablation).collect::<Result<_>>()?;
        let all: Vec<_> = names().collect();
        let questions = scenario.claim.iter().map(|claim| {
            let all_claims = (scenario.claim.as_slice(), &NO_CONDITIONS);
            Question::new(file, all_claims, claim, &all, |measure| named(file, &variants, &claim.id, measure))
        });
        let questions = questions.collect::<Result<_>>()?;
        let portraits = scenario.portraits.iter().map(|name| file.find_name("variant", name, names()));
        let portraits = portraits.collect::<Result<_>>()?;
        Ok(Study { file, circuits, variants, ablations, questions, portraits })
    }

    /// Calculates all variants and judges the claims. Where a tool is missing, the claims are not measured, and say so.
    ///
    /// # Errors
    /// If drawing a path fails; what Yosys says of Verilog that it refuses.
    pub(crate) fn run(&'a self) -> Result<Findings<'a>> {
        let (values, missing) = match self.calculate(&self.variants.iter().collect::<Vec<_>>()) {
            Ok(values) => (values, None),
            Err(error) => match error.chain().find_map(|cause| cause.downcast_ref::<MissingTool>()) {
                Some(missing) => (self.variants.iter().map(Item::values).collect(), Some(missing.to_string())),
                None => return Err(error),
            },
        };
        let names: Vec<_> = self.variants.iter().map(|variant| variant.name).collect();
        let mut judged: Vec<Judged> = self
            .questions
            .iter()
            .map(|question| {
                let answers = question.answers(|named| vec![number(&values[named.case], &named.quantity)]);
                question.judge(&names, answers)
            })
            .collect();
        match missing {
            Some(why) => judged.iter_mut().for_each(|judged| judged.not_measured(&why)),
            None => {
                let wanted: Vec<_> = self.ablations.iter().filter(|(scope, _)| scope.tells_any(&judged)).collect();
                let ablated = self.calculate(&wanted.iter().flat_map(|(_, items)| items).collect::<Vec<_>>())?;
                let ablations: Vec<_> = wanted.iter().map(|(scope, items)| (items[0].name, scope)).collect();
                let of_each = in_parts(&ablated, wanted.iter().map(|(_, items)| items.len()));
                explain(&mut judged, &ablations, |claim, ablation| {
                    let scope = ablations[ablation].1;
                    self.questions[claim].answer(|named| {
                        let values: &Vec<_> = scope.choose(named.case, of_each[ablation], &values);
                        vec![number(values, &named.quantity)]
                    })
                });
            }
        }
        let portraits = self.portraits.iter().map(|&at| {
            let Item { name, scheme, parameters, work, .. } = &self.variants[at];
            let Work::Analysed(analysis) = work else { unreachable!("only an analysis has portraits") };
            let portrait = (analysis.portrait)(parameters);
            let placed = |reason| self.file.error(&self.file.scenario.variant[at].name, format!("portrait: {reason}"));
            Ok((*name, *scheme, portrait.map_err(placed)?))
        });
        let portraits = portraits.collect::<Result<_>>()?;
        Ok(Findings { values: names.into_iter().zip(values).collect(), judged, portraits })
    }

    /// The values of some variants.
    fn calculate(&self, items: &[&Item]) -> Result<Vec<Vec<Value>>> {
        let mut all: Vec<_> = items.iter().map(|item| item.values()).collect();
        let Some(circuits) = self.circuits else { return Ok(all) };
        let parts: Vec<&[EmittedBlock]> = items
            .iter()
            .map(|item| match &item.work {
                Work::Blocks(blocks) => blocks.as_slice(),
                Work::Analysed(_) => unreachable!("all are circuits"),
            })
            .collect();
        for (values, counts) in all.iter_mut().zip(count(circuits.family, &parts)?) {
            let counts = counts.iter().cloned().chain([total(&counts)]);
            let numbers = counts.flat_map(|counts| {
                let counts = counts.times(circuits.ports);
                [counts.flip_flops, counts.luts]
            });
            values.iter_mut().zip(numbers).for_each(|(value, number)| value.value = Some(number.into()));
        }
        Ok(all)
    }

    /// The parameters of each variant: variant, key, value, where it comes from. Of an analysis, those that it reads.
    pub fn stated(&self) -> Vec<(&'a str, &'static str, String, &'a str)> {
        let mut rows = Vec::new();
        for Item { name, parameters, settings, .. } in &self.variants {
            for (key, value) in parameters.iter() {
                let from = settings.iter().find(|(known, _)| known.get_ref() == key);
                if from.is_some() || self.circuits.is_some() || parameters.was_read(key) {
                    let from = from.map_or(parameters.default_from(key), |(_, stated)| &stated.from);
                    rows.push((*name, key, value.to_string(), from));
                }
            }
        }
        rows
    }
}

/// The other circuit for the calculator of a variant, if it has one.
fn other_calculator(
    file: &File<Calculation>,
    scheme: &Scheme,
    variant: &Variant,
) -> Result<Option<&'static OtherCalculator>> {
    let Subject::Area(area) = &file.scenario.calculates else { return Ok(None) };
    let Some(wanted) = area.calculators.get(variant.name.get_ref().as_str()) else { return Ok(None) };
    let known = scheme.other_calculators;
    ensure!(!known.is_empty(), file.error(wanted, format!("{} has no other calculator", scheme.name)));
    let at = file.find_name("calculator", wanted, known.iter().map(|other| other.name))?;
    Ok(Some(&known[at]))
}

/// Finds family, part and ports.
fn circuits(file: &File<Calculation>, area: &Area) -> Result<Circuits> {
    let names = Family::ALL.map(Family::name);
    let family = Family::ALL[file.find_name("family", &area.family, names.into_iter())?];
    let parts = [Part::CongestionPoint, Part::ReactionPoint];
    let part = parts[file.find_name("part", &area.part, parts.map(Part::name).into_iter())?];
    for variant in area.calculators.keys() {
        file.find_name("variant", variant, file.scenario.variant.iter().map(|of| of.name.get_ref().as_str()))?;
    }
    let ports = *area.ports.get_ref();
    ensure!((1..=PORTS_MAX).contains(&ports), file.error(&area.ports, format!("expected 1 to {PORTS_MAX} ports")));
    Ok(Circuits { family, part, ports })
}

/// Finds what a measure of a claim names.
fn named(file: &File<Calculation>, variants: &[Item], claim: &Spanned<String>, measure: &Measure) -> Result<Named> {
    const NO_NETWORK: &str = "there is no network: expected `quantity` and `variant` only";
    let Measure { variant, metric, quantity, window_s, output, flow, between_bytes } = measure;
    let refused = [
        metric.as_ref().map(|field| file.error(field, NO_NETWORK)),
        window_s.as_ref().map(|field| file.error(field, NO_NETWORK)),
        output.as_ref().map(|field| file.error(field, NO_NETWORK)),
        flow.as_ref().map(|field| file.error(field, NO_NETWORK)),
        between_bytes.as_ref().map(|field| file.error(field, NO_NETWORK)),
    ];
    if let Some(error) = refused.into_iter().flatten().next() {
        return Err(error);
    }
    let case = file.find_variant(variant, variants.iter().map(|variant| variant.name))?;
    let Some(quantity) = quantity else {
        return Err(file.error(claim, "its measure has no quantity"));
    };
    // Those in words are not judged.
    let values: Vec<_> = variants[case].values().into_iter().filter(|value| value.words.is_empty()).collect();
    let at = file.find_name("quantity", quantity, values.iter().map(|value| value.quantity.as_str()))?;
    Ok(Named { case, quantity: quantity.get_ref().clone(), unit: values[at].unit })
}

/// The number of a name; no number if there is none.
fn number(values: &[Value], quantity: &str) -> f64 {
    values.iter().find(|value| value.quantity == quantity).and_then(|value| value.value).unwrap_or(f64::NAN)
}
