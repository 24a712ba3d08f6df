// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of claims in pages: verdicts with a colour and a mark, and a choice of what is shown.

use super::{HEADERS, Shown, beside_verdict, bound, measured, short_of};
use crate::page::anchor;
use crate::xml::escape;
use std::fmt::Write;
use tidegate_lab::experiment::claims::{Judged, Verdict};

/// The verdicts in their order.
pub const ALL: [Verdict; 4] = [Verdict::Reproduced, Verdict::Partly, Verdict::NotReproduced, Verdict::NotMeasured];

/// The name of a verdict in style sheets, and its mark, which needs no colour.
fn look(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Reproduced => ("reproduced", "✓"),
        Verdict::Partly => ("partly", "≈"),
        Verdict::NotReproduced => ("not-reproduced", "✗"),
        Verdict::NotMeasured => ("not-measured", "–"),
    }
}

fn mark(verdict: Verdict) -> String {
    let (name, sign) = look(verdict);
    format!("<span class=\"verdict {name}\">{sign} {}</span>", verdict.words())
}

/// How many of these claims have a verdict, without those that cannot fail.
pub fn count<'s>(all: impl IntoIterator<Item = &'s Shown<'s>>, verdict: Verdict) -> usize {
    let judged = all.into_iter().flat_map(|shown| shown.results.judged());
    judged.filter(|judged| judged.verdict == verdict && judged.counts()).count()
}

/// How many of these claims cannot fail.
pub fn cannot_fail<'s>(all: impl IntoIterator<Item = &'s Shown<'s>>) -> usize {
    all.into_iter().flat_map(|shown| shown.results.judged()).filter(|judged| !judged.counts()).count()
}

/// The name of the place of an experiment.
pub fn place(shown: &Shown) -> String {
    anchor(shown.heading.id)
}

fn place_of_claim(shown: &Shown, judged: &Judged) -> String {
    anchor(&format!("{}-{}", shown.heading.id, judged.claim.id.get_ref()))
}

/// Buttons that choose which verdicts are shown, without a script: [`filter_rules`] hide the others. Nothing if there is no choice.
pub fn filter(all: &[&Shown]) -> String {
    let counts = ALL.map(|verdict| (verdict, count(all.iter().copied(), verdict)));
    let there: Vec<_> = counts.iter().filter(|(_, count)| *count > 0).collect();
    if there.len() < 2 {
        return String::new();
    }
    let button = |name: &str, words: &str, count: usize, checked: &str| {
        format!("<label><input type=\"radio\" name=\"show\" id=\"show-{name}\"{checked}/> {words} ({count})</label>\n")
    };
    let whole = button("all", "all", there.iter().map(|(_, count)| count).sum(), " checked=\"checked\"");
    let others = there.iter().map(|(verdict, count)| {
        let (name, sign) = look(*verdict);
        button(name, &format!("{sign} {}", verdict.words()), *count, "")
    });
    format!(
        "<fieldset class=\"filter\">\n<legend>Show claims</legend>\n{whole}{}</fieldset>\n",
        others.collect::<String>()
    )
}

/// The rules of the style sheet for [`filter`].
pub fn filter_rules() -> String {
    ALL.into_iter().fold(String::new(), |mut rules, verdict| {
        let (name, _) = look(verdict);
        let others = format!("[data-verdict]:not([data-verdict=\"{name}\"])");
        let empty = format!(".claims tbody:not(:has([data-verdict=\"{name}\"]))");
        let chosen = format!("main:has(#show-{name}:checked)");
        let _ = writeln!(rules, "{chosen} {others}, {chosen} {empty} {{ display: none; }}");
        rules
    })
}

/// A table whose rows are blocks on a narrow screen.
fn table(class: &str, headers: &[&str], bodies: &str) -> String {
    let head: String = headers.iter().map(|header| format!("<th>{}</th>", escape(header))).collect();
    format!(
        "<div class=\"wide\"><table class=\"records {class}\">\n<thead><tr>{head}</tr></thead>\n{bodies}</table></div>\n"
    )
}

fn cell(header: &str, html: &str) -> String {
    format!("<td data-label=\"{}\">{html}</td>", escape(header))
}

