// SPDX-License-Identifier: MIT OR Apache-2.0
//! The steps of a build: Yosys makes a netlist, nextpnr places and routes it, ecppack makes the bitstream.
//!
//! The result of a step is kept beside the installed tools, under a key of everything that it depends on, so that a step whose
//! inputs are as before does not run again. Logs lose what differs from run to run: how long something took.

use super::Design;
use crate::board::{Board, ConstraintFormat};
use anyhow::{Context, Result};
use regex::Regex;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use tidegate_core::error::quoted;
use tidegate_core::interrupt::{self, Scratch};
use tidegate_toolchain::NO_FOLDER;
use tidegate_toolchain::find::{Program, Tool};

/// How much the placer weighs what is late against the length of wires: as in [`tidegate_toolchain::nextpnr`].
const TIMING_WEIGHT: &str = "100";

/// A step that failed.
#[derive(Debug)]
pub struct StepFailed {
    /// Why, and what to do, in one line.
    pub message: String,
    /// What the tool wrote.
    pub log: String,
}

impl std::fmt::Display for StepFailed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for StepFailed {}

/// The programs of a build.
pub struct Tools {
    yosys: Program,
    /// What places and routes, and what makes the bitstream; `None` if no open tools do that for the board.
    open: Option<(Program, Program)>,
}

impl Tools {
    /// Finds the programs that a board needs.
    ///
    /// # Errors
    /// [`tidegate_toolchain::MissingTool`].
    pub fn find(board: &Board) -> Result<Tools> {
        let open = |_| Ok::<_, anyhow::Error>((Tool::NextpnrEcp5.needed()?, Tool::Ecppack.needed()?));
        Ok(Tools { yosys: Tool::Yosys.needed()?, open: is_open(board).then_some(()).map(open).transpose()? })
    }

    /// The name and version of each.
    pub(crate) fn versions(&self) -> Vec<(&'static str, String)> {
        let mut versions = vec![(Tool::Yosys.name(), self.yosys.version.clone())];
        if let Some((nextpnr, ecppack)) = &self.open {
            versions.push((Tool::NextpnrEcp5.name(), nextpnr.version.clone()));
            versions.push((Tool::Ecppack.name(), ecppack.version.clone()));
        }
        versions
    }

    /// Whether open tools place and route for the board.
    pub(crate) fn are_open(&self) -> bool {
        self.open.is_some()
    }
}

/// Whether open tools place and route for a board.
fn is_open(board: &Board) -> bool {
    crate::board::constraints::format(board) == Some(ConstraintFormat::Lpf)
}

/// A netlist, and what it depends on.
pub(crate) struct Synthesized {
    key: String,
    /// As the JSON of Yosys.
    pub netlist: String,
    /// What Yosys wrote.
    pub log: String,
}

/// A design that is placed and routed.
pub(crate) struct Routed {
    /// The seed of the placement.
    pub seed: u32,
    /// The bits of the FPGA as text, for ecppack.
    pub config: String,
    /// The report of nextpnr, JSON.
    pub report: String,
    /// Where the blocks lie: the JSON of a list of [`super::cells::Tile`].
    pub tiles: String,
    /// What nextpnr wrote.
    pub log: String,
}

