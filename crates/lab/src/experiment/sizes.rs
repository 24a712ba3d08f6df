// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distributions of the sizes of flows: that of a paper, or one of a data file.

use anyhow::{Result, anyhow, ensure};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::LazyLock;

/// Larger sizes are mistakes, bytes.
const SIZE_MAX: f64 = 1e18;

/// A distribution that a scenario names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// Flows of a cluster that answers web searches (Alizadeh 2010, section 2.2, figure 4).
    WebSearch,
}

impl Distribution {
    /// Its sizes.
    pub fn sizes(self) -> &'static Sizes {
        static WEB_SEARCH: LazyLock<Sizes> = LazyLock::new(|| {
            let text = include_str!("../../experiments/web_search.txt");
            Sizes::parse("web_search.txt", text).expect("the file is checked by a test")
        });
        match self {
            Distribution::WebSearch => &WEB_SEARCH,
        }
    }
}

/// A distribution of sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Sizes in bytes, each with the part of the flows that are not larger. Between two of them the size is uniform; none
    /// is smaller than the first.
    steps: Vec<(f64, f64)>,
}

impl Sizes {
    /// Reads lines of a size in bytes and the part of the flows, 0 to 1, that are not larger. What follows a `#` is a comment.
    ///
    /// # Errors
    /// With file, line, and what was expected.
    pub fn parse(name: &str, text: &str) -> Result<Sizes> {
        let mut steps: Vec<(f64, f64)> = Vec::new();
        let mut last = 1;
        for (number, line) in (1..).zip(text.lines()) {
            let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let [size, part] = words[..] else {
                return Err(anyhow!(
                    "{name}:{number}: {} columns: expected two, a size in bytes and the part of the flows that are not larger",
                    words.len()
                ));
            };
            let parsed =
                |word: &str| word.parse::<f64>().map_err(|_| anyhow!("{name}:{number}: `{word}` is no number"));
            let (size, part) = (parsed(size)?, parsed(part)?);
            ensure!(
                (0.0..SIZE_MAX).contains(&size),
                "{name}:{number}: size {size}: expected bytes, from 0 to below 10¹⁸"
            );
            ensure!(
                (0.0..=1.0).contains(&part),
                "{name}:{number}: part {part}: expected a part of the flows, from 0 to 1"
            );
            if let Some(&(size_before, part_before)) = steps.last() {
                ensure!(
                    size > size_before,
                    "{name}:{number}: size {size}: expected more than {size_before}, the size in line {last}"
                );
                ensure!(
                    part >= part_before,
                    "{name}:{number}: part {part}: expected at least {part_before}, the part in line {last}"
                );
            }
            steps.push((size, part));
            last = number;
        }
        let Some(&(_, part)) = steps.last() else {
            return Err(anyhow!("{name}: it has no sizes: expected lines of a size in bytes and a part of the flows"));
        };
        ensure!(part == 1.0, "{name}:{last}: the last part is {part}: expected 1, because no flow is larger");
        let sizes = Sizes { steps };
        ensure!(sizes.mean() > 0.0, "{name}:{last}: all flows have the size 0: expected a larger one");
        Ok(sizes)
    }

    /// The size in bytes that a part of the flows, from 0 to 1, does not exceed.
    pub fn bytes(&self, part: f64) -> f64 {
        let at = self.steps.partition_point(|&(_, upto)| upto < part).min(self.steps.len() - 1);
        let (size, upto) = self.steps[at];
        match at.checked_sub(1) {
            None => size,
            Some(below) => {
                let (smaller, from) = self.steps[below];
                smaller + (size - smaller) * ((part - from) / (upto - from)).clamp(0.0, 1.0)
            }
        }
    }

