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
    let embedded: Vec<String> = EMBEDDED.iter().map(|(name, _)| format!("{name}.toml")).collect();
    assert_eq!(embedded, files);
}

#[test]
fn boards_have_the_ports_they_are_known_for() {
    let ports =
        |name: &str| load(name).unwrap().ports.iter().map(|port| port.kind.name()).collect::<Vec<_>>().join(" ");
    for (name, kinds) in [
        ("netfpga_1g", "RGMII RGMII RGMII RGMII"),
        ("netfpga_1g_cml", "RGMII RGMII RGMII RGMII"),
        ("netfpga_sume", "SFP SFP SFP SFP"),
        ("netfpga_10g", "XAUI XAUI XAUI XAUI"),
        ("ecp5_versa", "RGMII RGMII"),
        ("colorlight_5a_75b_v8_0", "RGMII RGMII"),
        ("colorlight_i9", "RGMII RGMII"),
        ("digilent_arty", "MII"),
        ("kosagi_netv2", "RMII"),
        ("xilinx_kc705", "GMII SFP"),
        ("xilinx_vc707", "SGMII SFP"),
        ("xilinx_alveo_u200", "QSFP QSFP"),
    ] {
        assert_eq!(ports(name), kinds, "{name}");
    }
}

#[test]
fn a_pin_used_twice_names_both_signals() {
    assert_eq!(
        error_with("rxc = \"J19\"", "rxc = \"P3\""),
        "boards/x.toml: field ports[1].pins.rxc: pin P3 of rgmii_1_rxc is taken by clk100, expected each pin once"
    );
    assert_eq!(
        error_with("rxd = [\"T20\", \"U20\"", "rxd = [\"T20\", \"T20\""),
        "boards/x.toml: field ports[0].pins.rxd[1]: pin T20 of rgmii_0_rxd[1] is taken by rgmii_0_rxd[0], expected each pin once"
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
        "boards/x.toml: field ports[1].pins.txc: missing; expected a pin for RGMII"
    );
    assert_eq!(
        error_with("speed = \"8\"\n", ""),
        "boards/x.toml: field part.speed: missing; expected the speed grade, such as \"6\""
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
    assert!(error.ends_with("(line 16)"), "{error}");
    let error = error_with("frequency_mhz = 100", "frequency_mhz = \"fast\"");
    assert!(
        error.starts_with("boards/x.toml: field clocks[0].frequency_mhz: found the text `fast`, expected a number"),
        "{error}"
    );
    let error = error_with("kind = \"reset\"", "kind = \"up\"");
    assert!(error.contains("field resources[0].kind: unknown value `up`"), "{error}");
    let error = error_with("kind = \"rgmii\"", "kind = \"serial\"");
    assert!(error.contains("field ports[0].kind: unknown value `serial`"), "{error}");
    let error = error_with("rx_ctl = \"U19\"", "rx_clt = \"U19\"");
    let expected = "field ports[0].pins.rx_clt: RGMII has no such line; did you mean `rx_ctl`?";
    assert!(error.contains(expected), "{error}");
    let error = error_with("[part]", "[part");
    assert!(error.starts_with("boards/x.toml: line 6: not TOML: "), "{error}");
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
        ("txd = [\"J17\", ", "txd = [", "field ports[1].pins.txd: 3 pins, expected 4 for RGMII"),
        (
            "io_standard = \"LVDS\"",
            "io_standard = \"\"",
            "field clocks[0].io_standard: \"\", expected one of the family ecp5: LVCMOS33, ",
        ),
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
    let text = "clocks = []\n".to_string() + &without_clocks[..without_clocks.find("[[resources]]").unwrap()];
    let text = text.replace("source", "ports = []\nsource");
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
        unknown.to_string().contains("no board `netfpga`: expected a name that `tidegate boards` lists, or the path")
    );
    assert!(load("netfpga_1").unwrap_err().to_string().ends_with("; did you mean `netfpga_1g`?"));
}

