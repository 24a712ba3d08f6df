// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lint and compiled simulation of Verilog with Verilator.

use super::NO_FOLDER;
use super::find::{Program, Tool};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use tidegate_core::interrupt::{self, Scratch};

/// The objects of the runtime of Verilator. They take longer to compile than a model.
const RUNTIME: [&str; 2] = ["verilated.o", "verilated_threads.o"];

/// How much time the compiler may use for a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// For a run of seconds: the model is compiled in a second or two, in one piece with the program around it, and the
    /// runtime once for all models of a [`Verilator`].
    Quick,
    /// For a run of minutes, or to measure the speed of a model.
    Fast,
}

/// A Verilator that was found.
#[derive(Clone, Debug)]
pub struct Verilator {
    program: Program,
    /// The runtime from the first quick build, for the next builds.
    runtime: Arc<Mutex<Option<Vec<Vec<u8>>>>>,
}

impl Verilator {
    /// Finds Verilator.
    ///
    /// # Errors
    /// [`super::MissingTool`] if it is missing.
    pub fn find() -> Result<Verilator> {
        let program = Tool::Verilator.needed()?;
        Ok(Verilator { program, runtime: Arc::default() })
    }

    /// Its version, as `5.48.0`.
    pub fn version(&self) -> &str {
        &self.program.version
    }

    /// Translates a design as Verilog-2001 to C++, which nothing compiles: files by name and text. With `wall` every warning is an
    /// error and none is switched off; without it only errors count. `--lint-only` would not order the logic, and so not see its
    /// loops (UNOPTFLAT).
    ///
    /// # Errors
    /// The messages of Verilator.
    pub fn lint(&self, files: &[(impl AsRef<str>, &str)], top: &str, wall: bool) -> Result<(), String> {
        let lint = || -> Result<Option<String>> {
            let scratch = Scratch::new("lint").context(NO_FOLDER)?;
            for (name, text) in files {
                std::fs::write(scratch.path().join(name.as_ref()), text)?;
            }
            let mut command = self.program.command_in(scratch.path());
            command.args(["--cc", "--language", "1364-2001", "--top-module", top]);
            command.arg(if wall { "-Wall" } else { "-Wno-fatal" }).args(files.iter().map(|(name, _)| name.as_ref()));
            let output = interrupt::output(&mut command);
            let output = output.with_context(|| format!("cannot run {}", self.program.path.display()))?;
            Ok((!output.status.success()).then(|| messages(&output)))
        };
        match lint() {
            Ok(None) => Ok(()),
            Ok(Some(messages)) => Err(messages),
            Err(error) => Err(format!("{error:#}")),
        }
    }

    /// Compiles a design and the C++ program around it, which includes `V<top>.h`, and returns the executable, which is
    /// in `scratch`.
    ///
    /// # Errors
    /// [`super::MissingTool`] if g++ or make is missing; the messages of Verilator or of the compiler, if they refuse
    /// the design.
    pub fn build_model(
        &self,
        scratch: &Path,
        verilog: &str,
        top: &str,
        main_cpp: &str,
        effort: Effort,
    ) -> Result<PathBuf> {
        let make = Self::find_builders()?;
        std::fs::write(scratch.join("design.v"), verilog).context("cannot write the Verilog for Verilator")?;
        std::fs::write(scratch.join("main.cpp"), main_cpp).context("cannot write the C++ around the Verilog")?;
        let quick = effort == Effort::Quick;
        let (optimization, program): (_, &[&str]) = match effort {
            Effort::Quick => ("-O1", &["--output-split", "0"]),
            Effort::Fast => {
                let fastest = &["--x-assign", "fast", "--x-initial", "fast", "--noassert", "main.cpp"];
                ("-O3 -march=native", fastest)
            }
        };
        let mut verilate = self.program.command_in(scratch);
        verilate
            .args(["--cc", "--exe", "-O3", "-CFLAGS", optimization, "-Wno-fatal"])
            .args(["--language", "1364-2001", "--top-module", top, "--Mdir", "model", "-o", "model"])
            .args(program)
            .arg("design.v");
        step(&mut verilate, top)?;
        let folder = scratch.join("model");
        // What is put there is newer than the makefile that Verilator has just written, so make does not build it again.
        let known = quick && self.put_runtime(&folder)?;
        if quick {
            put_one_source(&folder, top)?;
        }
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get()).to_string();
        let mut compile = make.command_in(&folder);
        compile.args(["-j", &cores, "-f", &format!("V{top}.mk")]);
        // A model of several files has a precompiled header. The Verilator of the package index does not say how the compiler
        // reads one.
        compile.arg("CFG_CXXFLAGS_PCH_I=-include");
        step(&mut compile, top)?;
        if quick && !known {
            self.keep_runtime(&folder);
        }
        let model = folder.join("model");
        // The caller may run it from another folder.
        model.canonicalize().with_context(|| format!("Verilator left no {}", model.display()))
    }

    /// Finds the C++ compiler and `make`, and returns `make`.
    ///
    /// # Errors
    /// [`super::MissingTool`] if g++ or make is missing.
    pub fn find_builders() -> Result<Program> {
        Tool::Compiler.needed()?;
        Ok(Tool::Make.needed()?)
    }

    /// Puts the compiled runtime into the folder of a model; `false` if there is none yet.
    fn put_runtime(&self, folder: &Path) -> Result<bool> {
        let runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(objects) = runtime else { return Ok(false) };
        for (name, object) in RUNTIME.iter().zip(&objects) {
            std::fs::write(folder.join(name), object).context("cannot write Verilator's runtime")?;
        }
        Ok(true)
    }

    /// Another version of Verilator may have other objects. Then each model compiles its own.
    fn keep_runtime(&self, folder: &Path) {
        let objects: std::io::Result<Vec<_>> = RUNTIME.iter().map(|name| std::fs::read(folder.join(name))).collect();
        *self.runtime.lock().unwrap_or_else(PoisonError::into_inner) = objects.ok();
    }
}

/// Writes the source that the makefile of a model compiles: all that Verilator wrote and the program around it. Most of the
/// time of a compiler is for the headers of the runtime, so it should read them once.
fn put_one_source(folder: &Path, top: &str) -> Result<()> {
    let mut names = Vec::new();
    for entry in folder.read_dir().context("cannot read the folder of the model")? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name.ends_with(".cpp"));
    names.sort();
    let includes: String =
        names.iter().chain([&"../main.cpp".to_string()]).map(|name| format!("#include \"{name}\"\n")).collect();
    std::fs::write(folder.join(format!("V{top}__ALL.cpp")), includes).context("cannot write the source of the model")
}

/// Runs one step of a build.
fn step(command: &mut Command, top: &str) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = interrupt::output(command).with_context(|| format!("cannot run {program}"))?;
    if !output.status.success() {
        bail!("Verilator cannot build a model of {top}:\n{}", messages(&output));
    }
    Ok(())
}

/// The output of a program, warnings and errors first: Verilator writes them to its standard error, make to both.
fn messages(output: &std::process::Output) -> String {
    let said = [&output.stderr, &output.stdout].map(|text| String::from_utf8_lossy(text).trim().to_string());
    said.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join("\n")
}
