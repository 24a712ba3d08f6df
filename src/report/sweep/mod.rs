//! What `tidegate sweep` leaves when all runs are there: one table in two formats, and a page.

mod page;
pub mod parquet;
mod pictures;

use super::csv::cell;
use crate::sweep::Sweep;
use crate::sweep::table::{Cells, Column, columns};
use anyhow::Result;
use std::fmt::Write;

/// Names and contents of the files, from what each run has measured.
///
/// # Errors
/// See [`Sweep::run`] and [`super::plot`].
pub fn files(sweep: &Sweep, measured: &[Vec<f64>]) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let columns = columns(sweep, measured)?;
    Ok(vec![
        ("results.csv", csv(&columns, measured.len()).into_bytes()),
        ("results.parquet", parquet::parquet(&columns, measured.len())?),
        ("index.html", page::page(sweep, measured)?.into_bytes()),
    ])
}

/// The columns as CSV; a cell without a value is empty.
fn csv(columns: &[Column], runs: usize) -> String {
    let mut text = columns.iter().map(|column| cell(&column.name)).collect::<Vec<_>>().join(",") + "\n";
    for run in 0..runs {
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            let _ = match &column.cells {
                Cells::Integers(cells) => cells[run].map_or(Ok(()), |value| write!(text, "{value}")),
                Cells::Numbers(cells) => cells[run].map_or(Ok(()), |value| write!(text, "{value}")),
                Cells::Words(cells) => cells[run].as_ref().map_or(Ok(()), |value| write!(text, "{}", cell(value))),
            };
        }
        text.push('\n');
    }
    text
}
