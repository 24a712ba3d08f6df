// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results as Apache Parquet: the same bytes for the same results.

use anyhow::Result;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::ops::Range;
use std::sync::Arc;
use tidegate_lab::sweep::table::{Cells, Column};

/// Rows of a row group.
const GROUP: usize = 100_000;

/// A file with these columns of `runs` cells each. Every column may have empty cells.
///
/// # Errors
/// None of them depends on the values.
pub fn parquet(columns: &[Column], runs: usize) -> Result<Vec<u8>> {
    let fields = columns.iter().map(field).collect::<Result<Vec<_>>>()?;
    let schema = Type::group_type_builder("sweep").with_fields(fields).build()?;
    // The usual name of the writer would change with each version of the crate.
    let properties = WriterProperties::builder().set_created_by(format!("tidegate {}", env!("CARGO_PKG_VERSION")));
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, Arc::new(schema), Arc::new(properties.build()))?;
    for start in (0..runs).step_by(GROUP) {
        let rows = start..(start + GROUP).min(runs);
        let mut group = writer.next_row_group()?;
        for column in columns {
            let mut chunk = group.next_column()?.ok_or_else(|| anyhow::anyhow!("a column without a writer"))?;
            match &column.cells {
                Cells::Integers(cells) => put::<Int64Type, _>(&mut chunk, cells, rows.clone(), |value| *value)?,
                Cells::Numbers(cells) => put::<DoubleType, _>(&mut chunk, cells, rows.clone(), |value| *value)?,
                Cells::Flags(cells) => put::<BoolType, _>(&mut chunk, cells, rows.clone(), |value| *value)?,
                Cells::Words(cells) => {
                    put::<ByteArrayType, _>(&mut chunk, cells, rows.clone(), |value| ByteArray::from(value.as_str()))?
                }
            }
            chunk.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(file)
}

fn field(column: &Column) -> Result<Arc<Type>> {
    let (physical, logical) = match column.cells {
        Cells::Integers(_) => (Physical::INT64, None),
        Cells::Numbers(_) => (Physical::DOUBLE, None),
        Cells::Flags(_) => (Physical::BOOLEAN, None),
        Cells::Words(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let field = Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
    Ok(Arc::new(field.with_logical_type(logical).build()?))
}

fn put<T: DataType, C>(
    chunk: &mut SerializedColumnWriter,
    cells: &[Option<C>],
    rows: Range<usize>,
    value: impl Fn(&C) -> T::T,
) -> Result<()> {
    let cells = &cells[rows];
    let levels: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
    let values: Vec<T::T> = cells.iter().flatten().map(value).collect();
    chunk.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(())
}
