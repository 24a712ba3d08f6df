// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `emit` writes beside the Verilog: each command that a README prints works, from another folder, and fails on a broken
//! part.

mod ip_xact;
mod own_wiring;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;
use tidegate::toolchain::find::{Places, Tool};
use tidegate_testing::cocotb::python;

/// An output: the folder of its files, and another folder to work in.
struct Emitted {
    files: TempDir,
    work: TempDir,
}

impl Emitted {
    fn new(arguments: &[&str]) -> Emitted {
        let (files, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let out = files.path().to_str().unwrap();
        let mut tidegate = assert_cmd::Command::cargo_bin("tidegate").unwrap();
        tidegate.arg("emit").args(arguments).args(["--out", out]).assert().success();
        Emitted { files, work }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Replaces a text in a file.
    fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no `{from}`");
        std::fs::write(self.path(name), text.replace(from, to)).unwrap();
    }

    /// The commands of the README that begin with this word.
    fn commands(&self, program: &str) -> Vec<String> {
        let readme = self.read("README.md");
        let (_, checks) = readme.split_once("## Check it").unwrap();
        let lines = checks.lines().filter(|line| line.split(' ').next() == Some(program));
        let commands: Vec<String> =
            lines.map(|line| line.replace("DIR", self.files.path().to_str().unwrap())).collect();
        assert!(!commands.is_empty(), "the README has no command with {program}: {checks}");
        commands
    }

    /// Runs a command of a shell, in the other folder, with the pinned tools.
    fn shell(&self, command: &str) -> Output {
        let python = python();
        let tools = self.work.path().join("tools");
        if !tools.exists() {
            std::fs::create_dir(&tools).unwrap();
            // The name of the pinned program is another one.
            let verilator = Tool::Verilator.needed().unwrap().path;
            std::os::unix::fs::symlink(verilator, tools.join("verilator")).unwrap();
        }
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{}:{path}", tools.display(), python.parent().unwrap().display());
        let mut shell = Tool::Verilator.needed().unwrap().command();
        let environment: Vec<_> =
            shell.get_envs().map(|(name, value)| (name.to_owned(), value.map(|value| value.to_owned()))).collect();
        shell = Command::new("sh");
        for (name, value) in environment {
            shell.env(name, value.unwrap());
        }
        // FuseSoC keeps its caches there.
        for name in ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
            shell.env(name, self.work.path());
        }
        let shell = shell.args(["-c", command]).env("PATH", path).env("PYTHONDONTWRITEBYTECODE", "1");
        shell.current_dir(self.work.path()).output().unwrap()
    }

    /// All commands of the README that begin with one of these words succeed.
    fn all_succeed(&self, programs: &[&str]) {
        for command in programs.iter().flat_map(|program| self.commands(program)) {
            let output = self.shell(&command);
            assert!(output.status.success(), "{command}: {}", said(&output));
        }
    }
}

/// What a program printed.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Whether Icarus is there.
fn icarus() -> bool {
    let found = Tool::Icarus.needed().is_ok();
    if !found {
        eprintln!("skipped: Icarus is not there");
    }
    found
}

/// Whether cocotb can run: Icarus is there, and Python has a shared library.
fn cocotb() -> bool {
    let library = "import find_libpython, sys; sys.exit(find_libpython.find_libpython() is None)";
    let found = Command::new(python()).args(["-c", library]).status().unwrap().success();
    if !found {
        eprintln!("skipped: Python has no shared library, which cocotb needs (on Debian: the package libpython3-dev)");
    }
    found && icarus()
}

const AXI: [&str; 3] = ["--registers", "--register-bus", "axi4-lite"];

