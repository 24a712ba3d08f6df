// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `tidegate sweep` leaves when all runs are there: one table in two formats, and a page.

mod page;
pub(crate) mod parquet;
mod pictures;

use super::csv::cell;
use anyhow::Result;
use std::fmt::Write;
use tidegate_lab::sweep::Sweep;
use tidegate_lab::sweep::table::{Cells, Column, columns, point_columns};

/// Names and contents of the files, from what each run has measured.
///
/// # Errors
/// See [`Sweep::run`] and [`super::plot`].
pub fn files(sweep: &Sweep, measured: &[Vec<f64>]) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let (runs, points) = (columns(sweep, measured)?, point_columns(sweep, measured)?);
    let rows = measured.len() / usize::try_from(sweep.seeds)?;
    Ok(vec![
        ("results.csv", csv(&runs, measured.len()).into_bytes()),
        ("results.parquet", parquet::parquet(&runs, measured.len())?),
        ("points.csv", csv(&points, rows).into_bytes()),
        ("points.parquet", parquet::parquet(&points, rows)?),
        ("index.html", page::page(sweep, measured)?.into_bytes()),
    ])
}

/// The columns as CSV; a cell without a value is empty.
fn csv(columns: &[Column], rows: usize) -> String {
    let mut text = columns.iter().map(|column| cell(&column.name)).collect::<Vec<_>>().join(",") + "\n";
    for row in 0..rows {
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            let _ = match &column.cells {
                Cells::Integers(cells) => cells[row].map_or(Ok(()), |value| write!(text, "{value}")),
                Cells::Numbers(cells) => cells[row].map_or(Ok(()), |value| write!(text, "{value}")),
                Cells::Flags(cells) => cells[row].map_or(Ok(()), |value| write!(text, "{value}")),
                Cells::Words(cells) => cells[row].as_ref().map_or(Ok(()), |value| write!(text, "{}", cell(value))),
            };
        }
        text.push('\n');
    }
    text
}
