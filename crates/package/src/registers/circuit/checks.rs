// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a value that is written is accepted.

use super::{Held, Indexed, Own, only_if, whole};
use crate::registers::{Content, Register, Registers, Word};
use std::collections::BTreeMap;
use tidegate_hdl::netlist::builder::{Builder, add, and, any, assign, join, not, number, or, when};
use tidegate_hdl::netlist::{Binary, Expression, Statement};
use tidegate_schemes::scheme::bounds::{Bounds, Rule, Term};

/// The checks of a register file.
pub(super) struct Checks<'a> {
    registers: &'a Registers,
    own: &'a Own,
    held: &'a [Held],
    /// For each rule whether it would hold.
    rules: Vec<Expression>,
}

impl<'a> Checks<'a> {
    /// Adds the registers of the rules: in cycle 2 of an access it is known which value it would change, in cycle 3 both
    /// sides of each rule, and in cycle 4 whether it holds. All rules about a sum of two ports have one sum together.
    pub fn new(builder: &mut Builder, registers: &'a Registers, own: &'a Own, held: &'a [Held]) -> Self {
        let mut pairs: BTreeMap<u64, Vec<[&'static str; 2]>> = BTreeMap::new();
        for rule in &registers.rules {
            if let Some(pair) = pair(rule) {
                pairs.entry(rule.more).or_default().push(pair);
            }
        }
        let written = |port| Written::of(registers, own, held, port);
        let sums: BTreeMap<u64, Expression> = pairs
            .into_iter()
            .map(|(most, pairs)| {
                let pairs: Vec<_> = pairs.into_iter().map(|pair| pair.map(written)).collect();
                (most, sums_fit(builder, &pairs, own, most))
            })
            .collect();
        let mut tried: BTreeMap<&'static str, Expression> = BTreeMap::new();
        let mut rules = Vec::new();
        for (number, rule) in registers.rules.iter().enumerate() {
            if pair(rule).is_some() {
                rules.push(sums[&rule.more].clone());
                continue;
            }
            for port in rule.ports() {
                tried.entry(port).or_insert_with(|| written(port).or_tried(builder, own));
            }
            rules.push(holds(builder, number, rule, &tried));
        }
        Checks { registers, own, held, rules }
    }

    /// The statement that judges the value in cycle 5. What it needs of the value alone is known from cycle 3 on, and
    /// which register is written too: a choice by the address would take too long beside the judgement.
    pub fn statement(&self, builder: &mut Builder, by_index: Option<&Indexed>) -> Statement {
        let mut any_accepts = number(0, 1);
        for register in &self.registers.list {
            if let Some(accepted) = self.accepted(builder, register, by_index) {
                any_accepts = or(any_accepts, and(self.own.accesses(register), accepted));
            }
        }
        self.own.accepted.takes(any_accepts)
    }

    /// Whether the value is accepted for this register; `None` if it cannot be written.
    fn accepted(&self, builder: &mut Builder, register: &Register, by_index: Option<&Indexed>) -> Option<Expression> {
        let data = self.own.data.value();
        match register.content {
            Content::Flip | Content::Debug => Some(number(1, 1)),
            Content::Reset => Some(builder.delayed("fits_reset", fits(&data, 1))),
            Content::Index => {
                by_index.map(|by| builder.delayed("fits_index", fits(&data, by.index.value().shape.bits)))
            }
            Content::Parameter(place, word) => {
                let parameter = &self.registers.parameters[place];
                let bounds = parameter.bounds?;
                Some(match (word, &parameter.high, self.held[place].low) {
                    (Word::Low, ..) => number(1, 1),
                    (Word::High, Some((_, bits)), Some(low)) => {
                        let whole = builder.wire(&format!("whole_{}", parameter.name), whole(&data, *bits, low));
                        let fitting = and(fits(&data, *bits), within(bounds, &whole));
                        builder.delayed(&format!("fits_{}", parameter.name), fitting)
                    }
                    _ => {
                        let own = self.registers.rules.iter().zip(&self.rules);
                        let own = own.filter(|(rule, _)| rule.ports().any(|port| port == parameter.port));
                        let fitting = builder.delayed(&format!("fits_{}", parameter.port), within(bounds, &data));
                        own.fold(fitting, |all, (_, holds)| and(all, holds.clone()))
                    }
                })
            }
            _ => None,
        }
    }
}

/// The ports of a rule that says how large their sum may be.
fn pair(rule: &Rule) -> Option<[&'static str; 2]> {
    let plain = |term: &Term| term.factor == 1 && !term.even;
    match (rule.left, rule.right) {
        ([one, other], []) if plain(one) && plain(other) => Some([one.port, other.port]),
        _ => None,
    }
}

/// What was written to a port, and whether the access is to it.
struct Written<'a> {
    port: &'a str,
    value: Expression,
    accessed: Expression,
}