/// Outputs of each kind: arguments of `emit`.
fn outputs() -> Vec<Vec<&'static str>> {
    let schemes = tidegate::registry::SCHEMES.iter();
    let mut outputs: Vec<Vec<&str>> = schemes.map(|scheme| vec!["--scheme", scheme.name]).collect();
    outputs.push([&["--scheme", "qcn"], &AXI[..]].concat());
    outputs.push([&["--scheme", "infiniband"], &AXI[..]].concat());
    outputs.push(vec!["--scheme", "qcn", "--registers"]);
    outputs.push(vec!["--scheme", "qcn", "--registers", "--register-bus", "ring"]);
    outputs.push(
        [&["--scheme", "smcc", "--set", "cp_queues=4", "--set", "rp_flows=4", "--prefix", "my_"], &AXI[..]].concat(),
    );
    for (part, bus) in [("cp", "netfpga1g"), ("rp", "netfpga1g"), ("cp", "axis"), ("rp", "axis")] {
        outputs.push(vec!["--scheme", "qcn", "--part", part, "--bus", bus]);
    }
    outputs.push(vec!["--scheme", "qcn", "--part", "cp", "--bus", "netfpga1g", "--queue-input", "level"]);
    outputs.push(vec!["--scheme", "smcc", "--part", "cp", "--bus", "axis", "--width", "512"]);
    outputs.push(vec!["--scheme", "smcc", "--part", "rp", "--bus", "axis", "--width", "256"]);
    outputs.push(vec!["--scheme", "smcc", "--part", "cp", "--bus", "axis", "--tuser", "netfpga"]);
    outputs
}

#[test]
fn plain_tools_lint_and_simulate_two_outputs_from_another_folder() {
    tools_take(&outputs()[..1]);
    // With AXI4-Lite, a prefix, and parts for many.
    tools_take(&[outputs().into_iter().find(|arguments| arguments.contains(&"my_")).expect("an output with a prefix")]);
}

#[test]
#[ignore = "long: a smoke test is built for each part of nineteen outputs"]
fn plain_tools_lint_and_simulate_every_output_from_another_folder() {
    tools_take(&outputs());
}

fn tools_take(outputs: &[Vec<&str>]) {
    for arguments in outputs {
        let emitted = Emitted::new(arguments);
        emitted.all_succeed(&["verilator"]);
        if icarus() {
            emitted.all_succeed(&["iverilog", "vvp"]);
        }
    }
}

/// The list of files as the README says it: beside the list with `-F`, in the folder with `-f` and `-c`.
#[test]
fn the_file_list_works_in_both_tools() {
    let emitted = Emitted::new(&["--scheme", "qcn", "--part", "rp"]);
    let top = "tidegate_qcn_reaction_point_fixed";
    let folder = emitted.files.path().display();
    let mut commands = vec![
        format!("verilator --lint-only -Wall --top-module {top} -F {folder}/qcn.f"),
        format!("cd {folder} && verilator --lint-only -Wall --top-module {top} -f qcn.f"),
    ];
    if icarus() {
        let icarus = |flag: &str| format!("cd {folder} && iverilog -s {top} -o /dev/null {flag} qcn.f");
        commands.extend(["-f", "-c"].map(icarus));
    }
    for command in commands {
        let output = emitted.shell(&command);
        assert!(output.status.success(), "{command}: {}", said(&output));
    }
}

/// A file, a text in it, what stands there instead, and what the smoke test then says.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

/// Breaks an output in several ways and runs its smoke tests.
fn each_fails(arguments: &[&str], mistakes: &[Mistake]) {
    if !icarus() {
        return;
    }
    for &(file, from, to, expected) in mistakes {
        let emitted = Emitted::new(arguments);
        emitted.replace(file, from, to);
        let commands = emitted.commands("iverilog").into_iter().chain(emitted.commands("vvp"));
        let outputs: Vec<Output> = commands.map(|command| emitted.shell(&command)).collect();
        let all: String = outputs.iter().map(said).collect();
        assert!(outputs.iter().any(|output| !output.status.success()), "`{to}` is not noticed: {all}");
        assert!(all.contains(expected), "`{to}`: no `{expected}` in {all}");
    }
}

