// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use std::os::unix::fs::symlink;

const CLAIM: Claim = Claim { verb: "run", keeps: &[], force: false };

/// Paths of all files and links below a folder, with their texts, without the list.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let found = walk(folder).unwrap().into_iter().filter(|(name, kind)| !kind.is_dir() && name != Path::new(MANIFEST));
    let mut texts: Vec<_> = found
        .map(|(name, _)| {
            (name.display().to_string(), fs::read_to_string(folder.join(&name)).unwrap_or("a link".into()))
        })
        .collect();
    texts.sort();
    texts
}

fn listed_files(folder: &Path) -> Vec<PathBuf> {
    Manifest::read(folder).unwrap().expect("the folder has a list").files().collect()
}

fn write(folder: &Path, claim: Claim, files: &[(&str, &str)]) -> Result<()> {
    write_folder(folder, claim, files.iter().copied())
}

fn owned(texts: &[(&str, &str)]) -> Vec<(String, String)> {
    texts.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

/// What else is beside a folder: temporary folders that were left.
fn beside(folder: &Path) -> usize {
    fs::read_dir(folder.parent().unwrap()).unwrap().count() - 1
}

#[test]
fn a_second_result_replaces_the_first_and_nothing_else() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    write(&out, CLAIM, &[("page", "1"), ("a/rates", "1"), ("b/rates", "1"), ("c/d/deep", "1")]).unwrap();
    assert_eq!(listed_files(&out), ["a/rates", "b/rates", "c/d/deep", "page"].map(PathBuf::from));
    fs::set_permissions(out.join("page"), Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(&out, Permissions::from_mode(0o750)).unwrap();
    // What others have put there: in a folder of ours, in their own, links, an empty folder.
    fs::create_dir_all(out.join("theirs/below")).unwrap();
    fs::create_dir(out.join("empty")).unwrap();
    fs::write(out.join("b/notes"), "mine").unwrap();
    fs::write(out.join("theirs/below/x"), "mine").unwrap();
    symlink("nowhere", out.join("theirs/link")).unwrap();
    fs::set_permissions(out.join("theirs"), Permissions::from_mode(0o711)).unwrap();
    let inode = out.join("b/notes").metadata().unwrap().ino();

    write(&out, Claim { verb: "reproduce", ..CLAIM }, &[("page", "2"), ("a/queue", "2")]).unwrap();
    let expected =
        [("a/queue", "2"), ("b/notes", "mine"), ("page", "2"), ("theirs/below/x", "mine"), ("theirs/link", "a link")];
    assert_eq!(texts(&out), owned(&expected));
    assert_eq!(listed_files(&out), ["a/queue", "page"].map(PathBuf::from));
    assert!(out.join("empty").is_dir() && !out.join("c").exists(), "only what was ours is gone");
    let mode = |name: &str| out.join(name).metadata().unwrap().mode() & 0o777;
    assert_eq!([mode("page"), mode(""), mode("theirs")], [0o640, 0o750, 0o711]);
    assert_eq!((out.join("b/notes").metadata().unwrap().ino(), beside(&out)), (inode, 0));
}

#[test]
fn a_folder_with_files_of_others_is_refused_unless_told_so() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    fs::create_dir(&out).unwrap();
    write(&out, CLAIM, &[("empty", "is fine")]).unwrap();
    let mine = scratch.path().join("mine");
    fs::create_dir(&mine).unwrap();
    fs::write(mine.join("notes"), "mine").unwrap();
    let error = format!("{:#}", write(&mine, CLAIM, &[("page", "1")]).unwrap_err());
    assert!(error.contains("mine") && error.contains("(notes)") && error.contains("--force"), "{error}");
    assert_eq!(texts(&mine), owned(&[("notes", "mine")]));
    // Told so, it stays in its place, and so do its files.
    let inode = mine.metadata().unwrap().ino();
    write(&mine, Claim { force: true, ..CLAIM }, &[("page", "1"), ("old/one", "1")]).unwrap();
    write(&mine, CLAIM, &[("page", "2"), ("new/one", "2")]).unwrap();
    assert_eq!(texts(&mine), owned(&[("new/one", "2"), ("notes", "mine"), ("page", "2")]));
    assert!(!mine.join("old").exists() && mine.metadata().unwrap().ino() == inode);
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 2, "a temporary folder is left");
}

#[test]
fn a_file_of_others_is_not_replaced_unless_told_so() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    write(&out, CLAIM, &[("page", "1")]).unwrap();
    fs::write(out.join("notes"), "mine").unwrap();
    fs::create_dir(out.join("folder")).unwrap();
    fs::write(out.join("folder/file"), "mine").unwrap();
    symlink("folder", out.join("link")).unwrap();
    let before = texts(&out);
    for (name, force, expected) in [
        ("notes", false, "--force"),
        ("notes/below", true, "is no folder"),
        ("link/below", true, "is no folder"),
        ("folder", true, "files of others"),
    ] {
        let error = format!("{:#}", write(&out, Claim { force, ..CLAIM }, &[(name, "2"), ("page", "2")]).unwrap_err());
        assert!(error.contains("cannot write") && error.contains(name) && error.contains(expected), "{error}");
        assert_eq!((texts(&out), beside(&out)), (before.clone(), 0), "{name}");
    }
    write(&out, Claim { force: true, ..CLAIM }, &[("notes", "2")]).unwrap();
    assert_eq!(texts(&out), owned(&[("folder/file", "mine"), ("link", "a link"), ("notes", "2")]));
    // A list that names what is outside removes nothing there.
    let list = fs::read_to_string(out.join(MANIFEST)).unwrap().replace("\"notes\"", "\"../outside\"");
    fs::write(scratch.path().join("outside"), "mine").unwrap();
    fs::write(out.join(MANIFEST), list).unwrap();
    let error = format!("{:#}", write(&out, CLAIM, &[("page", "3")]).unwrap_err());
    assert!(error.contains("../outside") && scratch.path().join("outside").exists(), "{error}");
}

