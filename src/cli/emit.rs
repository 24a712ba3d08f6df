//! `tidegate emit`.

/// (to be written)
#[derive(clap::Args)]
pub struct Arguments {}

pub fn run(_arguments: Arguments) -> anyhow::Result<()> {
    Ok(())
}
