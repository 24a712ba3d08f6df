// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions and statements as text. Each operand has the width of its operator, so nothing depends on the rules by
//! which Verilog finds a width.

use super::lines::LONGEST;
use super::tidy::Choice;
use crate::netlist::{
    Binary, Enumeration, Expression, ExpressionKind, Module, Shape, SignalId, Statement, Unary, visit_expressions,
};
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// Constants above this are written in hexadecimal.
const DECIMAL_UP_TO: u128 = 255;

pub(super) struct Writer<'a> {
    /// Name of each signal.
    pub signals: Vec<String>,
    /// Names of the values of each enumeration.
    pub enumerators: Vec<Vec<String>>,
    pub module: &'a Module,
}

/// A number with its width.
pub(super) fn constant(value: u128, shape: Shape) -> String {
    number(&value.into(), shape)
}

/// As [`constant`], of any width.
pub(super) fn number(value: &BigUint, shape: Shape) -> String {
    let (bits, sign) = (shape.bits, if shape.signed { "s" } else { "" });
    if *value > DECIMAL_UP_TO.into() { format!("{bits}'{sign}h{value:x}") } else { format!("{bits}'{sign}d{value}") }
}

/// The names of the values of the enumerations, as `BCN_PHASE_IDLE`; as `BcnPhase_Idle` if two names would be the same.
pub(super) fn enumerator_names(enumerations: &[Enumeration], signals: &[String]) -> Vec<Vec<String>> {
    let all = |name: fn(&str, &str) -> String| -> Vec<Vec<String>> {
        let of = |known: &Enumeration| known.values.iter().map(|value| name(&known.name, value)).collect();
        enumerations.iter().map(of).collect()
    };
    let names = all(|enumeration, value| format!("{}_{}", upper_case(enumeration), upper_case(value)));
    let mut seen: BTreeSet<&str> = signals.iter().map(String::as_str).collect();
    if names.iter().flatten().all(|name| seen.insert(name)) {
        return names;
    }
    all(|enumeration, value| format!("{enumeration}_{value}"))
}

/// `QuantiseBegins` as `QUANTISE_BEGINS`.
fn upper_case(name: &str) -> String {
    let mut upper = String::with_capacity(name.len() + 4);
    let mut before = None;
    for character in name.chars() {
        if character.is_uppercase() && before.is_some_and(|before: char| !before.is_uppercase() && before != '_') {
            upper.push('_');
        }
        upper.extend(character.to_uppercase());
        before = Some(character);
    }
    upper
}

/// The values of enumerations that statements use: index of the enumeration, index of the value, shape.
pub(super) fn enumerators(statements: &[Statement], used: &mut BTreeSet<(usize, usize, Shape)>) {
    fn in_expression(expression: &Expression, used: &mut BTreeSet<(usize, usize, Shape)>) {
        visit_expressions(expression, &mut |part| {
            if let ExpressionKind::Enumerator { enumeration, value } = part.kind {
                used.insert((enumeration, value, part.shape));
            }
        });
    }
    for statement in statements {
        match statement {
            Statement::Assign { value, .. } => in_expression(value, used),
            Statement::If { test, then, otherwise } => {
                in_expression(test, used);
                enumerators(then, used);
                enumerators(otherwise, used);
            }
            Statement::Match { test, arms, default } => {
                in_expression(test, used);
                for (pattern, block) in arms {
                    in_expression(pattern, used);
                    enumerators(block, used);
                }
                enumerators(default, used);
            }
        }
    }
}