/// Yosys: from Verilog to a netlist of the cells of the FPGA.
///
/// # Errors
/// [`StepFailed`].
pub(crate) fn synthesize(tools: &Tools, board: &Board, design: &Design) -> Result<Synthesized> {
    let top = &design.top.module;
    let command = match board.part.family.as_str() {
        "ecp5" => format!("synth_ecp5 -top {top}"),
        family => {
            // The tools of the older families read EDIF as ISE writes it.
            let ise = if matches!(family, "xc2vp" | "xc5v" | "xc6s") { " -ise" } else { "" };
            format!("synth_xilinx -family {family} -flatten{ise} -top {top}")
        }
    };
    let names: Vec<&str> = design.files.iter().map(|(name, _)| name.as_str()).collect();
    let script = format!("read_verilog {}\n{command}\nwrite_json netlist.json\n", names.join(" "));
    let mut key = format!("{} {}\n{script}", Tool::Yosys.name(), tools.yosys.version);
    design.files.iter().for_each(|(name, text)| key += &format!("--- {name}\n{text}"));
    let run = || {
        let mut files: Vec<(&str, &str)> =
            design.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        files.push(("script.ys", &script));
        let arguments = ["-q", "-l", "log.txt", "-s", "script.ys"];
        let failed = |log: &str| format!("Yosys cannot synthesize {top}: {}", error_in(log));
        run(&tools.yosys, &arguments.map(str::to_string), &files, &["netlist.json"], &failed)
    };
    let [netlist, log] = kept(&tools.yosys, &key, run)?;
    Ok(Synthesized { key, netlist, log })
}

/// nextpnr: places and routes, from one seed.
///
/// # Errors
/// [`StepFailed`]: the message says what there is too much of, if the design does not fit.
pub(crate) fn route(
    tools: &Tools,
    board: &Board,
    design: &Design,
    synthesized: &Synthesized,
    constraints: &str,
    seed: u32,
) -> Result<Routed> {
    let (nextpnr, _) = tools.open.as_ref().context("no open tool places and routes for this board")?;
    let part = &board.part;
    let arguments = [
        &device_option(&part.device),
        "--package",
        &part.package,
        "--speed",
        &part.speed,
        "--seed",
        &seed.to_string(),
        "--placer-heap-timingweight",
        TIMING_WEIGHT,
        "--timing-allow-fail",
        "--quiet",
        "--json",
        "netlist.json",
        "--lpf",
        "pins.lpf",
        "--textcfg",
        "config.txt",
        "--report",
        "report.json",
        "--write",
        "placed.json",
        "--log",
        "log.txt",
    ];
    let arguments: Vec<String> = arguments.iter().chain(design.router).map(|argument| argument.to_string()).collect();
    let versions = format!("{} {}", Tool::NextpnrEcp5.name(), nextpnr.version);
    let key = format!("{versions}\n{}\n{:?}\n{constraints}\n{}", arguments.join(" "), design.blocks, synthesized.key);
    let work = || {
        let files = [("netlist.json", synthesized.netlist.as_str()), ("pins.lpf", constraints)];
        let failed = |log: &str| match too_much(log) {
            Some(too_much) => format!(
                "the design does not fit into the {} of board {}: {too_much}; {}, or take a board with a larger FPGA",
                part.device, board.name, design.smaller
            ),
            None => {
                format!("nextpnr-ecp5 cannot place and route {} with seed {seed}: {}", design.top.module, error_in(log))
            }
        };
        let results = ["config.txt", "report.json", "placed.json"];
        let [config, report, placed, log] = run(nextpnr, &arguments, &files, &results, &failed)?;
        let tiles = super::cells::placed(&placed, &design.blocks)?;
        Ok([config, report, serde_json::to_string(&tiles)?, log])
    };
    let [config, report, tiles, log] = kept(nextpnr, &key, work)?;
    Ok(Routed { seed, config, report, tiles, log })
}

/// ecppack: the bitstream, and the same as SVF.
///
/// # Errors
/// [`StepFailed`].
pub(crate) fn pack(tools: &Tools, routed: &Routed) -> Result<(Vec<u8>, String)> {
    let (_, ecppack) = tools.open.as_ref().context("no open tool makes a bitstream for this board")?;
    let scratch = Scratch::new("ecppack").context(NO_FOLDER)?;
    let file = |name: &str| scratch.path().join(name);
    std::fs::write(file("config.txt"), &routed.config).context("cannot write the input of ecppack")?;
    let mut command = ecppack.command_in(scratch.path());
    let arguments = ["--compress", "--input", "config.txt", "--bit", "out.bit", "--svf", "out.svf"];
    let output =
        interrupt::output(command.args(arguments)).with_context(|| format!("cannot run {}", ecppack.path.display()))?;
    match (std::fs::read(file("out.bit")), std::fs::read_to_string(file("out.svf"))) {
        (Ok(bit), Ok(svf)) if output.status.success() => Ok((bit, svf)),
        _ => {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(StepFailed { message: format!("ecppack makes no bitstream: {}", error_in(&log)), log }.into())
        }
    }
}

