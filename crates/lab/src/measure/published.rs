// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one published number of this kind, our differences beside it, and the ways in which one can come to it.
//!
//! Jiang 2015b, section 5.1, states a difference in registers and nothing about the widths of registers. A [`Reading`]
//! is a guess at what was counted, as a sum: registers of 32 bits that QCN has and SMCC does not have, and what our
//! circuits have beside them. No reading is a reproduction of the circuits of the paper.

use super::{Difference, Emit, Request, job};
use anyhow::{Result, anyhow};
use serde::Serialize;
use tidegate_package::emit::{EmittedBlock, ParameterStyle};
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::cells::{Family, Resources};
use tidegate_toolchain::yosys::Job;

/// The one published number of this kind, and ours beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Published {
    /// Paper and section.
    pub source: &'static str,
    /// The statement.
    pub statement: &'static str,
    /// FPGA family.
    pub family: Family,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Ports of the card.
    pub ports: u32,
    /// Number of slice registers; the paper says "about".
    pub slice_registers: i64,
    /// The differences measured here for the same family and part, for every requested profile and number of ports.
    pub ours: Vec<Difference>,
    /// What the number can be made of, each with one term more than the one before it.
    pub readings: Vec<Reading>,
}

/// A guess at what the published number counts, as a sum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reading {
    /// What is added to the reading before, or subtracted from it.
    pub meaning: &'static str,
    /// Registers of one port that QCN has more than SMCC, term by term.
    pub terms: Vec<Term>,
    /// The sum of the terms.
    pub one_port: i64,
    /// The sum for all ports of the card.
    pub card: i64,
}

/// A term of a [`Reading`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Term {
    /// What the registers hold.
    pub registers: &'static str,
    /// Their bits; negative if SMCC has them and QCN does not.
    pub bits: i64,
}

const FAMILY: Family = Family::Xc2vp;
const PART: Part = Part::ReactionPoint;
/// Ports of the card of the paper.
const PORTS: u32 = 4;
/// The block of the rate rule, and its register of the current rate.
const CALCULATOR: &str = "calculator";
const RATE: &str = "rate";
/// The registers that only QCN needs: name, and the name in our calculator.
const OWN_OF_QCN: [(&str, &str); 5] = [
    ("target rate", "target"),
    ("byte counter", "bytes_left"),
    ("timer", "cycles_left"),
    ("byte cycles since the last feedback", "stage_of_bytes"),
    ("timer periods since the last feedback", "stage_of_time"),
];
/// The bits of each of them in a reading: a usual width, which is also that of the registers of a NetFPGA.
const WIDE: i64 = 32;
/// The accumulator of our serial multiplier.
const PRODUCT: &str = "product";

/// What the readings are computed from: the reaction points of QCN, with the rules that the paper names, and of SMCC
/// without CPID.
pub(super) struct Figure {
    qcn: Vec<EmittedBlock>,
    smcc: Vec<EmittedBlock>,
}

impl Figure {
    /// The circuits, if the request has the reaction points of both schemes in the family of the published number.
    ///
    /// # Errors
    /// See [`tidegate_package::emit::blocks`].
    pub(super) fn of(request: &Request, emit: Emit) -> Result<Option<Figure>> {
        let schemes = ["qcn", "smcc"].iter().all(|wanted| request.schemes.iter().any(|scheme| scheme == wanted));
        if !schemes || !request.families.contains(&FAMILY) || !request.parts.contains(&PART) {
            return Ok(None);
        }
        let blocks = |scheme: &str, settings: &[(&str, &str)]| {
            let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
            emit(scheme, PART, &settings, ParameterStyle::Fixed)
        };
        Ok(Some(Figure {
            qcn: blocks("qcn", &[("profile", "paper"), ("timer_us", "15000")])?,
            smcc: blocks("smcc", &[("cpid_bits", "0")])?,
        }))
    }

    /// The syntheses that [`Self::published`] needs.
    pub(super) fn jobs(&self) -> Vec<Job> {
        self.qcn.iter().chain(&self.smcc).map(|block| job(FAMILY, block)).collect()
    }

    /// The published number, with what the jobs have counted and the differences of the whole request.
    ///
    /// # Errors
    /// A calculator without one of the registers that the readings name.
    pub(super) fn published(&self, counts: &[Resources], differences: &[Difference]) -> Result<Published> {
        let here = |ours: &&Difference| {
            (ours.family, ours.part) == (FAMILY, PART.name()) && ours.more.0 == "qcn" && ours.less.0 == "smcc"
        };
        let (qcn, smcc) = counts.split_at(self.qcn.len());
        Ok(Published {
            source: "Jiang 2015b, section 5.1",
            statement: "the number of slice registers used by the RP of SMCC is about 700 less than that used by the RP of QCN",
            family: FAMILY,
            part: PART.name(),
            ports: PORTS,
            slice_registers: 700,
            ours: differences.iter().filter(here).cloned().collect(),
            readings: readings(&Counted::of(&self.qcn, qcn), &Counted::of(&self.smcc, smcc))?,
        })
    }
}

