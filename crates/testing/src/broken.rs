// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits with a mistake, to see that a bench finds it.

use crate::proofs::Proof;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use tidegate_hdl::netlist::{Binary, Expression, ExpressionKind, Module, Netlist, Statement, Unary, targets_of};
use tidegate_hdl::verilog;

/// The circuit with another module at a place; `None` if it is no circuit, because a signal has no driver.
fn replaced(netlist: &Netlist, place: usize, module: Module) -> Option<Netlist> {
    let mut made = Netlist { modules: netlist.modules[..place].to_vec() };
    made = made.with(module).ok()?;
    for other in &netlist.modules[place + 1..] {
        made = made.with(other.clone()).ok()?;
    }
    Some(made)
}

thread_local! {
    /// A panic of this thread is expected, and prints nothing.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Whether a run panics.
pub fn fails<T>(run: impl FnOnce() -> T) -> bool {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let failed = catch_unwind(AssertUnwindSafe(run)).is_err();
    QUIET.set(false);
    failed
}

/// A mistake in one module.
#[derive(Clone, Copy)]
enum Mistake {
    /// Its statement with this number is left out.
    Without(usize),
    /// Of its operators and numbers, the one at this place is another.
    Other(usize),
}

impl Mistake {
    /// Each statement of a module left out.
    fn statements(module: &Module) -> Vec<Self> {
        // That a register keeps its value need not be said if another statement follows.
        let keeps = |at: &usize| matches!(&module.statements[*at], Statement::Assign { value, .. } if value.as_signal().is_some());
        (0..module.statements.len()).filter(|at| !keeps(at)).map(Self::Without).collect()
    }

    /// Each operator and number of a module changed.
    fn operators_and_numbers(module: &Module) -> Vec<Self> {
        let there = |place: &usize| {
            let mut change = Change(*place);
            change.statements(&mut module.statements.clone());
            change.done()
        };
        (0..).take_while(there).map(Self::Other).collect()
    }

    /// A circuit with this mistake in a module; `None` if it has no such module, or is no circuit then.
    fn in_module(self, name: &str, whole: &Netlist) -> Option<Netlist> {
        let place = place(whole, name)?;
        let mut module = whole.modules[place].clone();
        match self {
            Self::Without(statement) => drop(module.statements.remove(statement)),
            Self::Other(place) => Change(place).statements(&mut module.statements),
        }
        replaced(whole, place, module)
    }
}

fn place(whole: &Netlist, name: &str) -> Option<usize> {
    whole.modules.iter().position(|module| module.name == name)
}

/// Leaves out each statement of some modules once: `found` of the rest is true, or else a proof of this module does not hold any more.
/// There are at least `least` such statements.
pub fn each_statement_is_needed(
    whole: &Netlist,
    modules: &[&str],
    least: usize,
    proofs: &[Proof],
    found: impl Fn(&Netlist) -> bool,
) {
    let seen = each_is_found(whole, modules, Mistake::statements, proofs, &[], found);
    assert!(seen >= least, "{seen}");
}

/// Changes each operator and each number of some modules once: `found` of the rest is true, or else a proof of this module does not
/// hold any more, but for those in `unseen`: the module, the lines of Verilog that are others, and why that is no mistake.
pub fn each_operator_and_number_is_needed(
    whole: &Netlist,
    modules: &[&str],
    proofs: &[Proof],
    unseen: &[(&str, &str, &str)],
    found: impl Fn(&Netlist) -> bool,
) {
    each_is_found(whole, modules, Mistake::operators_and_numbers, proofs, unseen, found);
}

/// The number of mistakes that were found.
fn each_is_found(
    whole: &Netlist,
    modules: &[&str],
    mistakes: fn(&Module) -> Vec<Mistake>,
    proofs: &[Proof],
    unseen: &[(&str, &str, &str)],
    found: impl Fn(&Netlist) -> bool,
) -> usize {
    assert!(!found(whole), "the right circuit fails");
    let (mut seen, mut missed, mut named) = (0, Vec::new(), vec![false; unseen.len()]);
    for name in modules {
        let module = &whole.modules[place(whole, name).expect("there is this module")];
        for mistake in mistakes(module) {
            let Some(broken) = mistake.in_module(name, whole) else { continue };
            if found(&broken) || proofs.iter().any(|proof| proof.refutes(|proved| mistake.in_module(name, proved))) {
                seen += 1;
                continue;
            }
            let lines = changed_lines(name, whole, &broken);
            match unseen.iter().position(|(module, to, _)| module == name && *to == lines.1) {
                Some(row) => named[row] = true,
                None => missed.push(format!("{name}: `{}` as `{}`", lines.0, lines.1)),
            }
        }
    }
    let stale: Vec<_> = unseen.iter().zip(named).filter(|(_, named)| !named).map(|(row, _)| row).collect();
    assert!(missed.is_empty(), "{} of {} not found:\n{}", missed.len(), seen + missed.len(), missed.join("\n"));
    assert!(stale.is_empty(), "found, or not there any more: {stale:?}");
    seen
}

/// The lines of the Verilog of a module that two circuits do not share, of each of them.
fn changed_lines(name: &str, one: &Netlist, other: &Netlist) -> (String, String) {
    let texts = [one, other].map(|whole| verilog::module(&whole.modules[place(whole, name).unwrap()], whole));
    let [one, other] = texts.each_ref().map(|text| text.lines().map(str::trim).collect::<Vec<_>>());
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[same..], &other[same..]);
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    (one[..one.len() - same].join(" "), other[..other.len() - same].join(" "))
}

