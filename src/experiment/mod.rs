//! Experiments with networks: a scenario file says what runs and what is claimed of it; the claims are judged by bounds that
//! stand in the file.
//!
//! A scenario has variants: a scheme with parameters, in a network of outputs and flows. Each runs once for each seed. An
//! ablation is a variant with something changed. It runs only if a claim about its variant is not reproduced, to tell what
//! decides.

pub mod capture;
pub mod case;
pub mod catalogue;
pub mod claims;
pub mod fairness;
mod infiniband;
pub mod metric;
pub mod run;
pub mod scenario;
pub mod sizes;

use self::case::{Case, Clock, World};
use self::claims::{Measured, Question, Verdict, window_looks};
use self::run::{Looks, Outcome, run};
use self::scenario::File;
use crate::scheme::parameters::Parameters;
use crate::units::Cycles;
use anyhow::{Result, anyhow, ensure};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A checked scenario.
pub struct Experiment<'a> {
    /// The file.
    pub file: &'a File,
    /// The variants.
    pub cases: Vec<Case<'a>>,
    ablations: Vec<Ablated<'a>>,
    questions: Vec<Question<'a>>,
    looks: Looks,
    seeds: u32,
    /// The window of the distributions, in looks.
    pub distribution: [usize; 2],
    /// The window of the pictures over time, in looks.
    pub shown: [usize; 2],
}

/// A variant with something changed.
struct Ablated<'a> {
    /// Number of the variant.
    of: usize,
    /// The claims for which it says something; none: all of the variant.
    only: Vec<usize>,
    case: Case<'a>,
}

impl Ablated<'_> {
    /// Whether it can tell the cause of a claim with this number, which is not reproduced.
    fn tells(&self, number: usize, judged: &Judged) -> bool {
        judged.verdict != Verdict::Reproduced
            && judged.question.target.case == self.of
            && (self.only.is_empty() || self.only.contains(&number))
    }
}

/// The runs of a case, one for each seed from 1.
pub struct Runs {
    /// Its name.
    pub name: String,
    /// What the runs left.
    pub outcomes: Vec<Outcome>,
    /// Parameters of the first run.
    pub parameters: Parameters,
}

/// A claim with its verdict.
pub struct Judged<'a> {
    /// The claim.
    pub question: &'a Question<'a>,
    /// Name of the variant.
    pub variant: String,
    /// What was measured.
    pub measured: Measured,
    /// The verdict.
    pub verdict: Verdict,
    /// What decides, where it is not reproduced.
    pub cause: String,
}

/// A finished experiment.
pub struct Results<'a> {
    /// The runs of the variants.
    pub runs: Vec<Runs>,
    /// The verdicts, in the order of the claims.
    pub judged: Vec<Judged<'a>>,
    /// Packets sent in all runs, also of ablations.
    pub packets: u64,
}

