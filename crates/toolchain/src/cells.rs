// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kinds of the cells of a synthesized design. A cell without a row here is not dropped: it is listed by its name.

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use std::collections::BTreeMap;

/// What small memories become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SmallMemories {
    /// LUT RAM, where the family has it and Yosys thinks that it pays.
    LutRam,
    /// Flip-flops, also where the family has LUT RAM.
    FlipFlops,
}

/// An FPGA family that the open synthesis tools support.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// AMD (Xilinx) Virtex-II Pro: the NetFPGA-1G. Experimental in Yosys.
    Xc2vp,
    /// AMD (Xilinx) 7 series.
    Xc7,
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
    /// Gowin GW1N.
    Gowin,
}

impl Family {
    /// All of them, in the order of reports.
    pub const ALL: [Family; 5] = [Family::Xc2vp, Family::Xc7, Family::Ecp5, Family::Ice40, Family::Gowin];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Family::Xc2vp => "xc2vp",
            Family::Xc7 => "xc7",
            Family::Ecp5 => "ecp5",
            Family::Ice40 => "ice40",
            Family::Gowin => "gowin",
        }
    }

    /// The family of that name.
    pub fn from_name(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }

    /// Whether the family can use LUTs as memory.
    pub(crate) fn has_lut_rams(self) -> bool {
        self != Family::Ice40
    }

    /// The Yosys commands that map a design to the family, flattened, without I/O pads and clock buffers: a block is a
    /// part of a design, and its ports are not pins. A memory with the attribute `lut_ram` becomes LUT RAM where the
    /// family has it, even if Yosys expects flip-flops to be cheaper, as it does for two words in a Virtex-II Pro.
    ///
    /// Without `-nowidelut`, Yosys makes functions of up to eight inputs of many LUTs and the multiplexers between them
    /// wherever this saves a level of logic, even far from the longest path: a parser takes twice the LUTs then. The
    /// number of LUTs would tell how the longest path of a block happens to be, and not what the block needs.
    pub(crate) fn synthesis_commands(self, top: &str, small_memories: SmallMemories) -> String {
        // `-nolutram` has no effect on a memory with the attribute `ram_style`.
        let (before, option) = match small_memories {
            SmallMemories::FlipFlops if self.has_lut_rams() => ("setattr -unset ram_style m:*\n", " -nolutram"),
            SmallMemories::LutRam if self.has_lut_rams() => ("setattr -set ram_style \"distributed\" a:lut_ram\n", ""),
            _ => ("", ""),
        };
        let command = match self {
            Family::Xc2vp | Family::Xc7 => {
                let name = self.name();
                format!("synth_xilinx -family {name} -flatten -noiopad -noclkbuf -nowidelut{option} -top {top}")
            }
            Family::Ecp5 => format!("synth_ecp5 -nowidelut{option} -top {top}"),
            Family::Ice40 => format!("synth_ice40 -dsp -top {top}"),
            Family::Gowin => format!("synth_gowin -noiopads -nowidelut{option} -top {top}"),
        };
        before.to_string() + &command
    }

    /// The smallest number of slices that can hold a design, in a Virtex-II Pro; `None` in other families. Such a slice
    /// has two LUTs, two flip-flops and two bits of a carry chain, and a LUT RAM takes one or more of the LUTs. Yosys
    /// does not pack slices, so this is a bound by arithmetic: the largest of the three numbers, divided by two and
    /// rounded up. The tools of the vendor need more slices, because not all LUTs and flip-flops fit together.
    pub fn slices_at_least(self, resources: &Resources) -> Option<u32> {
        let luts = resources.luts + resources.lut_ram_luts;
        (self == Family::Xc2vp).then(|| luts.max(resources.flip_flops).max(resources.carries).div_ceil(2))
    }

    /// A note on the counts of this family for the reader.
    pub fn note(self) -> &'static str {
        match self {
            Family::Xc2vp => {
                "Yosys maps to the Virtex-II Pro experimentally, and makes no shift registers of its LUTs; a carry is \
                 one MUXCY, one bit of an adder"
            }
            Family::Xc7 => "a carry is one CARRY4, four bits of an adder",
            Family::Ecp5 => {
                "a carry is one CCU2C, two bits of an adder; it takes the place of two LUTs, which LUTs leaves out"
            }
            Family::Ice40 => {
                "a carry is one SB_CARRY, one bit of an adder; multipliers (SB_MAC16) exist in the UltraPlus only, the \
                 other iCE40s would spend LUTs"
            }
            Family::Gowin => {
                "a carry is one ALU, one bit of an adder; it takes the place of one LUT, which LUTs leaves out"
            }
        }
    }
}

