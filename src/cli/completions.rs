// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate completions`, and what the scripts of the shells ask for: this program itself says what can follow, because
//! only it knows which keys a scheme has.

use anyhow::Result;
use clap_complete::engine::ValueCompleter;
use clap_complete::env::{Elvish, EnvCompleter, Fish, Powershell};
use clap_complete::{CompleteEnv, CompletionCandidate, PathCompleter, Shell};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use tidegate_lab::experiment::catalogue;
use tidegate_package::board;
use tidegate_schemes::registry::{SCHEMES, Scheme};
use tidegate_schemes::scheme::parameters::{Kind, Specification};

/// Print the completion script of a shell
///
/// The script asks tidegate what can follow, such as the keys of a scheme after
/// --set. Write it to a file that the shell reads:
///
///   bash  ~/.local/share/bash-completion/completions/tidegate
///   zsh   _tidegate in a folder of $fpath
///   fish  ~/.config/fish/completions/tidegate.fish
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// The name of the program, as a script calls it.
const PROGRAM: &str = "tidegate";
/// The variable with which a script asks: it names the form of the answer.
const VARIABLE: &str = "TIDEGATE_COMPLETE";

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut script = Vec::new();
    let mut of_crate = |shell: &dyn EnvCompleter| {
        shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script).map(|()| std::mem::take(&mut script))
    };
    let script = match arguments.shell {
        // Those of the crate split words at `=` (bash), or put a blank behind it (zsh).
        Shell::Bash => include_bytes!("completions/tidegate.bash").to_vec(),
        Shell::Zsh => include_bytes!("completions/tidegate.zsh").to_vec(),
        Shell::Elvish => of_crate(&Elvish)?,
        Shell::PowerShell => of_crate(&Powershell)?,
        _ => of_crate(&Fish)?,
    };
    std::io::stdout().write_all(&script)?;
    Ok(())
}

/// Answers a script, if one asks, and ends the process.
pub fn answer() {
    CompleteEnv::with_factory(super::command).var(VARIABLE).complete();
}

fn candidate(value: impl Into<std::ffi::OsString>, help: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help(Some(help.to_string().into()))
}

/// The schemes.
pub fn schemes() -> Vec<CompletionCandidate> {
    SCHEMES.iter().map(|scheme| candidate(scheme.name, scheme.title)).collect()
}

/// The experiments in the binary.
pub fn experiments() -> Vec<CompletionCandidate> {
    let title = |id| catalogue::find(id).map_or(String::new(), |file| file.heading().title.to_string());
    catalogue::ids().map(|id| candidate(id, &title(id))).collect()
}

/// The boards in the binary, and board files.
pub fn boards(current: &OsStr) -> Vec<CompletionCandidate> {
    let is_file = |path: &std::path::Path| path.extension().is_some_and(|ending| ending == "toml");
    let known = board::all().into_iter().map(|board| candidate(board.name, &board.description));
    let known = known.filter(|known| starts_with(known, current));
    known.chain(PathCompleter::any().filter(is_file).complete(current)).collect()
}

/// What can follow `--set`: the keys of the schemes on the command line, and behind `KEY=` the values.
pub fn settings(current: &OsStr) -> Vec<CompletionCandidate> {
    let all = of_words(&words(), &current.to_string_lossy());
    all.into_iter().filter(|known| starts_with(known, current)).collect()
}

fn starts_with(candidate: &CompletionCandidate, current: &OsStr) -> bool {
    candidate.get_value().as_encoded_bytes().starts_with(current.as_encoded_bytes())
}

/// The words of the command line that is completed: a script gives them behind `--`.
fn words() -> Vec<String> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Settings for a command line of these words.
fn of_words(words: &[String], current: &str) -> Vec<CompletionCandidate> {
    let verb = words.get(1).map_or("", String::as_str);
    let named = |scheme: &&Scheme| {
        words.iter().skip(2).any(|word| word.strip_prefix("--scheme=").unwrap_or(word) == scheme.name)
    };
    let mut schemes: Vec<&Scheme> = SCHEMES.iter().filter(named).collect();
    if schemes.is_empty() {
        // The default of `sim`; any scheme elsewhere.
        schemes = SCHEMES.iter().take(if verb == "sim" { 1 } else { SCHEMES.len() }).collect();
    }
    // Only `compare` has keys of one scheme, such as `qcn.w`.
    if let Some((name, _)) = current.split_once('.').filter(|_| verb == "compare") {
        let of_one = schemes.iter().filter(|scheme| scheme.name == name).flat_map(|scheme| scheme.specifications());
        return of_one.flat_map(|known| setting(&known, &format!("{name}."), current)).collect();
    }
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for known in schemes.iter().flat_map(|scheme| scheme.specifications()) {
        if seen.insert(known.key) {
            all.extend(setting(&known, "", current));
        }
    }
    all
}

/// `KEY=`, or, if that stands there, each of its values.
fn setting(known: &Specification, before: &str, current: &str) -> Vec<CompletionCandidate> {
    let start = format!("{before}{}=", known.key);
    if !current.starts_with(&start) {
        return vec![candidate(start, known.meaning)];
    }
    let values = match known.kind {
        Kind::Choice(words) => words,
        Kind::Flag => &["true", "false"],
        _ => &[known.default][..],
    };
    values.iter().map(|value| CompletionCandidate::new(format!("{start}{value}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(line: &str) -> Vec<String> {
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        let current = words.last().unwrap();
        let all = of_words(&words, current).into_iter();
        let fitting = all.filter(|known| starts_with(known, OsStr::new(current)));
        fitting.map(|known| known.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn keys_are_those_of_the_scheme_on_the_command_line() {
        assert!(values("tidegate emit --scheme qcn --set fast").contains(&"fast_recovery_cycles=".to_string()));
        assert!(values("tidegate emit --scheme=smcc --set fast").is_empty());
        assert_eq!(values("tidegate sim dumbbell --set profile=p"), ["profile=paper", "profile=pseudo_code"]);
        assert_eq!(
            values("tidegate emit --scheme smcc --set include_overhead="),
            ["include_overhead=true", "include_overhead=false"]
        );
        assert_eq!(values("tidegate emit --scheme smcc --set w="), ["w=2"]);
        assert_eq!(values("tidegate compare qcn smcc --set qcn.gd"), ["qcn.gd_shift="]);
        assert!(values("tidegate compare qcn smcc --set bcn.").is_empty());
        assert_eq!(values("tidegate compare qcn smcc --set w"), ["w="], "once, though both have it");
    }
}
