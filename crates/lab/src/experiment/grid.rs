// SPDX-License-Identifier: MIT OR Apache-2.0
//! Grids: one variant with many values of a parameter, each of which becomes a variant of its own.

use super::scenario::{File, Plain, Stated, Variant};
use super::spanned::Spanned;
use anyhow::{Result, bail, ensure};
use schemars::JsonSchema;
use serde::Deserialize;

/// Most variants of a grid.
const COMBINATIONS_MAX: usize = 1000;

/// Every value of each part of a parameter with every value of its other parts. The variants take the place of `of`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { of = \"QCN\", parameter = \"w\", values = [[1, 2]], from = \"choice\" }"
)]
pub struct Grid {
    /// The variant.
    pub of: Spanned<String>,
    /// The parameter.
    pub parameter: Spanned<String>,
    /// For each of the parts between its commas, the values; a parameter without commas has one part.
    pub values: Spanned<Vec<Vec<Plain>>>,
    /// Where the values come from.
    pub from: String,
}

/// One value of each part, joined with commas; those of the last part change first.
pub fn combinations(parts: &[Vec<Plain>]) -> Vec<String> {
    let mut all = vec![String::new()];
    for (number, part) in parts.iter().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        let longer = all.iter().flat_map(|start| part.iter().map(move |Plain(value)| format!("{start}{comma}{value}")));
        all = longer.collect();
    }
    all
}

impl Grid {
    /// The values of the parameter.
    pub fn combinations(&self) -> Vec<String> {
        combinations(self.values.get_ref())
    }

    /// The name of the variant with a value.
    pub fn variant_name(&self, value: &str) -> String {
        format!("{} {value}", self.of.get_ref())
    }
}

impl File {
    /// Puts the variants of each grid in the place of the one of which it is.
    ///
    /// # Errors
    /// With file, line and column.
    pub(super) fn expand_grids(&mut self) -> Result<()> {
        for number in 0..self.scenario.grid.len() {
            let grid = &self.scenario.grid[number];
            if let Some(first) = self.scenario.grid[..number].iter().find(|first| first.of == grid.of) {
                bail!(self.error(&grid.of, format!("a second grid of `{}`: expected one", first.of.get_ref())));
            }
            let variants = &self.scenario.variant;
            let at =
                self.find_name("variant", &grid.of, variants.iter().map(|variant| variant.name.get_ref().as_str()))?;
            let parts = grid.values.get_ref().iter().map(Vec::len);
            let count = parts.fold(1, usize::saturating_mul);
            ensure!(
                (1..=COMBINATIONS_MAX).contains(&count) && !grid.values.get_ref().is_empty(),
                self.error(
                    &grid.values,
                    format!("expected a list of values for each part, of 1 to {COMBINATIONS_MAX} combinations")
                )
            );
            let of = |value: String| {
                let mut variant: Variant = variants[at].clone();
                variant.name = Spanned::new(grid.of.span(), grid.variant_name(&value));
                variant.parameters.insert(grid.parameter.clone(), Stated { value, from: grid.from.clone() });
                variant
            };
            let those: Vec<_> = grid.combinations().into_iter().map(of).collect();
            self.scenario.variant.splice(at..=at, those);
        }
        Ok(())
    }
}