/// The resources of a design, in primitives of its FPGA family.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Resources {
    /// Flip-flops of every kind.
    pub flip_flops: u32,
    /// LUTs that hold logic, of every width.
    pub luts: u32,
    /// Carry primitives.
    pub carries: u32,
    /// Hard multipliers and DSP blocks.
    pub multipliers: u32,
    /// Block memories.
    pub block_rams: u32,
    /// Primitives that use LUTs as memory or as shift registers; one takes one to four LUTs or more, none of which is
    /// in `luts`.
    pub lut_rams: u32,
    /// LUTs that the LUT RAMs take, in a Virtex-II Pro, for [`Family::slices_at_least`]; 0 in other families.
    #[serde(skip)]
    pub lut_ram_luts: u32,
    /// Inverters that Yosys leaves as separate cells; most are merged into a LUT later.
    pub inverters: u32,
    /// Cells of unknown kinds, by name: they are not in the counts above.
    pub other_cells: BTreeMap<String, u32>,
}

impl Resources {
    /// The sum of both.
    pub fn plus(mut self, other: &Resources) -> Resources {
        self.flip_flops += other.flip_flops;
        self.luts += other.luts;
        self.carries += other.carries;
        self.multipliers += other.multipliers;
        self.block_rams += other.block_rams;
        self.lut_rams += other.lut_rams;
        self.lut_ram_luts += other.lut_ram_luts;
        self.inverters += other.inverters;
        for (cell, count) in &other.other_cells {
            *self.other_cells.entry(cell.clone()).or_default() += count;
        }
        self
    }