#[test]
fn a_part_that_its_tools_do_not_know_is_refused() {
    for (old, new, expected) in [
        ("family = \"ecp5\"", "family = \"ecp6\"", "field part.family: \"ecp6\", expected one of ecp5, xc2vp, "),
        ("family = \"ecp5\"", "family = \"ice40\"", "field part.family: \"ice40\", expected one of ecp5, xc2vp, "),
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
    assert!(xilinx("xcup", "xcu280") && xilinx("xcu", "xcku040") && !xilinx("xcu", "xcu280"));
    assert!(!xilinx("xc2vp", "xc2v50") && !xilinx("xc2vp", "xc2vp") && !xilinx("xc7", "xc7q100t"));
}

#[test]
fn what_is_no_board_is_told_with_its_place() {
    let error = error_with("pin = \"P3\"", "pin = \"P3\"\npin = \"P4\"");
    assert_eq!(
        error,
        "boards/x.toml: line 16: the key `pin` is here a second time, the first is in line 15: expected it once"
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

#[test]
fn pairs_are_whole_and_standards_those_of_the_family() {
    let file = |name: &str| EMBEDDED.iter().find(|(embedded, _)| *embedded == name).unwrap().1;
    let error = |name: &str, old: &str, new: &str| {
        let text = file(name);
        assert!(text.contains(old), "{old}");
        format!("{:#}", parse("x.toml", &text.replacen(old, new, 1)).unwrap_err())
    };
    for (name, old, new, expected) in [
        (
            "xilinx_kc705",
            "pin_n = \"K29\"\n",
            "",
            "field clocks[0].pin_n: missing; expected the negative pin of the pair",
        ),
        (
            "digilent_arty",
            "frequency_mhz",
            "pin_n = \"A1\"\nfrequency_mhz",
            "field clocks[0].pin_n: expected none, because LV",
        ),
        (
            "ecp5_versa",
            "frequency_mhz",
            "pin_n = \"P4\"\nfrequency_mhz",
            "field clocks[0].pin_n: expected none: the tools of",
        ),
        (
            "xilinx_kc705",
            "tx_n = \"H1\"\n",
            "",
            "field ports[1].pins.tx_n: missing; expected the other half of the pair tx_p",
        ),
        (
            "ecp5_versa",
            "\"LVCMOS25\"",
            "\"LVCMOS25X\"",
            "field resources[1].io_standard: \"LVCMOS25X\", expected one of the",
        ),
        (
            "ecp5_versa",
            "LVCMOS25\"\nrx",
            "LVDS\"\nrx",
            "field ports[0].io_standard: \"LVDS\" is for pairs, expected one",
        ),
        (
            "trenz_c10lprefkit",
            "3.3-V LVTTL",
            "LVCMOS33",
            "field clocks[0].io_standard: \"LVCMOS33\", expected one of the family",
        ),
        (
            "xilinx_kc705",
            "sfp\"\nio_standard = \"LVCMOS25\"\n",
            "sfp\"\nio_standard = \"LVCMOS25\"\nrx_clock_mhz = 125\n",
            "field ports[1].rx_clock_mhz: expected none",
        ),
        ("ecp5_versa", "rx_clock_mhz = 125\n", "", "field ports[0].rx_clock_mhz: missing; expected a frequency"),
        (
            "digilent_nexys_video",
            "rst_n = \"LVCMOS33\"",
            "rst = \"LVCMOS33\"",
            "field ports[0].other_standards.rst: expected a line",
        ),
        (
            "xilinx_kc705",
            "sfp\"\nio_standard = \"LVCMOS25\"\n",
            "sfp\"\n",
            "field ports[1].io_standard: missing; expected an I/O",
        ),
    ] {
        let error = error(name, old, new);
        assert!(error.starts_with(&format!("x.toml: {expected}")), "{name}: {error}");
    }
}
