// SPDX-License-Identifier: MIT OR Apache-2.0
//! Claims of a paper, and verdicts about them.

use super::scenario::{Ablation, Claim, Condition, File, Measure, Over, Variant};
use super::spanned::Spanned;
use anyhow::{Result, ensure};
use serde::Serialize;
use std::collections::BTreeMap;

/// What becomes of a claim, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The measured value is within the bound.
    Reproduced,
    /// It is within the wider bound.
    Partly,
    /// It is outside.
    NotReproduced,
    /// A tool that is needed to measure it is missing.
    NotMeasured,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Partly => "partly",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotMeasured => "not measured",
        }
    }

    /// The verdict about a value; no number is outside of every bound.
    fn of(expect: [f64; 2], partly: Option<[f64; 2]>, value: f64) -> Verdict {
        let within = |[low, high]: [f64; 2]| (low..=high).contains(&value);
        if within(expect) {
            Verdict::Reproduced
        } else if partly.is_some_and(within) {
            Verdict::Partly
        } else {
            Verdict::NotReproduced
        }
    }
}

/// A value, over the seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Of each seed; the only one of what is calculated; none of what is not measured.
    pub values: Vec<f64>,
    /// Whether the median is judged, and not the mean: that of ratios, of which one can be many times the others.
    pub by_median: bool,
}

impl Measured {
    /// What is judged: mean or median over the seeds. No number, as 0/0, is greater than any in a median.
    pub fn value(&self) -> f64 {
        if !self.by_median {
            return self.mean();
        }
        let mut sorted = self.values.clone();
        sorted.sort_by(|one, other| one.is_nan().cmp(&other.is_nan()).then(one.total_cmp(other)));
        match sorted.len() {
            0 => f64::NAN,
            odd if odd % 2 == 1 => sorted[odd / 2],
            // Not half their sum, where both have no end.
            even if sorted[even / 2 - 1] == sorted[even / 2] => sorted[even / 2],
            even => (sorted[even / 2 - 1] + sorted[even / 2]) / 2.0,
        }
    }

    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Population standard deviation over the seeds.
    pub fn spread(&self) -> f64 {
        let mean = self.mean();
        (self.values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / self.values.len() as f64).sqrt()
    }
}

/// What a claim names of a variant: a metric of a network, or something calculated.
pub(crate) trait Quantity {
    /// Number of the variant.
    fn case(&self) -> usize;
    /// In words.
    fn name(&self) -> String;
    /// Its unit.
    fn unit(&self) -> &'static str;
}

/// A second quantity of a claim.
#[derive(Clone, Debug)]
enum Second<Q> {
    /// By which the first one is divided.
    Divisor(Q),
    /// Which is subtracted from the first one.
    Subtrahend(Q),
}

/// What is asked of one variant.
#[derive(Clone, Debug)]
struct Asked<Q> {
    quantity: Q,
    second: Option<Second<Q>>,
}

impl<Q> Asked<Q> {
    fn quantities(&self) -> impl Iterator<Item = &Q> {
        let second = self.second.as_ref().map(|second| match second {
            Second::Divisor(quantity) | Second::Subtrahend(quantity) => quantity,
        });
        [Some(&self.quantity), second].into_iter().flatten()
    }

    fn answer(&self, values: impl Fn(&Q) -> Vec<f64>) -> Measured {
        let mut measured = values(&self.quantity);
        match &self.second {
            None => (),
            Some(Second::Divisor(other)) => {
                measured.iter_mut().zip(values(other)).for_each(|(value, other)| *value /= other);
            }
            Some(Second::Subtrahend(other)) => {
                measured.iter_mut().zip(values(other)).for_each(|(value, other)| *value -= other);
            }
        }
        Measured { values: measured, by_median: matches!(self.second, Some(Second::Divisor(_))) }
    }