/// As nextpnr asks for a device: `LFE5UM5G-45F` is `--um5g-45k`.
pub fn device_option(device: &str) -> String {
    let (series, size) = device.split_once('-').unwrap_or(("LFE5U", device));
    let size = size.trim_end_matches('F');
    match series {
        "LFE5UM5G" => format!("--um5g-{size}k"),
        "LFE5UM" => format!("--um-{size}k"),
        _ => format!("--{size}k"),
    }
}

/// Columns and rows of tiles of a device, as Project Trellis counts them.
pub(crate) fn grid(device: &str) -> (u32, u32) {
    match device.rsplit('-').next() {
        Some("12F" | "25F") => (73, 51),
        Some("45F") => (91, 72),
        _ => (127, 96),
    }
}

/// Runs a program in a folder of its own. Returns the files that it made, and then its log without times.
fn run<const FILES: usize, const ALL: usize>(
    program: &Program,
    arguments: &[String],
    inputs: &[(&str, &str)],
    results: &[&str; FILES],
    failed: &dyn Fn(&str) -> String,
) -> Result<[String; ALL]> {
    let scratch = Scratch::new("build").context(NO_FOLDER)?;
    let file = |name: &str| scratch.path().join(name);
    for (name, text) in inputs {
        std::fs::write(file(name), text).with_context(|| format!("cannot write {name} for the tool"))?;
    }
    let output = interrupt::output(program.command_in(scratch.path()).args(arguments))
        .with_context(|| format!("cannot run {}", program.path.display()))?;
    let mut log = std::fs::read_to_string(file("log.txt")).unwrap_or_default();
    let mut texts: Vec<String> = results.iter().filter_map(|name| std::fs::read_to_string(file(name)).ok()).collect();
    if !output.status.success() || texts.len() != FILES {
        if !log.contains("ERROR") {
            log += &format!("{}\n{}", String::from_utf8_lossy(&output.stderr), output.status);
        }
        return Err(StepFailed { message: failed(&log), log }.into());
    }
    texts.push(without_times(&log));
    Ok(texts.try_into().unwrap_or_else(|_| panic!("a text for each file, and the log")))
}

/// The log of a tool without what differs from run to run.
fn without_times(log: &str) -> String {
    let span =
        Regex::new(r"\b([0-9]+\.[0-9]+ ?s|[0-9.]+ s|[0-9.]+ sec|[0-9.]+ seconds)\b").expect("a valid expression");
    // Columns of the router's table: seconds since the line before, and since the start.
    let columns = Regex::new(r"\|\s*[0-9.]+\s+[0-9.]+\|$").expect("a valid expression");
    let kept = log
        .lines()
        .filter(|line| !["Time spent", "End of script", "CPU: "].iter().any(|start| line.starts_with(start)));
    kept.map(|line| columns.replace(&span.replace_all(line, "–"), "|").trim_end().to_string() + "\n").collect()
}

/// The first error in a log; else its last line.
fn error_in(log: &str) -> String {
    let error = log.lines().find(|line| line.contains("ERROR"));
    quoted(error.or(log.lines().rev().find(|line| !line.trim().is_empty())).unwrap_or("it says nothing").trim())
}

/// What a design has more of than the FPGA, from the table in the log of nextpnr.
fn too_much(log: &str) -> Option<String> {
    let row = Regex::new(r"(?m)^Info:\s+(\w+):\s*([0-9]+)/\s*([0-9]+)\s+[0-9]+%").expect("a valid expression");
    let over = row.captures_iter(log).filter_map(|found| {
        let [used, available] = [2, 3].map(|place| found[place].parse::<u64>().unwrap_or(0));
        (used > available).then(|| format!("{used} of {available} {}", super::routed::meaning(&found[1])))
    });
    let over: Vec<String> = over.collect();
    (!over.is_empty()).then(|| over.join(", "))
}

