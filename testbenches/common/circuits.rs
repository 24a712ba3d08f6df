//! The circuits of all schemes.

use tidegate::registry::{SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;

/// The blocks of a part and the part.
pub fn circuits(scheme: &Scheme, part: Part) -> Vec<Circuit> {
    scheme.blocks(part).into_iter().chain([scheme.circuit(part)]).collect()
}

/// Every circuit of every scheme, a shared one only once.
pub fn all() -> Vec<(&'static Scheme, Part, Circuit)> {
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
