// SPDX-License-Identifier: MIT OR Apache-2.0
//! Joint readings: what the files list is of experiments that there are and changes something, and a search scores what
//! runs of their own score.

use tidegate::experiment::claims::Verdict;
use tidegate::experiment::joint::{Joint, Score, ids};
use tidegate::experiment::kind::AnyFile;
use tidegate::experiment::scenario::File;
use tidegate::experiment::{Experiment, catalogue};

fn network(id: &str) -> File {
    match catalogue::find(id).unwrap() {
        AnyFile::Network(file) => *file,
        AnyFile::Calculation(_) => panic!("{id} has no network"),
    }
}

/// How many parameters of an experiment a combination sets.
fn set_by(joint: &Joint, file: &File, values: &[usize]) -> usize {
    let file = joint.apply(file, values);
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let stated = experiment.cases.iter().flat_map(|case| case.stated().unwrap());
    stated.filter(|(_, _, from)| from.starts_with("joint reading: ")).count()
}

#[test]
fn each_value_of_each_reading_is_of_an_experiment_of_its_paper() {
    for id in ids() {
        let joint = Joint::find(id).unwrap().unwrap();
        let files: Vec<_> = joint.readings.experiments.iter().map(|id| network(id.get_ref())).collect();
        assert!(files.iter().all(|file| file.id.starts_with(&format!("{id}-"))), "{id}");
        for (number, reading) in joint.readings.reading.iter().enumerate() {
            for value in 1..=reading.others.len() {
                let mut values = vec![0; joint.readings.reading.len()];
                values[number] = value;
                let set: usize = files.iter().map(|file| set_by(&joint, file, &values)).sum();
                assert!(set > 0, "{id}, {}: {} is of no experiment", reading.name, reading.words(value));
            }
        }
        let chosen: usize = files.iter().map(|file| set_by(&joint, file, &joint.chosen)).sum();
        assert!(chosen > 0, "{id}: the joint reading is that of the files");
    }
    assert!(Joint::find("toy").unwrap().is_none());
}

#[test]
fn a_search_scores_what_runs_of_their_own_score() {
    let mut joint = Joint::find("asm").unwrap().unwrap();
    joint.readings.experiments.retain(|id| ["asm-fig5", "asm-fig10"].contains(&id.get_ref().as_str()));
    let search = joint.search(&|_, _| ()).unwrap();
    assert_eq!(search.combinations.len(), 8);
    assert_eq!(search.combinations[0], [0, 0, 0]);
    for (values, scores) in search.combinations.iter().zip(&search.scores) {
        for (id, score) in search.experiments.iter().zip(scores) {
            let file = joint.apply(&network(id).without_ablations(), values);
            let experiment = Experiment::new(&file).unwrap();
            let results = experiment.run(&|_, _| ()).unwrap();
            let verdicts: Vec<_> = results.judged.iter().map(|judged| judged.verdict).collect();
            let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
            let own = Score { reproduced: count(Verdict::Reproduced), partly: count(Verdict::Partly) };
            assert_eq!(*score, own, "{id}, {values:?}");
        }
    }
    let best = search.ranked(None)[0];
    assert!((0..8).all(|other| search.total(other, None) <= search.total(best, None)));
    // Without the first experiment, the score is that of the second.
    assert_eq!(search.total(best, Some(0)), search.scores[best][1]);
}
