// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings that cannot work are refused, and what a bus carries is what docs/integrate.md says.

use crate::common::{refused, tidegate};
use tidegate::bus::limits::{carries, clock_for};
use tidegate::bus::width::Width;
use tidegate::units::Micro;

const RATES_GBPS: [u64; 5] = [1, 10, 25, 40, 100];

/// The options of each bus, and its bits.
fn buses() -> Vec<(String, usize)> {
    let axis = Width::ALL.map(|width| (format!("--bus axis --width {}", width.bits()), width.bits()));
    std::iter::once(("--bus netfpga1g".to_string(), 64)).chain(axis).collect()
}

#[test]
fn the_table_of_the_guide_has_each_bus_and_width() {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/integrate.md")).unwrap();
    for (bus, bits) in buses() {
        let clock =
            |rate| Some(clock_for(bits, Micro::whole(1000 * rate))).filter(|clock| *clock <= Micro::whole(1000));
        let clocks = RATES_GBPS.map(|rate| clock(rate).map_or("–".to_string(), |clock| clock.to_string()));
        let row = format!("| `{bus}` | {bits} | {} | {} |\n", carries(bits, Micro::whole(125)), clocks.join(" | "));
        assert!(guide.contains(&row), "docs/integrate.md: no row {row}");
    }
}

/// Each bus and width at the highest rate, and one step above it; the clock of the message is then taken.
#[test]
fn a_line_rate_above_what_the_bus_carries_is_refused_with_the_clock_that_would_do() {
    let folder = tempfile::tempdir().unwrap();
    let emit = |part: &str, bus: &str, settings: &[String]| {
        let mut arguments: Vec<String> =
            ["emit", "--scheme", "smcc", "--part", part, "--out", "o"].map(String::from).into();
        arguments.extend(bus.split(' ').map(String::from));
        arguments.extend(settings.iter().flat_map(|setting| ["--set".to_string(), setting.clone()]));
        arguments
    };
    let run = |arguments: &[String]| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        tidegate(folder.path(), &arguments).assert().success();
    };
    let refuse = |arguments: &[String], pieces: &[&str]| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        refused(folder.path(), &arguments, 2, pieces)
    };
    for (bus, bits) in buses() {
        let most = carries(bits, Micro::whole(125));
        let above = format!("line_rate_mbps={most}.000001");
        let clock = clock_for(bits, Micro(most.0 + 1)).to_string();
        let named = format!("clock_mhz={clock} or more");
        refuse(
            &emit("rp", &bus, std::slice::from_ref(&above)),
            &["`line_rate_mbps`", &format!("bus of {bits} bits"), &named],
        );
        if bits == 64 {
            run(&emit("rp", &bus, &[format!("line_rate_mbps={most}")]));
            run(&emit("rp", &bus, &[above, format!("clock_mhz={clock}")]));
        }
    }
    // The clock was forgotten; a wider stream would do as well.
    let forgotten = emit("rp", "--bus axis --width 64", &["line_rate_mbps=10000".into()]);
    refuse(&forgotten, &["8000 Mb/s", "clock_mhz=156.25 or more", "--width 128"]);
    let fast = emit("rp", "--bus axis --width 64", &["line_rate_mbps=100000".into()]);
    refuse(&fast, &["--width 128 with clock_mhz=781.25 or more"]);
    // A congestion point that samples by time has a line rate too, and one that counts packets has none.
    let by_time = ["sample_mode=time".to_string(), "line_rate_mbps=40000".into()];
    for bus in ["--bus netfpga1g", "--bus axis --width 64", "--bus axis --tuser netfpga --width 256"] {
        refuse(&emit("cp", bus, &by_time), &["`line_rate_mbps`", "clock_mhz="]);
    }
    run(&emit("cp", "--bus axis --width 64", &[]));
    // Without a bus nothing is known of it, and a scenario has none.
    let native: Vec<String> = emit("rp", "--bus native", &["line_rate_mbps=100000".into()]);
    run(&native);
    let scenario = "title = \"t\"\nduration_s = 0.001\nparameters = { line_rate_mbps = 100000 }\n[[flow]]\nname = \"S\"\n\
                    [[variant]]\nname = \"V\"\nscheme = \"smcc\"\n";
    std::fs::write(folder.path().join("s.toml"), scenario).unwrap();
    tidegate(folder.path(), &["run", "s.toml", "--out", "results"]).assert().success();
}

