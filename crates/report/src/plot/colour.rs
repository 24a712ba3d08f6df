// SPDX-License-Identifier: MIT OR Apache-2.0
//! The colours of pictures, on white and on dark paper.

use std::fmt::Write;

/// A colour by what it is for, so that it can be another one on dark paper.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Colour {
    /// Text and lines that matter.
    Ink,
    /// Text that explains.
    Grey,
    /// Lines behind the data.
    Grid,
    /// Axes.
    Axis,
    /// What the picture is drawn on.
    Paper,
    /// The flow, block or scheme with this number; use [`slot`].
    Slot(usize),
    /// Red, green and blue, the same on any paper: the shades of a scale.
    Fixed(u8, u8, u8),
}

/// Red, green, blue.
type Rgb = [u8; 3];

const fn rgb(number: u32) -> Rgb {
    [(number >> 16) as u8, (number >> 8) as u8, number as u8]
}

/// Class, colour on white, colour on dark paper. The dark ones are those of `page.css`.
const ROLES: [(&str, Rgb, Rgb); 5] = [
    ("ink", rgb(0x22262b), rgb(0xe6e9ec)),
    ("grey", rgb(0x5a626c), rgb(0xa3adb8)),
    ("grid", rgb(0xe3e6ea), rgb(0x343a41)),
    ("axis", rgb(0x9aa1aa), rgb(0x6b747e)),
    ("paper", rgb(0xffffff), rgb(0x1d2125)),
];

/// The colours of Okabe and Ito, which people with common forms of colour blindness can distinguish, without yellow, which
/// is not visible on white; then darker shades of them. On dark paper all are lighter.
const SLOTS: [(&str, Rgb, Rgb); 14] = [
    ("c0", rgb(0x0072b2), rgb(0x3d9bdb)),
    ("c1", rgb(0xd55e00), rgb(0xf07c2b)),
    ("c2", rgb(0x009e73), rgb(0x23bd8f)),
    ("c3", rgb(0xcc79a7), rgb(0xdb94bc)),
    ("c4", rgb(0xe69f00), rgb(0xefb534)),
    ("c5", rgb(0x56b4e9), rgb(0x8ccff4)),
    ("c6", rgb(0x6b6b6b), rgb(0x9c9c9c)),
    ("c7", rgb(0x003959), rgb(0x9dcbed)),
    ("c8", rgb(0x6a2f00), rgb(0xf8c29c)),
    ("c9", rgb(0x004f39), rgb(0x98dec7)),
    ("c10", rgb(0x663c53), rgb(0xeccadd)),
    ("c11", rgb(0x734f00), rgb(0xf6da9a)),
    ("c12", rgb(0x2b5a74), rgb(0xc6e7f9)),
    ("c13", rgb(0x353535), rgb(0xcecece)),
];

/// The colour of the flow, block or scheme with this number: the same in every picture. After the fourteenth it starts
/// again.
pub(super) fn slot(number: usize) -> Colour {
    Colour::Slot(number % SLOTS.len())
}

impl Colour {
    fn entry(self) -> Option<&'static (&'static str, Rgb, Rgb)> {
        match self {
            Colour::Ink => Some(&ROLES[0]),
            Colour::Grey => Some(&ROLES[1]),
            Colour::Grid => Some(&ROLES[2]),
            Colour::Axis => Some(&ROLES[3]),
            Colour::Paper => Some(&ROLES[4]),
            Colour::Slot(number) => Some(&SLOTS[number % SLOTS.len()]),
            Colour::Fixed(..) => None,
        }
    }

    /// The class by which a style sheet gives it the colour for dark paper.
    pub fn class(self) -> Option<&'static str> {
        self.entry().map(|entry| entry.0)
    }

    /// Red, green and blue on white paper.
    pub fn on_white(self) -> Rgb {
        match self {
            Colour::Fixed(red, green, blue) => [red, green, blue],
            _ => self.entry().expect("all others have an entry").1,
        }
    }

    /// How light it is on white paper, 0 to 255 (Rec. 709).
    pub fn lightness(self) -> f64 {
        let [red, green, blue] = self.on_white().map(f64::from);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

/// `#0072b2`.
pub(super) fn hexadecimal([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The rules of a style sheet for dark paper, in an SVG file (`within` is empty) or below elements of a page.
pub(crate) fn dark_rules(within: &str) -> String {
    let mut rules = String::new();
    for (class, _, dark) in ROLES.iter().chain(&SLOTS) {
        let _ = write!(rules, "{within}.{class}{{color:{}}}", hexadecimal(*dark));
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of two colours by the formula of WCAG 2: 1 to 21.
    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let luminance = |colour: Rgb| {
            let linear = colour.map(|channel| {
                let share = f64::from(channel) / 255.0;
                if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_and_curves_stand_out_on_both_papers() {
        let (_, white, dark) = ROLES[4];
        for (class, light, on_dark) in &ROLES[..2] {
            assert!(contrast(*light, white) > 4.5 && contrast(*on_dark, dark) > 4.5, "{class}");
        }
        for (class, light, on_dark) in &SLOTS {
            assert!(contrast(*light, white) > 2.0 && contrast(*on_dark, dark) > 4.5, "{class}");
        }
    }

    #[test]
    fn every_class_has_a_rule() {
        let rules = dark_rules("svg ");
        for colour in [Colour::Ink, Colour::Grey, Colour::Grid, Colour::Axis, Colour::Paper, slot(0), slot(27)] {
            assert!(rules.contains(&format!("svg .{}{{color:#", colour.class().unwrap())), "{colour:?}");
        }
        assert_eq!(slot(14), slot(0));
        assert_eq!(hexadecimal(slot(1).on_white()), "#d55e00");
    }
}
