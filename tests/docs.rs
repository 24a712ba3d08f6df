// SPDX-License-Identifier: MIT OR Apache-2.0
//! README.md and the pages in docs/: their length, links, tables and commands, and the picture at the top of the README.
//!
//! A command on a page works as it is printed, from the root of the repository, with `tidegate` on PATH:
//! - A code block tagged `sh` is run. One tagged `sh long` takes minutes, or outside tools, and is run by `scripts/test --long`.
//! - A code block tagged `output` is what the block before it prints, perhaps not all of it: `…` stands for what is left out, from
//!   there to the end of the line.
//! - `tidegate …` in backticks must be a command line that the program takes. A word in capitals stands for what a reader puts
//!   there, and the end may be missing. Those in README.md and in the tables of docs/commands.md are run, too; [`LONG`] has those
//!   that take minutes or outside tools.
//! - Lines of `cargo` and `scripts/` are not run, because they would build tidegate again. What they name must exist.
//!
//! Blocks with other tags (`text`, `toml`, …) hold no commands.

#[path = "../examples/readme_picture.rs"]
#[allow(dead_code)]
mod readme_picture;

use clap::error::ErrorKind;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use regex::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// Most words of README.md, whatever they are: those of code, tables and tags count.
const README_WORDS: usize = 900;

/// Most characters of a cell in a table.
const CELL: usize = 200;

/// Commands in README.md and in the table of docs/commands.md that take minutes or outside tools.
const LONG: [&str; 7] = [
    "tidegate verify --scheme smcc --part rp --tool rtl --tool verilator",
    "tidegate compare qcn smcc --report report",
    "tidegate compare qcn smcc --family ecp5 --part rp",
    "tidegate build --board ecp5_versa --scheme smcc --out built",
    "tidegate compare qcn bcn smcc asm dsm infiniband --family ecp5",
    "tidegate reproduce smcc-fig20 --out results",
    "tidegate doctor",
];

/// What commands read; what they write stays in a folder of their own.
const SHOWN: [&str; 6] = ["boards", "constraints", "docs", "examples", "hdl", "testbenches"];

/// A page as its reader sees it.
#[derive(Default)]
struct Page {
    /// Its path in the repository.
    name: PathBuf,
    /// The anchors of its headings.
    anchors: Vec<String>,
    /// Targets of links and pictures.
    links: Vec<String>,
    /// Code blocks: tag and text.
    blocks: Vec<(String, String)>,
    /// What stands in backticks.
    spans: Vec<String>,
    /// Texts of paragraphs that are in no list and no quotation.
    paragraphs: Vec<String>,
    /// Texts of the cells of tables.
    cells: Vec<String>,
}

fn at_root(name: impl AsRef<Path>) -> PathBuf {
    Path::new(REPOSITORY).join(name)
}

fn read(name: impl AsRef<Path>) -> String {
    std::fs::read_to_string(at_root(&name)).unwrap_or_else(|error| panic!("{}: {error}", name.as_ref().display()))
}

/// The anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    kept.trim().replace(' ', "-")
}

impl Page {
    fn read(name: impl Into<PathBuf>) -> Page {
        let name = name.into();
        Page::of(name.clone(), &read(name))
    }

