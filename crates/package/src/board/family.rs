// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of families of FPGAs: devices, I/O standards, and the format of their constraint files.

/// Format of a constraint file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintFormat {
    /// Lattice, as nextpnr-ecp5 reads it.
    Lpf,
    /// Xilinx ISE.
    Ucf,
    /// Xilinx Vivado.
    Xdc,
}

impl ConstraintFormat {
    /// The ending of the file.
    pub fn name(self) -> &'static str {
        match self {
            ConstraintFormat::Lpf => "lpf",
            ConstraintFormat::Ucf => "ucf",
            ConstraintFormat::Xdc => "xdc",
        }
    }
}

/// A family of FPGAs.
pub(super) struct Family {
    /// Its name in board files.
    pub name: &'static str,
    /// Beginning of the name of its vendor.
    pub vendors: &'static [&'static str],
    /// The format that is written here, if there is one.
    pub constraints: Option<ConstraintFormat>,
    /// A device, as an example in messages.
    pub device: &'static str,
    pub is_device: fn(&str) -> bool,
    /// I/O standards of its pins: the single-ended ones, and those of pairs.
    pub standards: [&'static [&'static str]; 2],
    /// A pair has two signals in the constraint file.
    pub names_pairs: bool,
}

const XILINX: &[&str] = &["Xilinx", "AMD"];
const INTEL: &[&str] = &["Intel", "Altera"];
// I/O standards by the names that the tools have for them: those of single pins, and those of pairs.
const OF_ECP5: [&[&str]; 2] = [
    &["LVCMOS33", "LVCMOS25", "LVCMOS18", "LVCMOS15", "LVCMOS12", "LVTTL33", "SSTL15_I", "SSTL135_I", "SSTL18_I"],
    &["LVDS", "LVDS25E", "LVPECL33E", "SSTL15D_I", "SSTL135D_I", "SSTL18D_I"],
];
const OF_ISE: [&[&str]; 2] = [
    &[
        "LVCMOS33",
        "LVCMOS25",
        "LVCMOS18",
        "LVCMOS15",
        "LVCMOS12",
        "LVTTL",
        "SSTL2_I",
        "SSTL18_I",
        "SSTL18_II",
        "SSTL15_II",
        "HSTL_I",
        "HSTL_II",
        "LVDCI_25",
        "LVDCI_18",
        "LVDCI_33",
    ],
    &["LVDS_25", "LVDS_33", "LVPECL_25", "LVPECL_33", "DIFF_SSTL18_II", "DIFF_SSTL15_II"],
];
const OF_VIVADO: [&[&str]; 2] = [
    &[
        "LVCMOS33",
        "LVCMOS25",
        "LVCMOS18",
        "LVCMOS15",
        "LVCMOS12",
        "LVTTL",
        "SSTL15",
        "SSTL135",
        "SSTL12",
        "SSTL18_I",
        "SSTL18_II",
        "HSTL_I",
        "HSTL_I_18",
    ],
    &["LVDS", "LVDS_25", "DIFF_SSTL15", "DIFF_SSTL135", "DIFF_SSTL12", "DIFF_SSTL18_I", "DIFF_HSTL_I"],
];
const OF_QUARTUS: [&[&str]; 2] = [
    &[
        "3.3-V LVTTL",
        "3.3-V LVCMOS",
        "3.0-V LVTTL",
        "2.5 V",
        "1.8 V",
        "1.5 V",
        "1.2 V",
        "2.5 V SCHMITT TRIGGER",
        "1.5 V SCHMITT TRIGGER",
        "3.3 V SCHMITT TRIGGER",
    ],
    &["LVDS"],
];
const OF_LIBERO: [&[&str]; 2] =
    [&["LVCMOS33", "LVCMOS25", "LVCMOS18", "LVCMOS15", "LVCMOS12", "LVTTL"], &["LVDS25", "LVDS33"]];
const OF_EFINITY: [&[&str]; 2] =
    [&["3.3_V_LVTTL_/_LVCMOS", "2.5_V_LVCMOS", "1.8_V_LVCMOS", "1.5_V_LVCMOS", "1.2_V_LVCMOS"], &["LVDS"]];