impl<'a> Experiment<'a> {
    /// Checks a scenario.
    ///
    /// # Errors
    /// With file, line and column.
    pub fn new(file: &'a File) -> Result<Experiment<'a>> {
        file.check_names()?;
        let scenario = &file.scenario;
        let cases: Vec<_> =
            scenario.variant.iter().map(|variant| Case::of_variant(file, variant)).collect::<Result<_>>()?;
        let ablations: Vec<_> = scenario
            .ablation
            .iter()
            .map(|ablation| {
                let of = scenario.variant.iter().position(|variant| variant.name.get_ref() == ablation.of.get_ref());
                let case = Case::of_ablation(file, ablation)?;
                let ids = scenario.claim.iter().map(|claim| claim.id.get_ref().as_str());
                let only = ablation.only.iter().map(|claim| file.find_name("claim", claim, ids.clone()));
                Ok(Ablated { of: of.expect("its case was made"), only: only.collect::<Result<_>>()?, case })
            })
            .collect::<Result<_>>()?;
        let mut clocks = Vec::new();
        for case in cases.iter().chain(ablations.iter().map(|ablation| &ablation.case)) {
            clocks.push(case.world(1)?.parameters.decimal("clock_mhz"));
        }
        let clock = Clock(clocks[0]);
        let seeds = *scenario.seeds.get_ref();
        ensure!((1..=65_535).contains(&seeds), file.error(&scenario.seeds, "expected 1 to 65535 seeds"));
        let looks = Looks::of(file, clock)?;
        let window = |window: &Option<_>| match window {
            Some(window) => window_looks(file, window, &looks, clock),
            None => Ok([0, looks.count]),
        };
        let (distribution, shown) = (window(&scenario.distribution_s)?, window(&scenario.shown_s)?);
        let questions: Vec<_> = scenario
            .claim
            .iter()
            .map(|claim| Question::new(file, &cases, &looks, clock, claim))
            .collect::<Result<_>>()?;
        let looks = looks.cut(questions.iter().flat_map(Question::cuts).chain(distribution));
        ensure!(clocks.iter().all(|other| *other == clock.0), "{}: expected one clock_mhz in all variants", file.name);
        Ok(Experiment { file, cases, ablations, questions, looks, seeds, distribution, shown })
    }

    /// Looks of all runs of the variants: what the progress counts. Those of ablations come on top.
    pub fn looks(&self) -> usize {
        self.cases.len() * self.seeds as usize * self.looks.count
    }

    /// The window of the pictures over time, in cycles.
    pub fn shown_cycles(&self) -> [Cycles; 2] {
        self.shown.map(|look| look as Cycles * self.looks.cycles)
    }

    /// Runs all variants with all seeds, spread over the processors, and judges the claims. `progress` hears how many looks
    /// are done, of how many.
    ///
    /// # Errors
    /// See [`Case::world`]; a packet that is lost or made is a panic.
    pub fn run(&'a self, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Results<'a>> {
        let (done, all) = (AtomicUsize::new(0), AtomicUsize::new(self.looks()));
        let step = || progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.load(Ordering::Relaxed));
        let cases: Vec<_> = self.cases.iter().collect();
        let runs = self.run_cases(&cases, &step)?;
        let of_variants = |case: usize| &runs[case].outcomes[..];
        let mut judged: Vec<Judged> = self
            .questions
            .iter()
            .map(|question| {
                let measured = question.answer(of_variants);
                let verdict = question.judge(measured.mean());
                let variant = runs[question.target.case].name.clone();
                Judged { question, variant, measured, verdict, cause: question.claim.remark.clone() }
            })
            .collect();
        let told = |ablation: &&Ablated| (0..).zip(&judged).any(|(number, judged)| ablation.tells(number, judged));
        let wanted: Vec<_> = self.ablations.iter().filter(told).collect();
        all.fetch_add(wanted.len() * self.seeds as usize * self.looks.count, Ordering::Relaxed);
        let cases: Vec<_> = wanted.iter().map(|ablation| &ablation.case).collect();
        let ablated = self.run_cases(&cases, &step)?;
        for (number, judged) in (0..).zip(&mut judged) {
            let of = judged.question.target.case;
            let those = wanted.iter().zip(&ablated).filter(|(ablation, _)| ablation.tells(number, judged));
            let tried = those.map(|(_, ablation)| {
                let measured =
                    judged.question.answer(|case| if case == of { &ablation.outcomes } else { of_variants(case) });
                (ablation.name.as_str(), measured.mean(), judged.question.judge(measured.mean()))
            });
            let cause = cause(&tried.collect::<Vec<_>>(), judged.question.unit());
            if !cause.is_empty() {
                judged.cause = if judged.cause.is_empty() { cause } else { format!("{cause} {}", judged.cause) };
            }
        }
        for number in 0..judged.len() {
            let this = &judged[number];
            let Some(other) = this.question.other_reading.filter(|_| this.verdict != Verdict::Reproduced) else {
                continue;
            };
            let other = &judged[other];
            let text = format!("{}: {}", other.variant, other.verdict.words());
            let text = with_value(&text, other.measured.mean(), other.question.unit());
            let cause = &mut judged[number].cause;
            *cause = format!("{text}. {cause}").trim_end().to_string();
        }
        let outcomes = runs.iter().chain(&ablated).flat_map(|runs| &runs.outcomes);
        let packets = outcomes.map(|outcome| outcome.sent).sum();
        Ok(Results { runs, judged, packets })
    }

    fn run_cases(&self, cases: &[&Case<'a>], step: &(dyn Fn() + Sync)) -> Result<Vec<Runs>> {
        let worlds: Vec<Vec<World>> = cases
            .iter()
            .map(|case| (1..=self.seeds).map(|seed| case.world(seed)).collect::<Result<_>>())
            .collect::<Result<_>>()?;
        let jobs: Vec<_> = worlds
            .iter()
            .enumerate()
            .flat_map(|(case, worlds)| (0..worlds.len()).map(move |seed| (case, seed)))
            .collect();
        let one = |&(case, seed): &(usize, usize)| {
            let looks = Looks { rates: seed == 0, ..self.looks.clone() };
            run(cases[case].scheme, &worlds[case][seed], &looks, &step)
        };
        let mut outcomes = jobs.par_iter().map(one).collect::<Vec<_>>().into_iter();
        let runs = cases.iter().zip(worlds).map(|(case, mut worlds)| {
            let outcomes = outcomes.by_ref().take(worlds.len()).collect();
            let parameters = worlds.drain(..).next().map(|world| world.parameters);
            let parameters = parameters.ok_or_else(|| anyhow!("no seed"))?;
            Ok(Runs { name: case.name.clone(), outcomes, parameters })
        });
        runs.collect()
    }
}

/// A text with a value behind it.
fn with_value(text: &str, value: f64, unit: &str) -> String {
    format!("{text} ({value:.4} {unit})").replace(" )", ")")
}

/// What the ablations say of a claim that is not reproduced.
fn cause(tried: &[(&str, f64, Verdict)], unit: &str) -> String {
    let list = |verdict: &dyn Fn(Verdict) -> bool| {
        let those = tried.iter().filter(|(.., judged)| verdict(*judged));
        those.map(|(name, value, _)| with_value(name, *value, unit)).collect::<Vec<_>>().join(", ")
    };
    let decides = list(&|verdict| verdict == Verdict::Reproduced);
    let partly = list(&|verdict| verdict == Verdict::Partly);
    let others = list(&|verdict| verdict == Verdict::NotReproduced);
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