    /// In words, with the unit.
    fn words(&self) -> (String, &'static str)
    where
        Q: Quantity,
    {
        let name = self.quantity.name();
        match self.second {
            None => (name, self.quantity.unit()),
            Some(Second::Divisor(_)) => (name + ", ratio", ""),
            Some(Second::Subtrahend(_)) => (name + ", difference", self.quantity.unit()),
        }
    }
}

/// What was measured for a claim: of each variant that it asks for, and of each condition.
pub(crate) struct Answers {
    asked: Vec<Measured>,
    conditions: Vec<Measured>,
}

/// A claim with its quantities.
#[derive(Clone, Debug)]
pub(crate) struct Question<'a, Q> {
    claim: &'a Claim,
    /// One; with `over`, one for each variant.
    asked: Vec<Asked<Q>>,
    conditions: Vec<(&'a Condition, Asked<Q>)>,
    /// Number of the claim that says the same of another reading.
    other_reading: Option<usize>,
}

impl<'a, Q: Quantity> Question<'a, Q> {
    /// Finds what a claim, one of `claims`, names; `variants` are the names of the variants, `find` knows the quantities.
    ///
    /// # Errors
    /// With the place in the file.
    pub(crate) fn new<S>(
        file: &File<S>,
        (claims, conditions): (&[Claim], &'a BTreeMap<Spanned<String>, Vec<Condition>>),
        claim: &'a Claim,
        variants: &[&str],
        find: impl Fn(&Measure) -> Result<Q>,
    ) -> Result<Question<'a, Q>> {
        let [low, high] = *claim.expect.get_ref();
        ensure!(low <= high, file.error(&claim.expect, "expected the smaller number first"));
        let ask = |measure: &Measure| {
            let quantity = find(measure)?;
            let other = |other: &Measure| find(&measure.over(other));
            let second = match (&claim.ratio_to, &claim.minus) {
                (None, None) => None,
                (Some(divisor), None) => Some(Second::Divisor(other(divisor)?)),
                (None, Some(subtrahend)) => Some(Second::Subtrahend(other(subtrahend)?)),
                (Some(_), Some(_)) => return Err(file.error(&claim.id, "expected one of ratio_to and minus")),
            };
            Ok(Asked { quantity, second })
        };
        let asked = match (claim.over, &claim.measure.variant) {
            (None, _) => vec![ask(&claim.measure)?],
            (Some(_), Some(variant)) => {
                return Err(file.error(variant, "the claim is over all variants: leave out `variant`"));
            }
            (Some(_), None) => {
                let of = |name: &&str| {
                    let variant = Some(Spanned::new(claim.id.span(), name.to_string()));
                    ask(&Measure { variant, ..claim.measure.clone() })
                };
                variants.iter().map(of).collect::<Result<_>>()?
            }
        };
        let names = || conditions.keys().map(|name| name.get_ref().as_str());
        let mut all = Vec::new();
        for name in &claim.also {
            ensure!(!conditions.is_empty(), file.error(name, "there is no condition: expected [[condition.NAME]]"));
            let at = file.find_name("condition", name, names())?;
            for condition in conditions.values().nth(at).expect("it was found") {
                let [low, high] = *condition.expect.get_ref();
                ensure!(low <= high, file.error(&condition.expect, "expected the smaller number first"));
                let measure = claim.measure.over(&condition.measure);
                // A range of queue lengths and a flow belong to their metrics.
                let own = condition.measure.metric.is_some();
                let keep = |measure: Measure| Measure {
                    between_bytes: measure.between_bytes.filter(|_| !own || condition.measure.between_bytes.is_some()),
                    flow: measure.flow.filter(|_| !own || condition.measure.flow.is_some()),
                    ..measure
                };
                let quantity = find(&keep(measure.clone()))?;
                let divisor = condition.ratio_to.as_ref().map(|other| find(&keep(measure.over(other)))).transpose()?;
                all.push((condition, Asked { quantity, second: divisor.map(Second::Divisor) }));
            }
        }
        let ids = claims.iter().map(|claim| claim.id.get_ref().as_str());
        let other_reading =
            claim.other_reading.as_ref().map(|other| file.find_name("claim", other, ids)).transpose()?;
        Ok(Question { claim, asked, conditions: all, other_reading })
    }