/// The families of boards.
pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "ecp5",
        vendors: &["Lattice"],
        constraints: Some(ConstraintFormat::Lpf),
        device: "LFE5U-25F",
        is_device: is_ecp5,
        standards: OF_ECP5,
        names_pairs: false,
    },
    Family {
        name: "xc2vp",
        vendors: XILINX,
        constraints: Some(ConstraintFormat::Ucf),
        device: "xc2vp50",
        is_device: |device| number_after(device, &["xc2vp", "xc2vpx"]).is_some_and(str::is_empty),
        standards: OF_ISE,
        names_pairs: true,
    },
    Family {
        name: "xc5v",
        vendors: XILINX,
        constraints: Some(ConstraintFormat::Ucf),
        device: "xc5vtx240t",
        is_device: |device| number_after(device, &["xc5vlx", "xc5vsx", "xc5vfx", "xc5vtx"]).is_some_and(lower),
        standards: OF_ISE,
        names_pairs: true,
    },
    Family {
        name: "xc6s",
        vendors: XILINX,
        constraints: Some(ConstraintFormat::Ucf),
        device: "xc6slx45",
        is_device: |device| number_after(device, &["xc6slx"]).is_some_and(lower),
        standards: OF_ISE,
        names_pairs: true,
    },
    Family {
        name: "xc7",
        vendors: XILINX,
        constraints: Some(ConstraintFormat::Xdc),
        device: "xc7a100t",
        is_device: |device| {
            number_after(device, &["xc7a", "xc7k", "xc7s", "xc7v", "xc7vx", "xc7vh", "xc7z"]).is_some_and(lower)
        },
        standards: OF_VIVADO,
        names_pairs: true,
    },
    Family {
        name: "xcu",
        vendors: XILINX,
        constraints: Some(ConstraintFormat::Xdc),
        device: "xcku040",
        is_device: |device| number_after(device, &["xcku", "xcvu"]).is_some_and(str::is_empty),
        standards: OF_VIVADO,
        names_pairs: true,
    },
    Family {
        name: "xcup",
        vendors: XILINX,
        constraints: Some(ConstraintFormat::Xdc),
        device: "xcvu37p",
        is_device: |device| number_after(device, &["xcku", "xcvu", "xcu", "xczu"]).is_some_and(lower),
        standards: OF_VIVADO,
        names_pairs: true,
    },
    Family {
        name: "cyclone4",
        vendors: INTEL,
        constraints: None,
        device: "EP4CE15",
        is_device: |device| number_after(device, &["EP4CE"]).is_some_and(str::is_empty),
        standards: OF_QUARTUS,
        names_pairs: true,
    },
    Family {
        name: "cyclone10lp",
        vendors: INTEL,
        constraints: None,
        device: "10CL055Y",
        is_device: |device| number_after(device, &["10CL"]) == Some("Y"),
        standards: OF_QUARTUS,
        names_pairs: true,
    },
    Family {
        name: "max10",
        vendors: INTEL,
        constraints: None,
        device: "10M50DA",
        is_device: |device| number_after(device, &["10M"]) == Some("DA"),
        standards: OF_QUARTUS,
        names_pairs: true,
    },
    Family {
        name: "polarfire",
        vendors: &["Microchip", "Microsemi"],
        constraints: None,
        device: "MPF300T",
        is_device: |device| number_after(device, &["MPF"]).is_some(),
        standards: OF_LIBERO,
        names_pairs: true,
    },
    Family {
        name: "trion",
        vendors: &["Efinix"],
        constraints: None,
        device: "T120",
        is_device: |device| number_after(device, &["T"]).is_some_and(str::is_empty),
        standards: OF_EFINITY,
        names_pairs: true,
    },
];

/// The family with this name.
pub(super) fn find(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// Whether an I/O standard of a family is one of single pins.
pub fn is_single_ended(family: &str, standard: &str) -> bool {
    find(family).is_some_and(|family| family.standards[0].contains(&standard))
}

/// Such as `LFE5U-25F` and `LFE5UM5G-45F`.
fn is_ecp5(device: &str) -> bool {
    let Some((series, size)) = device.split_once('-') else { return false };
    match series {
        "LFE5U" => ["12F", "25F", "45F", "85F"].contains(&size),
        "LFE5UM" | "LFE5UM5G" => ["25F", "45F", "85F"].contains(&size),
        _ => false,
    }
}

fn lower(text: &str) -> bool {
    text.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// The text after one of these beginnings and a number.
fn number_after<'a>(device: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    let digits = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count();
    let rests = beginnings.iter().filter_map(|beginning| device.strip_prefix(beginning));
    rests.map(|rest| (rest, digits(rest))).find(|&(_, digits)| digits > 0).map(|(rest, digits)| &rest[digits..])
}