#[test]
fn a_set_point_that_the_queue_never_exceeds_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let emit = |rest: &[&'static str]| [&["emit", "--scheme", "qcn", "--part", "cp", "--out", "o"][..], rest].concat();
    let axis = ["--bus", "axis", "--width", "64"];
    for settings in [&["--set", "buffer_bytes=65536"][..], &["--set", "q0_bytes=131072"]] {
        let arguments = emit(&[&axis[..], settings].concat());
        refused(folder.path(), &arguments, 2, &["`q0_bytes`", "never exceeds", "buffer_bytes", "expected less"]);
    }
    let level = ["--bus", "netfpga1g", "--queue-input", "level"];
    let arguments = emit(&[&level[..], &["--set", "q0_bytes=16384"]].concat());
    refused(folder.path(), &arguments, 2, &["`q0_bytes`", "block RAM holds 16384 bytes", "such as 8192"]);
    // In block RAM the set point is half of the queue unless it is set; in SRAM it is that of the scheme.
    for (bus, set_point) in [(&level[..], "0x2000"), (&level[..2], "0x10000")] {
        tidegate(folder.path(), &emit(bus)).assert().success();
        let registers = std::fs::read_to_string(folder.path().join("o/tidegate_cp_registers.md")).unwrap();
        let row = registers.lines().find(|line| line.contains("cpQueueSizeSetPoint")).unwrap();
        assert!(row.contains(set_point), "{row}");
    }
}

/// Who may slow a card down is a setting like the others, in the fixed module and after a reset of the registers.
#[test]
fn the_congestion_point_that_is_obeyed_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = ["--set", "allowed_cpid=0x0200000001000002", "--set", "allowed_cpid_mask=0xfffffffffffffffe"];
    let emit = |more: &[&str], settings: &[&str]| {
        let emit = [&["emit", "--scheme", "qcn", "--part", "rp", "--out", "o"][..], more, settings].concat();
        tidegate(folder.path(), &emit).assert().success();
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join("o").join(name)).unwrap();
    emit(&[], &chosen);
    let fixed = read("tidegate_qcn_reaction_point_fixed.v");
    for piece in ["allowed_cpid_high(32'h2000000)", "allowed_cpid_low(32'h1000002)", "mask_low(32'hfffffffe)"] {
        assert!(fixed.replace(' ', "").contains(piece), "no {piece} in {fixed}");
    }
    // The README lists keys that can be set, and each of them is one.
    let readme = read("README.md");
    let (_, keys) = readme.split_once("| key | value | meaning |\n|---|--:|---|\n").expect("a table of keys");
    let rows: Vec<&str> = keys.lines().take_while(|line| line.starts_with("| `")).collect();
    assert!(rows.iter().any(|row| row.contains("`allowed_cpid_mask` | 0xfffffffffffffffe")), "{rows:?}");
    for row in rows {
        let mut cells = row.split(" | ");
        let (key, value) = (cells.next().unwrap().trim_matches(['|', ' ', '`']), cells.next().unwrap());
        let own = format!("{key}={value}");
        match key {
            "allowed_cpid_mask" => emit(&[], &[&chosen[..2], &["--set", &own]].concat()),
            _ => emit(&[], &["--set", &own]),
        }
    }
    emit(&["--registers"], &chosen[..2]);
    let registers = read("tidegate_qcn_reaction_point_registers.v");
    assert!(registers.contains("32'h1000002") && registers.contains("32'hffffffff"), "{registers}");
    let mask_alone = ["emit", "--scheme", "qcn", "--part", "rp", "--out", "o", "--set", "allowed_cpid_mask=0x1"];
    refused(folder.path(), &mask_alone, 2, &["`allowed_cpid_mask`", "expected allowed_cpid too"]);
}

/// What docs/integrate.md says of an empty queue.
#[test]
fn without_congestion_only_qcn_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let mut events = "cycle,event,a,b\n".to_string();
    for packet in 0..2000 {
        let (flow, at) = (packet % 2, 10 + packet * 1001);
        events += &format!("{at},enqueue,1000,{flow}\n{},dequeue,1000,\n", at + 1000);
    }
    std::fs::write(folder.path().join("e.csv"), events).unwrap();
    for scheme in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        let run = tidegate(folder.path(), &["sim", "cp", "--scheme", scheme, "--events", "e.csv", "--json"])
            .assert()
            .success();
        let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
        let of = |name: &str| report["results"][name].as_u64().unwrap();
        let expected = if scheme == "qcn" { 0 } else { of("samples") };
        assert_eq!(of("feedback_sent"), expected, "{scheme}");
        assert!(of("samples") > 10, "{scheme}");
    }
}