    fn of(name: PathBuf, text: &str) -> Page {
        let mut page = Page { name, ..Page::default() };
        let in_tags = Regex::new(r#"(?:src|srcset|href)="([^"]+)""#).unwrap();
        // The text of the heading, paragraph, cell or code block that has begun.
        let mut words = String::new();
        let mut depth = 0;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::TableCell) => words.clear(),
                Event::Start(Tag::CodeBlock(kind)) => {
                    let tag = if let CodeBlockKind::Fenced(tag) = kind { tag.to_string() } else { String::new() };
                    page.blocks.push((tag, String::new()));
                    words.clear();
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.to_string());
                }
                Event::Start(Tag::List(_) | Tag::BlockQuote(_)) => depth += 1,
                Event::End(TagEnd::List(_) | TagEnd::BlockQuote(_)) => depth -= 1,
                Event::Text(text) => words += &text,
                Event::Code(code) => {
                    page.spans.push(code.to_string());
                    words += &code;
                }
                Event::SoftBreak | Event::HardBreak => words.push(' '),
                Event::Html(tags) | Event::InlineHtml(tags) => {
                    page.links.extend(in_tags.captures_iter(&tags).map(|found| found[1].to_string()));
                }
                Event::End(TagEnd::Heading(_)) => page.anchors.push(anchor(&words)),
                Event::End(TagEnd::Paragraph) if depth == 0 => page.paragraphs.push(words.clone()),
                Event::End(TagEnd::TableCell) => page.cells.push(words.clone()),
                Event::End(TagEnd::CodeBlock) => page.blocks.last_mut().unwrap().1 = words.clone(),
                _ => {}
            }
        }
        page
    }

    fn shown(&self) -> std::path::Display<'_> {
        self.name.display()
    }

    /// The blocks of commands, each with the block behind it if that is its output.
    fn command_blocks(&self, long: bool) -> impl Iterator<Item = (&str, Option<&str>)> {
        let tag = if long { "sh long" } else { "sh" };
        let behind = self.blocks.iter().skip(1).map(Some).chain([None]);
        self.blocks.iter().zip(behind).filter(move |((found, _), _)| found == tag).map(|((_, commands), next)| {
            (commands.as_str(), next.filter(|(tag, _)| tag == "output").map(|(_, text)| text.as_str()))
        })
    }
}

/// The pages of docs/, by name.
fn docs() -> Vec<Page> {
    let entries =
        std::fs::read_dir(at_root("docs")).unwrap().map(|entry| Path::new("docs").join(entry.unwrap().file_name()));
    let mut names: Vec<PathBuf> = entries.filter(|name| name.extension().is_some_and(|kind| kind == "md")).collect();
    names.sort();
    assert!(names.len() > 10, "docs/ has only {} pages", names.len());
    names.into_iter().map(Page::read).collect()
}

/// README.md, then docs/.
fn pages_with_commands() -> Vec<Page> {
    std::iter::once(Page::read("README.md")).chain(docs()).collect()
}

#[test]
fn the_readme_is_short() {
    let words = read("README.md").split_whitespace().count();
    assert!(words <= README_WORDS, "README.md has {words} words, expected at most {README_WORDS}: move some to docs/");
}

#[test]
fn each_page_says_first_for_whom_it_is() {
    for page in docs() {
        let first = page.paragraphs.first().map_or("", String::as_str);
        assert!(first.starts_with("For "), "{}: the first paragraph does not say for whom: {first}", page.shown());
    }
}

#[test]
fn the_cells_of_tables_are_short() {
    for page in pages_with_commands() {
        for cell in &page.cells {
            let length = cell.chars().count();
            assert!(length <= CELL, "{}: a cell of {length} characters, expected {CELL}: {cell}", page.shown());
        }
    }
}

#[test]
fn links_go_to_files_and_headings_that_exist() {
    let mut pages = pages_with_commands();
    pages.extend(
        ["ARCHITECTURE.md", "CONTRIBUTING.md"].into_iter().filter(|name| at_root(name).exists()).map(Page::read),
    );
    for page in &pages {
        for link in page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (path, heading) = link.split_once('#').map_or((link.as_str(), None), |(path, end)| (path, Some(end)));
            let target = if path.is_empty() { page.name.clone() } else { page.name.parent().unwrap().join(path) };
            assert!(at_root(&target).exists(), "{}: {link} goes to no file", page.shown());
            if let Some(heading) = heading {
                let known = Page::read(&target).anchors;
                assert!(known.iter().any(|anchor| anchor == heading), "{}: {link} goes to no heading", page.shown());
            }
        }
    }
}

#[test]
fn anchors_are_those_of_github() {
    let page = Page::of("x.md".into(), "# From `A` to B: C_d, e-f!\n\ntext\n\n## ΔQ = 0\n");
    assert_eq!(page.anchors, ["from-a-to-b-c_d-e-f", "δq--0"]);
}

