//! All blocks and both parts of all schemes against their references, at the ports. Also the coverage of the stimulus,
//! and that a difference is found in the right cycle.

#[path = "../common/circuits.rs"]
mod circuits;
mod coverage;
mod perturbed;

use circuits::{all, circuits};
use tidegate::registry::{Scheme, SCHEMES};
use tidegate::scheme::Part;
use tidegate::verify::model::{check, SEED};
use tidegate::verify::Verdict;

const CYCLES: u64 = 100_000;

fn agree(scheme: &'static Scheme, part: Part) {
    for circuit in circuits(scheme, part) {
        let (check, difference) = check(scheme, part, &circuit, CYCLES, SEED);
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