    /// Its quantities.
    pub(crate) fn quantities(&self) -> impl Iterator<Item = &Q> {
        self.asked.iter().chain(self.conditions.iter().map(|(_, asked)| asked)).flat_map(Asked::quantities)
    }

    /// What was measured, from the values of its quantities.
    pub(crate) fn answers(&self, values: impl Fn(&Q) -> Vec<f64>) -> Answers {
        Answers {
            asked: self.asked.iter().map(|asked| asked.answer(&values)).collect(),
            conditions: self.conditions.iter().map(|(_, asked)| asked.answer(&values)).collect(),
        }
    }

    /// The measured value that is judged, and the verdict, which also hears the conditions.
    pub(crate) fn answer(&self, values: impl Fn(&Q) -> Vec<f64>) -> (f64, Verdict) {
        let answers = self.answers(values);
        let value = answers.asked[self.judged_one(&answers.asked)].value();
        let conditions = self.conditions.iter().zip(&answers.conditions);
        let conditions = conditions.map(|((condition, _), measured)| condition.verdict(measured.value()));
        (value, conditions.fold(self.claim.verdict(value), Verdict::max))
    }

    /// Number of the answer that is judged: one that is no number goes first.
    fn judged_one(&self, answers: &[Measured]) -> usize {
        let values: Vec<_> = answers.iter().map(Measured::value).collect();
        let numbers = || (0..).zip(&values);
        let by_value = |(_, one): &(usize, &f64), (_, other): &(usize, &f64)| one.total_cmp(other);
        let found = numbers().find(|(_, value)| value.is_nan()).or_else(|| match self.claim.over {
            Some(Over::Greatest) => numbers().max_by(by_value),
            Some(Over::Least) | None => numbers().min_by(by_value),
        });
        found.map_or(0, |(number, _)| number)
    }

    /// The verdict about what was measured; `variants` are the names of the variants.
    pub(crate) fn judge(&self, variants: &[&str], answers: Answers) -> Judged<'a> {
        let Answers { asked: mut answers, conditions } = answers;
        let name = |asked: &Asked<Q>| variants[asked.quantity.case()];
        let one = self.judged_one(&answers);
        let asked = &self.asked[one];
        let (mut quantity, unit) = asked.words();
        let mut cause = self.claim.remark.clone();
        if let Some(over) = self.claim.over {
            let which = match over {
                Over::Greatest => "greatest",
                Over::Least => "least",
            };
            quantity += &format!(", {which} of {} variants: {}", answers.len(), name(asked));
            let [low, high] = *self.claim.expect.get_ref();
            let beyond = |(asked, answer): (&Asked<Q>, &Measured)| {
                let value = answer.value();
                let inside = match over {
                    Over::Greatest => value <= high,
                    Over::Least => value >= low,
                };
                (!inside).then(|| with_value(name(asked), value, unit))
            };
            let beyond: Vec<_> = self.asked.iter().zip(&answers).filter_map(beyond).collect();
            if !beyond.is_empty() {
                let those =
                    format!("{} of {} are beyond the bound: {}.", beyond.len(), answers.len(), beyond.join("; "));
                cause = format!("{those} {cause}").trim_end().into();
            }
        }
        let measured = answers.swap_remove(one);
        let own = self.claim.verdict(measured.value());
        let conditions: Vec<_> = self
            .conditions
            .iter()
            .zip(conditions)
            .map(|((condition, asked), measured)| {
                let (quantity, unit) = asked.words();
                let verdict = condition.verdict(measured.value());
                Met { condition, variant: name(asked).into(), quantity, unit, measured, verdict }
            })
            .collect();
        let within = (0..measured.values.len()).filter(|&seed| {
            let conditions = conditions.iter().map(|met| met.condition.verdict(met.measured.values[seed]));
            conditions.fold(self.claim.verdict(measured.values[seed]), Verdict::max) == Verdict::Reproduced
        });
        Judged {
            claim: self.claim,
            cases: self.quantities().map(Quantity::case).collect(),
            variant: name(asked).into(),
            quantity,
            unit,
            verdict: conditions.iter().map(|met| met.verdict).fold(own, Verdict::max),
            seeds_within: within.count(),
            measured,
            conditions,
            tried: Vec::new(),
            remark: cause.clone(),
            cause,
            other_reading: self.other_reading,
            can_fail: true,
        }
    }
}

