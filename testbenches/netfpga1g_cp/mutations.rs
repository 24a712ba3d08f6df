//! The bench sees a mistake: each statement of the tap is left out once.

use super::{FULL, overflow};
use crate::stimulus::Pattern;
use crate::world::{Case, World, made};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidegate::bus::netfpga1g::CongestionPoint;
use tidegate::netlist::{Binary, Expression, ExpressionKind, Module, Netlist, Statement, Unary};
use tidegate::registers::Registers;

const MODULES: [&str; 6] =
    ["word_queue", "packet_sequencer", "packet_fields", "packet_events", "event_queue", "netfpga1g_tap"];

const CASES: [Case; 3] = [
    Case { packets: 1_500, once: true, sink: Pattern::Bursts(60), drains: 5, ..FULL },
    Case { packets: 1_500, late: 2, once: false, ports: 0xff, sink: Pattern::Random(80), drains: 5, ..FULL },
    Case { packets: 1_000, drains: 100, ..FULL },
];

/// The circuit with another module at a place; `None` if it is no circuit, because a signal has no driver.
fn replaced(netlist: &Netlist, place: usize, module: Module) -> Option<Netlist> {
    let mut made = Netlist { modules: netlist.modules[..place].to_vec() };
    made = made.with(module).ok()?;
    for other in &netlist.modules[place + 1..] {
        made = made.with(other.clone()).ok()?;
    }
    Some(made)
}

/// Whether a run with this circuit fails.
fn found(netlist: &Netlist, registers: &Registers, overflows: bool) -> bool {
    let world = |case| World::with(case, CongestionPoint { netlist: netlist.clone(), registers: registers.clone() });
    let fails = |run: &dyn Fn()| catch_unwind(AssertUnwindSafe(run)).is_err();
    CASES.iter().any(|&case| fails(&|| world(case).run()))
        || overflows && fails(&|| overflow(world(Case { packets: 0, ..FULL })))
}

#[test]
fn a_tap_without_one_of_its_statements_is_found() {
    let CongestionPoint { netlist: whole, registers } = made("smcc", FULL.settings);
    assert!(!found(&whole, &registers, true), "the right circuit fails");
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut seen, mut missed) = (0, Vec::new());
    for name in MODULES {
        let place = whole.modules.iter().position(|module| module.name == name).unwrap();
        for statement in 0..whole.modules[place].statements.len() {
            let mut module = whole.modules[place].clone();
            let removed = module.statements.remove(statement);
            // That a register keeps its value need not be said if another statement follows.
            if matches!(&removed, Statement::Assign { value, .. } if value.as_signal().is_some()) {
                continue;
            }
            let Some(broken) = replaced(&whole, place, module) else { continue };
            if found(&broken, &registers, true) {
                seen += 1;
            } else {
                missed.push(format!("{name}: {removed:?}"));
            }
        }
    }
    std::panic::set_hook(usual);
    eprintln!("{seen} found");
    assert!(missed.is_empty(), "{} of {} not found:\n{}", missed.len(), seen + missed.len(), missed.join("\n"));
    assert!(seen >= 30, "{seen}");
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

/// Changes that the bench does not see: the module, and the place. Of the first two, which change whose turn it is, the
/// proofs find that a packet or a frame may wait for ever. The third lets a frame begin while the event of the frame before
/// waits; in these cases the event is always taken before the frame ends.
const UNSEEN: [(&str, usize); 3] = [("packet_sequencer", 26), ("packet_sequencer", 32), ("packet_events", 39)];

#[test]
#[ignore = "a run of the bench for each operator and number"]
fn another_operator_or_number_in_the_tap_is_found() {
    let CongestionPoint { netlist: whole, registers } = made("smcc", FULL.settings);
    assert!(!found(&whole, &registers, true), "the right circuit fails");
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut seen, mut missed) = (0, Vec::new());
    for name in MODULES {
        let place = whole.modules.iter().position(|module| module.name == name).unwrap();
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
            let Some(broken) = replaced(&whole, place, module) else { continue };
            match found(&broken, &registers, true) {
                true => seen += 1,
                false if UNSEEN.contains(&(name, at)) => {}
                false => missed.push(format!("{name} {at}: {changed:?}")),
            }
        }
    }
    std::panic::set_hook(usual);
    assert!(missed.is_empty(), "{} of {} not found:\n{}", missed.len(), seen + missed.len(), missed.join("\n"));
}
