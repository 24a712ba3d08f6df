// SPDX-License-Identifier: MIT OR Apache-2.0
//! A session with z3, over its standard input and output.

use crate::find::Program;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::Duration;
use tidegate_core::interrupt::{self, Running};

/// The answer of z3 about the formulas of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// They can all be true at once.
    Sat,
    /// They are never all true.
    Unsat,
    /// Time is over.
    Unknown,
}

/// A question that is turned into bits.
const AS_BITS: &str = "(check-sat-using qfufbv)";

/// A running z3. It ends when this is dropped, or when its time is over.
pub(super) struct Session {
    running: Running,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The command for a question.
    check: &'static str,
    /// It has said that its time is over.
    gave_up: bool,
}

impl Session {
    /// Starts z3 with a time limit. With `as_bits` it turns each question into bits.
    pub(super) fn open(program: &Program, time: Duration, as_bits: bool) -> Result<Session> {
        // z3 ends itself after whole seconds; 0 would mean no limit.
        let mut command = program.command();
        command.arg(format!("-T:{}", time.as_secs().max(1))).args(["-smt2", "-in"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running =
            interrupt::spawn(&mut command).with_context(|| format!("cannot run {}", program.path.display()))?;
        let input = BufWriter::new(running.child.stdin.take().context("z3 takes no input")?);
        let output = BufReader::new(running.child.stdout.take().context("z3 gives no output")?);
        let check = if as_bits { AS_BITS } else { "(check-sat)" };
        let mut session = Session { running, input, output, check, gave_up: false };
        session.tell("(set-option :produce-models true)\n(set-option :pp.max_depth 1000000)")?;
        Ok(session)
    }

    /// Sends commands that have no answer.
    pub(super) fn tell(&mut self, commands: &str) -> Result<()> {
        // If the time of z3 is over, the write fails. The next question reports this.
        match writeln!(self.input, "{commands}") {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error).context("cannot write to z3"),
            _ => Ok(()),
        }
    }

    /// Whether all formulas so far can be true at once.
    pub(super) fn check(&mut self) -> Result<Answer> {
        self.tell(self.check)?;
        match self.line()?.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            "unknown" | "timeout" => {
                self.gave_up = true;
                Ok(Answer::Unknown)
            }
            "" if self.gave_up => Ok(Answer::Unknown),
            "" => bail!("z3 ended without an answer: it was killed, or had no memory left"),
            other => bail!("unexpected answer of z3: {other}"),
        }
    }

    /// The values of the terms in the example of the last check, which was [`Answer::Sat`].
    pub(super) fn values(&mut self, terms: &[String]) -> Result<Vec<String>> {
        let mut values = Vec::with_capacity(terms.len());
        for some in terms.chunks(200) {
            self.tell(&format!("(get-value ({}))", some.join(" ")))?;
            let mut answer = String::new();
            while !is_whole(&answer) {
                let line = self.line()?;
                if line.is_empty() {
                    bail!("z3 stopped in the middle of an answer");
                }
                answer.push_str(&line);
                answer.push(' ');
            }
            if answer.starts_with("(error") {
                bail!("unexpected answer of z3: {answer}");
            }
            let pairs = parts(answer.trim());
            values.extend(pairs.iter().filter_map(|pair| parts(pair).pop().map(str::to_string)));
        }
        if values.len() != terms.len() {
            bail!("z3 was asked for {} values and gave {}", terms.len(), values.len());
        }
        Ok(values)
    }

    fn line(&mut self) -> Result<String> {
        if let Err(error) = self.input.flush()
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            return Err(error).context("cannot write to z3");
        }
        let mut line = String::new();
        self.output.read_line(&mut line).context("cannot read what z3 says")?;
        Ok(line.trim().to_string())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself already.
        let _ = self.running.child.kill();
        let _ = self.running.child.wait();
    }
}

/// Whether every parenthesis is closed; those inside `|…|` are letters.
fn is_whole(text: &str) -> bool {
    let (mut depth, mut quoted) = (0i32, false);
    for letter in text.chars() {
        match letter {
            '|' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
    }
    !text.trim().is_empty() && depth == 0 && !quoted
}

/// The members of a list in parentheses.
fn parts(list: &str) -> Vec<&str> {
    let inner = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), None, 0, false);
    for (at, letter) in inner.char_indices() {
        if letter == '|' {
            quoted = !quoted;
        }
        if letter.is_whitespace() && depth == 0 && !quoted {
            parts.extend(start.take().map(|start: usize| &inner[start..at]));
            continue;
        }
        start.get_or_insert(at);
        match letter {
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if letter == ')' && depth == 0 && !quoted {
            parts.extend(start.take().map(|start| &inner[start..=at]));
        }
    }
    parts.extend(start.map(|start| &inner[start..]));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_fall_into_their_parts() {
        assert_eq!(parts("((a b) (|c (d| e) true #b01)"), ["(a b)", "(|c (d| e)", "true", "#b01"]);
        assert_eq!(parts("((|x_n slot[0].y| s3) #b1)"), ["(|x_n slot[0].y| s3)", "#b1"]);
        assert!(is_whole("((a |(| b))") && !is_whole("((a b)") && !is_whole(""));
    }
}
