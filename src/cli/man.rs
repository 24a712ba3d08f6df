//! `tidegate man`.

use super::{folder, say, shown};
use crate::output::{OutputFile, OutputFolder, commit_all};
use anyhow::Result;
use clap::Command;
use std::io::Write;
use std::path::PathBuf;

/// Write the manual pages, one for each verb
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder to write to, such as ~/.local/share/man/man1; made if it does not exist
    #[arg(long, value_name = "DIR", value_parser = folder("`man DIR/tidegate.1` shows a page"))]
    out: PathBuf,
}

pub fn run(arguments: Arguments) -> Result<()> {
    let mut command = super::command();
    command.build();
    let pages = with_verbs(&command);
    let folder = OutputFolder::create(&arguments.out)?;
    let mut files = Vec::with_capacity(pages.len());
    for page in pages {
        let name = page.get_display_name().unwrap_or(page.get_name()).to_string();
        let mut file = OutputFile::create(arguments.out.join(format!("{name}.1")))?;
        clap_mangen::Man::new(page).render(&mut file)?;
        file.flush()?;
        files.push(file);
    }
    let names: String = files.iter().map(|file| shown(file.path()) + "\n").collect();
    commit_all(files)?;
    folder.keep();
    say(&names)
}

/// A command, its verbs, and theirs.
fn with_verbs(command: &Command) -> Vec<Command> {
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
    std::iter::once(command.clone()).chain(verbs.flat_map(with_verbs)).collect()
}