/// A test as cargo names it: `axis_cp::costs::cost_of_64_bits`, or the beginning of its name; or all tests of a file.
fn assert_test_exists(page: &Page, name: &str) {
    let path: Vec<&str> = name.split("::").collect();
    if path.len() > 1 && at_root(format!("testbenches/{}.rs", path.join("/"))).exists() {
        return;
    }
    let (test, modules) = path.split_last().unwrap();
    let file = format!("testbenches/{}.rs", modules.join("/"));
    assert!(at_root(&file).exists(), "{}: `{name}`: no file {file}", page.shown());
    assert!(read(&file).contains(&format!("fn {test}")), "{}: `{name}`: no such test in {file}", page.shown());
}

/// What a line of `cargo` or of `scripts/` names is there.
fn assert_names_exist(page: &Page, line: &str) {
    let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "#").collect();
    let after = |option: &str| words.iter().skip_while(|word| **word != option).nth(1).copied();
    let assert_one_exists = |files: &[String]| {
        assert!(files.iter().any(|file| at_root(file).exists()), "{}: `{line}`: none of {files:?}", page.shown());
    };
    if words[0] != "cargo" {
        return assert_one_exists(&[words[0].to_string()]);
    }
    match words[1] {
        "build" | "install" => {}
        "run" => assert_one_exists(&[format!("examples/{}.rs", after("--example").unwrap_or("NOTHING"))]),
        "bench" => {
            let bench = after("--bench").unwrap_or("NOTHING");
            assert_one_exists(&[format!("benches/{bench}.rs"), format!("benches/{bench}")]);
        }
        "test" => {
            let program = after("--test").unwrap_or("NOTHING");
            assert_one_exists(&[format!("tests/{program}.rs"), program.to_string()]);
            let name = words.last().filter(|name| name.contains("::"));
            name.into_iter().for_each(|name| assert_test_exists(page, name));
        }
        other => panic!("{}: `{line}`: a test of this page knows no `cargo {other}`", page.shown()),
    }
}

fn is_built_by(line: &str) -> bool {
    line.starts_with("cargo ") || line.starts_with("scripts/")
}

/// The program takes this command line, as far as it goes.
fn assert_is_taken(page: &Page, line: &str) {
    let ends = ["#", "|", "||", "&&", ">"];
    let words = line.split_whitespace().take_while(|word| !ends.contains(word));
    let words: Vec<&str> = words.filter(|word| *word != "…").collect();
    let stands_for_another = Regex::new(r"[A-Z]{2}|…|\|").unwrap().is_match(line);
    let Err(error) = tidegate::cli::command().try_get_matches_from(&words) else { return };
    let is_mention = match error.kind() {
        ErrorKind::MissingRequiredArgument | ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            stands_for_another || words.last().is_some_and(|word| word.starts_with("--"))
        }
        ErrorKind::InvalidSubcommand => words[1] == "VERB",
        _ => false,
    };
    assert!(is_mention, "{}: `{line}`: {error}", page.shown());
}

#[test]
fn commands_are_those_of_the_program_and_of_the_repository() {
    let mut count = 0;
    let test = Regex::new(r"^[a-z0-9_]+::costs::[a-z0-9_]+$").unwrap();
    for page in pages_with_commands() {
        for (tag, text) in &page.blocks {
            assert!(!tag.is_empty(), "{}: a code block without a tag: {text}", page.shown());
            let is_command = |line: &&str| line.starts_with("tidegate ") || is_built_by(line);
            let commands: Vec<&str> = text.lines().filter(is_command).collect();
            assert!(commands.is_empty() || tag.starts_with("sh"), "{}: commands in a block `{tag}`", page.shown());
            assert!(["sh", "sh long"].contains(&tag.as_str()) || !tag.starts_with("sh"), "{}: `{tag}`", page.shown());
        }
        let lines = page.blocks.iter().filter(|(tag, _)| tag.starts_with("sh")).flat_map(|(_, text)| text.lines());
        for line in lines.chain(page.spans.iter().map(String::as_str)) {
            if line.starts_with("tidegate ") {
                assert_is_taken(&page, line);
            } else if is_built_by(line) {
                assert_names_exist(&page, line);
            } else if test.is_match(line) {
                assert_test_exists(&page, line);
            }
            count += usize::from(line.starts_with("tidegate "));
        }
    }
    assert!(count > 80, "only {count} commands were found");
}