    /// The resources of this number of copies.
    pub fn times(&self, copies: u32) -> Resources {
        Resources {
            flip_flops: self.flip_flops * copies,
            luts: self.luts * copies,
            carries: self.carries * copies,
            multipliers: self.multipliers * copies,
            block_rams: self.block_rams * copies,
            lut_rams: self.lut_rams * copies,
            lut_ram_luts: self.lut_ram_luts * copies,
            inverters: self.inverters * copies,
            other_cells: self.other_cells.iter().map(|(cell, count)| (cell.clone(), count * copies)).collect(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    FlipFlop,
    Lut,
    Carry,
    Multiplier,
    BlockRam,
    LutRam,
    Inverter,
    /// Not counted, because it uses no LUT and no flip-flop: constants, multiplexers after LUTs, sum gates next to
    /// carries.
    Free,
}

/// Cell names by family: a name that ends with `*` stands for all names that begin with it. The first match counts.
fn kinds(family: Family) -> &'static [(Kind, &'static [&'static str])] {
    match family {
        Family::Xc2vp | Family::Xc7 => &[
            (Kind::FlipFlop, &["FD*"]),
            (Kind::Lut, &["LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6", "LUT6_2"]),
            (Kind::Carry, &["MUXCY*", "CARRY4", "CARRY8"]),
            (Kind::Multiplier, &["MULT18X18*", "DSP48*"]),
            (Kind::BlockRam, &["RAMB*"]),
            (Kind::LutRam, &["RAM16X*", "RAM32*", "RAM64*", "RAM128X*", "RAM256X*", "SRL16*", "SRLC16*", "SRLC32*"]),
            (Kind::Inverter, &["INV"]),
            (Kind::Free, &["XORCY*", "MULT_AND", "MUXF5*", "MUXF6*", "MUXF7*", "MUXF8*", "VCC", "GND"]),
        ],
        Family::Ecp5 => &[
            (Kind::FlipFlop, &["TRELLIS_FF"]),
            (Kind::Lut, &["LUT4"]),
            (Kind::Carry, &["CCU2C"]),
            (Kind::Multiplier, &["MULT9X9*", "MULT18X18*", "ALU54*"]),
            (Kind::BlockRam, &["DP16KD", "PDPW16KD"]),
            (Kind::LutRam, &["TRELLIS_DPR16X4"]),
            (Kind::Inverter, &["INV"]),
            (Kind::Free, &["PFUMX", "L6MUX21", "VHI", "VLO"]),
        ],
        Family::Ice40 => &[
            (Kind::FlipFlop, &["SB_DFF*"]),
            (Kind::Lut, &["SB_LUT4"]),
            (Kind::Carry, &["SB_CARRY"]),
            (Kind::Multiplier, &["SB_MAC16"]),
            (Kind::BlockRam, &["SB_RAM40_4K*", "SB_SPRAM256KA"]),
        ],
        Family::Gowin => &[
            (Kind::FlipFlop, &["DFF*"]),
            (Kind::Lut, &["LUT1", "LUT2", "LUT3", "LUT4"]),
            (Kind::Carry, &["ALU"]),
            (Kind::Multiplier, &["MULT*", "ALU54D", "PADD*"]),
            (Kind::BlockRam, &["SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B", "pROM", "pROMX9"]),
            (Kind::LutRam, &["RAM16S*"]),
            (Kind::Inverter, &["INV"]),
            (Kind::Free, &["MUX2*", "VCC", "GND"]),
        ],
    }
}

fn kind_of(family: Family, cell: &str) -> Option<Kind> {
    let matches = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(beginning) => cell.starts_with(beginning),
        None => cell == *pattern,
    };
    kinds(family).iter().find(|(_, patterns)| patterns.iter().any(matches)).map(|(kind, _)| *kind)
}

/// LUTs of a LUT RAM of the Virtex-II Pro, from its name: `RAM32X1D` has 32 words of 1 bit, and twice the LUTs because
/// it is dual-port. A LUT has 16 bits. A shift register (`SRL16`) takes one LUT.
fn luts_of_lut_ram(cell: &str) -> Option<u32> {
    if cell.starts_with("SRL") {
        return Some(1);
    }
    let (words, rest) = cell.strip_prefix("RAM")?.split_once('X')?;
    let (bits, copies) = match rest.strip_suffix('D') {
        Some(bits) => (bits, 2),
        None => (rest.strip_suffix('S')?, 1),
    };
    Some((words.parse::<u32>().ok()? * bits.parse::<u32>().ok()?).div_ceil(16) * copies)
}

/// Counts the cells of a design from the output of `stat -json` of Yosys.
///
/// # Errors
/// If the text is not such a report; a LUT RAM of the Virtex-II Pro whose name does not say its size.
pub(crate) fn count(family: Family, statistics: &str) -> Result<Resources> {
    let report: serde_json::Value =
        serde_json::from_str(statistics).context("expected the JSON of Yosys' `stat -json`")?;
    let cells = report["design"]["num_cells_by_type"]
        .as_object()
        .ok_or_else(|| anyhow!("expected `design.num_cells_by_type` in the JSON of Yosys' `stat -json`"))?;
    let mut counts = Vec::new();
    for (cell, number) in cells {
        let found = number.as_u64().ok_or_else(|| anyhow!("expected a number of {cell} cells, found {number}"))?;
        counts.push((cell.as_str(), found));
    }
    count_cells(family, counts)
}

/// Counts cells by kind, from their names and numbers.
///
/// # Errors
/// A LUT RAM of the Virtex-II Pro whose name does not say its size.
pub fn count_cells<'a>(family: Family, cells: impl IntoIterator<Item = (&'a str, u64)>) -> Result<Resources> {
    let mut resources = Resources::default();
    for (cell, number) in cells {
        let number = u32::try_from(number).map_err(|_| anyhow!("expected a number of {cell} cells, found {number}"))?;
        if cell == "$scopeinfo" {
            continue; // a note on the flattened hierarchy, not a cell
        }
        let kind = kind_of(family, cell);
        if (family, kind) == (Family::Xc2vp, Some(Kind::LutRam)) {
            let luts =
                luts_of_lut_ram(cell).ok_or_else(|| anyhow!("expected a LUT RAM like RAM16X1D, found {cell}"))?;
            resources.lut_ram_luts += luts * number;
        }
        *match kind {
            Some(Kind::FlipFlop) => &mut resources.flip_flops,
            Some(Kind::Lut) => &mut resources.luts,
            Some(Kind::Carry) => &mut resources.carries,
            Some(Kind::Multiplier) => &mut resources.multipliers,
            Some(Kind::BlockRam) => &mut resources.block_rams,
            Some(Kind::LutRam) => &mut resources.lut_rams,
            Some(Kind::Inverter) => &mut resources.inverters,
            Some(Kind::Free) => continue,
            None => resources.other_cells.entry(cell.to_string()).or_default(),
        } += number;
    }
    Ok(resources)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of Yosys 0.70 for a design with these cells.
    fn statistics(cells: &str) -> String {
        format!(
            r#"{{
   "creator": "Yosys 0.70 (git sha1 28ba3cb92)",
   "invocation": "stat -json ",
   "modules": {{ "\\kinds": {{ "num_cells": 0, "num_cells_by_type": {{ "LUT4": 9999 }} }} }},
      "design": {{ "num_wires": 3, "num_cells": 1, "num_cells_by_type": {{ {cells} }} }}
}}"#
        )
    }

    fn counted(family: Family, cells: &str) -> [u32; 7] {
        let found = count(family, &statistics(cells)).unwrap();
        assert_eq!(found.other_cells, BTreeMap::new());
        [
            found.flip_flops,
            found.luts,
            found.carries,
            found.multipliers,
            found.block_rams,
            found.lut_rams,
            found.inverters,
        ]
    }

    /// The result of Yosys 0.70 for one design with a 17-bit sum, a 16 by 16 product, a memory of 1024 words and one of
    /// 16.
    #[test]
    fn cells_of_each_family_are_counted_by_kind() {
        for (family, cells, expected) in [
            (
                Family::Xc2vp,
                r#""FDRE": 49, "LUT2": 16, "MULT18X18": 1, "MUXCY": 16, "RAM16X1S": 8, "RAMB16_S18": 2, "XORCY": 17, "INV": 3, "$scopeinfo": 2"#,
                [49, 16, 16, 1, 2, 8, 3],
            ),
            (
                Family::Xc7,
                r#""CARRY4": 5, "DSP48E1": 1, "FDRE": 17, "FDSE": 1, "LUT2": 16, "LUT6": 2, "MUXF7": 1, "RAM32M": 1, "RAMB36E1": 1"#,
                [18, 18, 5, 1, 1, 1, 0],
            ),
            (
                Family::Ecp5,
                r#""CCU2C": 9, "DP16KD": 2, "MULT18X18D": 1, "TRELLIS_DPR16X4": 2, "TRELLIS_FF": 49, "LUT4": 5, "PFUMX": 2, "L6MUX21": 1"#,
                [49, 5, 9, 1, 2, 2, 0],
            ),
            (
                Family::Ice40,
                r#""SB_CARRY": 16, "SB_DFF": 76, "SB_DFFE": 128, "SB_DFFSR": 49, "SB_LUT4": 185, "SB_MAC16": 1, "SB_RAM40_4K": 8"#,
                [253, 185, 16, 1, 8, 0, 0],
            ),
            (
                Family::Gowin,
                r#""ALU": 17, "DFFR": 49, "GND": 1, "MULT18X18": 1, "RAM16SDP4": 2, "SPX9": 2, "VCC": 1, "LUT3": 4, "MUX2_LUT5": 2"#,
                [49, 4, 17, 1, 2, 2, 0],
            ),
        ] {
            assert_eq!(counted(family, cells), expected, "{}", family.name());
        }
    }

    #[test]
    fn slices_are_a_bound_from_what_a_slice_holds_most_of() {
        let slices = |cells: &str| {
            let found = count(Family::Xc2vp, &statistics(cells)).unwrap();
            Family::Xc2vp.slices_at_least(&found)
        };
        assert_eq!(slices(r#""FDRE": 5, "LUT2": 4"#), Some(3), "flip-flops, rounded up");
        assert_eq!(slices(r#""FDRE": 5, "LUT2": 4, "LUT4": 4"#), Some(4), "LUTs");
        assert_eq!(slices(r#""FDRE": 5, "LUT2": 4, "MUXCY": 12"#), Some(6), "carries");
        // LUTs of each: 1, 2, 4, 4, 8, 8, 1.
        let rams = ["RAM16X1S", "RAM16X1D", "RAM32X1D", "RAM64X1S", "RAM64X1D", "RAM128X1S", "SRL16E"];
        let rams: Vec<String> = rams.iter().map(|ram| format!("\"{ram}\": 2")).collect();
        let rams = rams.join(", ");
        assert_eq!(slices(&format!(r#"{rams}, "LUT4": 10"#)), Some(28 + 5), "LUTs and LUT RAMs");
        let found = count(Family::Xc2vp, &statistics(&rams)).unwrap();
        assert_eq!(
            (found.lut_rams, found.times(3).lut_ram_luts, found.clone().plus(&found).lut_ram_luts),
            (14, 168, 112)
        );
        assert_eq!(Family::Ecp5.slices_at_least(&found), None);
        let error = format!("{:#}", count(Family::Xc2vp, &statistics(r#""RAM16XD": 1"#)).unwrap_err());
        assert!(error.contains("RAM16XD"), "{error}");
    }

    #[test]
    fn cells_that_nobody_knows_are_listed_and_not_dropped() {
        let found = count(Family::Xc7, &statistics(r#""FDRE": 2, "LDCE": 3, "$mul": 1"#)).unwrap();
        assert_eq!(found.flip_flops, 2);
        assert_eq!(found.other_cells, BTreeMap::from([("LDCE".to_string(), 3), ("$mul".to_string(), 1)]));
        let twice = found.times(2);
        assert_eq!((twice.flip_flops, twice.other_cells["LDCE"]), (4, 6));
    }

    #[test]
    fn what_is_not_a_report_is_an_error_that_says_what_was_expected() {
        for (text, expected) in [
            ("", "stat -json"),
            (r#"{"design": {}}"#, "design.num_cells_by_type"),
            (r#"{"design": {"num_cells_by_type": {"FDRE": -1}}}"#, "number of FDRE cells"),
        ] {
            let error = format!("{:#}", count(Family::Xc7, text).unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
    }
}
