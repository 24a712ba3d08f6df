// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interpreted simulation of Verilog with Icarus: slow, but with unknown values.

use super::find::{Program, Tool};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use tidegate_core::interrupt;

/// An Icarus Verilog that was found.
#[derive(Clone, Debug)]
pub struct Icarus {
    program: Program,
}

impl Icarus {
    /// Finds Icarus.
    ///
    /// # Errors
    /// [`super::MissingTool`] if it is missing.
    pub fn find() -> Result<Icarus> {
        Ok(Icarus { program: Tool::Icarus.needed()? })
    }

    /// Compiles Verilog-2001 for its interpreter and returns the compiled file, which is in `scratch`.
    ///
    /// # Errors
    /// The messages of Icarus, if it refuses the design.
    pub fn compile(&self, scratch: &Path, verilog: &str, top: &str) -> Result<PathBuf> {
        std::fs::write(scratch.join("design.v"), verilog).context("cannot write the Verilog for Icarus")?;
        let mut command = self.program.command_in(scratch);
        let output = interrupt::output(command.args(["-g2001", "-s", top, "-o", "design.vvp", "design.v"]))
            .with_context(|| format!("cannot run {}", self.program.path.display()))?;
        if !output.status.success() {
            bail!("Icarus cannot compile {top}:\n{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let compiled = scratch.join("design.vvp");
        // The caller may run it from another folder.
        compiled.canonicalize().with_context(|| format!("Icarus left no {}", compiled.display()))
    }

    /// A command that runs the file of [`Icarus::compile`]; plusargs may follow.
    pub fn interpreter(&self, compiled: &Path) -> Command {
        // Both programs are in one folder, because one package installs them.
        let mut command = Command::new(self.program.path.with_file_name("vvp"));
        command.arg("-n").arg(compiled);
        command
    }
}
