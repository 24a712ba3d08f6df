//! Lint and compiled simulation of Verilog with Verilator.

use super::find::{Program, Tool};
use anyhow::{bail, Context, Result};
use std::path::{Path, PathBuf};

/// A Verilator that was found.
#[derive(Clone, Debug)]
pub struct Verilator {
    program: Program,
}

impl Verilator {
    /// Looks for Verilator.
    ///
    /// # Errors
    /// [`super::MissingTool`] where there is none.
    pub fn find() -> Result<Verilator> {
        Ok(Verilator { program: Tool::Verilator.find().ok_or_else(|| Tool::Verilator.missing())? })
    }

    /// Its version, as `5.48.0`.
    pub fn version(&self) -> &str {
        &self.program.version
    }

    /// Reads a design as Verilog-2001 without simulating it: files by name and text. With `wall` every warning counts as an
    /// error, none switched off; without it only real errors do.
    ///
    /// # Errors
    /// The messages of Verilator.
    pub fn lint_only(&self, files: &[(impl AsRef<str>, &str)], top: &str, wall: bool) -> Result<(), String> {
        let lint = || -> Result<Option<String>> {
            let scratch = tempfile::tempdir().context("cannot make a folder for Verilator to work in")?;
            for (name, text) in files {
                std::fs::write(scratch.path().join(name.as_ref()), text)?;
            }
            let mut command = self.program.command();
            command.args(["--lint-only", "--language", "1364-2001", "--top-module", top]);
            command.arg(if wall { "-Wall" } else { "-Wno-fatal" }).args(files.iter().map(|(name, _)| name.as_ref()));
            let output = command.current_dir(scratch.path()).output();
            let output = output.with_context(|| format!("cannot run {}", self.program.path.display()))?;
            Ok((!output.status.success()).then(|| messages(&output)))
        };
        match lint() {
            Ok(None) => Ok(()),
            Ok(Some(messages)) => Err(messages),
            Err(error) => Err(format!("{error:#}")),
        }
    }

    /// Compiles a design and the C++ program around it, which includes `V<top>.h`, and returns the executable, which is in
    /// `scratch`. `flags` go to Verilator: `--trace`, `-GWIDTH=8`, …
    ///
    /// # Errors
    /// [`super::MissingTool`] where g++ or make is missing; the messages of Verilator or of the compiler where they refuse.
    pub fn build_model(
        &self,
        scratch: &Path,
        verilog: &str,
        top: &str,
        main_cpp: &str,
        flags: &[&str],
    ) -> Result<PathBuf> {
        for tool in [Tool::Compiler, Tool::Make] {
            tool.find().ok_or_else(|| tool.missing())?;
        }
        std::fs::write(scratch.join("design.v"), verilog).context("cannot write the Verilog for Verilator")?;
        std::fs::write(scratch.join("main.cpp"), main_cpp).context("cannot write the C++ around the Verilog")?;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get()).to_string();
        let output = self
            .program
            .command()
            .args(["--cc", "--exe", "--build", "-O3", "-CFLAGS", "-O2", "-Wno-fatal", "-j", &cores])
            .args(["--language", "1364-2001", "--top-module", top, "--Mdir", "model", "-o", "model"])
            .args(flags)
            .args(["main.cpp", "design.v"])
            .current_dir(scratch)
            .output()
            .with_context(|| format!("cannot run {}", self.program.path.display()))?;
        if !output.status.success() {
            bail!("Verilator cannot build a model of {top}:\n{}", messages(&output));
        }
        let model = scratch.join("model/model");
        // The caller may run it from another folder.
        model.canonicalize().with_context(|| format!("Verilator left no {}", model.display()))
    }
}

/// What a program said, warnings and errors first: those of Verilator are on its standard error, those of make on both.
fn messages(output: &std::process::Output) -> String {
    let said = [&output.stderr, &output.stdout].map(|text| String::from_utf8_lossy(text).trim().to_string());
    said.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join("\n")
}
