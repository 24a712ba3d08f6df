// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate man`.

use super::{Force, folder, say, shown};
use anyhow::Result;
use clap::Command;
use std::path::PathBuf;
use tidegate_core::output::folder::ResultFolder;

/// Write the manual pages, one for each verb
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder to write to, such as ~/.local/share/man/man1, with --force if it has pages of others; made if it does not exist
    #[arg(long, value_name = "DIR", value_parser = folder("`man DIR/tidegate.1` shows a page"))]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

pub fn run(arguments: Arguments) -> Result<()> {
    let mut command = without_help(super::command());
    command.build();
    let pages = with_verbs(&command);
    let mut folder = ResultFolder::open(&arguments.out, arguments.force.claim("man", &[]))?;
    let mut names = String::new();
    for verb in pages {
        let name = verb.get_display_name().unwrap_or(verb.get_name()).to_string();
        let name = format!("{name}.1");
        names += &(shown(&arguments.out.join(&name)) + "\n");
        folder.write(name, page(verb)?)?;
    }
    folder.commit()?;
    say(&names)
}

/// A command without the verb `help`, which has no page; its verbs too.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// A command, its verbs, and theirs.
fn with_verbs(command: &Command) -> Vec<Command> {
    std::iter::once(command.clone()).chain(command.get_subcommands().flat_map(with_verbs)).collect()
}

/// The page of a verb in roff.
fn page(mut verb: Command) -> Result<String> {
    // The usage of the help says which options take values; the line that clap_mangen makes does not.
    let usage = verb.render_usage().to_string();
    let verb = verb.override_usage(usage.trim_start_matches("Usage: ").to_string());
    let mut text = Vec::new();
    clap_mangen::Man::new(verb)
        // An empty argument of the macro: without the marks the next one would take its place.
        .date("\"\"")
        .source(concat!("tidegate ", env!("CARGO_PKG_VERSION")))
        .manual("Manual of tidegate")
        .render(&mut text)?;
    Ok(with_tables(&String::from_utf8(text)?))
}

/// Lines that begin with two spaces are those of a table: they stay lines, in letters of one width.
fn with_tables(page: &str) -> String {
    let (mut text, mut inside) = (String::new(), false);
    for line in page.lines() {
        let is_row = line.starts_with("  ");
        if is_row != inside {
            text += if is_row { ".EX\n" } else { ".EE\n" };
        }
        inside = is_row;
        text += &format!("{line}\n");
    }
    text
}
