// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;

fn versa() -> String {
    EMBEDDED.iter().find(|(name, _)| *name == "ecp5_versa").unwrap().1.to_string()
}

/// The error for the file of the Versa with one replaced text.
fn error_with(old: &str, new: &str) -> String {
    let text = versa();
    assert!(text.contains(old), "{old} is not in the file");
    format!("{:#}", parse("boards/x.toml", &text.replacen(old, new, 1)).unwrap_err())
}

#[test]
fn every_file_in_boards_is_in_the_binary_under_its_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("boards");
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let names: Vec<String> = all().into_iter().map(|board| format!("{}.toml", board.name)).collect();
    assert_eq!(names, files);
    assert_eq!(EMBEDDED.map(|(name, _)| format!("{name}.toml")).to_vec(), files);
}

#[test]
fn boards_have_the_ports_they_are_known_for() {
    let ports = |name: &str| load(name).unwrap().ports.len();
    assert_eq!((ports("netfpga_1g"), ports("ecp5_versa"), ports("colorlight_5a_75b_v8_0")), (4, 2, 2));
}

#[test]
fn a_pin_used_twice_names_both_signals() {
    assert_eq!(
        error_with("rxc = \"J19\"", "rxc = \"P3\""),
        "boards/x.toml: field ports[1].rxc: pin P3 of rgmii_1_rxc is taken by clk100, expected each pin once"
    );
    assert_eq!(
        error_with("rxd = [\"T20\", \"U20\"", "rxd = [\"T20\", \"T20\""),
        "boards/x.toml: field ports[0].rxd[1]: pin T20 of rgmii_0_rxd[1] is taken by rgmii_0_rxd[0], expected each pin once"
    );
}

#[test]
fn a_missing_field_says_what_belongs_there() {
    assert_eq!(
        error_with("pin = \"P3\"\n", ""),
        "boards/x.toml: field clocks[0].pin: missing; expected a package pin, such as \"P3\""
    );
    assert_eq!(
        error_with("txc = \"C20\"\n", ""),
        "boards/x.toml: field ports[1].txc: missing; expected a package pin, such as \"P3\""
    );
    assert_eq!(
        error_with("speed = \"8\"\n", ""),
        "boards/x.toml: field part.speed: missing; expected the speed grade, such as \"6\""
    );
    assert_eq!(
        error_with("constraints = \"lpf\"\n", ""),
        "boards/x.toml: field constraints: missing; expected \"ucf\" or \"lpf\""
    );
    let error = format!("{:#}", parse("x.toml", "").unwrap_err());
    assert!(error.starts_with("x.toml: field name: missing; expected a name"), "{error}");
}

#[test]
fn unknown_fields_and_wrong_types_are_named() {
    let error = error_with("pin = \"P3\"", "pin = \"P3\"\npinn = \"P4\"");
    assert!(
        error.starts_with("boards/x.toml: field clocks[0].pinn: unknown field `pinn`, expected one of `name`"),
        "{error}"
    );
    assert!(error.ends_with("(line 18)"), "{error}");
    let error = error_with("frequency_mhz = 100", "frequency_mhz = \"fast\"");
    assert!(
        error.starts_with("boards/x.toml: field clocks[0].frequency_mhz: found the text `fast`, expected a number"),
        "{error}"
    );
    let error = error_with("constraints = \"lpf\"", "constraints = \"xdc\"");
    assert!(error.contains("field constraints: unknown value `xdc`, expected `ucf` or `lpf`"), "{error}");
    let error = error_with("direction = \"in\"", "direction = \"up\"");
    assert!(error.contains("field resources[0].direction: unknown value `up`"), "{error}");
    let error = error_with("kind = \"rgmii\"", "kind = \"sgmii\"");
    assert!(error.contains("field ports[0].kind: unknown value `sgmii`"), "{error}");
    let error = error_with("[part]", "[part");
    assert!(error.starts_with("boards/x.toml: line 7: not TOML: "), "{error}");
}

#[test]
fn values_out_of_bounds_are_named() {
    for (pin, wrong) in [("\"P3\"", "\"3P\""), ("\"P3\"", "\"P03\""), ("\"P3\"", "\"\""), ("\"P3\"", "\"P3\\\" x\"")] {
        let error = error_with(pin, wrong);
        assert!(
            error.starts_with("boards/x.toml: field clocks[0].pin: ") && error.contains("is no package pin"),
            "{error}"
        );
    }
    for frequency in ["0", "-1", "1e9", "nan"] {
        let error = error_with("frequency_mhz = 100", &format!("frequency_mhz = {frequency}"));
        assert!(error.contains("field clocks[0].frequency_mhz: ") && error.contains("1 to 1000"), "{error}");
    }
    for (old, new, expected) in [
        ("pins = [\"T1\"]", "pins = []", "field resources[0].pins: empty"),
        ("txd = [\"J17\", ", "txd = [", "field ports[1].txd: 3 pins, expected the four"),
        ("io_standard = \"LVDS\"", "io_standard = \"\"", "field clocks[0].io_standard: \"\", expected an I/O standard"),
        ("name = \"clk100\"", "name = \"100\"", "field clocks[0].name: \"100\", expected a name"),
        ("name = \"clk100\"", "name = \"rst_n\"", "field resources[0].pins: a second signal named rst_n"),
        (
            "management = \"phy_1\"",
            "management = \"phy\"",
            "field ports[1].management: no [[management]] is named \"phy\"",
        ),
        ("vendor = \"Lattice\"", "vendor = \" \"", "field part.vendor: \" \", expected one line"),
    ] {
        let error = error_with(old, new);
        assert!(error.starts_with(&format!("boards/x.toml: {expected}")), "{error}");
    }
    let without_clocks = versa().replace("[[clocks]]", "[[resources]]");
    assert!(parse("x.toml", &without_clocks).is_err());
    let text = "clocks = []\n".to_string() + &without_clocks[..without_clocks.find("# Differential").unwrap()];
    let text = text.replace("constraints", "ports = []\nconstraints");
    assert_eq!(
        parse("x.toml", &text).unwrap_err().to_string(),
        "x.toml: field clocks: empty, expected at least one clock"
    );
}

