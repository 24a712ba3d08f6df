// SPDX-License-Identifier: MIT OR Apache-2.0
//! One HTML file without references to other files: it contains style and pictures, and no script.

use super::plot::{NARROW, Picture, dark_rules};
use super::xml::escape;
use std::fmt::Write;

/// A page under construction: title, lead, sections, and how it was made.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    title: String,
    lead: String,
    first: Option<Section>,
    sections: Vec<Section>,
    commands: Vec<String>,
    remark: String,
    pages: Vec<(String, String)>,
    style: String,
}

/// A heading and its contents, in the order in which they were added.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    heading: String,
    anchor: String,
    body: String,
}

impl Section {
    /// An empty section.
    pub(crate) fn new(heading: impl Into<String>) -> Self {
        let heading = heading.into();
        Section { anchor: anchor(&heading), heading, body: String::new() }
    }

    /// Gives it another name for links than the one that follows from its heading.
    pub(crate) fn anchor(mut self, name: &str) -> Self {
        self.anchor = anchor(name);
        self
    }

    /// Adds HTML that is well-formed and escaped.
    pub(crate) fn html(mut self, html: &str) -> Self {
        self.body.push_str(html);
        self
    }

    /// Adds a paragraph of plain text.
    pub(crate) fn paragraph(mut self, text: impl AsRef<str>) -> Self {
        self.push(format_args!("<p>{}</p>\n", escape(text.as_ref())));
        self
    }

    /// Adds a table, with the arguments of [`super::table::render`]: `right_aligned` are the columns (from 0) with
    /// numbers.
    pub(crate) fn table(mut self, headers: &[&str], rows: &[Vec<String>], right_aligned: &[usize]) -> Self {
        let class = |column| if right_aligned.contains(&column) { " class=\"number\"" } else { "" };
        let head = headers.iter().enumerate();
        let head = head.map(|(column, header)| format!("<th{}>{}</th>", class(column), escape(header)));
        self.push_table("", head.collect(), rows, |column| class(column).into());
        self
    }

    /// Adds a table of texts. Where the page is narrow, a row is a block, and each cell but the first one has its header in
    /// front, so that no column is out of sight.
    pub(crate) fn records(mut self, headers: &[&str], rows: &[Vec<String>]) -> Self {
        let head = headers.iter().map(|header| format!("<th>{}</th>", escape(header)));
        let label = |column: usize| format!(" data-label=\"{}\"", escape(headers[column]));
        self.push_table(" class=\"records\"", head.collect(), rows, label);
        self
    }

    /// A table with attributes of its own, the cells of its header, and attributes of the cells of each column.
    fn push_table(&mut self, own: &str, head: String, rows: &[Vec<String>], of_cell: impl Fn(usize) -> String) {
        self.push(format_args!("<div class=\"wide\"><table{own}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n"));
        for row in rows {
            self.body.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                self.push(format_args!("<td{}>{}</td>", of_cell(column), escape(cell)));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</tbody>\n</table></div>\n");
    }

    /// Adds a picture with a caption of plain text.
    pub(crate) fn figure(mut self, picture: &Picture, caption: impl AsRef<str>) -> Self {
        self.push_figure("", picture, caption.as_ref());
        self
    }

    fn push_figure(&mut self, class: &str, picture: &Picture, caption: &str) {
        let (picture, caption) = (picture.element(), escape(caption));
        self.push(format_args!("<figure{class}>\n{picture}<figcaption>{caption}</figcaption>\n</figure>\n"));
    }

    /// Adds pictures side by side, as many as there is room for, each with its caption.
    pub(crate) fn pictures<'a>(mut self, pictures: impl IntoIterator<Item = (&'a Picture, &'a str)>) -> Self {
        self.body.push_str("<div class=\"pictures\">\n");
        for (picture, caption) in pictures {
            let class = if picture.width() > NARROW { " class=\"broad\"" } else { "" };
            self.push_figure(class, picture, caption);
        }
        self.body.push_str("</div>\n");
        self
    }