impl Claim {
    /// The verdict about a value, without further conditions.
    fn verdict(&self, value: f64) -> Verdict {
        Verdict::of(*self.expect.get_ref(), self.partly, value)
    }
}

impl Condition {
    /// The verdict about a value.
    fn verdict(&self, value: f64) -> Verdict {
        Verdict::of(*self.expect.get_ref(), self.partly, value)
    }
}

/// A further condition with its verdict.
pub struct Met<'a> {
    /// What the file says.
    pub condition: &'a Condition,
    /// Name of the variant.
    pub variant: String,
    /// What is measured, in words.
    pub quantity: String,
    /// Its unit.
    pub unit: &'static str,
    /// What was measured.
    pub measured: Measured,
    /// The verdict.
    pub verdict: Verdict,
}

/// A claim with its verdict.
pub struct Judged<'a> {
    /// What the file says.
    pub claim: &'a Claim,
    /// Numbers of the variants that it is about.
    cases: Vec<usize>,
    /// Name of the variant.
    pub variant: String,
    /// What is measured, in words.
    pub quantity: String,
    /// Its unit.
    pub unit: &'static str,
    /// What was measured.
    pub measured: Measured,
    /// Its further conditions.
    pub conditions: Vec<Met<'a>>,
    /// The verdict: the worst one of the claim and its conditions.
    pub verdict: Verdict,
    /// How many seeds alone would be reproduced, of as many as `measured` has.
    pub seeds_within: usize,
    /// Whether the file does not list it among those that turn under no control
    /// ([`Controls::never`](super::scenario::Controls::never)).
    pub can_fail: bool,
    /// What decides, where it is not reproduced: what was tried, and the remark.
    pub cause: String,
    /// What was tried, where it is not reproduced.
    pub tried: Vec<Tried>,
    /// What is said beside that.
    pub remark: String,
    other_reading: Option<usize>,
}

/// A claim under an ablation, or in another reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Name of the ablation; of another reading, that of its variant.
    pub name: String,
    /// What was measured ([`Measured::value`]).
    pub value: f64,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judged<'_> {
    /// Whether it counts: one that is reproduced, or partly, and would be so without any control, does not.
    pub fn counts(&self) -> bool {
        self.can_fail || self.verdict > Verdict::Partly
    }

    /// Says that it could not be measured.
    pub(crate) fn not_measured(&mut self, why: &str) {
        self.measured = Measured { values: Vec::new(), by_median: false };
        self.verdict = Verdict::NotMeasured;
        self.seeds_within = 0;
        self.cause = format!("Not measured: {why}");
        self.remark.clone_from(&self.cause);
    }
}

/// What an ablation can explain.
pub(crate) struct Scope {
    /// Numbers of the variants that it changes.
    pub of: Vec<usize>,
    /// The claims for which it says something; none: all of its variants.
    only: Vec<usize>,
}

impl Scope {
    /// That of an ablation, in a file with these variants and claims.
    ///
    /// # Errors
    /// A variant or a claim that it names is not there; a variant that it names twice.
    pub(crate) fn new<S>(file: &File<S>, variants: &[Variant], claims: &[Claim], ablation: &Ablation) -> Result<Scope> {
        let names = variants.iter().map(|variant| variant.name.get_ref().as_str());
        let mut of = Vec::new();
        for name in &ablation.of.0 {
            let number = file.find_name("variant", name, names.clone())?;
            let text = name.get_ref();
            ensure!(!of.contains(&number), file.error(name, format!("`{text}` stands twice in the list")));
            of.push(number);
        }
        let ids = claims.iter().map(|claim| claim.id.get_ref().as_str());
        let only = ablation.only.iter().map(|claim| file.find_name("claim", claim, ids.clone()));
        Ok(Scope { of, only: only.collect::<Result<_>>()? })
    }

