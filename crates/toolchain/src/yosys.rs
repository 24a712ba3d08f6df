// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthesis of many small designs with Yosys, several at a time. A design that the same Yosys has synthesized before
//! is not synthesized again: the result is stored in the folder of the installed tools.

use super::NO_FOLDER;
use super::cells::{Family, Resources, SmallMemories, count};
use super::find::{Program, Tool};
use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tidegate_core::interrupt::{self, Scratch};

/// Most processes at the same time. Each needs a few hundred megabytes, and a desktop may not have memory for more.
const MOST_AT_ONCE: usize = 8;

/// One design to synthesize for one family.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    /// The FPGA family.
    pub family: Family,
    /// The top module.
    pub top: String,
    /// Verilog-2001 source with every module that the top needs.
    pub verilog: String,
    /// What its small memories become.
    pub small_memories: SmallMemories,
}

/// A Yosys that was found.
#[derive(Clone, Debug)]
pub struct Yosys {
    program: Program,
}

impl Yosys {
    /// Finds Yosys.
    ///
    /// # Errors
    /// [`super::MissingTool`] if it is missing.
    pub fn find() -> Result<Yosys> {
        Ok(Yosys { program: Tool::Yosys.needed()? })
    }

    /// Its version, as `0.70`. LUT counts depend on it.
    pub fn version(&self) -> &str {
        &self.program.version
    }

