// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements with typed expressions: loops are unrolled, macros and links are expanded.

use super::drivers::targets_of;
use super::expression::Typer;
use super::index::number;
use super::names::Names;
use super::{Comment, Error, Expression, ExpressionKind, Shape, SignalId, Statement};
use rust_hdl::core::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink, VerilogLoop, VerilogMatch,
    VerilogStatement,
};
use std::cell::Cell;

/// The statements of a module, and the comments between them. A comment in a condition is left out.
pub(super) fn statements(names: &Names, block: &[VerilogStatement]) -> Result<(Vec<Statement>, Vec<Comment>), Error> {
    let mut typer = Typer { names, loops: Vec::new(), about: String::new(), enumeration: Cell::new(None) };
    let (mut statements, mut comments) = (Vec::new(), Vec::new());
    let mut above = None;
    for statement in block {
        if let VerilogStatement::Comment(source) = statement {
            above = Some(text_of(source));
            continue;
        }
        let first = statements.len();
        typer.statement(statement, &mut statements)?;
        if let Some(text) = above.take() {
            comments.push(Comment { text, targets: targets_of(&statements[first..]) });
        }
    }
    Ok((statements, comments))
}

/// The text of a comment. The tree of `rust-hdl` contains the whole macro, without the end: `comment! ("text`.
fn text_of(source: &str) -> String {
    let text = source.split_once('"').map_or(source, |(_, text)| text);
    text.strip_suffix("\")").unwrap_or(text).to_string()
}

