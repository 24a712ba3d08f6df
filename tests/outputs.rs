// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs and their failures: devices, pipes, links, modes, full disks, two outputs to the same file.

use crate::common::{files_below, refused, tidegate};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

const DUMBBELL: [&str; 4] = ["sim", "dumbbell", "--cycles", "20000"];
const ENQUEUES: &str = "cycle,event,a,b\n1,enqueue,1500,0\n2,enqueue,1500,1\n";

/// A command line of bash in a folder, with `$tidegate` for the program.
fn bash(folder: &Path, script: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin("tidegate");
    Command::new("bash").args(["-c", script]).env("tidegate", program).current_dir(folder).output().unwrap()
}

/// The trace of the dumbbell as it is written to a regular file.
fn expected_trace() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    tidegate(folder.path(), &DUMBBELL).args(["--trace", "t.csv"]).assert().success();
    std::fs::read(folder.path().join("t.csv")).unwrap()
}

#[test]
fn devices_pipes_and_links_stay_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let expected = expected_trace();
    std::fs::create_dir(folder.path().join("below")).unwrap();
    symlink("below/t.csv", folder.path().join("link")).unwrap();
    let script = r#"
        set -e
        run() { "$tidegate" sim dumbbell --cycles 20000 "$@" >summary; }
        mkfifo fifo
        cat fifo >from_fifo & run --trace fifo; wait
        run --trace >(cat >from_descriptor); sleep 0.2
        run --trace link
        run --trace /dev/null
        "$tidegate" sim dumbbell --cycles 20000 --trace - 2>aside >from_standard_output
        "$tidegate" sim dumbbell --cycles 20000 --trace /dev/stdout --quiet >from_dev_stdout
        "$tidegate" analyze --scheme qcn --portrait - 2>table | tail -n 1 >end_of_picture
        test "$(cat end_of_picture)" = '</svg>'; grep -q quantity table
        "#;
    let run = bash(folder.path(), script);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for name in ["from_fifo", "from_descriptor", "below/t.csv", "from_standard_output", "from_dev_stdout"] {
        assert_eq!(std::fs::read(folder.path().join(name)).unwrap(), expected, "{name}");
    }
    assert!(std::fs::metadata(folder.path().join("fifo")).unwrap().file_type().is_fifo());
    assert!(folder.path().join("link").is_symlink());
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let aside = std::fs::read_to_string(folder.path().join("aside")).unwrap();
    assert!(aside.contains("qcn on dumbbell"), "the summary stands aside: {aside}");
}

/// A separate device, so that a fault does not remove `/dev/null` of the machine. Only root can make one.
#[test]
fn a_device_is_not_replaced_by_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let made = bash(folder.path(), "mknod null c 1 3").status.success();
    if !made {
        println!("skipped: no right to make a device");
        return;
    }
    tidegate(folder.path(), &DUMBBELL).args(["--trace", "null"]).assert().success();
    assert!(std::fs::metadata(folder.path().join("null")).unwrap().file_type().is_char_device());
}

#[test]
fn inputs_come_from_the_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("e.csv"), ENQUEUES).unwrap();
    let board = Path::new(env!("CARGO_MANIFEST_DIR")).join("boards/ecp5_versa.toml");
    std::fs::copy(board, folder.path().join("b.toml")).unwrap();
    let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("testbenches/captures/home-network.pcapng");
    std::fs::copy(capture, folder.path().join("c.pcapng")).unwrap();
    let script = r#"
        set -e
        "$tidegate" sim cp --events e.csv --json | grep -v seconds >named
        "$tidegate" sim cp --events - --json <e.csv | grep -v seconds >piped
        cmp named piped
        "$tidegate" sim cp --pcap c.pcapng --json | grep -v seconds >named
        cat c.pcapng | "$tidegate" sim cp --pcap - --json | grep -v seconds >piped
        cmp named piped
        "$tidegate" emit --board - --out out <b.toml
        "#;
    let run = bash(folder.path(), script);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn files_have_the_mode_of_the_umask_and_keep_the_one_they_had() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        set -e
        umask 077; "$tidegate" emit --scheme smcc --out private >names
        umask 022; "$tidegate" sim dumbbell --cycles 2000 --trace public.csv
        chmod 640 public.csv; "$tidegate" sim dumbbell --cycles 2000 --trace public.csv
        "$tidegate" analyze --scheme qcn --portrait p.svg
        "#;
    let run = bash(folder.path(), script);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mode = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        [mode("private/tidegate_parser.v"), mode("private"), mode("public.csv"), mode("p.svg")],
        [0o600, 0o700, 0o640, 0o644]
    );
}