    /// Synthesizes all jobs, on all cores; the results come in the order of the jobs. Jobs that are equal are done
    /// once. `progress` is called with the number of finished jobs, out of `jobs.len()`, each time it grows.
    ///
    /// # Errors
    /// The first job that Yosys refuses, with its message. Jobs that have not begun are then dropped.
    pub fn synthesize(&self, jobs: &[Job], progress: impl Fn(usize) + Sync) -> Result<Vec<Resources>> {
        let (different, place) = without_repeats(jobs);
        let repeats = {
            let mut repeats = vec![0; different.len()];
            place.iter().for_each(|&index| repeats[index] += 1);
            repeats
        };
        let (next, finished, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let results: Vec<Mutex<Option<Result<Resources>>>> = different.iter().map(|_| Mutex::new(None)).collect();
        let work = || {
            while !failed.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = different.get(index) else { break };
                let result = self.synthesize_one(job);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                *results[index].lock().expect("no thread panics while it holds a result") = Some(result);
                progress(finished.fetch_add(repeats[index], Ordering::Relaxed) + repeats[index]);
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        std::thread::scope(|scope| {
            for _ in 0..cores.min(MOST_AT_ONCE).min(different.len()) {
                scope.spawn(work);
            }
        });
        let mut counted = Vec::with_capacity(different.len());
        for result in results {
            match result.into_inner().expect("no thread panics while it holds a result") {
                Some(result) => counted.push(Some(result?)),
                None => counted.push(None), // dropped because another job failed; its error comes later in this loop
            }
        }
        place.iter().map(|&index| counted[index].clone().context("a synthesis job was left undone")).collect()
    }

    fn synthesize_one(&self, job: &Job) -> Result<Resources> {
        let script = format!(
            "read_verilog design.v\n{}\ntee -q -o statistics.json stat -json\n",
            job.family.synthesis_commands(&job.top, job.small_memories)
        );
        let memory = Memory::of(&self.program, &script, &job.verilog);
        if let Some(statistics) = memory.as_ref().and_then(Memory::recall) {
            return count(job.family, &statistics);
        }
        let statistics = self
            .run(&script, &job.verilog, "statistics.json")
            .with_context(|| format!("Yosys cannot synthesize {} for {}", job.top, job.family.name()))?;
        if let Some(memory) = memory {
            memory.keep(&statistics);
        }
        count(job.family, &statistics)
    }

    /// Runs a script that reads `design.v` and writes the file `result`. Returns the text of this file.
    pub(super) fn run(&self, script: &str, verilog: &str, result: &str) -> Result<String> {
        // Names are relative to the scratch folder: the packaged Yosys replaces /tmp by a folder of its own, but its
        // current folder is always visible.
        let scratch = Scratch::new("yosys").context(NO_FOLDER)?;
        let file = |name: &str| scratch.path().join(name);
        std::fs::write(file("design.v"), verilog).context("cannot write the Verilog")?;
        std::fs::write(file("script.ys"), script).context("cannot write the script")?;
        // After ABC has run in the packaged Yosys, its standard output and error are lost, so it writes a log file.
        let mut command = self.program.command_in(scratch.path());
        let output = interrupt::output(command.args(["-q", "-l", "log.txt", "-s", "script.ys"]))
            .with_context(|| format!("cannot run {}", self.program.path.display()))?;
        match std::fs::read_to_string(file(result)) {
            Ok(text) if output.status.success() => Ok(text),
            _ => match error_in(scratch.path()) {
                Some(error) => bail!(error),
                None => bail!("{}, {}", output.status, String::from_utf8_lossy(&output.stderr).trim()),
            },
        }
    }
}

/// The file for the result of one synthesis. It begins with everything that the result depends on.
struct Memory {
    file: PathBuf,
    key: String,
}

impl Memory {
    fn of(program: &Program, script: &str, verilog: &str) -> Option<Memory> {
        let key = format!("{} {}\n{script}\n{verilog}\n--- statistics\n", program.path.display(), program.version);
        let mut hasher = std::hash::DefaultHasher::new();
        key.hash(&mut hasher);
        Some(Memory { file: program.cache()?.join("synthesis").join(format!("{:016x}", hasher.finish())), key })
    }

    /// The whole key is compared, so two designs with the same hash are never confused.
    fn recall(&self) -> Option<String> {
        std::fs::read_to_string(&self.file).ok()?.strip_prefix(&self.key).map(str::to_string)
    }

    /// If it is not written, only the next run is slower.
    fn keep(&self, statistics: &str) {
        let folder = self.file.parent().expect("a file in the folder of the cache");
        let _ = tidegate_core::output::create_folder(folder)
            .and_then(|()| tidegate_core::output::write_file(&self.file, format!("{}{statistics}", self.key)));
    }
}

/// The first error in the log that Yosys left.
fn error_in(scratch: &Path) -> Option<String> {
    let log = std::fs::read_to_string(scratch.join("log.txt")).ok()?;
    log.lines().find(|line| line.contains("ERROR:")).map(str::to_string)
}

/// The different jobs in the order of their first appearance, and for each job its place among them.
fn without_repeats(jobs: &[Job]) -> (Vec<&Job>, Vec<usize>) {
    let mut different = Vec::new();
    let mut known = HashMap::new();
    let place = jobs
        .iter()
        .map(|job| {
            *known.entry(job).or_insert_with(|| {
                different.push(job);
                different.len() - 1
            })
        })
        .collect();
    (different, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(family: Family, top: &str) -> Job {
        let verilog = format!("module {top}; endmodule\n");
        Job { family, top: top.to_string(), verilog, small_memories: SmallMemories::LutRam }
    }

    #[test]
    fn equal_jobs_are_done_once() {
        let jobs = [
            job(Family::Xc7, "a"),
            job(Family::Ecp5, "a"),
            job(Family::Xc7, "a"),
            job(Family::Xc7, "b"),
            job(Family::Ecp5, "a"),
        ];
        let (different, place) = without_repeats(&jobs);
        assert_eq!(different, [&jobs[0], &jobs[1], &jobs[3]]);
        assert_eq!(place, [0, 1, 0, 2, 1]);
    }

    #[test]
    fn what_is_kept_answers_for_the_same_design_only() {
        let folder = tempfile::tempdir().unwrap();
        let memory = |key: &str| Memory { file: folder.path().join("synthesis/0123"), key: key.to_string() };
        assert_eq!(memory("a design\n").recall(), None);
        memory("a design\n").keep("{}");
        assert_eq!(memory("a design\n").recall().as_deref(), Some("{}"));
        assert_eq!(memory("another of the same hash\n").recall(), None);
    }
}
