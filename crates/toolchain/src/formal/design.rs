// SPDX-License-Identifier: MIT OR Apache-2.0
//! A design as Yosys writes it in SMT2, and the guesses of its harness about the registers inside.

use anyhow::{Context, Result, anyhow};

/// A signal or a memory of the flat design.
#[derive(Clone, Debug)]
pub(super) struct Signal {
    pub(super) name: String,
    pub(super) bits: u32,
}

/// The text that Yosys wrote, and the facts from its comments.
pub(super) struct Design {
    pub(super) top: String,
    pub(super) text: String,
    /// The assertions to judge, in the order of the harness: their places in the text, and their labels.
    pub(super) assertions: Vec<(usize, String)>,
    /// For each assertion, the names of those that its step of an induction uses; none for all.
    used: Vec<Vec<String>>,
    pub(super) wires: Vec<Signal>,
    /// Candidates, each with the name of its guess. A candidate is the statement that a certain register of the device
    /// has the value of the guess.
    pub(super) candidates: Vec<(String, String)>,
    /// Each question is turned into bits.
    pub(super) as_bits: bool,
    /// The free wires of the harness that show signals and memory words of the device: that they are equal.
    pub(super) sights: Vec<String>,
}

impl Design {
    /// `harness` is the text with the assertions.
    pub(super) fn read(top: &str, only: &[&str], harness: &str, text: String) -> Result<Design> {
        let notes = |kind: &str| -> Vec<Vec<&str>> {
            let start = format!("; yosys-smt2-{kind} ");
            text.lines()
                .filter_map(|line| line.strip_prefix(start.as_str()))
                .map(|rest| rest.split(' ').collect())
                .collect()
        };
        let number = |text: &str| text.parse().with_context(|| format!("expected a number, found `{text}`"));
        let signals = |kind: &str, bits: usize| -> Result<Vec<Signal>> {
            notes(kind).iter().map(|note| Ok(Signal { name: note[0].to_string(), bits: number(note[bits])? })).collect()
        };
        let last_name = |path: &str| path.rsplit('.').next().unwrap_or(path).to_string();
        let mut assertions: Vec<(usize, String)> =
            notes("assert").iter().map(|note| last_name(note[1])).enumerate().collect();
        // Yosys has an order of its own.
        assertions.sort_by_key(|(_, label)| harness.find(&format!("{label}:")));
        let labels: Vec<String> = assertions.iter().map(|(_, label)| label.clone()).collect();
        assertions.retain(|(_, label)| only.is_empty() || only.contains(&label.as_str()));
        if assertions.is_empty() {
            return Err(anyhow!("{top} asserts nothing"));
        }
        let used = assertions.iter().map(|(_, label)| used_by(label, harness, &labels)).collect::<Result<_>>()?;
        let wires = signals("wire", 1)?;
        let registers = signals("register", 1)?;
        let memories = signals("memory", 2)?;
        let candidates = candidates(top, &wires, &registers, &memories);
        let sights = sights(top, &wires, &memories)?;
        let as_bits = harness.lines().any(|line| line.trim() == "// solved as bits");
        Ok(Design { top: top.to_string(), assertions, used, wires, candidates, as_bits, sights, text })
    }

    /// A formula about a state.
    pub(super) fn formula(&self, kind: &str, state: &str) -> String {
        format!("(|{}_{kind}| {state})", self.top)
    }

    pub(super) fn assertion(&self, index: usize, state: &str) -> String {
        format!("(|{}_a {}| {state})", self.top, self.assertions[index].0)
    }

    /// Whether the step of an induction for one assertion uses another one.
    pub(super) fn uses(&self, index: usize, other: usize) -> bool {
        self.used[index].is_empty() || index == other || self.names(index, other)
    }

    /// Whether the harness says so.
    pub(super) fn names(&self, index: usize, other: usize) -> bool {
        self.used[index].iter().any(|name| is_meant(name, &self.assertions[other].1))
    }
}

/// The names in the comments `// uses NAME …` above an assertion.
fn used_by(label: &str, harness: &str, labels: &[String]) -> Result<Vec<String>> {
    let before = harness.split_once(&format!("{label}:")).map_or("", |(before, _)| before);
    let lines = before.trim_end().lines().rev().map_while(|line| line.trim().strip_prefix("// uses "));
    let names: Vec<String> = lines.flat_map(str::split_whitespace).map(str::to_string).collect();
    match names.iter().find(|name| !labels.iter().any(|other| is_meant(name, other))) {
        Some(name) => Err(anyhow!("`{label}` uses `{name}`, which the harness does not assert")),
        None => Ok(names),
    }
}

/// Whether a name means this assertion. One that ends with `*` means all that begin like it.
fn is_meant(name: &str, label: &str) -> bool {
    name.strip_suffix('*').map_or(label == name, |begin| label.starts_with(begin))
}

