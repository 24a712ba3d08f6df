// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages: of one experiment all in one; of several an overview, and a page for each paper.

use super::{Shown, calculation, claims, summary};
use crate::page::{Page, Section, anchor};
use crate::xml::escape;
use std::fmt::Write;
use tidegate_lab::experiment::claims::Verdict;
use tidegate_lab::experiment::kind::{AnyResults, Heading};
use tidegate_schemes::scheme::parameters::DEFAULT;

/// The page that is there always.
const FIRST: &str = "index.html";

/// The experiments of a paper.
struct Paper<'s> {
    /// The name of its page.
    file: String,
    /// Author and year.
    name: String,
    experiments: Vec<&'s Shown<'s>>,
}

/// Names and contents of the pages about experiments, `index.html` first; `command` repeats them.
pub fn pages(all: &[Shown], command: &str) -> Vec<(String, String)> {
    if let [one] = all {
        let page = page("Experiment", &[one]).section(one.section(&claims::filter(&[one])));
        return vec![(FIRST.into(), finished(page, command))];
    }
    let papers = papers(all);
    let links = |own: &str| {
        let others = papers.iter().map(|paper| (paper.file.clone(), paper.name.clone()));
        let all = std::iter::once((FIRST.to_string(), "Overview".to_string())).chain(others);
        all.filter(|(file, _)| file != own).collect::<Vec<_>>()
    };
    let mut pages = vec![(FIRST.to_string(), finished(overview(all, &papers).pages(links(FIRST)), command))];
    for paper in &papers {
        let page = page(&paper.name, &paper.experiments).pages(links(&paper.file));
        let filter = claims::filter(&paper.experiments);
        let page = if filter.is_empty() { page } else { page.section(Section::new("Verdicts").html(&filter)) };
        let sections = paper.experiments.iter().map(|shown| shown.section(""));
        pages.push((paper.file.clone(), finished(sections.fold(page, Page::section), command)));
    }
    pages
}

/// The papers in the order of their experiments, which begin with the same word: `smcc-fig5` is in `smcc.html`.
fn papers<'s>(all: &'s [Shown<'s>]) -> Vec<Paper<'s>> {
    let mut papers: Vec<Paper> = Vec::new();
    for shown in all {
        let Heading { id, paper, .. } = &shown.heading;
        let word = id.split('-').next().unwrap_or(id);
        let file = format!("{}.html", anchor(word));
        match papers.iter_mut().find(|paper| paper.file == file) {
            Some(paper) => paper.experiments.push(shown),
            None => {
                let author = paper.split(", ").next().unwrap_or_default();
                let name = if author.is_empty() { word.to_string() } else { format!("{author} ({word})") };
                papers.push(Paper { file, name, experiments: vec![shown] });
            }
        }
    }
    papers
}

fn page(title: &str, all: &[&Shown]) -> Page {
    Page::new(title).lead(summary(all.iter().copied())).style(include_str!("page.css")).style(&claims::filter_rules())
}

fn overview(all: &[Shown], papers: &[Paper]) -> Page {
    let every: Vec<&Shown> = all.iter().collect();
    let verdicts: Vec<Verdict> = claims::ALL.into_iter().filter(|verdict| claims::count(all, *verdict) > 0).collect();
    let mut rows = String::new();
    for Paper { file, name, experiments } in papers {
        let counts = verdicts.iter().map(|verdict| claims::count(experiments.iter().copied(), *verdict));
        let counts = counts.chain([claims::cannot_fail(experiments.iter().copied())]);
        let counts: String = counts.map(|count| format!("<td class=\"number\">{count}</td>")).collect();
        let (file, name, number) = (escape(file), escape(name), experiments.len());
        let _ =
            writeln!(rows, "<tr><td><a href=\"{file}\">{name}</a></td><td class=\"number\">{number}</td>{counts}</tr>");
    }
    let words = verdicts.iter().map(|verdict| verdict.words()).chain(["cannot fail"]);
    let words = words.map(|word| format!("<th class=\"number\">{word}</th>"));
    let head = format!("<th>paper</th><th class=\"number\">experiments</th>{}", words.collect::<String>());
    let papers_table = format!(
        "<div class=\"wide\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    );
    let file = |shown: &Shown| {
        let of = |paper: &&Paper| paper.experiments.iter().any(|known| known.heading.id == shown.heading.id);
        papers.iter().find(of).map_or(FIRST.into(), |paper| paper.file.clone())
    };
    let table = claims::overview(&every, file);
    page("Experiments", &every)
        .section(Section::new("Papers").html(&papers_table))
        .section(Section::new("All claims").html(&claims::filter(&every)).html(&table))
}

/// Adds how a page was made.
fn finished(page: Page, command: &str) -> String {
    let remark = format!(
        "tidegate {}. Measured values are means over the seeds, those of ratios medians, ± the population standard deviation over the seeds. Each bound is in the \
         scenario file. In an Ethernet network an empty queue means an idle link, because \
         the packet that is being sent counts as part of the queue; in an InfiniBand network it does not count. KB are 1024 \
         bytes.",
        env!("CARGO_PKG_VERSION")
    );
    page.made_by(remark, &[command]).render()
}

impl Shown<'_> {
    /// Its part of a page; `filter` stands before its claims.
    fn section(&self, filter: &str) -> Section {
        let Heading { id, title, paper, figure, notes, .. } = &self.heading;
        let mut section = Section::new(format!("{id}: {title}")).anchor(&claims::place(self));
        if !paper.is_empty() {
            section = section.paragraph(format!("Repeats {paper}."));
        }
        if !figure.is_empty() {
            section = section.html(&format!("<p><b>In the paper.</b> {}</p>\n", escape(figure)));
        }
        for note in *notes {
            section = section.paragraph(note);
        }
        if !self.results.judged().is_empty() {
            section = section.html(filter).html(&claims::of_experiment(self)).html(&claims::tried(self));
        }
        section = section.pictures(self.pictures.iter().map(|(_, caption, picture)| (picture, caption.as_str())));
        if let AnyResults::Calculation(_, findings) = self.results {
            let (headers, rows) = calculation::rows(findings);
            section = section.table(&headers.iter().map(String::as_str).collect::<Vec<_>>(), &rows, &[]);
        }
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut defaults: Vec<(&str, String)> = Vec::new();
        for [variant, key, value, from] in &self.parameters {
            // Nobody chose these: a row for all of a variant.
            if from == DEFAULT {
                let text = format!("{key} = {value}");
                match defaults.iter_mut().find(|(known, _)| known == variant) {
                    Some((_, all)) => *all += &format!(", {text}"),
                    None => defaults.push((variant, text)),
                }
                continue;
            }
            match rows.iter_mut().find(|row| row[1..] == [key.as_str(), value, from]) {
                Some(row) => row[0] = format!("{}, {variant}", row[0]),
                None => rows.push([variant, key, value, from].map(String::clone).to_vec()),
            }
        }
        for (variant, values) in defaults {
            match rows.iter_mut().find(|row| row[2] == values && row[3] == DEFAULT) {
                Some(row) => row[0] = format!("{}, {variant}", row[0]),
                None => rows.push(vec![variant.into(), "all others".into(), values, DEFAULT.into()]),
            }
        }
        let all = self.heading.variants.join(", ");
        rows.iter_mut().filter(|row| row[0] == all).for_each(|row| row[0] = "all".into());
        section.table(&["variant", "parameter", "value", "where it comes from"], &rows, &[])
    }
}
