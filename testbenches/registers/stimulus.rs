// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random accesses to a register file, many of them at the edges of bounds and rules.

use std::collections::BTreeMap;
use tidegate::registers::model::{Inputs, Model};
use tidegate::registers::{Access, Content, RESET, Register, Registers, Word};
use tidegate::registry::Scheme;
use tidegate::scheme::bounds::{Bounds, Term};
use tidegate::scheme::parameters::{Kind, Value};
use tidegate::units::Micro;

/// A linear congruential generator.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29 ^ self.0.rotate_right(20)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        (self.word() >> 8) % bound
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// A number between two bounds, of any length.
    fn between(&mut self, least: u64, most: u64) -> u64 {
        match (most - least).checked_add(1) {
            None => self.word(),
            Some(span) if self.one_in(2) => least + self.word() % span,
            Some(span) => least + (self.word() >> self.below(64)) % span,
        }
    }
}

/// What happened to the writes of a register.
#[derive(Default)]
struct Seen {
    accepted: u64,
    refused: u64,
    /// Refused although the value is within the bounds.
    refused_by_rule: u64,
}

pub struct Stimulus<'a> {
    registers: &'a Registers,
    random: Random,
    /// Widths of the inputs from the part.
    part_bits: Vec<usize>,
    seen: BTreeMap<u16, Seen>,
    refused_elsewhere: u64,
}

impl<'a> Stimulus<'a> {
    pub fn new(registers: &'a Registers, seed: u64) -> Self {
        let seen = registers.list.iter().map(|register| (register.address, Seen::default())).collect();
        let part_bits = registers.part_inputs().iter().map(|input| input.bits).collect();
        Stimulus { registers, random: Random(seed), part_bits, seen, refused_elsewhere: 0 }
    }

    /// The inputs of a cycle. The first one is a reset, and later ones are rare.
    pub fn drive(&mut self, cycle: u64, model: &Model, inputs: &mut Inputs) {
        self.look(model);
        let random = &mut self.random;
        inputs.reset = cycle == 0 || random.one_in(20_000);
        inputs.boundary = random.one_in(if cycle >> 12 & 1 == 0 { 4 } else { 100 });
        inputs.part.clear();
        inputs.part.extend(self.part_bits.iter().map(|bits| random.word() >> (64 - bits)));
        // In some cycles address and data change while an access is under way, in others they are held until it ends.
        inputs.select = !random.one_in(8);
        if !random.one_in(3) {
            return;
        }
        inputs.write = !random.one_in(3);
        let list = &self.registers.list;
        let register = (!random.one_in(50)).then(|| &list[random.below(list.len() as u64) as usize]);
        // RESET makes everything begin again.
        let register = register.filter(|register| register.address != RESET || random.one_in(20));
        inputs.address = register.map_or_else(|| random.below(1 << 10) as u16, |register| register.address >> 2);
        inputs.data = match register {
            Some(register) => self.data(register, model),
            None => self.random.word() as u32,
        };
    }

    fn data(&mut self, register: &Register, model: &Model) -> u32 {
        match register.content {
            Content::Reset | Content::Index => self.random.below(2 + self.registers.count) as u32,
            Content::Parameter(place, word) => {
                let parameter = &self.registers.parameters[place];
                let bounds = parameter.bounds.unwrap_or(Bounds::bits(32));
                let value = match (word, self.random.below(3)) {
                    (Word::Only, 0) => self.edge_of_rule(&parameter.port, model),
                    _ => None,
                };
                let value = value.unwrap_or_else(|| self.near(bounds));
                if word == Word::High { (value >> 32) as u32 } else { value as u32 }
            }
            _ => self.random.word() as u32,
        }
    }

    /// A value within bounds or near them.
    fn near(&mut self, bounds: Bounds) -> u64 {
        let random = &mut self.random;
        let any = random.between(bounds.least, bounds.most);
        match random.below(12) {
            0 => bounds.least.wrapping_sub(1),
            1 => bounds.least,
            2 => bounds.most,
            3 => bounds.most.wrapping_add(1),
            4 => 0,
            5 => random.word(),
            6 => any,
            _ => any & !bounds.clear,
        }
    }