/// The flip-flops of a reaction point.
struct Counted<'a> {
    /// The registers of the calculator, by name.
    registers: &'a [(String, u32)],
    /// Flip-flops of the calculator.
    calculator: i64,
    /// Flip-flops of the other blocks.
    others: i64,
}

impl Counted<'_> {
    fn of<'a>(blocks: &'a [EmittedBlock], counts: &[Resources]) -> Counted<'a> {
        let sum = |calculator: bool| {
            let wanted = blocks.iter().zip(counts).filter(|(block, _)| (block.block == CALCULATOR) == calculator);
            wanted.map(|(_, resources)| i64::from(resources.flip_flops)).sum()
        };
        let calculator = blocks.iter().find(|block| block.block == CALCULATOR);
        Counted {
            registers: calculator.map_or(&[], |block| &block.registers),
            calculator: sum(true),
            others: sum(false),
        }
    }

    /// Bits of a register of the calculator.
    fn bits(&self, name: &str) -> Result<i64> {
        let found = self.registers.iter().find(|(register, _)| register == name);
        found.map(|(_, bits)| i64::from(*bits)).ok_or_else(|| {
            anyhow!("the published figure: expected a register `{name}` in the {CALCULATOR} (crates/lab/src/measure/published.rs)")
        })
    }
}

/// The readings, each with the terms of the one before it.
fn readings(qcn: &Counted, smcc: &Counted) -> Result<Vec<Reading>> {
    let own: i64 = OWN_OF_QCN.iter().map(|(_, register)| qcn.bits(register)).sum::<Result<i64>>()?;
    let (rate, product) = (qcn.bits(RATE)?, qcn.bits(PRODUCT)?);
    let more = |registers, bits| vec![Term { registers, bits }];
    let steps = [
        (
            "registers that only QCN needs, each of 32 bits: target rate, byte counter, timer, counts of byte cycles and \
             of timer periods",
            OWN_OF_QCN.map(|(registers, _)| Term { registers, bits: WIDE }).to_vec(),
        ),
        (
            "and state machine and flags of our QCN, if SMCC's calculator is \"pure combinatorial logic\" except for the \
             rate",
            more("state machine and flags of our QCN", qcn.calculator - own - rate - product),
        ),
        ("and the accumulator of our QCN's serial multiplier", more("accumulator of our QCN", product)),
        (
            "less all that our SMCC's calculator has except for the rate",
            more("our SMCC's calculator without rate and CPID", smcc.bits(RATE)? - smcc.calculator),
        ),
        (
            "and the difference of our other blocks: SMCC's parser keeps two numbers, QCN's one",
            more("other blocks of our reaction points, without CPID", qcn.others - smcc.others),
        ),
    ];
    let mut terms = Vec::new();
    let all = steps.into_iter().map(|(meaning, more)| {
        terms.extend(more);
        let one_port = terms.iter().map(|term: &Term| term.bits).sum();
        Reading { meaning, terms: terms.clone(), one_port, card: one_port * i64::from(PORTS) }
    });
    Ok(all.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reading_is_the_sum_of_its_terms_and_has_those_of_the_one_before() {
        let named =
            |names: &[(&str, u32)]| names.iter().map(|(name, bits)| (name.to_string(), *bits)).collect::<Vec<_>>();
        let registers = named(&[
            ("rate", 25),
            ("target", 25),
            ("bytes_left", 24),
            ("cycles_left", 23),
            ("stage_of_bytes", 6),
            ("stage_of_time", 5),
            ("product", 31),
        ]);
        // 25 + 83 + 31 and 11 for everything else; 25 and 40 for everything else.
        let qcn = Counted { registers: &registers, calculator: 150, others: 54 };
        let smcc = Counted { registers: &registers[..1], calculator: 65, others: 80 };
        let all = readings(&qcn, &smcc).unwrap();
        let last: Vec<i64> = all.iter().map(|reading| reading.terms.last().unwrap().bits).collect();
        assert_eq!(last, [32, 11, 31, -40, -26]);
        let sums: Vec<(i64, i64)> = all.iter().map(|reading| (reading.one_port, reading.card)).collect();
        assert_eq!(sums, [(160, 640), (171, 684), (202, 808), (162, 648), (136, 544)]);
        assert_eq!(all[4].terms.len(), 5 + 4);
        for pair in all.windows(2) {
            assert_eq!(pair[1].terms[..pair[0].terms.len()], pair[0].terms);
        }
        let error = readings(&Counted { registers: &registers[..6], ..qcn }, &smcc).unwrap_err().to_string();
        assert!(error.contains("`product`") && error.contains("published.rs"), "{error}");
    }
}
