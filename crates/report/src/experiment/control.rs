// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `tidegate reproduce --control` leaves: each claim with and without the control.

use super::super::page::{Page, Section};
use super::short_of;
use serde_json::{Value, json};
use tidegate_lab::experiment::claims::{Judged, Verdict};
use tidegate_lab::experiment::control::{Control, Turn};

/// A claim with and without the control.
pub struct Row {
    /// The experiment.
    pub id: String,
    /// The claim.
    pub claim: String,
    /// Verdict and measured value without the control, and with it.
    pub both: [(Verdict, f64); 2],
    /// What is expected of it.
    pub turn: Turn,
}

impl Row {
    /// The row of a claim of an experiment.
    pub fn new(id: &str, before: &Judged, after: &Judged, turn: Turn) -> Row {
        let both = [before, after].map(|judged| (judged.verdict, judged.measured.value()));
        Row { id: id.into(), claim: before.claim.id.get_ref().clone(), both, turn }
    }

    /// Whether a control can tell anything of it: it is reproduced, or partly.
    pub(crate) fn holds(&self) -> bool {
        self.both[0].0 <= Verdict::Partly
    }

    /// Whether the list in the file says something else than what came out.
    pub fn is_wrong(&self) -> bool {
        self.turn.turns != self.turn.must
    }

    fn words(&self) -> &'static str {
        match (self.holds(), self.turn.turns, self.turn.must) {
            (false, ..) => "–",
            (true, true, true) => "turns",
            (true, false, false) => "does not turn",
            (true, true, false) => "turns, but is not in the list of the file",
            (true, false, true) => "must turn, but does not",
        }
    }

    fn cells(&self) -> Vec<String> {
        let [before, after] =
            self.both.map(|(verdict, value)| format!("{} ({})", verdict.words(), short_of(value, value)));
        vec![self.id.clone(), self.claim.clone(), before, after, self.words().into()]
    }
}

/// Headers of the table of claims.
pub const HEADERS: [&str; 5] = ["experiment", "claim", "verdict", "under the control", "result"];

/// The cells of each claim.
pub fn rows(all: &[Row]) -> Vec<Vec<String>> {
    all.iter().map(Row::cells).collect()
}

/// How many claims turn.
pub fn summary(all: &[Row], control: Control) -> String {
    let holding = all.iter().filter(|row| row.holds()).count();
    let turned = all.iter().filter(|row| row.turn.turns).count();
    let dead = all.iter().filter(|row| row.both[1].0 == Verdict::Reproduced && row.holds()).count();
    let wrong = all.iter().filter(|row| row.is_wrong()).count();
    let wrong = match wrong {
        0 => String::new(),
        number => format!(" {number} are not as the lists in the files say."),
    };
    format!(
        "{} claims, of which {holding} are reproduced or partly so. Of these, {} {turned} turn, and {dead} stay reproduced.{wrong}",
        all.len(),
        control.words()
    )
}

/// The page; `command` repeats it.
pub fn page(all: &[Row], control: Control, command: &str) -> String {
    let section = Section::new("All claims").records(&HEADERS, &rows(all));
    let remark = format!(
        "tidegate {}. A claim turns if its verdict is worse under the control. `controls` of a scenario file lists those \
         that must turn.",
        env!("CARGO_PKG_VERSION")
    );
    Page::new(format!("Experiments {}", control.words()))
        .lead(summary(all, control))
        .section(section)
        .made_by(remark, &[command])
        .render()
}

/// All claims as JSON.
pub fn json(all: &[Row], control: Control) -> Value {
    let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
    let claims: Vec<_> = all
        .iter()
        .map(|row| {
            let [(before, value), (after, under)] = row.both;
            json!({
                "experiment": row.id,
                "claim": row.claim,
                "verdict": before,
                "measured": number(value),
                "verdict_under_control": after,
                "measured_under_control": number(under),
                "turns": row.turn.turns,
                "must_turn": row.turn.must,
            })
        })
        .collect();
    json!({ "format_version": 1, "control": control.name(), "claims": claims })
}