impl Writer<'_> {
    pub fn expression(&self, expression: &Expression) -> String {
        let shape = expression.shape;
        match &expression.kind {
            ExpressionKind::Constant(value) => constant(*value, shape),
            ExpressionKind::Enumerator { enumeration, value } => self.enumerators[*enumeration][*value].clone(),
            ExpressionKind::Signal(id) => self.signals[*id].clone(),
            ExpressionKind::Unary(operator, value) => {
                let sign = match operator {
                    Unary::Not if shape.bits == 1 => "!",
                    Unary::Not => "~",
                    Unary::Negate => "-",
                    Unary::All => "&",
                    Unary::Any => "|",
                    Unary::Parity => "^",
                };
                format!("{sign}{}", self.operand(value))
            }
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExpressionKind::Extend(value) => self.extended(value, shape),
            ExpressionKind::Slice { value, low } => {
                let name = self.expression(value);
                match shape.bits {
                    1 => format!("{name}[{low}]"),
                    bits => format!("{name}[{}:{low}]", low + bits - 1),
                }
            }
            ExpressionKind::Join(parts) => {
                let part = |part: &Expression| match part.kind {
                    ExpressionKind::Constant(bits) if bits > 1 => format!("{}'h{bits:x}", part.shape.bits),
                    _ => self.expression(part),
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("{{{}}}", parts.join(", "))
            }
            ExpressionKind::Reinterpret(value) => {
                let function = if shape.signed { "$signed" } else { "$unsigned" };
                format!("{function}({})", self.expression(value))
            }
        }
    }

    /// An operand of an expression, in parentheses if it has an operator.
    fn operand(&self, expression: &Expression) -> String {
        match expression.kind {
            ExpressionKind::Binary(..) | ExpressionKind::Unary(..) => format!("({})", self.expression(expression)),
            _ => self.expression(expression),
        }
    }

    fn binary(&self, operator: Binary, left: &Expression, right: &Expression) -> String {
        let bit = left.shape.bits == 1;
        let sign = match operator {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::And if bit => "&&",
            Binary::And => "&",
            Binary::Or if bit => "||",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::LessOrEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterOrEqual => ">=",
        };
        let bitwise = matches!(operator, Binary::And | Binary::Or | Binary::Xor) && !bit;
        // A chain of one associative operator needs no parentheses; `!x` has higher precedence than all of them.
        let chains = matches!(operator, Binary::Add | Binary::And | Binary::Or | Binary::Xor);
        let part = |side: &Expression| match &side.kind {
            ExpressionKind::Constant(value) if bitwise => format!("{}'h{value:x}", side.shape.bits),
            ExpressionKind::Binary(inner, ..) if chains && *inner == operator => self.expression(side),
            ExpressionKind::Unary(Unary::Not, _) if bit => self.expression(side),
            ExpressionKind::Unary(Unary::Any | Unary::All, _) if sign == "&&" || sign == "||" => self.expression(side),
            _ => self.operand(side),
        };
        let right = match right.kind {
            ExpressionKind::Constant(amount) if operator.shifts() => amount.to_string(),
            _ => part(right),
        };
        format!("{} {sign} {right}", part(left))
    }

    fn extended(&self, value: &Expression, shape: Shape) -> String {
        let missing = shape.bits - value.shape.bits;
        let inner = self.expression(value);
        if !value.shape.signed {
            return format!("{{{missing}'d0, {inner}}}");
        }
        // The value is a signal: all other values have been given a name.
        let top = if value.shape.bits == 1 { inner.clone() } else { format!("{inner}[{}]", value.shape.bits - 1) };
        format!("$signed({{{{{missing}{{{top}}}}}, {inner}}})")
    }

    /// A signal with its value: on one line if there is room, otherwise with one condition on each.
    pub fn assignment(&self, signal: &str, value: &Choice) -> String {
        let last = self.side(&value.otherwise, value.conditions.is_empty());
        let conditions = value.conditions.iter().map(|(test, value)| {
            let test = match test.kind {
                ExpressionKind::Unary(Unary::Not, _) => self.expression(test),
                _ => self.operand(test),
            };
            format!("{test} ? {} : ", self.side(value, false))
        });
        let conditions: Vec<String> = conditions.collect();
        let line = format!("    {signal} = {}{last};\n", conditions.concat());
        if conditions.len() < 2 && line.len() <= LONGEST {
            return line;
        }
        let lines: String = conditions.iter().map(|one| format!("        {}\n", one.trim_end())).collect();
        format!("    {signal} =\n{lines}        {last};\n")
    }

    /// A value that is assigned `alone` or as one of several.
    fn side(&self, value: &Expression, alone: bool) -> String {
        match value.kind {
            ExpressionKind::Binary(..) if !alone => self.operand(value),
            _ => self.expression(value),
        }
    }

    /// Statements, each on its own lines; `name` gives the name for an assigned signal.
    pub fn statements(
        &self,
        statements: &[Statement],
        depth: usize,
        assign: &str,
        name: &dyn Fn(SignalId) -> SignalId,
        to: &mut String,
    ) {
        let indent = "    ".repeat(depth);
        for statement in statements {
            match statement {
                Statement::Assign { target, low, value } => {
                    let whole = self.module.signals[*target].shape.bits;
                    let bits = value.shape.bits;
                    let part = match bits {
                        bits if bits == whole => String::new(),
                        1 => format!("[{low}]"),
                        bits => format!("[{}:{low}]", low + bits - 1),
                    };
                    let target = &self.signals[name(*target)];
                    *to += &format!("{indent}{target}{part} {assign} {};\n", self.expression(value));
                }
                Statement::If { .. } => {
                    to.push_str(&indent);
                    self.conditional(statement, depth, assign, name, to);
                }
                Statement::Match { test, arms, default } => {
                    *to += &format!("{indent}case ({})\n", self.expression(test));
                    let mut arm = |label: &str, block: &[Statement]| {
                        *to += &format!("{indent}    {label}: ");
                        match block {
                            [] => *to += ";\n",
                            [Statement::Assign { .. }] => self.statements(block, 0, assign, name, to),
                            _ => {
                                *to += "begin\n";
                                self.statements(block, depth + 2, assign, name, to);
                                *to += &format!("{indent}    end\n");
                            }
                        }
                    };
                    for alike in arms.chunk_by(|(_, block), (_, next)| block == next) {
                        let labels: Vec<String> = alike.iter().map(|(pattern, _)| self.expression(pattern)).collect();
                        arm(&labels.join(", "), &alike[0].1);
                    }
                    arm("default", default);
                    *to += &format!("{indent}endcase\n");
                }
            }
        }
    }

    fn conditional(
        &self,
        statement: &Statement,
        depth: usize,
        assign: &str,
        name: &dyn Fn(SignalId) -> SignalId,
        to: &mut String,
    ) {
        let Statement::If { test, then, otherwise } = statement else { return };
        let indent = "    ".repeat(depth);
        *to += &format!("if ({}) begin\n", self.expression(test));
        self.statements(then, depth + 1, assign, name, to);
        match &otherwise[..] {
            [] => *to += &format!("{indent}end\n"),
            [next @ Statement::If { .. }] => {
                *to += &format!("{indent}end else ");
                self.conditional(next, depth, assign, name, to);
            }
            _ => {
                *to += &format!("{indent}end else begin\n");
                self.statements(otherwise, depth + 1, assign, name, to);
                *to += &format!("{indent}end\n");
            }
        }
    }
}
