// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plan files: TOML, every key known, every error with file, line and column.

use crate::experiment::metric::Metric;
use crate::experiment::scenario::{Measure, Plain, optional_pair};
use crate::experiment::spanned::Spanned;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeMap;

/// What a sweep runs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The scenario file, relative to the plan file.
    pub scenario: Option<Spanned<String>>,
    /// An experiment in the binary, in place of a scenario file.
    pub experiment: Option<Spanned<String>>,
    /// The variants that run; all if absent.
    pub variants: Option<Spanned<Vec<Spanned<String>>>>,
    /// Each variant runs with the seeds 1 to this at each point; that of the scenario if absent.
    pub seeds: Option<Spanned<u32>>,
    /// Length of a run in seconds; that of the scenario if absent.
    pub duration_s: Option<Spanned<f64>>,
    /// Lists of values: their full product.
    #[serde(default)]
    pub grid: BTreeMap<Spanned<String>, Spanned<Vec<Spanned<Plain>>>>,
    /// Ranges that values are drawn from.
    pub random: Option<Drawn>,
    /// What is measured; without any, the metrics of an output that a report shows, of each output over the whole run.
    #[serde(default)]
    pub measure: Vec<Column>,
}

/// Points whose values are drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// How many, for each point of the grid.
    pub points: Option<Spanned<u64>>,
    /// The seed of the draw; 1 if absent.
    pub seed: u64,
    /// The range of each key.
    pub ranges: BTreeMap<Spanned<String>, Spanned<Range>>,
}

/// Values of a key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { from = 0, to = 8 }")]
pub struct Range {
    /// The least value.
    pub from: f64,
    /// The largest value.
    pub to: f64,
    /// How they are spread.
    #[serde(default)]
    pub scale: Scale,
    /// Whether they are whole numbers; otherwise they have six decimals.
    #[serde(default)]
    pub integer: bool,
}

/// How values are spread over a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equally.
    #[default]
    Linear,
    /// Their logarithms equally.
    Log,
}

/// A column of the results: the fields of a measure in a scenario file, and a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { name = \"queue\", metric = \"queue_mean_kb\" }")]
pub struct Column {
    /// Its name.
    pub name: Spanned<String>,
    /// The metric.
    pub metric: Spanned<Metric>,
    /// The window; the whole run if absent.
    #[serde(default, deserialize_with = "optional_pair")]
    pub window_s: Option<Spanned<[f64; 2]>>,
    /// The output; the first one if absent.
    pub output: Option<Spanned<String>>,
    /// The flow, for metrics of one flow.
    pub flow: Option<Spanned<String>>,
    /// For `within_percent` and `settle_ms`: the range of queue lengths in bytes.
    #[serde(default, deserialize_with = "optional_pair")]
    pub between_bytes: Option<Spanned<[u32; 2]>>,
}

impl Column {
    /// What is measured of a run.
    pub(crate) fn measure(&self) -> Measure {
        Measure {
            variant: None,
            metric: Some(self.metric.clone()),
            quantity: None,
            window_s: self.window_s.clone(),
            output: self.output.clone(),
            flow: self.flow.clone(),
            between_bytes: self.between_bytes.clone(),
        }
    }
}

impl<'de> Deserialize<'de> for Drawn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DrawnVisitor)
    }
}

/// A table in which `points` and `seed` stand beside the keys.
struct DrawnVisitor;

impl<'de> Visitor<'de> for DrawnVisitor {
    type Value = Drawn;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("a table of `points`, `seed` and a range for each key")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Drawn, A::Error> {
        let mut drawn = Drawn { seed: 1, ..Drawn::default() };
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            match key.get_ref().as_str() {
                "points" => drawn.points = Some(map.next_value()?),
                "seed" => drawn.seed = map.next_value()?,
                _ => drop(drawn.ranges.insert(key, map.next_value()?)),
            }
        }
        if drawn.points.is_none() {
            return Err(A::Error::missing_field("points"));
        }
        Ok(drawn)
    }
}
