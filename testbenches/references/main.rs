//! All blocks and both parts of all schemes against their references, at the ports. Also the coverage of the stimulus,
//! and that a difference is found in the right cycle.

mod coverage;
mod perturbed;

use tidegate::emit::Circuit;
use tidegate::registry::{Scheme, SCHEMES};
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

fn agree(scheme: &'static Scheme, part: Part) {
    for circuit in circuits(scheme, part) {
        let (check, difference) = check(scheme, part, &circuit, CYCLES);
        println!("{} {}: {:.0} cycles/s", scheme.name, circuit.module, CYCLES as f64 / check.seconds);
        assert_eq!(check.verdict, Verdict::Passed, "{} {}: {:?}", scheme.name, circuit.module, check.reason);
        assert_eq!((check.cycles, difference), (Some(CYCLES), None));
    }
}

#[test]
fn every_circuit_of_every_scheme() {
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            agree(scheme, part);
        }
    }
}
