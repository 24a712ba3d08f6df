// SPDX-License-Identifier: MIT OR Apache-2.0
//! How openFPGALoader reaches a board: as its list of boards has them, or by the programmer that is on the board.

/// The options for the programmer that is on a board; `None` if it has none, or none that is known here.
pub fn options(board: &str) -> Option<[&'static str; 2]> {
    let known = match board {
        "colorlight_i5" | "colorlight_i5a_907" => "colorlight-i5",
        "colorlight_i9" => "colorlight-i9",
        "digilent_arty" => "arty_a7_35t",
        "digilent_genesys2" => "genesys2",
        "digilent_nexys4ddr" => "nexys_a7_100",
        "digilent_nexys_video" => "nexysVideo",
        "ecp5_versa" => return Some(["--cable", "ft2232"]),
        "lambdaconcept_ecpix5" => "ecpix5",
        "xilinx_ac701" => "ac701",
        "xilinx_kc705" => "kc705",
        _ => return None,
    };
    Some(["--board", known])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::all;

    #[test]
    fn boards_with_a_programmer_have_options() {
        let with = all().iter().filter(|board| options(&board.name).is_some()).count();
        assert_eq!(with, 11, "each name here is a board");
        assert_eq!(options("lambdaconcept_ecpix5"), Some(["--board", "ecpix5"]));
        assert_eq!(options("colorlight_5a_75b_v8_0"), None);
    }
}
