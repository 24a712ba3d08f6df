//! Tables for the terminal: columns under a ruled header, no boxes.

use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};

/// Columns of a table that does not go to a terminal.
const WIDTH: u16 = 80;

/// A table of `rows` under `headers`, the columns listed in `right_aligned` (from 0) set flush right: those with
/// numbers. Ends with a newline. Long cells wrap at the width of the terminal, or at 80 columns if there is none. A row
/// shorter than the header is filled with empty cells.
pub fn render(headers: &[&str], rows: &[Vec<String>], right_aligned: &[usize]) -> String {
    let mut table = laid_out(headers, rows, right_aligned);
    if !table.is_tty() {
        table.set_width(WIDTH);
    }
    lines(table)
}

fn laid_out(headers: &[&str], rows: &[Vec<String>], right_aligned: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_style(TableComponent::HeaderLines, '─').set_style(TableComponent::MiddleHeaderIntersections, '─');
    table.set_header(headers);
    for row in rows {
        let missing = headers.len().saturating_sub(row.len());
        table.add_row(row.iter().cloned().chain(std::iter::repeat_n(String::new(), missing)));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if right_aligned.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The text without the blanks at the ends of lines.
fn lines(table: Table) -> String {
    table.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_flush_right_and_lines_have_no_trailing_blanks() {
        let rows = [
            vec!["qcn".to_string(), "1,234".to_string(), "Alizadeh 2008".to_string()],
            vec!["smcc".to_string(), "56".to_string()],
        ];
        let table = laid_out(&["scheme", "LUTs", "paper"], &rows, &[1]);
        let expected = "\
scheme   LUTs  paper
─────────────────────────────
qcn     1,234  Alizadeh 2008
smcc       56
";
        assert_eq!(lines(table), expected);
    }

    #[test]
    fn in_a_pipe_long_cells_wrap_to_80_columns() {
        let rows = [vec!["qcn".to_string(), "word ".repeat(40), "another ".repeat(40)]];
        let mut table = laid_out(&["scheme", "one", "other"], &rows, &[]);
        table.force_no_tty().set_width(WIDTH);
        let text = lines(table);
        assert!(text.lines().count() > 4 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn a_table_without_rows_still_has_its_header() {
        assert!(render(&["board", "part"], &[], &[]).starts_with("board  part\n"));
    }
}