/// The row of a claim; `more` are further cells.
fn row(judged: &Judged, attributes: &str, name: &str, bound: &str, more: &str) -> String {
    let claim = judged.claim;
    let paper = if claim.paper.is_empty() { "–" } else { &claim.paper };
    let cells = [
        format!("{name}: {}", escape(&claim.claim)),
        escape(paper),
        escape(&measured(judged)),
        escape(bound),
        mark(judged.verdict) + &escape(&beside_verdict(judged)),
    ];
    let cells: String = HEADERS.iter().zip(&cells).map(|(header, html)| cell(header, html)).collect();
    let (verdict, _) = look(judged.verdict);
    format!("<tr{attributes} data-verdict=\"{verdict}\">{cells}{more}</tr>\n")
}

/// All claims of experiments, with links to them; `file` is the page of an experiment.
pub fn overview(all: &[&Shown], file: impl Fn(&Shown) -> String) -> String {
    let mut bodies = String::new();
    for shown in all.iter().filter(|shown| !shown.results.judged().is_empty()) {
        let (file, heading) = (escape(&file(shown)), &shown.heading);
        let (id, title) = (escape(heading.id), escape(heading.title));
        let link = format!("<a href=\"{file}#{}\">{id}</a>: {title}", place(shown));
        bodies += &format!("<tbody>\n<tr class=\"group\"><th colspan=\"{}\">{link}</th></tr>\n", HEADERS.len());
        for judged in shown.results.judged() {
            let id = escape(judged.claim.id.get_ref());
            let name = format!("<a href=\"{file}#{}\">{id}</a>", place_of_claim(shown, judged));
            bodies += &row(judged, "", &name, &bound(judged), &cell(HEADERS[5], &escape(&brief(judged))));
        }
        bodies += "</tbody>\n";
    }
    table("claims", &HEADERS, &bodies)
}

/// The claims of an experiment.
pub fn of_experiment(shown: &Shown) -> String {
    let row = |judged: &Judged| {
        let claim = judged.claim;
        let place = format!(" id=\"{}\"", place_of_claim(shown, judged));
        let name = format!("<b>{}</b>", escape(claim.id.get_ref()));
        row(judged, &place, &name, &format!("{} ({})", bound(judged), claim.bound), "")
    };
    let rows: String = shown.results.judged().iter().map(row).collect();
    table("claims", &HEADERS[..5], &format!("<tbody>\n{rows}</tbody>\n"))
}

/// What decides, in a line.
fn brief(judged: &Judged) -> String {
    let names = |verdict| {
        let those = judged.tried.iter().filter(|tried| tried.verdict == verdict);
        those.map(|tried| tried.name.as_str()).collect::<Vec<_>>().join("; ")
    };
    let text = match (names(Verdict::Reproduced), names(Verdict::Partly), judged.tried.len()) {
        (_, _, 0) => String::new(),
        (those, _, _) if !those.is_empty() => format!("Reproduced with: {those}."),
        (_, those, _) if !those.is_empty() => format!("Partly with: {those}."),
        (.., 1) => format!("Not with: {}.", judged.tried[0].name),
        (.., number) => format!("Not with any of {number} that were tried."),
    };
    format!("{text} {}", judged.remark).trim().into()
}

/// What was tried for each claim, those with which it is reproduced first. Nothing if there is nothing to say.
pub fn tried(shown: &Shown) -> String {
    const HEADERS: [&str; 3] = ["tried", "measured", "verdict"];
    let mut bodies = String::new();
    for judged in shown.results.judged() {
        if judged.tried.is_empty() && judged.remark.is_empty() {
            continue;
        }
        let (verdict, _) = look(judged.verdict);
        let (place, id) = (place_of_claim(shown, judged), escape(judged.claim.id.get_ref()));
        let remark = if judged.remark.is_empty() { String::new() } else { format!(" {}", escape(&judged.remark)) };
        bodies += &format!(
            "<tbody data-verdict=\"{verdict}\">\n<tr class=\"group\"><th colspan=\"3\"><a href=\"#{place}\">{id}</a> {}{remark}</th></tr>\n",
            mark(judged.verdict)
        );
        for verdict in ALL {
            for tried in judged.tried.iter().filter(|tried| tried.verdict == verdict) {
                let value = format!("{} {}", short_of(tried.value, tried.value), judged.unit);
                let cells = [escape(&tried.name), escape(value.trim_end()), mark(verdict)];
                let cells: String = HEADERS.iter().zip(&cells).map(|(header, html)| cell(header, html)).collect();
                bodies += &format!("<tr>{cells}</tr>\n");
            }
        }
        bodies += "</tbody>\n";
    }
    if bodies.is_empty() {
        return bodies;
    }
    format!("<h3>What was tried</h3>\n{}", table("tried", &HEADERS, &bodies))
}
