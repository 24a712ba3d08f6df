// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements with typed expressions: loops are unrolled, macros and links are expanded.

use super::drivers::targets_of;
use super::expression::Typer;
use super::names::Names;
use super::{Comment, Error, Expression, Shape, Statement};
use rust_hdl::core::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink, VerilogLoop, VerilogMatch,
    VerilogStatement,
};

/// The statements of a module, and the comments between them. A comment in a condition is left out.
pub(super) fn statements(names: &Names, block: &[VerilogStatement]) -> Result<(Vec<Statement>, Vec<Comment>), Error> {
    let mut typer = Typer { names, loops: Vec::new(), about: String::new() };
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
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let (target, shape) = self.target(target)?;
                let value = self.expression(value, Some(shape))?;
                if value.shape != shape {
                    return Err(self.error(format!("has {shape} and is given a value of {}", value.shape)));
                }
                to.push(Statement::Assign { target, low: 0, value });
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let (target, shape) = self.target(base)?;
                let low = self.index(offset)?.ok_or_else(|| self.error("is given bits at an offset that varies"))?;
                let bits = Shape { bits: *width, signed: false };
                let value = self.expression(replacement, Some(bits))?.reinterpret(false);
                if value.shape != bits || low + width > shape.bits {
                    let given = value.shape;
                    return Err(self.error(format!("has {shape}; {given} cannot go to {bits} from bit {low} up")));
                }
                to.push(Statement::Assign { target, low, value });
            }
            VerilogStatement::If(conditional) => to.push(self.conditional(conditional)?),
            VerilogStatement::Match(choice) => to.push(self.choice(choice)?),
            VerilogStatement::Loop(repeated) => self.repeated(repeated, to)?,
            VerilogStatement::Macro(block) => self.block(block, to)?,
            VerilogStatement::Link(links) => links.iter().try_for_each(|link| self.link(link, to))?,
            VerilogStatement::Comment(_) => {}
        }
        Ok(())
    }

    fn target(&mut self, tree: &VerilogExpression) -> Result<(usize, Shape), Error> {
        let VerilogExpression::Signal(name) = tree else {
            self.about = format!("{tree:?}");
            return Err(self.error("only a signal can be assigned"));
        };
        self.about = name.trim_end_matches("$next").replace('$', ".");
        self.names.target(name, &self.loops).map_err(|reason| self.error(reason))
    }

    fn conditional(&mut self, conditional: &VerilogConditional) -> Result<Statement, Error> {
        let test = self.test(&conditional.test)?;
        let then = self.nested(&conditional.then)?;
        let mut otherwise = Vec::new();
        match &conditional.otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block, &mut otherwise)?,
            VerilogBlockOrConditional::Conditional(statement) => self.statement(statement, &mut otherwise)?,
            VerilogBlockOrConditional::None => {}
        }
        Ok(Statement::If { test, then, otherwise })
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
        let mut arms = Vec::new();
        let mut default = None;
        for case in &choice.cases {
            let block = self.nested(&case.block)?;
            if case.condition == "default" {
                default = Some(block);
                break;
            }
            self.about = format!("(the arm {} of a match)", case.condition);
            arms.push((self.pattern(&case.condition, test.shape)?, block));
        }
        let default = match default {
            Some(block) => block,
            None if test.shape.bits < usize::BITS as usize && arms.len() < 1 << test.shape.bits => Vec::new(),
            None => arms.pop().map_or_else(Vec::new, |(_, block)| block),
        };
        Ok(Statement::Match { test, arms, default })
    }

    fn pattern(&self, text: &str, shape: Shape) -> Result<Expression, Error> {
        let digits = text.split("_u").next().unwrap_or(text).replace('_', "");
        let number = match digits.strip_prefix("0x").map(|hexadecimal| u128::from_str_radix(hexadecimal, 16)) {
            Some(number) => number.ok(),
            None => match digits.strip_prefix("0b") {
                Some(binary) => u128::from_str_radix(binary, 2).ok(),
                None => digits.parse().ok(),
            },
        };
        let value = match (text, number) {
            ("true", _) => Expression::constant(1, shape),
            ("false", _) => Expression::constant(0, shape),
            (_, Some(number)) if number <= super::expression::ones(shape.bits) => Expression::constant(number, shape),
            (_, Some(number)) => return Err(self.error(format!("the pattern {number} does not fit into {shape}"))),
            _ => self.names.value(text, &self.loops).map_err(|reason| self.error(reason))?,
        };
        if value.shape != shape {
            return Err(self.error(format!("has {}, what the match looks at has {shape}", value.shape)));
        }
        Ok(value)
    }

    fn repeated(&mut self, repeated: &VerilogLoop, to: &mut Vec<Statement>) -> Result<(), Error> {
        for index in repeated.from.as_usize()..repeated.to.as_usize() {
            self.loops.push((repeated.index.clone(), index as i128));
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
                return Err(self.error("is bidirectional: only inputs and outputs are known"));
            }
        };
        let field = details.my_name.trim_start_matches('.');
        let mine = format!("{}${field}", details.owner_name);
        let other = format!("{}${field}", details.other_name);
        let (target, source) = if forward { (other, mine) } else { (mine, other) };
        self.about = target.replace('$', ".");
        let (target, shape) = self.names.target(&target, &self.loops).map_err(|reason| self.error(reason))?;
        let value = self.names.value(&source, &self.loops).map_err(|reason| self.error(reason))?;
        if value.shape != shape {
            return Err(self.error(format!("has {shape} and is linked to {}", value.shape)));
        }
        to.push(Statement::Assign { target, low: 0, value });
        Ok(())
    }
}
