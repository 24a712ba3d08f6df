//! One truth, first half: the circuits and the models write identical traces.

use std::path::Path;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::Engine;
use tidegate::registry;

fn settings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

/// Runs the dumbbell with both engines and returns how many rows their traces have.
fn dumbbell_agrees(scheme: &str, cycles: u64, pairs: &[(&str, &str)]) -> usize {
    let scheme = registry::find(scheme).unwrap();
    let parameters = scheme.parameters(&settings(pairs)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = |engine: Engine, name: &str| {
        let path = folder.path().join(name);
        let trace = Trace::create(Some(Path::new(&path)), dumbbell::HEADER).unwrap();
        let started = std::time::Instant::now();
        dumbbell::run(scheme, &parameters, engine, cycles, Observation { period: 0 }, trace, None, &|_| {}).unwrap();
        println!("{} {name}: {:.2} s", scheme.name, started.elapsed().as_secs_f64());
        std::fs::read_to_string(path).unwrap()
    };
    let (circuit, model) = (run(Engine::Rtl, "rtl"), run(Engine::Model, "model"));
    for (line, (left, right)) in circuit.lines().zip(model.lines()).enumerate() {
        assert_eq!(left, right, "{} with {pairs:?}: first difference in line {}", scheme.name, line + 1);
    }
    assert_eq!(circuit.lines().count(), model.lines().count(), "{} with {pairs:?}: one trace is longer", scheme.name);
    circuit.lines().count()
}

#[test]
fn qcn() {
    assert!(dumbbell_agrees("qcn", 300_000, &[]) > 1000);
}

#[test]
fn smcc() {
    assert!(dumbbell_agrees("smcc", 300_000, &[]) > 1000);
}
