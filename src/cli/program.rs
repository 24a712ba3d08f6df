// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate program`: a bitstream into the FPGA of a board, with openFPGALoader.

use super::{completions, load_board, shown};
use anyhow::{Context, Result, bail};
use clap_complete::ArgValueCompleter;
use std::path::{Path, PathBuf};
use tidegate_core::error::Usage;
use tidegate_core::interrupt;
use tidegate_package::board::programmer;
use tidegate_toolchain::MissingTool;
use tidegate_toolchain::find::Tool;

/// Load a bitstream into the FPGA of a board, with openFPGALoader
///
/// It stays there until the board is switched off.
#[derive(clap::Args)]
pub struct Arguments {
    /// The board, as for `tidegate build`
    #[arg(long, value_name = "BOARD", add = ArgValueCompleter::new(completions::boards))]
    board: String,
    /// The programmer, as `openFPGALoader --list-cables` names it [default: the one that is on the board]
    #[arg(long, value_name = "CABLE")]
    cable: Option<String>,
    /// The folder of `tidegate build`, or a bitstream
    #[arg(value_name = "DIR|FILE")]
    from: PathBuf,
}

pub fn run(arguments: Arguments) -> Result<()> {
    let board = load_board(&arguments.board)?;
    let file = bitstream(&arguments.from, &board.name)?;
    let options = match (&arguments.cable, programmer::options(&board.name)) {
        (Some(cable), _) => ["--cable".to_string(), cable.clone()],
        (None, Some(options)) => options.map(str::to_string),
        (None, None) => {
            return Err(Usage(format!(
                "board {}: no programmer is known that is on it: expected --cable with the one that is connected; \
                 `openFPGALoader --list-cables` names them",
                board.name
            ))
            .into());
        }
    };
    let tool = Tool::OpenFpgaLoader;
    let program = tool.find().map_err(|unusable| {
        let run = format!("{} {} {}", tool.name(), options.join(" "), shown(&file));
        MissingTool(format!("{unusable}. To run: `{run}`"))
    })?;
    let mut command = program.command();
    let mut running = interrupt::spawn(command.args(&options).arg(&file))
        .with_context(|| format!("cannot run {}", program.path.display()))?;
    let status = running.child.wait()?;
    if !status.success() {
        bail!("{} did not load {} ({status}): is the board connected and switched on?", tool.name(), shown(&file));
    }
    Ok(())
}

/// The bitstream of a board in a folder, or the file itself.
fn bitstream(from: &Path, board: &str) -> Result<PathBuf> {
    if !from.is_dir() {
        std::fs::File::open(from).with_context(|| format!("cannot read {}", shown(from)))?;
        return Ok(from.to_path_buf());
    }
    let file = from.join(format!("{board}.bit"));
    if file.is_file() {
        return Ok(file);
    }
    bail!(
        "{}: there is no such bitstream: expected the folder of `tidegate build --board {board}`; for an FPGA of Xilinx, the script in \
         the folder makes it",
        shown(&file)
    )
}