    fn push(&mut self, text: std::fmt::Arguments) {
        self.body.write_fmt(text).expect("a String takes any text");
    }
}

impl Page {
    /// An empty page.
    pub(crate) fn new(title: impl Into<String>) -> Self {
        let title = title.into();
        Page {
            title,
            lead: String::new(),
            first: None,
            sections: Vec::new(),
            commands: Vec::new(),
            remark: String::new(),
            pages: Vec::new(),
            style: String::new(),
        }
    }

    /// Sets the paragraph under the title: what the reader should take away.
    pub(crate) fn lead(mut self, text: impl Into<String>) -> Self {
        self.lead = text.into();
        self
    }

    /// Sets what stands before the list of contents; with title and lead it is the first printed page.
    pub(crate) fn first(mut self, section: Section) -> Self {
        self.first = Some(section);
        self
    }

    /// Adds a section.
    pub(crate) fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// Sets the block at the end with which a reader can reproduce the page: a remark (versions, seeds) and the command
    /// lines.
    pub(crate) fn made_by(mut self, remark: impl Into<String>, commands: &[impl AsRef<str>]) -> Self {
        self.remark = remark.into();
        self.commands = commands.iter().map(|command| command.as_ref().to_string()).collect();
        self
    }

    /// Sets the links to the other pages of a result: file and text of each.
    pub fn pages(mut self, pages: Vec<(String, String)>) -> Self {
        self.pages = pages;
        self
    }

    /// Adds rules to the style sheet.
    pub(crate) fn style(mut self, rules: &str) -> Self {
        self.style += rules;
        self
    }

    /// The whole file. The same page gives the same bytes.
    pub(crate) fn render(&self) -> String {
        let title = escape(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{}{}@media screen and (prefers-color-scheme: dark) {{ {} }}\n</style>\n\
             </head>\n<body>\n<main>\n<header>\n",
            include_str!("page.css"),
            self.style,
            dark_rules("figure ")
        );
        if !self.pages.is_empty() {
            let links =
                self.pages.iter().map(|(file, text)| format!("<a href=\"{}\">{}</a>", escape(file), escape(text)));
            html += &format!("<p class=\"pages\">{}</p>\n", links.collect::<Vec<_>>().join(" · "));
        }
        html += &format!("<h1>{title}</h1>\n");
        if !self.lead.is_empty() {
            html += &format!("<p class=\"lead\">{}</p>\n", escape(&self.lead));
        }
        if let Some(first) = &self.first {
            html += &format!("<h2>{}</h2>\n{}", escape(&first.heading), first.body);
        }
        let whole = if self.first.is_some() { "<hr class=\"page\">\n" } else { "" };
        html += &format!("</header>\n{whole}");
        if self.sections.len() > 3 {
            html += "<nav><ul>\n";
            for (section, anchor) in self.sections.iter().zip(self.anchors()) {
                html += &format!("<li><a href=\"#{anchor}\">{}</a></li>\n", escape(&section.heading));
            }
            html += "</ul></nav>\n";
        }
        for (section, anchor) in self.sections.iter().zip(self.anchors()) {
            let heading = escape(&section.heading);
            html += &format!("<section id=\"{anchor}\">\n<h2>{heading}</h2>\n{}</section>\n", section.body);
        }
        if !self.commands.is_empty() || !self.remark.is_empty() {
            html += "<section class=\"made\">\n<h2>How this was made</h2>\n";
            if !self.remark.is_empty() {
                html += &format!("<p>{}</p>\n", escape(&self.remark));
            }
            if !self.commands.is_empty() {
                html += &format!("<pre><code>{}</code></pre>\n", escape(&self.commands.join("\n")));
            }
            html += "</section>\n";
        }
        html + "</main>\n</body>\n</html>\n"
    }

