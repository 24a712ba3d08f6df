// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables for the terminal: columns under a ruled header, no boxes.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, TableComponent, Width, presets};

/// Columns of a table that does not go to a terminal.
const WIDTH: u16 = 80;
/// Blanks between two columns.
const GAP: usize = 2;

/// A table of `rows` under `headers`, the columns listed in `right_aligned` (from 0) set flush right: those with
/// numbers. Ends with a newline. Long cells wrap between words at the width of the terminal, or at 80 columns if there is
/// none. A row shorter than the header is filled with empty cells.
pub fn render(headers: &[&str], rows: &[Vec<String>], right_aligned: &[usize]) -> String {
    let mut table = laid_out(headers, rows, right_aligned);
    let width = if table.is_tty() { table.width() } else { None };
    fit(&mut table, headers, rows, width.unwrap_or(WIDTH).into());
    lines(table)
}

/// Gives the columns their widths in a table of so many columns of characters.
fn fit(table: &mut Table, headers: &[&str], rows: &[Vec<String>], width: usize) {
    let widths = widths(headers, rows, width);
    for (column, width) in table.column_iter_mut().zip(widths) {
        let with_padding = u16::try_from(width + 1).unwrap_or(u16::MAX);
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(with_padding)));
    }
}

/// The width of each column: no word is broken if the words of all columns fit, and none of the first column, which has
/// keys and names, wherever this is possible. What is left goes to the columns whose cells need it most.
fn widths(headers: &[&str], rows: &[Vec<String>], width: usize) -> Vec<usize> {
    let count = |text: &str| text.chars().count();
    let word = |text: &str| text.split_whitespace().map(count).max().unwrap_or(0);
    let cells = |column: usize| {
        let own = rows.iter().filter_map(move |row| row.get(column).map(String::as_str));
        std::iter::once(headers[column]).chain(own)
    };
    let columns = headers.len();
    let mut widths: Vec<usize> = (0..columns).map(|column| cells(column).map(word).max().unwrap_or(0).max(1)).collect();
    let room = (width + 1).saturating_sub(GAP * columns).max(columns);
    while widths.iter().sum::<usize>() > room {
        let widest = (1..columns).filter(|&column| widths[column] > 1).max_by_key(|&column| widths[column]);
        widths[widest.unwrap_or(0)] -= 1;
    }
    let lacks =
        |column: usize, width: usize| cells(column).map(|cell| count(cell).saturating_sub(width)).sum::<usize>();
    for _ in widths.iter().sum::<usize>()..room {
        let neediest = (0..columns).max_by_key(|&column| lacks(column, widths[column]));
        let Some(column) = neediest.filter(|&column| lacks(column, widths[column]) > 0) else { break };
        widths[column] += 1;
    }
    widths
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
        let mut table = laid_out(&["scheme", "LUTs", "paper"], &rows, &[1]);
        fit(&mut table, &["scheme", "LUTs", "paper"], &rows, 80);
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
        fit(&mut table, &["scheme", "one", "other"], &rows, 80);
        let text = lines(table);
        assert!(text.lines().count() > 4 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn words_are_broken_only_where_they_do_not_fit_and_keys_last() {
        let row = |cells: [&str; 3]| cells.map(str::to_string).to_vec();
        let rows = [row(["fast_recovery_cycles", "02:00:00:00:01:00", "what the paper says about it"])];
        let headers = ["parameter", "default", "meaning"];
        assert_eq!(widths(&headers, &rows, 80), [20, 17, 28]);
        // The last column wraps between words.
        assert_eq!(widths(&headers, &rows, 60), [20, 17, 18]);
        // Now words must be broken, but no key.
        assert_eq!(widths(&headers, &rows, 40), [20, 8, 7]);
        assert_eq!(widths(&headers, &rows, 5).iter().sum::<usize>(), 3);
    }

    #[test]
    fn a_table_without_rows_still_has_its_header() {
        assert!(render(&["board", "part"], &[], &[]).starts_with("board  part\n"));
    }
}