impl<'a> Written<'a> {
    fn of(registers: &Registers, own: &Own, held: &[Held], port: &'a str) -> Self {
        let place = registers.parameters.iter().position(|parameter| parameter.port == port);
        let place = place.expect("rules name its ports");
        let register = registers.list.iter().find(|register| register.content == Content::Parameter(place, Word::Only));
        let accessed = own.accesses(register.expect("it has a register"));
        Written { port, value: held[place].written[0].value(), accessed }
    }

    /// The value if this write were accepted: the value to write, if it is for this port, else what was written.
    fn or_tried(self, builder: &mut Builder, own: &Own) -> Expression {
        let shape = self.value.shape;
        let tried = builder.undriven(&format!("tried_{}", self.port), shape.bits);
        builder.statement("", assign(tried, self.value));
        builder.statement("", when(self.accessed, vec![assign(tried, own.data.value().slice(0, shape.bits))]));
        Expression::signal(tried, shape)
    }
}

/// Whether the value to write and the other one of its pair are together at most `most`, two cycles later.
fn sums_fit(builder: &mut Builder, pairs: &[[Written; 2]], own: &Own, most: u64) -> Expression {
    let bits = pairs.iter().flatten().map(|written| written.value.shape.bits).max().expect("there is a pair");
    let mut other = number(0, bits);
    for [one, two] in pairs {
        for (written, beside) in [(one, two), (two, one)] {
            let name = format!("beside_{}", written.port);
            let value = only_if(builder, &name, written.accessed.clone(), beside.value.clone().extend(bits));
            other = or(other, value);
        }
    }
    let other = builder.delayed(&format!("other_of_{most}"), other);
    let wide = bits + 1;
    let sum =
        builder.wire(&format!("sum_of_{most}"), add(own.data.value().slice(0, bits).extend(wide), other.extend(wide)));
    builder.delayed(&format!("sum_is_at_most_{most}"), within(Bounds::of(0, most), &sum))
}

/// Whether a rule holds for these values, two cycles later.
fn holds(builder: &mut Builder, place: usize, rule: &Rule, values: &BTreeMap<&str, Expression>) -> Expression {
    let largest = |terms: &[Term]| -> u64 {
        terms.iter().map(|term| term.factor * ((1 << values[term.port].shape.bits) - 1)).sum()
    };
    let bits = 64 - (largest(rule.left).max(largest(rule.right) + rule.more)).leading_zeros() as usize;
    let mut sum = |side: &str, terms: &[Term], more: u64| {
        let parts = terms.iter().flat_map(|term| products(*term, &values[term.port], bits));
        match (parts.reduce(add), more) {
            (None, more) => number(more, bits),
            (Some(sum), 0) => builder.delayed(&format!("{side}_{place}"), sum),
            (Some(sum), more) => builder.delayed(&format!("{side}_{place}"), add(sum, number(more, bits))),
        }
    };
    let (left, right) = (sum("left", rule.left, 0), sum("right", rule.right, rule.more));
    builder.delayed(&format!("rule_{place}"), Expression::binary(Binary::LessOrEqual, left, right))
}

/// The summands of a product with a constant: one for each of its ones.
fn products(term: Term, value: &Expression, bits: usize) -> Vec<Expression> {
    let value = match term.even {
        true => join(vec![value.clone().slice(1, value.shape.bits - 1), number(0, 1)]),
        false => value.clone(),
    };
    let ones = (0..u64::BITS as usize).filter(|bit| term.factor >> bit & 1 == 1);
    let shifted = ones.map(|bit| match bit {
        0 => value.clone(),
        bit => join(vec![value.clone(), number(0, bit)]),
    });
    shifted.map(|product| product.extend(bits)).collect()
}

/// Whether a value has no ones above so many bits.
fn fits(value: &Expression, bits: usize) -> Expression {
    match value.shape.bits - bits {
        0 => number(1, 1),
        above => not(any(value.clone().slice(bits, above))),
    }
}

/// Whether a value is within bounds.
fn within(bounds: Bounds, value: &Expression) -> Expression {
    let bits = value.shape.bits;
    let compare = |operator, bound: u64| Expression::binary(operator, value.clone(), number(bound, bits));
    let least = match bounds.least {
        0 => None,
        1 => Some(any(value.clone())),
        least if least == bounds.most => Some(compare(Binary::Equal, least)),
        least => Some(compare(Binary::GreaterOrEqual, least)),
    };
    let most = match bounds.most {
        most if most == bounds.least => None,
        most if most >> (bits - 1) > 1 || most == u64::MAX >> (64 - bits) => None,
        most if (most + 1).is_power_of_two() => Some(fits(value, (most + 1).ilog2() as usize)),
        most => Some(compare(Binary::LessOrEqual, most)),
    };
    let range = least.into_iter().chain(most).reduce(and).unwrap_or_else(|| number(1, 1));
    let range = if bounds.zero { or(range, compare(Binary::Equal, 0)) } else { range };
    match bounds.clear {
        0 => range,
        clear => and(range, not(any(value.clone().masked(clear.into())))),
    }
}