    /// Whether it can tell the cause of the claim with this number, which is not reproduced.
    fn tells(&self, number: usize, judged: &Judged) -> bool {
        judged.verdict != Verdict::Reproduced
            && self.of.iter().any(|of| judged.cases.contains(of))
            && (self.only.is_empty() || self.only.contains(&number))
    }

    /// What the variant with a number has under the ablation: of `ablated`, which are those of its variants, or of `all`.
    pub(crate) fn choose<'r, T>(&self, number: usize, ablated: &'r [T], all: &'r [T]) -> &'r T {
        self.of.iter().position(|of| *of == number).map_or(&all[number], |at| &ablated[at])
    }

    /// Whether it can tell the cause of any of these claims.
    pub(crate) fn tells_any(&self, judged: &[Judged]) -> bool {
        (0..).zip(judged).any(|(number, judged)| self.tells(number, judged))
    }
}

/// The items in parts of these lengths, one after the other.
///
/// # Panics
/// There are fewer items.
pub(crate) fn in_parts<T>(items: &[T], lengths: impl Iterator<Item = usize>) -> Vec<&[T]> {
    let mut rest = items;
    lengths.map(|length| rest.split_off(..length).expect("as many items")).collect()
}

/// Adds to each claim that is not reproduced what decides: which of the ablations reproduce it, and what became of the
/// other reading. `answer` is the measured value and the verdict of the claim with a number under the ablation with a
/// number.
pub(crate) fn explain(
    judged: &mut [Judged],
    ablations: &[(&str, &Scope)],
    answer: impl Fn(usize, usize) -> (f64, Verdict),
) {
    for (number, judged) in (0..).zip(&mut *judged) {
        let those = (0..).zip(ablations).filter(|(_, (_, scope))| scope.tells(number, judged));
        let tried = those.map(|(ablation, (name, _))| {
            let (value, verdict) = answer(number, ablation);
            Tried { name: name.to_string(), value, verdict }
        });
        judged.tried = tried.collect();
        let cause = cause(&judged.tried, judged.unit);
        if !cause.is_empty() {
            judged.cause = if judged.cause.is_empty() { cause } else { format!("{cause} {}", judged.cause) };
        }
    }
    for number in 0..judged.len() {
        let this = &judged[number];
        let Some(other) = this.other_reading.filter(|_| this.verdict != Verdict::Reproduced) else {
            continue;
        };
        let other = &judged[other];
        let text = format!("{}: {}", other.variant, other.verdict.words());
        let value = other.measured.value();
        let text = with_value(&text, value, other.unit);
        let tried = Tried { name: format!("other reading: {}", other.variant), value, verdict: other.verdict };
        let this = &mut judged[number];
        this.tried.insert(0, tried);
        this.cause = format!("{text}. {}", this.cause).trim_end().to_string();
    }
}

/// A text with a value behind it.
fn with_value(text: &str, value: f64, unit: &str) -> String {
    format!("{text} ({value:.4} {unit})").replace(" )", ")")
}

/// What the ablations say of a claim that is not reproduced.
fn cause(tried: &[Tried], unit: &str) -> String {
    let list = |verdict: Verdict| {
        let those = tried.iter().filter(|tried| tried.verdict == verdict);
        those.map(|tried| with_value(&tried.name, tried.value, unit)).collect::<Vec<_>>().join(", ")
    };
    let decides = list(Verdict::Reproduced);
    let partly = list(Verdict::Partly);
    let others = list(Verdict::NotReproduced);
    let mut text = Vec::new();
    if !decides.is_empty() {
        text.push(format!("Reproduced with: {decides}."));
    }
    if !partly.is_empty() {
        text.push(format!("Partly with: {partly}."));
    }
    if !others.is_empty() {
        text.push(format!("Not with: {others}."));
    }
    text.join(" ")
}