    /// The names of the sections, each once: a number follows the second of a name.
    fn anchors(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for Section { anchor, .. } in &self.sections {
            let numbered = (2..).map(|number| format!("{anchor}-{number}"));
            let free = std::iter::once(anchor.clone()).chain(numbered).find(|name| !names.contains(name));
            names.extend(free);
        }
        names
    }
}

/// A text as the name of a place in a page: small letters, digits, and one hyphen for all between.
pub(crate) fn anchor(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Bar, BarChart, BarGroup, bars};

    fn page() -> Page {
        let rows = [vec!["a < b".to_string(), "1,234".to_string()]];
        let section =
            Section::new("Queue & rate").paragraph("<script>alert(1)</script>").table(&["claim", "LUTs"], &rows, &[1]);
        let chart = BarChart::new("area", "LUTs", ["all"]).group(BarGroup::new("").bar(Bar::new("QCN", vec![1.0])));
        Page::new("QCN \"<1>\"")
            .lead("Lead & all")
            .section(section.figure(&bars(&chart).unwrap(), "caption <i>"))
            .made_by("Seed 1.", &["tidegate sim --set 'a=1' > out", "tidegate compare qcn smcc"])
    }

    /// The part of the file that is XML as well.
    fn body(html: &str) -> &str {
        &html[html.find("<main>").unwrap()..html.find("</body>").unwrap()]
    }

    #[test]
    fn text_reads_back_as_it_was_given() {
        let html = page().render();
        let document = roxmltree::Document::parse(body(&html)).expect("the body is well-formed");
        let all: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
        for wanted in [
            "QCN \"<1>\"",
            "Lead & all",
            "Queue & rate",
            "<script>alert(1)</script>",
            "a < b",
            "caption <i>",
            "tidegate sim --set 'a=1' > out\ntidegate compare qcn smcc",
        ] {
            assert!(all.contains(&wanted), "no {wanted} in {all:?}");
        }
        assert!(!html.contains("<script"));
    }

    #[test]
    fn numbers_are_marked_and_nothing_comes_from_outside() {
        let html = page().render();
        assert!(html.contains("<td class=\"number\">1,234</td>") && html.contains("<th class=\"number\">LUTs</th>"));
        assert!(html.contains("<td>a &lt; b</td>"));
        for outside in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
        assert_eq!(html, page().render());
    }

    #[test]
    fn cells_of_records_say_their_column() {
        let rows = [["one", "x \"y\""].map(String::from).to_vec()];
        let html = Page::new("t").section(Section::new("s").records(&["claim", "a & b"], &rows)).render();
        let document = roxmltree::Document::parse(body(&html)).expect("the body is well-formed");
        let cells: Vec<_> = document.descendants().filter(|node| node.has_tag_name("td")).collect();
        let labels: Vec<_> = cells.iter().map(|cell| (cell.attribute("data-label"), cell.text())).collect();
        assert_eq!(labels, [(Some("claim"), Some("one")), (Some("a & b"), Some("x \"y\""))]);
        assert!(
            html.contains("<th>claim</th><th>a &amp; b</th>") && html.contains(".records td:not(:first-child)::before")
        );
    }

    #[test]
    fn long_pages_have_a_list_of_contents() {
        let four = (1..=4).fold(Page::new("t"), |page, number| page.section(Section::new(format!("part {number}"))));
        assert!(four.render().contains("<a href=\"#part-4\">part 4</a>"));
        assert!(!page().render().contains("<nav>"));
    }

    #[test]
    fn places_have_names_of_their_own() {
        let names = ["Queue & rate", "queue (rate)", "Other"].map(Section::new);
        let page = names.into_iter().fold(Page::new("t"), Page::section).section(Section::new("x").anchor("other"));
        assert_eq!(page.anchors(), ["queue-rate", "queue-rate-2", "other", "other-2"]);
        let html = page.render();
        assert!(html.contains("<a href=\"#queue-rate-2\">queue (rate)</a>"));
        assert!(html.contains("<section id=\"queue-rate-2\">"));
    }
}