/// The result of a step that was kept, or of `work`, which is then kept. Where it cannot be kept, the next run only takes
/// longer.
fn kept<const TEXTS: usize>(
    program: &Program,
    key: &str,
    work: impl FnOnce() -> Result<[String; TEXTS]>,
) -> Result<[String; TEXTS]> {
    let Some(place) = program.cache().map(|cache| place(cache.join("build"), key)) else { return work() };
    if let Some(texts) = recall(&place, key) {
        return Ok(texts);
    }
    let texts = work()?;
    let folder = place.parent().expect("a file in the folder of the cache");
    let text = || Ok::<_, anyhow::Error>(format!("{key}\n{END}{}", serde_json::to_string(&texts[..])?));
    let _ =
        tidegate_core::output::create_folder(folder).and_then(|()| tidegate_core::output::write_file(&place, text()?));
    Ok(texts)
}

/// What stands between key and result.
const END: &str = "--- result\n";

fn place(folder: PathBuf, key: &str) -> PathBuf {
    let mut hasher = std::hash::DefaultHasher::new();
    key.hash(&mut hasher);
    folder.join(format!("{:016x}", hasher.finish()))
}

/// The whole key is compared, so two steps with the same hash are never confused.
fn recall<const TEXTS: usize>(place: &std::path::Path, key: &str) -> Option<[String; TEXTS]> {
    let text = std::fs::read_to_string(place).ok()?;
    let texts = text.strip_prefix(key)?.strip_prefix('\n')?.strip_prefix(END)?;
    serde_json::from_str::<Vec<String>>(texts).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_lose_times_and_nothing_else() {
        let log = "Info: Packing LUT5-7s...\nInfo: HeAP Placer Time: 4.24s\nInfo:  24239 |  4692 18894 | 11 205 |  0|       0.15      15.22|\n\
                   Info: Max frequency: 125.94 MHz\nTime spent: 14% techmap (1 sec)\nABC: elapse: 0.23 seconds, total: 0.23 seconds\n";
        assert_eq!(
            without_times(log),
            "Info: Packing LUT5-7s...\nInfo: HeAP Placer Time: –\nInfo:  24239 |  4692 18894 | 11 205 |  0|\nInfo: Max frequency: 125.94 MHz\n\
             ABC: elapse: –, total: –\n"
        );
    }

    #[test]
    fn what_there_is_too_much_of_is_named() {
        let log = "Info: \t              DP16KD:      68/     56   121%\nInfo: \t         TRELLIS_FF:    2837/  24288    11%\n\
                   Info: \t        TRELLIS_COMB:   30657/  24288   126%\nERROR: Unable to place cell 'x'\n";
        assert_eq!(too_much(log).unwrap(), "68 of 56 block RAMs, 30657 of 24288 LUTs");
        assert_eq!(too_much("ERROR: cannot place differential"), None);
        assert_eq!(error_in(log), "`ERROR: Unable to place cell 'x'`");
    }

    #[test]
    fn devices_are_asked_for_as_nextpnr_calls_them() {
        for (device, option) in
            [("LFE5U-12F", "--12k"), ("LFE5U-85F", "--85k"), ("LFE5UM-25F", "--um-25k"), ("LFE5UM5G-45F", "--um5g-45k")]
        {
            assert_eq!(device_option(device), option);
        }
    }

    #[test]
    fn what_is_kept_answers_for_the_same_key_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = place(folder.path().join("build"), "key");
        assert_eq!(recall::<1>(&file, "key"), None);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("key\n{END}[\"text\"]")).unwrap();
        assert_eq!(recall::<1>(&file, "key"), Some(["text".to_string()]));
        assert_eq!(recall::<1>(&file, "kez"), None);
        assert_eq!(recall::<2>(&file, "key"), None);
    }
}