/// With a limit for the size of a file, as on a full disk: in each set, some files are longer and others are not.
#[test]
fn a_set_of_files_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    tidegate(folder.path(), &["emit", "--scheme", "dsm", "--part", "rp", "--out", "old"]).assert().success();
    let before = files_below(folder.path());
    for (limit, arguments, place) in [
        (8, "emit --scheme qcn --out new/deep", "new/deep"),
        (8, "emit --scheme qcn --out old", "old"),
        (2, "man --out pages", "pages"),
        (8, "sim dumbbell --cycles 2000000 --trace t.csv", "t.csv"),
        (8, "sim dumbbell --cycles 3000 --trace t.csv --vcd w.vcd", "w.vcd"),
        (4, "sim dumbbell --cycles 30000 --trace t.csv --fst w.fst", "w.fst"),
        (16, "sim dumbbell --cycles 30000 --trace t.csv --fst w.fst", "w.fst"),
        (8, "analyze --scheme qcn --portrait p.svg", "p.svg"),
    ] {
        let run = bash(folder.path(), &format!("trap '' XFSZ; ulimit -f {limit}; \"$tidegate\" {arguments}"));
        let message = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(1), "{arguments}: {message}");
        assert!(message.contains("cannot write") && message.contains(place), "{arguments}: {message}");
        assert!(!message.contains(".tidegate-"), "it names the temporary file: {message}");
        assert_eq!(files_below(folder.path()), before, "{arguments}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{arguments}: an empty folder is left");
    }
}

#[test]
fn two_outputs_or_an_input_and_an_output_on_one_place_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("testbenches/captures/home-network.pcapng");
    std::fs::copy(capture, folder.path().join("c.pcapng")).unwrap();
    std::fs::write(folder.path().join("e.csv"), ENQUEUES).unwrap();
    symlink("e.csv", folder.path().join("link")).unwrap();
    let before = files_below(folder.path());
    for (arguments, expected) in [
        (&["sim", "dumbbell", "--trace", "x", "--vcd", "./x"][..], "both write"),
        (&["sim", "dumbbell", "--fst", "x", "--vcd", "./x"][..], "both write"),
        (&["sim", "dumbbell", "--trace", "-", "--json"], "both write"),
        (&["analyze", "--scheme", "qcn", "--portrait", "-", "--json"], "both write"),
        (&["sim", "cp", "--events", "e.csv", "--trace", "e.csv"], "would overwrite"),
        (&["sim", "cp", "--events", "e.csv", "--trace", "link"], "would overwrite"),
        (&["sim", "cp", "--pcap", "c.pcapng", "--pcap-out", "c.pcapng"], "would overwrite"),
    ] {
        refused(folder.path(), arguments, 2, &[expected]);
        assert_eq!(files_below(folder.path()), before, "{arguments:?}");
    }
}