    /// A value at which a rule about this port is just true, or just not.
    fn edge_of_rule(&mut self, port: &str, model: &Model) -> Option<u64> {
        let rules: Vec<_> =
            self.registers.rules.iter().filter(|rule| rule.ports().any(|other| other == port)).collect();
        if rules.is_empty() {
            return None;
        }
        let rule = rules[self.random.below(rules.len() as u64) as usize];
        let parameters = &self.registers.parameters;
        let written = |term: &Term| {
            let place = parameters.iter().position(|parameter| parameter.port == term.port).unwrap();
            term.factor * model.written()[place]
        };
        let of = |terms: &'static [Term]| -> (Option<&Term>, u64) {
            let own = terms.iter().find(|term| term.port == port);
            (own, terms.iter().filter(|term| term.port != port).map(written).sum())
        };
        let ((left, left_rest), (right, right_rest)) = (of(rule.left), of(rule.right));
        let edge = match (left, right) {
            (Some(term), _) => (right_rest + rule.more).saturating_sub(left_rest) / term.factor,
            (None, Some(term)) => left_rest.saturating_sub(right_rest + rule.more).div_ceil(term.factor),
            (None, None) => return None,
        };
        Some((edge + self.random.below(4)).saturating_sub(2))
    }

    /// Notes what became of a write.
    fn look(&mut self, model: &Model) {
        let Some((register, data, accepted)) = model.ending_write() else { return };
        let Some(register) = register else {
            assert!(!accepted);
            self.refused_elsewhere += 1;
            return;
        };
        let seen = self.seen.get_mut(&register.address).unwrap();
        let within = match register.content {
            Content::Parameter(place, Word::Only) => self.registers.parameters[place].bounds,
            _ => None,
        };
        seen.accepted += u64::from(accepted);
        seen.refused += u64::from(!accepted);
        seen.refused_by_rule += u64::from(!accepted && within.is_some_and(|bounds| bounds.take(data.into())));
    }

    /// Checks that each register that can be written was written, that each one that refuses something has refused it, and
    /// that each rule has refused a value.
    pub fn assert_all_happened(&self) {
        let module = &self.registers.module;
        assert!(self.refused_elsewhere > 0, "{module}: nothing was written where no register is");
        for register in &self.registers.list {
            let seen = &self.seen[&register.address];
            let name = &register.name;
            if register.access == Access::ReadOnly {
                assert!(seen.accepted == 0 && seen.refused > 0, "{module}: {name} was not written");
                continue;
            }
            assert!(seen.accepted > 0, "{module}: no write of {name} was accepted");
            let takes_all = match register.content {
                Content::Flip | Content::Debug | Content::Parameter(_, Word::Low) => true,
                Content::Parameter(place, Word::Only) => {
                    self.registers.parameters[place].bounds == Some(Bounds::bits(32))
                }
                Content::Parameter(place, Word::High) => {
                    self.registers.parameters[place].bounds == Some(Bounds::bits(64))
                }
                _ => false,
            };
            assert_eq!(seen.refused > 0, !takes_all, "{module}: refused writes of {name}");
            let port = register.port.as_deref().unwrap_or("");
            let ruled = self.registers.rules.iter().any(|rule| rule.ports().any(|other| other == port));
            assert_eq!(seen.refused_by_rule > 0, ruled, "{module}: writes of {name} that a rule refused");
        }
    }
}

/// The values of all inputs except the clock, in the order of the circuit.
pub fn row(inputs: &Inputs) -> impl Iterator<Item = u64> + '_ {
    let own = [
        u64::from(inputs.reset),
        inputs.select.into(),
        inputs.write.into(),
        inputs.address.into(),
        inputs.data.into(),
        inputs.boundary.into(),
    ];
    own.into_iter().chain(inputs.part.iter().copied())
}

/// Random settings, which may be refused together.
pub fn settings(scheme: &Scheme, random: &mut Random) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    for key in scheme.specifications() {
        if key.makes_modules && !random.one_in(20) || !random.one_in(4) {
            continue;
        }
        // A mask alone is always refused.
        if key.key == "allowed_cpid_mask" && !settings.iter().any(|(key, _)| key == "allowed_cpid") {
            continue;
        }
        let text = match key.kind {
            Kind::Integer(least, most) => random.between(least, most).to_string(),
            Kind::Decimal(least, most) => Micro(random.between(least, most)).to_string(),
            Kind::Flag => random.one_in(2).to_string(),
            Kind::Choice(words) => words[random.below(words.len() as u64) as usize].to_string(),
            Kind::Mac => Value::Mac(random.word() >> 16 & !(1 << 40)).to_string(),
            Kind::Cpid => format!("{:#x}", random.word()),
            Kind::Shares => [(); 4].map(|()| format!("{}/{}", random.below(9), 8 << random.below(5))).join(","),
        };
        settings.push((key.key.to_string(), text));
    }
    settings
}