    /// The mean size in bytes.
    pub fn mean(&self) -> f64 {
        let (size, upto) = self.steps[0];
        let uniform = self.steps.windows(2).map(|pair| (pair[0].0 + pair[1].0) / 2.0 * (pair[1].1 - pair[0].1));
        size * upto + uniform.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_schemes::model::random::Random;

    #[test]
    fn sizes_have_their_mean_and_their_parts() {
        let sizes = Distribution::WebSearch.sizes();
        let count = 1_000_000;
        let parts = (0..count).map(|number| (f64::from(number) + 0.5) / f64::from(count));
        let mean = parts.map(|part| sizes.bytes(part)).sum::<f64>() / f64::from(count);
        assert!((mean / sizes.mean() - 1.0).abs() < 1e-4, "{mean} {}", sizes.mean());
        assert_eq!(sizes.bytes(0.0), 6.0 * 1460.0);
        assert_eq!(sizes.bytes(0.53), 53.0 * 1460.0);
        assert_eq!(sizes.bytes(1.0), 20_000.0 * 1460.0);
    }

    /// The steps in packets, as simulators have them: a flow has as many packets of 1024 bytes as with the file, also scaled.
    #[test]
    fn the_file_has_the_steps_in_packets() {
        let sizes = [6.0, 13.0, 19.0, 33.0, 53.0, 133.0, 667.0, 1333.0, 3333.0, 6667.0, 20000.0];
        let parts = [0.15, 0.2, 0.3, 0.4, 0.53, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0];
        let in_packets = Sizes { steps: sizes.into_iter().zip(parts).collect() };
        let of_file = Distribution::WebSearch.sizes();
        let scales = [in_packets.mean() * 1460.0, of_file.mean()].map(|mean| 1.25e6 / mean);
        let mut random = Random::new(1);
        for _ in 0..200_000 {
            let part = random.fraction();
            let [before, now] = [in_packets.bytes(part) * 1460.0, of_file.bytes(part)];
            for (before, now) in [(before, now), (before * scales[0], now * scales[1])] {
                assert_eq!((before / 1024.0).ceil(), (now / 1024.0).ceil(), "at {part}");
            }
        }
    }

    #[test]
    fn a_mistake_in_a_file_is_named_with_its_line() {
        for (text, message) in [
            ("", "s.txt: it has no sizes"),
            ("# 1 1\n\n", "s.txt: it has no sizes"),
            ("1 0.5\n2\n", "s.txt:2: 1 columns: expected two"),
            ("1 0.5 3\n", "s.txt:1: 3 columns"),
            ("1 0.5\n2,1\n", "s.txt:2: 1 columns"),
            ("1 0.5\nten 1\n", "s.txt:2: `ten` is no number"),
            ("1 half\n", "s.txt:1: `half` is no number"),
            ("-1 0.5\n", "s.txt:1: size -1: expected bytes"),
            ("nan 0.5\n", "s.txt:1: size NaN"),
            ("1e18 1\n", "s.txt:1: size 1000000000000000000: expected bytes"),
            ("1 50\n", "s.txt:1: part 50: expected a part of the flows, from 0 to 1"),
            ("1 nan\n", "s.txt:1: part NaN"),
            ("1 0.5\n# \n1 1\n", "s.txt:3: size 1: expected more than 1, the size in line 1"),
            ("1 0.5\n2 0.4\n", "s.txt:2: part 0.4: expected at least 0.5, the part in line 1"),
            ("1 0.5\n2 0.99 # all\n", "s.txt:2: the last part is 0.99: expected 1"),
            ("0 1\n", "s.txt:1: all flows have the size 0"),
            ("0 1\n5 1\n", "s.txt:2: all flows have the size 0"),
        ] {
            let error = Sizes::parse("s.txt", text).expect_err(text).to_string();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_gap_between_sizes_has_no_flows() {
        let sizes = Sizes::parse("s.txt", "0 0\n100 0.5\n900 0.5\n1000 1\n").unwrap();
        assert_eq!([0.25, 0.5, 0.75, 1.0].map(|part| sizes.bytes(part)), [50.0, 100.0, 950.0, 1000.0]);
        assert_eq!(sizes.mean(), 0.5 * 50.0 + 0.5 * 950.0);
    }
}