/// An address as a bit vector: Yosys writes a signal of one bit as a truth value.
fn address(value: &str, bits: u32) -> String {
    if bits == 1 { format!("(ite {value} #b1 #b0)") } else { value.to_string() }
}

/// A word of a memory at the address in a signal. A signal of one bit is a truth value, a word of one bit is not.
fn word(top: &str, memory: &Signal, at: &Signal) -> String {
    let place = address(&format!("(|{top}_n {}| state)", at.name), at.bits);
    let word = format!("(select (|{top}_m {}| state) {place})", memory.name);
    if memory.bits == 1 { format!("(= {word} #b1)") } else { word }
}

/// For each wire `inner_NAME`, that it is equal to the signal or the memory word of the device, or to its low bits if the
/// wire is narrower: a formula over `state`. `__` in a name stands for the point between an instance and its signal.
fn sights(top: &str, wires: &[Signal], memories: &[Signal]) -> Result<Vec<String>> {
    let value = |name: &str| format!("(|{top}_n {name}| state)");
    let of_harness = wires.iter().filter(|wire| !wire.name.starts_with("device."));
    let shows = of_harness.filter_map(|wire| {
        let name = wire.name.rsplit('.').next().unwrap_or_default().strip_prefix("inner_")?;
        (!name.ends_with("_at")).then_some((wire, name))
    });
    shows
        .map(|(wire, shown)| {
            let at = wires.iter().find(|other| other.name == format!("{}_at", wire.name));
            let signals = if at.is_some() { memories } else { wires };
            // Of the device, or of the nearest module inside it. One bit is no bit vector.
            let wide = |signal: &&Signal| signal.bits == wire.bits || (signal.bits > wire.bits && wire.bits > 1);
            let found = signals.iter().filter(wide).filter(|signal| signal.name.starts_with("device."));
            let found = found.filter(|signal| signal.name.ends_with(&format!(".{}", shown.replace("__", "."))));
            let found = found.min_by_key(|signal| (signal.bits > wire.bits, signal.name.matches('.').count()));
            let found = found.with_context(|| format!("the device has no `{shown}` of {} bits or more", wire.bits))?;
            let shown = match at {
                Some(at) => word(top, found, at),
                None => value(&found.name),
            };
            let low = if found.bits > wire.bits { format!("((_ extract {} 0) {shown})", wire.bits - 1) } else { shown };
            Ok(format!("(= {} {low})", value(&wire.name)))
        })
        .collect()
}

/// Every register of the device and every memory against every guess of its width: the formula over `state`, and the
/// guess.
fn candidates(top: &str, wires: &[Signal], registers: &[Signal], memories: &[Signal]) -> Vec<(String, String)> {
    let inside = |signal: &&Signal| signal.name.starts_with("device.");
    let value = |name: &str| format!("(|{top}_n {name}| state)");
    let wire = |name: String| wires.iter().find(|wire| wire.name == name);
    let guesses = wires.iter().filter(|wire| {
        let name = wire.name.rsplit('.').next().unwrap_or_default();
        name.starts_with("guess_")
            && !["_if", "_at", "_within", "_unless"].iter().any(|suffix| name.ends_with(suffix))
            && !wire.name.starts_with("device.")
    });
    let mut candidates = Vec::new();
    for guess in guesses {
        let guessed = value(&guess.name);
        let held: Vec<String> = match wire(format!("{}_at", guess.name)) {
            Some(at) => memories
                .iter()
                .filter(inside)
                .filter(|memory| memory.bits == guess.bits)
                .map(|memory| word(top, memory, at))
                .collect(),
            None => registers
                .iter()
                .filter(inside)
                .filter(|register| register.bits == guess.bits)
                .map(|register| value(&register.name))
                .collect(),
        };
        // The candidate for another register with whose value the guess does not apply.
        let excuses: Vec<String> = match wire(format!("{}_unless", guess.name)) {
            Some(value_that_excuses) => registers
                .iter()
                .filter(inside)
                .filter(|register| register.bits == value_that_excuses.bits)
                .map(|register| format!("(= {} {})", value(&register.name), value(&value_that_excuses.name)))
                .collect(),
            None => vec!["false".to_string()],
        };
        let guard = wire(format!("{}_if", guess.name)).map_or("true".to_string(), |guard| value(&guard.name));
        for (held, excuse) in held.iter().flat_map(|held| excuses.iter().map(move |excuse| (held, excuse))) {
            let follows = match wire(format!("{}_within", guess.name)) {
                Some(most) => format!("(bvule (bvsub {guessed} {held}) {})", value(&most.name)),
                None => format!("(= {guessed} {held})"),
            };
            let formula = format!("(or (not {guard}) {excuse} {follows})");
            candidates.push((formula, guess.name.clone()));
        }
    }
    candidates
}