#[test]
fn a_board_file_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, versa().replace("ecp5_versa", "mine")).unwrap();
    assert_eq!(load(path.to_str().unwrap()).unwrap().name, "mine");
    std::fs::write(&path, versa().replace("pin = \"P3\"\n", "")).unwrap();
    let error = load(path.to_str().unwrap()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{}: field clocks[0].pin: missing; expected a package pin, such as \"P3\"", path.display())
    );
    let missing = format!("{:#}", load("/nowhere/b.toml").unwrap_err());
    assert!(missing.starts_with("cannot read /nowhere/b.toml: "), "{missing}");
    let endless = format!("{:#}", load("/dev/zero").unwrap_err());
    assert!(endless.starts_with("/dev/zero: longer than 1048576 octets"), "{endless}");
    std::fs::write(&path, format!("\u{feff}{}", versa())).unwrap();
    assert_eq!(load(path.to_str().unwrap()).unwrap().name, "ecp5_versa");
    let unknown = load("netfpga").unwrap_err();
    assert!(unknown.is::<UnknownBoard>());
    assert!(
        unknown.to_string().contains("no board `netfpga`: expected colorlight_5a_75b_v8_0, ecp5_versa, netfpga_1g")
    );
    assert!(load("netfpga_1").unwrap_err().to_string().ends_with("; did you mean `netfpga_1g`?"));
}

#[test]
fn a_part_that_its_tools_do_not_know_is_refused() {
    for (old, new, expected) in [
        (
            "family = \"ecp5\"",
            "family = \"ecp6\"",
            "field part.family: \"ecp6\", expected \"ecp5\", \"xc2vp\" or \"xc7\"; did",
        ),
        ("family = \"ecp5\"", "family = \"ice40\"", "field part.family: \"ice40\", expected \"ecp5\", \"xc2vp\""),
        (
            "constraints = \"lpf\"",
            "constraints = \"ucf\"",
            "field constraints: \"ucf\", expected \"lpf\" for a part of the",
        ),
        ("vendor = \"Lattice\"", "vendor = \"Xilinx\"", "field part.vendor: \"Xilinx\", expected \"Lattice\" for"),
        (
            "LFE5UM5G-45F",
            "LFE5UM5G-12F",
            "field part.device: \"LFE5UM5G-12F\", expected a device of the family ecp5, such",
        ),
        ("LFE5UM5G-45F", "xc2vp50", "field part.device: \"xc2vp50\", expected a device of the family ecp5"),
    ] {
        let error = error_with(old, new);
        assert!(error.starts_with(&format!("boards/x.toml: {expected}")), "{error}");
    }
    let xilinx = |family: &str, device: &str| {
        let text = EMBEDDED.iter().find(|(name, _)| *name == "netfpga_1g").unwrap().1;
        let text = text.replace("family = \"xc2vp\"", &format!("family = \"{family}\""));
        parse("x.toml", &text.replace("device = \"xc2vp50\"", &format!("device = \"{device}\""))).is_ok()
    };
    assert!(xilinx("xc2vp", "xc2vpx70") && xilinx("xc7", "xc7a35t") && xilinx("xc7", "xc7z020"));
    assert!(!xilinx("xc2vp", "xc2v50") && !xilinx("xc2vp", "xc2vp") && !xilinx("xc7", "xc7q100t"));
}

#[test]
fn what_is_no_board_is_told_with_its_place() {
    let error = error_with("pin = \"P3\"", "pin = \"P3\"\npin = \"P4\"");
    assert_eq!(
        error,
        "boards/x.toml: line 18: the key `pin` is here a second time, the first is in line 17: expected it once"
    );
    let [list, table, key] =
        [("[", "]"), ("{a=", "}"), ("a.", "")].map(|(open, close)| (open.repeat(90_000), close.repeat(90_000)));
    for deep in [
        format!("description = {}1{}\n", list.0, list.1),
        format!("a = {}1{}\n", table.0, table.1),
        format!("{}a = 1\n", key.0),
    ] {
        let error = format!("{:#}", parse("x.toml", &deep).unwrap_err());
        assert!(error.starts_with("x.toml: ") && error.contains("nested too deeply"), "{error}");
        assert!(!error.contains("line 0") && error.len() < 300, "{error}");
    }
}
