// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use std::os::unix::fs::symlink;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().mode() & 0o7777
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_appears_whole_and_keeps_the_mode_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let mut file = OutputFile::create(&path).unwrap();
    file.write_all(b"half").unwrap();
    assert!(!path.exists());
    drop(file);
    assert!(names(folder.path()).is_empty(), "dropped: nothing stays");
    write_file(&path, "one").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    write_file(&path, "two").unwrap();
    assert_eq!((text(&path).as_str(), mode(&path)), ("two", 0o640));
    assert_eq!(names(folder.path()), ["a.csv"]);
}

#[test]
fn links_are_followed_also_where_they_lead_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (link, dangling) = (folder.path().join("link"), folder.path().join("dangling"));
    std::fs::create_dir(folder.path().join("below")).unwrap();
    write_file(folder.path().join("below/file"), "old").unwrap();
    symlink("below/file", &link).unwrap();
    symlink("below/new", &dangling).unwrap();
    write_file(&link, "new").unwrap();
    write_file(&dangling, "newer").unwrap();
    assert!(link.is_symlink() && dangling.is_symlink());
    assert_eq!(text(&folder.path().join("below/file")), "new");
    assert_eq!(text(&folder.path().join("below/new")), "newer");
    symlink("circle", folder.path().join("circle")).unwrap();
    let error = format!("{:#}", write_file(folder.path().join("circle"), "").unwrap_err());
    assert!(error.contains("circle"), "{error}");
}

#[test]
fn what_is_no_regular_file_is_written_to_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || text(&fifo)
    });
    write_file(&fifo, "through the pipe").unwrap();
    assert_eq!(reader.join().unwrap(), "through the pipe");
    assert!(std::fs::metadata(&fifo).unwrap().file_type().is_fifo());
    write_file("/dev/null", "away").unwrap();
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || drop(File::open(fifo).unwrap())
    });
    let mut file = OutputFile::create(&fifo).unwrap();
    reader.join().unwrap();
    for _ in 0..100 {
        file.write_all(&[0; 10_000]).unwrap();
    }
    file.commit().unwrap();
}

/// The third of three files cannot be put in its place: a folder has taken it meanwhile.
#[test]
fn a_set_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_file(at("old"), "old").unwrap();
    let set = || {
        ["old", "new", "taken"].map(|name| {
            let mut file = OutputFile::create(at(name)).unwrap();
            file.write_all(b"of the set").unwrap();
            file
        })
    };
    let files = set();
    std::fs::create_dir(at("taken")).unwrap();
    let error = format!("{:#}", commit_all(files).unwrap_err());
    assert!(error.contains("taken"), "{error}");
    assert_eq!(names(folder.path()), ["old", "taken"]);
    assert_eq!(text(&at("old")), "old");
    std::fs::remove_dir(at("taken")).unwrap();
    commit_all(set()).unwrap();
    assert_eq!(names(folder.path()), ["new", "old", "taken"]);
    assert!(names(folder.path()).iter().all(|name| text(&at(name)) == "of the set"));
}

#[test]
fn what_cannot_be_written_is_found_out_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let long = folder.path().join("n".repeat(300));
    for (path, expected) in [
        (folder.path().to_path_buf(), "it is a folder"),
        (folder.path().join("no/such/file"), "there is no folder"),
        (long, "File name too long"),
    ] {
        let error = format!("{:#}", OutputFile::create(&path).err().unwrap());
        assert!(error.contains(expected) && error.starts_with("cannot write"), "{error}");
        assert_eq!(error.matches(expected).count(), 1, "{error}");
    }
}

#[test]
fn a_folder_that_was_made_for_nothing_goes_again() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b/c");
    drop(OutputFolder::create(&deep).unwrap());
    assert!(names(folder.path()).is_empty());
    create_folder(&deep).unwrap();
    drop(OutputFolder::create(&deep).unwrap());
    assert!(deep.is_dir(), "it was there before");
    write_file(folder.path().join("file"), "").unwrap();
    let error = create_folder(&folder.path().join("file/below")).unwrap_err().to_string();
    assert!(error.contains("file is a file"), "{error}");
}

#[test]
fn two_options_must_not_name_one_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_file(at("there"), "").unwrap();
    symlink("there", at("link")).unwrap();
    std::fs::hard_link(at("there"), at("hard")).unwrap();
    let check = |input: &Path, first: &Path, second: &Path| {
        let outputs = [("--trace", Some(first)), ("--pcap-out", None), ("--vcd", Some(second))];
        refuse_collisions(&[("--events", Some(input))], &outputs).map_err(|error| error.to_string())
    };
    let other = at("other");
    assert_eq!(check(&other, &at("new"), &at("there")), Ok(()));
    assert_eq!(check(&other, Path::new("/dev/null"), Path::new("/dev/null")), Ok(()));
    assert_eq!(check(Path::new("-"), Path::new("-"), &other.clone().with_file_name("x")), Ok(()));
    for (first, second) in [("new", "./new"), ("there", "link"), ("hard", "there")] {
        let error = check(&other, &at(first), &at(second)).unwrap_err();
        assert!(error.contains("--trace and --vcd both write to"), "{error}");
    }
    assert!(check(&other, Path::new("-"), Path::new("-")).is_err());
    for output in ["there", "link", "hard"] {
        let error = check(&at("there"), &at("new"), &at(output)).unwrap_err();
        assert!(error.contains("--vcd would overwrite") && error.contains("--events"), "{error}");
    }
}
