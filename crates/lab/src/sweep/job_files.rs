// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files with which a cluster runs the shards of a sweep: a job array of Slurm, and a list of commands for GNU parallel.
//!
//! A shard goes on where it was stopped, so a job may be killed and put back into the queue at any time.

use anyhow::{Result, ensure};
use std::path::Path;
use tidegate_core::licence;
use tidegate_core::shell;

/// Most shards: what Slurm accepts of an array by default (MaxArraySize).
pub(crate) const SHARDS_MAX: u64 = 1000;

/// Names and contents of the files of a folder, all with absolute paths.
///
/// # Errors
/// A path that no line of a script can hold; too many shards.
pub fn job_files(program: &Path, plan: &Path, out: &Path, shards: u64) -> Result<Vec<(&'static str, String)>> {
    ensure!((1..=SHARDS_MAX).contains(&shards), "{shards} shards: expected 1 to {SHARDS_MAX}");
    let [program, plan, out] = [word(program)?, word(plan)?, word(out)?];
    let merge = match shards {
        // The only shard leaves the results itself.
        1 => "true".to_string(),
        _ => format!("{program} sweep merge {out} --out {out}"),
    };
    let shard = |index: &str| format!("{program} sweep {plan} --shard {index}/{shards} --out {out}");
    let array = format!(
        "#!/bin/sh\n#SBATCH --job-name=tidegate-sweep\n#SBATCH --array=0-{}\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n\
         #SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output=slurm-%A_%a.log\n\
         # A job that is put back into the queue goes on where it was stopped.\n\
         export RAYON_NUM_THREADS=\"${{SLURM_CPUS_PER_TASK:-1}}\"\nexec {}\n",
        shards - 1,
        shard("\"$SLURM_ARRAY_TASK_ID\""),
    );
    let last = format!(
        "#!/bin/sh\n#SBATCH --job-name=tidegate-merge\n#SBATCH --ntasks=1\n#SBATCH --open-mode=append\n\
         #SBATCH --output=slurm-%j-merge.log\nexec {merge}\n"
    );
    let submit = format!(
        "#!/bin/sh\n# Puts the shards into the queue of Slurm, and the merge after all of them.\nset -e\ncd {out}\n\
         array=$(sbatch --parsable shards.slurm)\nsbatch --dependency=afterok:\"${{array%%;*}}\" merge.slurm\n"
    );
    let list: String = (0..shards).map(|index| shard(&index.to_string()) + "\n").collect();
    let parallel = format!(
        "#!/bin/sh\n# Runs the shards on the processors of this machine, then the merge. Options go to parallel: --jobs 4, \
         --sshloginfile FILE.\nset -e\nexport RAYON_NUM_THREADS=1\n\
         parallel --env RAYON_NUM_THREADS --halt soon,fail=1 \"$@\" < {out}/shards.txt\n{merge}\n"
    );
    let scripts = [("shards.slurm", array), ("merge.slurm", last), ("submit.sh", submit), ("parallel.sh", parallel)];
    let mut files: Vec<_> = scripts.into_iter().map(|(name, text)| (name, licence::with_line(name, &text))).collect();
    // Each of its lines is a command.
    files.push(("shards.txt", list));
    Ok(files)
}

/// A path as a word for a shell.
fn word(path: &Path) -> Result<String> {
    let text = path.to_str().filter(|text| !text.contains(char::is_control));
    ensure!(text.is_some(), "{}: expected a path of printable UTF-8, because a script names it", path.display());
    Ok(shell::word(text.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_of_a_shell() {
        assert_eq!(word(Path::new("/a/b-1.toml")).unwrap(), "/a/b-1.toml");
        assert_eq!(word(Path::new("/it's $HOME")).unwrap(), "'/it'\\''s $HOME'");
        assert!(word(Path::new("a\nb")).is_err());
    }
}
