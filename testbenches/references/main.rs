//! Every block and both parts of every scheme against their references, at the ports; that the stimulus reaches what there is to
//! reach; and that a difference is found where it is.

mod coverage;
mod perturbed;

use tidegate::emit::Circuit;
use tidegate::registry::{find, Scheme, SCHEMES};
use tidegate::scheme::Part;
use tidegate::verify::model::check;
use tidegate::verify::Verdict;

const CYCLES: u64 = 100_000;

/// The blocks of a part and the part.
fn circuits(scheme: &Scheme, part: Part) -> Vec<Circuit> {
    scheme.blocks(part).into_iter().chain([scheme.circuit(part)]).collect()
}

/// Every circuit of every scheme, those that two share once.
fn all() -> Vec<(&'static Scheme, Part, Circuit)> {
    let mut all: Vec<(&'static Scheme, Part, Circuit)> = Vec::new();
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            for circuit in circuits(scheme, part) {
                if all.iter().all(|(_, _, other)| other.module != circuit.module) {
                    all.push((scheme, part, circuit));
                }
            }
        }
    }
    all
}

fn agree(scheme: &str, part: Part) {
    let scheme = find(scheme).unwrap();
    for circuit in circuits(scheme, part) {
        let (check, difference) = check(scheme, part, &circuit, CYCLES);
        println!("{} {}: {:.0} cycles/s", scheme.name, circuit.module, CYCLES as f64 / check.seconds);
        assert_eq!(check.verdict, Verdict::Passed, "{} {}: {:?}", scheme.name, circuit.module, check.reason);
        assert_eq!((check.cycles, difference), (Some(CYCLES), None));
    }
}

#[test]
fn qcn_congestion_point() {
    agree("qcn", Part::CongestionPoint);
}

#[test]
fn qcn_reaction_point() {
    agree("qcn", Part::ReactionPoint);
}

#[test]
fn infiniband_congestion_point() {
    agree("infiniband", Part::CongestionPoint);
}

#[test]
fn infiniband_reaction_point() {
    agree("infiniband", Part::ReactionPoint);
}

#[test]
fn smcc_congestion_point() {
    agree("smcc", Part::CongestionPoint);
}

#[test]
fn smcc_reaction_point() {
    agree("smcc", Part::ReactionPoint);
}
