// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers for people: thousands separators, SI suffixes, as many decimals as carry meaning.

/// SI suffixes with their factor, largest first.
const SUFFIXES: [(f64, &str); 9] =
    [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")];

/// `value` with a fixed number of decimals and commas between thousands: `grouped(12345.67, 1)` is `12,345.7`.
pub fn grouped(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut text = String::new();
    // A value that rounds to zero carries no sign.
    if value < 0.0 && plain.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        text.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// `value` in short: whole numbers below ten million in full (`12,345`), everything else to four significant digits and
/// with an SI suffix from ten million up and below a thousandth (`10 M`, `3.142`, `20 µ`).
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return grouped(value, 0);
    }
    let size = value.abs();
    if size.fract() == 0.0 && size < 1e7 {
        return grouped(value, 0);
    }
    let (factor, suffix) = if (1e-3..1e7).contains(&size) { (1.0, "") } else { si_factor(size) };
    let scaled = value / factor;
    let decimals = (3 - scaled.abs().log10().floor() as i32).max(0) as usize;
    let digits = grouped(scaled, decimals);
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    if suffix.is_empty() { digits.to_string() } else { format!("{digits} {suffix}") }
}

/// The same of any value: `–` for what is undefined, `∞` for what never ends.
pub(crate) fn short_or_sign(value: f64) -> String {
    match value {
        value if value.is_nan() => "–".into(),
        value if value.is_infinite() => "∞".into(),
        value => short(value),
    }
}

/// The factor and suffix that bring `size` (positive) to between 1 and 1000.
pub(super) fn si_factor(size: f64) -> (f64, &'static str) {
    let smallest = SUFFIXES[SUFFIXES.len() - 1];
    SUFFIXES.into_iter().find(|(factor, _)| size >= *factor).unwrap_or(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0.0, 0), "0");
        assert_eq!(grouped(999.0, 0), "999");
        assert_eq!(grouped(1000.0, 0), "1,000");
        assert_eq!(grouped(-1234567.891, 2), "−1,234,567.89");
        assert_eq!(grouped(-0.04, 1), "0.0");
    }

    #[test]
    fn short_forms() {
        assert_eq!(short(0.0), "0");
        assert_eq!(short(12345.0), "12,345");
        assert_eq!(short(10e9), "10 G");
        assert_eq!(short(9.87654e9), "9.877 G");
        assert_eq!(short(std::f64::consts::PI), "3.142");
        assert_eq!(short(156.25), "156.2"); // ties go to even
        assert_eq!(short(20e-6), "20 µ");
        assert_eq!(short(-0.5), "−0.5");
        assert_eq!([f64::NAN, f64::INFINITY, 0.25].map(short_or_sign), ["–", "∞", "0.25"]);
    }
}
