// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits with a mistake, to see that a bench finds it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use tidegate_hdl::netlist::{Binary, Expression, ExpressionKind, Module, Netlist, Statement, Unary, targets_of};

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

/// Leaves out each statement of some modules once: `found` of the rest is true, at least `least` times.
pub fn each_statement_is_needed(whole: &Netlist, modules: &[&str], least: usize, found: impl Fn(&Netlist) -> bool) {
    assert!(!found(whole), "the right circuit fails");
    let (mut seen, mut missed) = (0, Vec::new());
    for name in modules {
        let place = whole.modules.iter().position(|module| module.name == *name).unwrap();
        for statement in 0..whole.modules[place].statements.len() {
            let mut module = whole.modules[place].clone();
            let removed = module.statements.remove(statement);
            // That a register keeps its value need not be said if another statement follows.
            if matches!(&removed, Statement::Assign { value, .. } if value.as_signal().is_some()) {
                continue;
            }
            let Some(broken) = replaced(whole, place, module) else { continue };
            if found(&broken) {
                seen += 1;
            } else {
                missed.push(format!("{name}: {removed:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} of {} not found:\n{}", missed.len(), seen + missed.len(), missed.join("\n"));
    assert!(seen >= least, "{seen}");
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

/// Changes each operator and each number of some modules once: `found` of the rest is true, but for those in `unseen`, each a
/// module and a place.
pub fn each_operator_and_number_is_needed(
    whole: &Netlist,
    modules: &[&str],
    unseen: &[(&str, usize)],
    found: impl Fn(&Netlist) -> bool,
) {
    assert!(!found(whole), "the right circuit fails");
    let (mut seen, mut missed) = (0, Vec::new());
    for name in modules {
        let place = whole.modules.iter().position(|module| module.name == *name).unwrap();
        for at in 0.. {
            let mut module = whole.modules[place].clone();
            let mut change = Change(at);
            change.statements(&mut module.statements);
            if !change.done() {
                break;
            }
            let changed =
                module.statements.iter().zip(&whole.modules[place].statements).find(|(one, other)| one != other);
            let changed = changed.map(|(one, _)| one.clone());
            let Some(broken) = replaced(whole, place, module) else { continue };
            match found(&broken) {
                true => seen += 1,
                false if unseen.contains(&(*name, at)) => {}
                false => missed.push(format!("{name} {at}: {changed:?}")),
            }
        }
    }
    assert!(missed.is_empty(), "{} of {} not found:\n{}", missed.len(), seen + missed.len(), missed.join("\n"));
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