/// Walks through expressions, and changes the operator or number at a place that is counted down to.
struct Change(usize);

impl Change {
    /// Whether this is the place.
    fn here(&mut self) -> bool {
        self.0 = self.0.wrapping_sub(1);
        self.0 == usize::MAX
    }

    fn done(&self) -> bool {
        self.0 > usize::MAX / 2
    }

    fn statements(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign { value, .. } => self.expression(value),
                Statement::If { test, then, otherwise } => {
                    self.expression(test);
                    self.statements(then);
                    self.statements(otherwise);
                }
                Statement::Match { test, arms, default } => {
                    self.expression(test);
                    arms.iter_mut().for_each(|(_, arm)| self.statements(arm));
                    self.statements(default);
                }
            }
            if self.done() {
                return;
            }
        }
    }

    fn expression(&mut self, expression: &mut Expression) {
        if self.done() {
            return;
        }
        let shape = expression.shape;
        match &mut expression.kind {
            ExpressionKind::Constant(value) => {
                if self.here() {
                    *value ^= 1;
                }
            }
            ExpressionKind::Unary(Unary::Not, value) if self.here() => {
                *expression = (**value).clone();
            }
            ExpressionKind::Unary(_, value)
            | ExpressionKind::Extend(value)
            | ExpressionKind::Reinterpret(value)
            | ExpressionKind::Slice { value, .. } => self.expression(value),
            ExpressionKind::Binary(operator, left, right) => {
                use Binary::*;
                let other = match *operator {
                    And => Some(Or),
                    Or => Some(And),
                    Equal => Some(NotEqual),
                    NotEqual => Some(Equal),
                    Less => Some(LessOrEqual),
                    GreaterOrEqual => Some(Greater),
                    Add => Some(Subtract),
                    Subtract => Some(Add),
                    _ => None,
                };
                if let Some(other) = other
                    && self.here()
                {
                    *operator = other;
                    return;
                }
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Join(parts) => parts.iter_mut().for_each(|part| self.expression(part)),
            ExpressionKind::Signal(_) | ExpressionKind::Enumerator { .. } => {}
        }
        assert_eq!(expression.shape, shape);
    }
}

/// The circuit whose register of this name keeps its value for ever.
pub fn never_written(whole: &Netlist, module: &str, register: &str) -> Netlist {
    let place = whole.modules.iter().position(|known| known.name == module).expect("there is this module");
    let mut module = whole.modules[place].clone();
    let input = module.find(&format!("next_{register}")).expect("there is this register");
    let output = module.find(register);
    module.statements.retain(|statement| {
        let keeps = matches!(statement, Statement::Assign { value, .. } if value.as_signal() == output);
        keeps || targets_of(std::slice::from_ref(statement)) != [input].into()
    });
    replaced(whole, place, module).expect("it keeps its value")
}
