//! Distributions of the sizes of flows.

use serde::Deserialize;

/// A distribution of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// Flows of a cluster that answers web searches (Alizadeh 2010, section 2.2, figure 4), in the steps in which
    /// simulators use it since: packets of 1460 bytes, and how large a part of the flows is not larger.
    WebSearch,
}

/// Payload of a packet of [`Distribution::WebSearch`], bytes.
const PACKET_BYTES: f64 = 1460.0;

impl Distribution {
    /// Sizes in packets, each with the part of the flows that are not larger; between two of them the size is uniform.
    fn steps(self) -> &'static [(f64, f64)] {
        match self {
            Distribution::WebSearch => &[
                (6.0, 0.15),
                (13.0, 0.2),
                (19.0, 0.3),
                (33.0, 0.4),
                (53.0, 0.53),
                (133.0, 0.6),
                (667.0, 0.7),
                (1333.0, 0.8),
                (3333.0, 0.9),
                (6667.0, 0.97),
                (20000.0, 1.0),
            ],
        }
    }

    /// The size in bytes that a part of the flows, from 0 to 1, does not exceed.
    pub fn bytes(self, part: f64) -> f64 {
        let steps = self.steps();
        let at = steps.partition_point(|&(_, upto)| upto < part).min(steps.len() - 1);
        let (size, upto) = steps[at];
        let packets = match at.checked_sub(1) {
            None => size,
            Some(below) => {
                let (smaller, from) = steps[below];
                smaller + (size - smaller) * ((part - from) / (upto - from)).clamp(0.0, 1.0)
            }
        };
        packets * PACKET_BYTES
    }

    /// The mean size in bytes.
    pub fn mean(self) -> f64 {
        let steps = self.steps();
        let (size, upto) = steps[0];
        let uniform = steps.windows(2).map(|pair| (pair[0].0 + pair[1].0) / 2.0 * (pair[1].1 - pair[0].1));
        (size * upto + uniform.sum::<f64>()) * PACKET_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_their_mean_and_their_parts() {
        let sizes = Distribution::WebSearch;
        let count = 1_000_000;
        let parts = (0..count).map(|number| (f64::from(number) + 0.5) / f64::from(count));
        let mean = parts.map(|part| sizes.bytes(part)).sum::<f64>() / f64::from(count);
        assert!((mean / sizes.mean() - 1.0).abs() < 1e-4, "{mean} {}", sizes.mean());
        assert_eq!(sizes.bytes(0.0), 6.0 * 1460.0);
        assert_eq!(sizes.bytes(0.53), 53.0 * 1460.0);
        assert_eq!(sizes.bytes(1.0), 20_000.0 * 1460.0);
    }
}