#[test]
fn the_smoke_test_fails_on_a_broken_part() {
    let fixed = "tidegate_qcn_reaction_point_fixed.v";
    each_fails(
        &["--scheme", "qcn"],
        &[
            (fixed, ".request(request)", ".request(1'b0)", "no end"),
            (fixed, ".current_rate(current_rate)", ".current_rate()", "current_rate is"),
            ("tidegate_qcn_congestion_point_fixed.v", ".dequeue(dequeue)", ".dequeue(1'b0)", "1500 bytes, not 1000"),
        ],
    );
    each_fails(
        &["--scheme", "infiniband", "--part", "cp"],
        &[
            ("tidegate_marking_4_fixed.v", ".enter(enter)", ".enter(4'd0)", "an event is impossible"),
            ("tidegate_marking_4_fixed.v", ".complete(complete)", ".complete(4'd0)", "an event is impossible"),
        ],
    );
}

#[test]
fn the_smoke_test_fails_on_broken_registers() {
    let file = "tidegate_qcn_reaction_point_registers.v";
    each_fails(
        &[&["--scheme", "qcn", "--part", "rp"], &AXI[..]].concat(),
        &[
            (file, "32'h54444754", "32'h54444755", "is 54444755, not 54444754"),
            ("tidegate_axi4_lite.v", "!returns && !working", "1'b0", "no end"),
        ],
    );
    let cp = ["--scheme", "qcn", "--part", "cp", "--bus", "netfpga1g"];
    each_fails(&cp, &[("tidegate_cp.v", "in_data[63:32]", "in_data[31:0]", "of the packet is")]);
}

#[test]
fn fusesoc_runs_its_targets() {
    let axi = [&["--scheme", "qcn"], &AXI[..]].concat();
    for arguments in [&axi[..], &["--scheme", "dsm", "--part", "cp", "--bus", "netfpga1g"]] {
        let emitted = Emitted::new(arguments);
        let commands = emitted.commands("fusesoc");
        let (lint, sim): (Vec<_>, Vec<_>) = commands.into_iter().partition(|command| command.contains("--target lint"));
        for command in lint.into_iter().chain(sim.into_iter().filter(|_| icarus())) {
            let output = emitted.shell(&command);
            assert!(output.status.success(), "{command}: {}", said(&output));
            let passed = command.contains("--target lint") || said(&output).contains("_smoke: passed");
            assert!(passed, "{command}: {}", said(&output));
        }
    }
    let emitted = Emitted::new(&["--scheme", "qcn", "--part", "rp"]);
    emitted.replace("tidegate_qcn_reaction_point_fixed.v", ".request(request)", ".request(request[0:0] & 1'd0)");
    for command in emitted.commands("fusesoc").iter().filter(|command| command.contains("lint") || icarus()) {
        assert!(!emitted.shell(command).status.success(), "{command} does not notice a broken part");
    }
}

/// The smallest part with registers, as a reviewer reads it in a diff.
#[test]
fn an_example_is_as_committed() {
    let emitted = Emitted::new(&[&["--scheme", "infiniband", "--part", "rp"], &AXI[..]].concat());
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packaging/expected");
    let top = "tidegate_source_infiniband_with_registers";
    for name in [
        "README.md".to_string(),
        format!("{top}.core"),
        format!("{top}.v"),
        format!("{top}.xml"),
        format!("sim/{top}_smoke.sv"),
        format!("sim/test_{top}.py"),
    ] {
        let expected = std::fs::read_to_string(committed.join(&name)).unwrap_or_default();
        // Where the tools are is not the same on each machine.
        let tools = Places::of_process().for_shell();
        let found = tools.iter().fold(emitted.read(&name), |text, path| text.replace(path.to_str().unwrap(), "TOOLS"));
        assert_eq!(
            found,
            expected,
            "{name} is not the committed one: tidegate emit --scheme infiniband --part rp {} --out DIR, and copy it",
            AXI.join(" ")
        );
    }
}