#[test]
fn options_without_an_effect_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("e.csv"), ENQUEUES).unwrap();
    for arguments in [
        &["sim", "cp", "--events", "e.csv", "--pcap-out", "y.pcap"][..],
        &["sim", "cp", "--events", "e.csv", "--speedup", "7"],
        &["sim", "dumbbell", "--speedup", "7"],
        &["sim", "dumbbell", "--events", "e.csv"],
        &["sim", "dumbbell", "--pcap", "e.csv"],
        &["sim", "rp", "--pcap", "e.csv", "--pcap-out", "y.pcap"],
        &["sim", "cp", "--pcap", "e.csv", "--cycles", "7"],
    ] {
        refused(folder.path(), arguments, 2, &["has no effect", "expected in"]);
    }
    for arguments in [
        &["sim", "cp", "--events", "e.csv", "--set", "flows=9"][..],
        &["sim", "cp", "--events", "e.csv", "--set", "min_rate_mbps=9"],
        &["sim", "cp", "--events", "e.csv", "--engine", "rtl", "--set", "rp_mac=02:00:00:00:20:00"],
        &["sim", "rp", "--scheme", "smcc", "--events", "e.csv", "--seed", "3"],
        &["sim", "dumbbell", "--set", "sample_bytes=7000"],
        &["sim", "rp", "--scheme", "smcc", "--events", "e.csv", "--set", "allowed_cpid=0x1"],
        &["sim", "cp", "--events", "e.csv", "--set", "allowed_cpid=0x1"],
        &["emit", "--scheme", "qcn", "--out", "out", "--set", "buffer_bytes=70000"],
        &["emit", "--scheme", "qcn", "--out", "out", "--part", "rp", "--set", "q0_bytes=70000"],
        &["analyze", "--scheme", "smcc", "--set", "cp_mac=02:00:00:00:20:00"],
    ] {
        std::fs::write(folder.path().join("e.csv"), if arguments[1] == "rp" { "cycle,event,a,b\n" } else { ENQUEUES })
            .unwrap();
        refused(folder.path(), arguments, 2, &["has no effect", "leave it out"]);
    }
    for option in [["--seed", "3"], ["--cycles", "7"], ["--out", "out"]] {
        refused(
            folder.path(),
            &[&["verify", "--tool", "formal"], &option[..]].concat(),
            2,
            &["has no effect", option[0]],
        );
    }
    refused(folder.path(), &["sim", "dumbbell", "--seed", "3", "--set", "seed=4"], 2, &["`seed` is set twice"]);
    refused(folder.path(), &["sim", "dumbbell", "--wave-from", "3"], 2, &["--vcd"]);
    refused(folder.path(), &["sim", "dumbbell", "--engine", "model", "--fst", "w.fst"], 2, &["--engine rtl"]);
    assert_eq!(files_below(folder.path()).len(), 1);
}

#[test]
fn a_waveform_is_refused_before_the_run_or_valid() {
    let folder = tempfile::tempdir().unwrap();
    let run = |more: &[&str], expected: &[&str]| {
        // With this number of cycles a refusal after the run would take minutes.
        let long = ["sim", "dumbbell", "--cycles", "500000000", "--trace", "t.csv", "--vcd", "w.vcd"];
        refused(folder.path(), &[&long[..], more].concat(), 2, expected);
        assert!(files_below(folder.path()).is_empty(), "{more:?}");
    };
    run(&["--wave-signals", "zzz"], &["no signal matches the filter `zzz`", "rp0.calculator"]);
    run(&["--wave-from", "500000000"], &["--wave-from", "500000000"]);
    run(&["--wave-from", "7", "--wave-to", "7"], &["--wave-to"]);
    run(&["--wave-signals", "("], &["--wave-signals"]);
    let narrow = ["sim", "dumbbell", "--cycles", "50", "--vcd", "w.vcd", "--wave-from", "49", "--wave-signals", "rate"];
    tidegate(folder.path(), &[&narrow[..], &["--fst", "w.fst"]].concat()).assert().success();
    assert!(std::fs::metadata(folder.path().join("w.fst")).unwrap().len() > 100);
    let text = std::fs::read_to_string(folder.path().join("w.vcd")).unwrap();
    assert!(text.contains("$enddefinitions") && text.contains("#392000"), "{text}");
}

#[test]
fn what_cannot_be_written_is_found_out_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let long = "n".repeat(300);
    for place in ["no/such/folder/t.csv", long.as_str(), "."] {
        let arguments = ["sim", "dumbbell", "--cycles", "4000000000000", "--trace", place];
        let message = refused(folder.path(), &arguments, 1, &["cannot write", place]);
        assert_eq!(message.matches("os error").count().min(1), message.matches("os error").count(), "{message}");
    }
    assert!(files_below(folder.path()).is_empty());
}