#[test]
fn a_result_that_fails_leaves_the_old_one_whole() {
    let scratch = tempfile::tempdir().unwrap();
    for shared in [false, true] {
        let out = scratch.path().join(format!("out-{shared}"));
        if shared {
            fs::create_dir(&out).unwrap();
            fs::write(out.join("notes"), "mine").unwrap();
        }
        write(&out, Claim { force: true, ..CLAIM }, &[("a", "1"), ("b/c", "1"), ("z", "1")]).unwrap();
        let (before, list) = (texts(&out), listed_files(&out));
        // Dropped before its end, also in a folder that it would make.
        for place in [&out, &scratch.path().join("new/deep")] {
            let mut result = ResultFolder::open(place, CLAIM).unwrap();
            result.write("a", "2").unwrap();
            drop(result);
        }
        assert_eq!((texts(&out), listed_files(&out)), (before.clone(), list.clone()));
        // A file that does not get its place: the last of them, after others have it.
        let mut result = ResultFolder::open(&out, CLAIM).unwrap();
        for name in ["a", "b/d", "y/y", "zz"] {
            result.write(name, "2").unwrap();
        }
        result.stays = true;
        fs::remove_file(result.stage.result().join("zz")).unwrap();
        result.commit().unwrap_err();
        assert_eq!((texts(&out), listed_files(&out)), (before, list));
        assert!(!out.join("y").exists() && Manifest::read(&out).unwrap().unwrap().complete);
    }
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 2, "a temporary folder is left");
}

/// What a killed process leaves: a result that was not whole, one that was, and the old result after the exchange.
#[test]
fn what_a_killed_run_has_left_is_cleared_away() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    write(&out, CLAIM, &[("a", "1"), ("gone", "1")]).unwrap();
    fs::write(out.join("notes"), "mine").unwrap();
    let leave = |exchange: Option<bool>| {
        let mut result = ResultFolder::open(&out, CLAIM).unwrap();
        result.write("a", "2").unwrap();
        if let Some(exchange) = exchange {
            let before = Before::of(&out, &result.place, CLAIM).unwrap();
            let (manifest, gone) = result.lists(&before);
            fs::write(result.stage.result().join(MANIFEST), manifest.text()).unwrap();
            assert!(result.carry_over(&before, &gone).unwrap());
            if exchange {
                assert!(result.exchange().unwrap());
                // What others put in between.
                fs::write(result.stage.result().join("late"), "mine").unwrap();
            } else {
                File::create(result.stage.folder.path().join(EXCHANGED)).unwrap();
            }
        }
        // Without the end of it; the lock goes with the process.
        let Stage { folder, _lock, _listed } = result.stage;
        let _ = folder.keep();
    };
    leave(None);
    leave(Some(false));
    assert_eq!(texts(&out), owned(&[("a", "1"), ("gone", "1"), ("notes", "mine")]));
    // That of a process that still runs stays.
    let running = ResultFolder::open(&out, CLAIM).unwrap();
    assert_eq!(beside(&out), 1, "what was left is not cleared away");
    leave(Some(true));
    assert_eq!((texts(&out), beside(&out)), (owned(&[("a", "2"), ("notes", "mine")]), 2));
    write(&out, CLAIM, &[("b", "3")]).unwrap();
    assert_eq!((texts(&out), beside(&out)), (owned(&[("b", "3"), ("late", "mine"), ("notes", "mine")]), 1));
    drop(running);
    assert_eq!(beside(&out), 0);
}

#[test]
fn journals_stay_and_only_their_verbs_write_beside_them() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    let journal = Claim { verb: JOURNAL, keeps: &[JOURNAL, "sweep"], force: false };
    register(&out, journal, "shard").unwrap().keep();
    fs::write(out.join("shard"), "runs").unwrap();
    let sweep = Claim { verb: "sweep", keeps: &[JOURNAL], force: false };
    write(&out, sweep, &[("results", "1"), ("points", "1")]).unwrap();
    register(&out, journal, "shard").unwrap().keep();
    write(&out, sweep, &[("results", "2")]).unwrap();
    assert_eq!(texts(&out), owned(&[("results", "2"), ("shard", "runs")]));
    let error = format!("{:#}", write(&out, Claim { force: true, ..CLAIM }, &[("page", "3")]).unwrap_err());
    assert!(error.contains("shard holds finished runs") && error.contains("run does not replace"), "{error}");
    fs::remove_file(out.join("shard")).unwrap();
    write(&out, CLAIM, &[("page", "3")]).unwrap();
    assert_eq!(texts(&out), owned(&[("page", "3")]));
}