impl Typer<'_> {
    fn block(&mut self, block: &[VerilogStatement], to: &mut Vec<Statement>) -> Result<(), Error> {
        block.iter().try_for_each(|statement| self.statement(statement, to))
    }

    fn nested(&mut self, block: &[VerilogStatement]) -> Result<Vec<Statement>, Error> {
        let mut statements = Vec::new();
        self.block(block, &mut statements)?;
        Ok(statements)
    }

    fn statement(&mut self, statement: &VerilogStatement, to: &mut Vec<Statement>) -> Result<(), Error> {
        // What is known of the statement before says nothing here.
        self.enumeration.set(None);
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let (target, shape, enumeration) = self.target(target)?;
                if let Some(statement) = self.bit(target, shape, value)? {
                    to.push(statement);
                    return Ok(());
                }
                self.enumeration.set(enumeration);
                let value = self.expression(value, Some(shape))?;
                if value.shape != shape {
                    return Err(self.error(format!("has {shape} and is given a value of {}", value.shape)));
                }
                to.push(Statement::Assign { target, low: 0, value });
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let (target, shape, _) = self.target(base)?;
                let low = self.index(offset)?.ok_or_else(|| self.error("is given bits at an offset that varies"))?;
                let field = self.field(base, low, *width);
                let bits = Shape { bits: *width, signed: field.is_some_and(|(shape, _)| shape.signed) };
                self.enumeration.set(field.and_then(|(_, enumeration)| enumeration));
                let value = self.expression(replacement, Some(bits))?.reinterpret(bits.signed);
                if value.shape != bits || low + width > shape.bits || *width == 0 {
                    let given = value.shape;
                    return Err(self.error(format!("has {shape}; {given} cannot go to {bits} from bit {low} up")));
                }
                to.push(Statement::Assign { target, low, value: value.reinterpret(false) });
            }
            VerilogStatement::If(conditional) => self.conditional(conditional, to)?,
            VerilogStatement::Match(choice) => to.push(self.choice(choice)?),
            VerilogStatement::Loop(repeated) => self.repeated(repeated, to)?,
            VerilogStatement::Macro(block) => self.block(block, to)?,
            VerilogStatement::Link(links) => links.iter().try_for_each(|link| self.link(link, to))?,
            VerilogStatement::Comment(_) => {}
        }
        Ok(())
    }

    fn target(&mut self, tree: &VerilogExpression) -> Result<(SignalId, Shape, Option<usize>), Error> {
        let VerilogExpression::Signal(name) = tree else {
            self.about = format!("{tree:?}");
            return Err(self.error("only a signal can be assigned"));
        };
        self.about = name.trim_end_matches("$next").replace('$', ".");
        let (id, known) = self.names.target(name, &self.loops).map_err(|reason| self.error(reason))?;
        Ok((id, known.expression.shape, known.enumeration))
    }

    /// The shape and the enumeration of a field of a signal.
    fn field(&self, tree: &VerilogExpression, low: usize, bits: usize) -> Option<(Shape, Option<usize>)> {
        let VerilogExpression::Signal(name) = tree else { return None };
        let fields = &self.names.known(name, &self.loops)?.fields;
        let found = fields.iter().find(|part| part.low == low && part.shape.bits == bits)?;
        Some((found.shape, found.enumeration))
    }

    /// `x.next = x.val().replace_bit(3, y)` assigns one bit, if `x` has the value that was assigned last.
    fn bit(&self, target: SignalId, shape: Shape, value: &VerilogExpression) -> Result<Option<Statement>, Error> {
        let VerilogExpression::IndexReplace(whole, index, bit) = value else { return Ok(None) };
        let VerilogExpression::Signal(name) = &**whole else { return Ok(None) };
        let same = self.names.known(name, &self.loops).and_then(|known| known.expression.as_signal()) == Some(target);
        match self.index(index)? {
            Some(low) if same && self.names.keeps(target) && low < shape.bits => {
                let value = self.expression(bit, Some(Shape::unsigned(1)))?;
                Ok(Some(Statement::Assign { target, low, value }))
            }
            _ => Ok(None),
        }
    }

    /// An `if` whose condition is a number is one of its sides: the other one may have indices that do not exist.
    fn conditional(&mut self, conditional: &VerilogConditional, to: &mut Vec<Statement>) -> Result<(), Error> {
        self.about = "(the condition of an if)".to_string();
        match self.known(&conditional.test)? {
            Some(0) => return self.otherwise(&conditional.otherwise, to),
            Some(_) => return self.block(&conditional.then, to),
            None => {}
        }
        let test = self.test(&conditional.test)?;
        let then = self.nested(&conditional.then)?;
        let mut otherwise = Vec::new();
        self.otherwise(&conditional.otherwise, &mut otherwise)?;
        to.push(Statement::If { test, then, otherwise });
        Ok(())
    }

    fn otherwise(&mut self, otherwise: &VerilogBlockOrConditional, to: &mut Vec<Statement>) -> Result<(), Error> {
        match otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block, to),
            VerilogBlockOrConditional::Conditional(statement) => self.statement(statement, to),
            VerilogBlockOrConditional::None => Ok(()),
        }
    }

    fn test(&mut self, tree: &VerilogExpression) -> Result<Expression, Error> {
        self.about = "(the condition of an if)".to_string();
        let test = self.expression(tree, Some(Shape::unsigned(1)))?;
        if test.shape != Shape::unsigned(1) {
            return Err(self.error(format!("has {}, must have one", test.shape)));
        }
        Ok(test)
    }

    /// If a match has no default, Rust knows that no other value is possible. If its arms have all codes, the last one
    /// becomes the default.
    fn choice(&mut self, choice: &VerilogMatch) -> Result<Statement, Error> {
        self.about = "(what a match looks at)".to_string();
        let test = self.expression(&choice.test, None)?;
        let enumeration = self.enumeration_of(&choice.test);
        let mut arms = Vec::new();
        let mut default = None;
        for case in &choice.cases {
            let block = self.nested(&case.block)?;
            if case.condition == "default" {
                default = Some(block);
                break;
            }
            self.about = format!("(the arm {} of a match)", case.condition);
            self.enumeration.set(enumeration);
            // A whole number that the bits do not reach.
            let Some(pattern) = self.pattern(&case.condition, test.shape)? else { continue };
            if arms.iter().all(|(known, _)| *known != pattern) {
                arms.push((pattern, block));
            }
        }
        let default = match default {
            Some(block) => block,
            None if test.shape.bits < usize::BITS as usize && arms.len() < 1 << test.shape.bits => Vec::new(),
            None => arms.pop().map_or_else(Vec::new, |(_, block)| block),
        };
        Ok(Statement::Match { test, arms, default })
    }

    /// The constant of an arm; `None` if no value is this number.
    fn pattern(&self, text: &str, shape: Shape) -> Result<Option<Expression>, Error> {
        let value = match (text, number(text)) {
            ("true", _) => Expression::constant(1, shape),
            ("false", _) => Expression::constant(0, shape),
            (_, Some(number)) if number as u128 <= super::expression::ones(shape.bits) => {
                Expression::constant(number as u128, shape)
            }
            (_, Some(_)) => return Ok(None),
            _ => {
                let value = self.names.value(text, &self.loops, self.enumeration.get());
                value.map_err(|reason| self.error(reason))?
            }
        };
        if value.shape != shape {
            return Err(self.error(format!("has {}, what the match looks at has {shape}", value.shape)));
        }
        if !matches!(value.kind, ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. }) {
            return Err(self.error("is no constant"));
        }
        Ok(Some(value))
    }

    fn repeated(&mut self, repeated: &VerilogLoop, to: &mut Vec<Statement>) -> Result<(), Error> {
        self.about = format!("(the loop over {})", repeated.index);
        if self.names.known(&repeated.index, &[]).is_some() {
            return Err(self.error("a signal has the name of its variable: rename one of them"));
        }
        let limit = |limit| super::expression::number(limit).map(|(number, _)| number);
        let limits = limit(&repeated.from).and_then(|from| Ok(from..limit(&repeated.to)?));
        for index in limits.map_err(|reason| self.error(reason))? {
            self.loops.push((repeated.index.clone(), index));
            let outcome = self.block(&repeated.block, to);
            self.loops.pop();
            outcome?;
        }
        Ok(())
    }

    /// `rust-hdl` connects interfaces field by field, in the direction of each.
    fn link(&mut self, link: &VerilogLink, to: &mut Vec<Statement>) -> Result<(), Error> {
        let (details, forward) = match link {
            VerilogLink::Forward(details) => (details, true),
            VerilogLink::Backward(details) => (details, false),
            VerilogLink::Bidirectional(details) => {
                self.about = details.owner_name.clone();
                return Err(self.error(super::build::BIDIRECTIONAL));
            }
        };
        let field = details.my_name.trim_start_matches('.');
        let path = |name: &str| if field.is_empty() { name.to_string() } else { format!("{name}${field}") };
        let (mine, other) = (path(&details.owner_name), path(&details.other_name));
        let (target, source) = if forward { (other, mine) } else { (mine, other) };
        self.about = target.replace('$', ".");
        let (target, known) = self.names.target(&target, &self.loops).map_err(|reason| self.error(reason))?;
        let shape = known.expression.shape;
        let value = self.names.value(&source, &self.loops, None).map_err(|reason| self.error(reason))?;
        if value.shape != shape {
            return Err(self.error(format!("has {shape} and is linked to {}", value.shape)));
        }
        to.push(Statement::Assign { target, low: 0, value });
        Ok(())
    }
}