/// A folder with what commands read, where they can write.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in SHOWN {
        std::os::unix::fs::symlink(at_root(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// Runs commands with `tidegate` first on PATH; what they print on the standard output.
fn run(page: &Page, folder: &Path, commands: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("tidegate");
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let lines: Vec<&str> = commands.lines().filter(|line| !is_built_by(line)).collect();
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &lines.join("\n")])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{}: {commands}failed with {}: {message}", page.shown(), run.status);
    String::from_utf8(run.stdout).unwrap()
}

/// A line without the spaces that columns need.
fn one_space(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each line of `expected` was printed, in this order.
fn assert_printed(page: &Page, commands: &str, printed: &str, expected: &str) {
    let mut lines = printed.lines();
    for wanted in expected.lines().filter(|line| line.trim() != "…") {
        let is_it = |line: &str| match wanted.split_once('…') {
            Some((beginning, _)) => one_space(line).starts_with(&one_space(beginning)),
            None => one_space(line) == one_space(wanted),
        };
        assert!(lines.any(is_it), "{}: {commands}does not print\n{wanted}\nbut\n{printed}", page.shown());
    }
}

/// Runs the blocks of these pages, those of a page in one folder; how many.
fn run_blocks(pages: &[Page], long: bool) -> usize {
    let mut count = 0;
    for page in pages {
        let folder = folder();
        for (commands, output) in page.command_blocks(long) {
            let printed = run(page, folder.path(), commands);
            output.into_iter().for_each(|expected| assert_printed(page, commands, &printed, expected));
            count += 1;
        }
    }
    count
}

/// Runs the commands in README.md and in the tables of docs/commands.md, each in a folder of its own; how many.
fn run_spans(long: bool) -> usize {
    let (readme, verbs) = (Page::read("README.md"), Page::read("docs/commands.md"));
    let in_both = readme.spans.iter().map(|span| (&readme, span)).chain(verbs.cells.iter().map(|cell| (&verbs, cell)));
    let commands: Vec<_> = in_both.filter(|(_, command)| command.starts_with("tidegate ")).collect();
    for known in LONG {
        assert!(commands.iter().any(|(_, command)| *command == known), "`{known}` is on none of these pages any more");
    }
    let wanted = commands.into_iter().filter(|(_, command)| LONG.contains(&command.as_str()) == long);
    wanted.map(|(page, command)| run(page, folder().path(), &format!("{command}\n"))).count()
}

#[test]
fn commands_work_as_they_are_printed() {
    assert!(run_blocks(&pages_with_commands(), false) >= 8);
    assert!(run_spans(false) >= 12);
}

#[test]
#[ignore = "long: synthesizes and proves for minutes"]
fn long_commands_of_the_readme_work_as_they_are_printed() {
    assert!(run_blocks(&[Page::read("README.md")], true) >= 2);
    assert!(run_spans(true) >= LONG.len());
}

#[test]
#[ignore = "long: synthesizes, places and proves for many minutes"]
fn long_commands_of_the_pages_work_as_they_are_printed() {
    assert!(run_blocks(&docs(), true) >= 5);
}

#[test]
fn the_page_of_boards_shows_the_board_of_the_examples() {
    let board = read("examples/board.toml");
    let (licence, board) = board.split_once('\n').unwrap();
    assert!(licence.contains("SPDX-License-Identifier"), "{licence}");
    assert!(read("docs/boards.md").contains(&format!("```toml\n{board}```")), "docs/boards.md shows another board");
}

#[test]
fn the_pictures_of_the_readme_are_those_of_today() {
    for (name, picture) in readme_picture::pictures().unwrap() {
        let path = Path::new(readme_picture::FOLDER).join(name);
        let again = "`cargo run --release --example readme_picture` makes it anew";
        assert!(read(&path) == picture, "{} is not what the closed loop does now: {again}", path.display());
    }
}
