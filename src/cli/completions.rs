//! `tidegate completions`.

use anyhow::Result;
use clap_complete::Shell;
use std::io::Write;

/// Print the completion script of a shell
///
/// For bash: tidegate completions bash > ~/.local/share/bash-completion/completions/tidegate
#[derive(clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(arguments: Arguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "tidegate", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
