// SPDX-License-Identifier: MIT OR Apache-2.0
//! The integer models, compared with plain formulas and with properties from the papers, for all parameters that the
//! validator accepts.

use tidegate::scheme::parameters::Parameters;

/// What a reaction point stores of a CPID: nothing, 16 bits of which each is the sum of four, or all.
fn stored_of(parameters: &Parameters, cpid: u64) -> u64 {
    let digest = |bit: u64| match bit {
        // The digit of four bits that is the lowest becomes the highest.
        0..16 => 12 - bit / 4 * 4 + bit % 4,
        _ => bit % 16,
    };
    match parameters.choice("cpid_bits") {
        "0" => 0,
        "16" => (0..64).filter(|bit| cpid >> bit & 1 == 1).fold(0, |sum, bit| sum ^ 1 << digest(bit)),
        _ => cpid,
    }
}

/// What is stored before the first decrease: only if nothing is stored, any CPID is equal to it.
fn stored_at_first(parameters: &Parameters) -> Option<u64> {
    (parameters.choice("cpid_bits") == "0").then_some(0)
}

mod asm;
mod bcn;
mod dsm;
mod qcn;
mod shared;
mod smcc;
mod validator;
