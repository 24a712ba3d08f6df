// SPDX-License-Identifier: MIT OR Apache-2.0
//! Claims that can fail: further conditions, medians of ratios, and the controls, under which the claims of each experiment
//! turn as its file says.

use super::text;
use tidegate::experiment::claims::Verdict;
use tidegate::experiment::control::{Control, compare};
use tidegate::experiment::kind::AnyFile;
use tidegate::experiment::scenario::File;
use tidegate::experiment::{Experiment, catalogue};

/// The verdicts about a scenario, with the number of seeds that are within alone.
fn verdicts(file: &File) -> Vec<(Verdict, usize, String)> {
    let experiment = Experiment::new(file).unwrap_or_else(|error| panic!("{error:#}"));
    let results = experiment.run(&|_, _| ()).unwrap();
    results.judged.iter().map(|judged| (judged.verdict, judged.seeds_within, judged.cause.clone())).collect()
}

fn parse(more: &str) -> File {
    File::parse("t.toml", "t", &text(more)).unwrap_or_else(|error| panic!("{error:#}"))
}

const CLAIMS: &str = r#"
[[condition.filled]]
measure = { metric = "queue_max_kb" }
expect = [EXPECT]
partly = [PARTLY]
bound = "test"

[[condition.filled]]
measure = { metric = "dropped_packets", variant = "SMCC" }
expect = [0, 1e9]
bound = "always"

[[claim]]
id = "used"
claim = "the link is used"
measure = { metric = "utilisation_percent", variant = "QCN", window_s = [0.01, 0.02] }
expect = [50, 100.1]
also = ["filled"]
bound = "half"
"#;

#[test]
fn the_verdict_is_the_worst_of_the_claim_and_its_conditions() {
    let with = |expect: &str, partly: &str| {
        let claims = CLAIMS.replace("EXPECT", expect).replace("PARTLY", partly);
        let mut all = verdicts(&parse(&claims));
        let (verdict, seeds, _) = all.remove(0);
        (verdict, seeds)
    };
    assert_eq!(with("1, 1e6", "0, 1e6"), (Verdict::Reproduced, 2));
    assert_eq!(with("0, 0", "0, 1e6"), (Verdict::Partly, 0));
    assert_eq!(with("0, 0", "0, 0"), (Verdict::NotReproduced, 0));
}

#[test]
fn a_mistake_in_conditions_and_controls_is_told_with_its_place() {
    let claims = CLAIMS.replace("EXPECT", "0, 1").replace("PARTLY", "0, 1");
    let errors = [
        (claims.replace("also = [\"filled\"]", "also = [\"fill\"]"), "no claim has the condition `filled`"),
        (claims.replace("also = [\"filled\"]", ""), "no claim has the condition `filled`"),
        (claims.clone() + "[controls]\nnone = [\"use\"]\n", "no claim `use`: expected one of used"),
        (claims.replace("expect = [0, 1]", "expect = [1, 0]"), "expected the smaller number first"),
    ];
    for (text_of, wanted) in errors {
        let file = parse(&text_of);
        let error = Experiment::new(&file).map(|_| ()).expect_err(wanted).to_string();
        assert!(error.contains(wanted) && error.starts_with("t.toml:"), "{error}");
    }
}

#[test]
fn a_ratio_is_judged_by_its_median() {
    let measured = |values: &[f64], by_median| {
        tidegate::experiment::claims::Measured { values: values.to_vec(), by_median }.value()
    };
    assert_eq!(measured(&[0.5, 20.5, 0.25], true), 0.5);
    assert_eq!(measured(&[0.5, 20.5, 0.25, 1.0], true), 0.75);
    assert_eq!(measured(&[f64::INFINITY, f64::INFINITY], true), f64::INFINITY);
    assert_eq!(measured(&[f64::NAN, 0.5, 0.25], true), 0.5);
    assert!(measured(&[f64::NAN, f64::NAN, 0.25], true).is_nan());
    assert_eq!(measured(&[1.0, 2.0, 6.0], false), 3.0);
}

/// Runs an experiment with and without each control, and compares what turns with the lists in its file.
fn turns_as_listed(id: &str) {
    let AnyFile::Network(file) = catalogue::find(id).unwrap() else { return };
    assert!(file.scenario.controls.is_some(), "{id}: expected a table [controls]");
    let plain = file.without_ablations();
    let experiment = Experiment::new(&plain).unwrap();
    let before = experiment.run(&|_, _| ()).unwrap();
    let mut turned = vec![false; before.judged.len()];
    for control in Control::ALL {
        let under = file.under(control).unwrap();
        let experiment = Experiment::new(&under).unwrap_or_else(|error| panic!("{error:#}"));
        let after = experiment.run(&|_, _| ()).unwrap();
        let turns = compare(&file, control, &before, &after);
        for ((judged, turn), turned) in before.judged.iter().zip(turns).zip(&mut turned) {
            let claim = judged.claim.id.get_ref();
            assert_eq!(turn.turns, turn.must, "{id}, {claim}: it turns, or does not, under {}", control.name());
            *turned |= turn.turns;
        }
    }
    let never = &file.scenario.controls.as_ref().unwrap().never;
    for (judged, turned) in before.judged.iter().zip(turned) {
        let cannot = judged.verdict <= Verdict::Partly && !turned;
        let claim = judged.claim.id.get_ref();
        assert_eq!(never.contains(&judged.claim.id), cannot, "{id}, {claim}: it turns under no control, or it does");
    }
}

#[test]
fn the_claims_of_short_experiments_turn_as_listed() {
    ["asm-fig5", "asm-fig10", "dsm-fig5b", "ib-fig2", "ib-fig3"].into_iter().for_each(turns_as_listed);
}

#[test]
#[ignore = "long: ten minutes: all experiments three times"]
fn the_claims_of_all_experiments_turn_as_listed() {
    catalogue::ids().for_each(turns_as_listed);
}

#[test]
fn a_control_takes_all_control_away() {
    let none = parse("").under(Control::None).unwrap();
    let experiment = Experiment::new(&none).unwrap();
    for runs in experiment.run(&|_, _| ()).unwrap().runs {
        for outcome in &runs.outcomes {
            assert_eq!(outcome.looks[0].iter().map(|look| look.feedback).sum::<u64>(), 0, "{}", runs.name);
        }
    }
    let swap = parse("").under(Control::Swap).unwrap();
    let schemes: Vec<_> = swap.scenario.variant.iter().map(|variant| variant.scheme.get_ref().as_str()).collect();
    assert_eq!(schemes, ["smcc", "qcn"]);
    // SMCC in the place of QCN has the parameters of SMCC in the file.
    assert_eq!(swap.scenario.variant[0].parameters["ra_mbps"].value, "64");
    assert!(!swap.scenario.variant[1].parameters.contains_key("ra_mbps"));
}
