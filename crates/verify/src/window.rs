// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles around a difference as a waveform of the circuit and its other form.

use super::Difference;
use anyhow::{Context, Result};
use tidegate_circuits::rtl::circuit::Port;
use vcd::{IdCode, TimescaleUnit, Value, Writer};

/// Nanoseconds of a cycle in the waveform. It shows the order of events, not the clock rate.
const PERIOD: u64 = 10;

/// The signals of one scope that are shown: column, width, code.
type Signals = Vec<(usize, usize, IdCode)>;

/// A window as VCD: scope `rtl` with every port of the circuit, scope `side` with the outputs of the other form.
/// Bits that are set in `unknown`, which may be empty, are shown as unknown there. A cycle begins with the rising edge
/// of the clock; its values are those before the next edge.
///
/// # Errors
/// Two ports have one name.
pub(crate) fn text(ports: &[Port], difference: &Difference, unknown: &[Vec<u32>], side: &str) -> Result<Vec<u8>> {
    octets(ports, difference, unknown, side).context("cannot make the waveform")
}

fn octets(ports: &[Port], difference: &Difference, unknown: &[Vec<u32>], side: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes);
    let Difference { cycle, port, expected, found, window_start, rows, other } = difference;
    writer.comment(&format!("cycle {cycle}: {port} is {expected} in rtl, {found} in {side}"))?;
    writer.timescale(1, TimescaleUnit::NS)?;
    let clock = ports.iter().position(|port| port.name == "clock");
    let mut clock_code = None;
    let mut declare = |writer: &mut Writer<_>, name: &str, outputs_only: bool| -> std::io::Result<Signals> {
        writer.add_module(name)?;
        let mut signals = Vec::new();
        for (column, port) in ports.iter().enumerate().filter(|(_, port)| !(outputs_only && port.input)) {
            let code = writer.add_wire(port.bits as u32, &port.name)?;
            if Some(column) == clock {
                clock_code = Some(code);
            } else {
                signals.push((column, port.bits, code));
            }
        }
        writer.upscope()?;
        Ok(signals)
    };
    let circuit = declare(&mut writer, "rtl", false)?;
    let outputs = declare(&mut writer, side, true)?;
    writer.enddefinitions()?;
    let known = vec![0; ports.len()];
    let unknown_at = |row: usize| unknown.get(row).unwrap_or(&known);
    for row in 0..rows.len() {
        let time = (window_start + row as u64) * PERIOD;
        writer.timestamp(time)?;
        if let Some(code) = clock_code {
            writer.change_scalar(code, Value::V1)?;
        }
        let before = row.checked_sub(1);
        change(&mut writer, &circuit, (&rows[row], &known), before.map(|row| (&rows[row], &known)))?;
        if let Some(values) = other.get(row) {
            let before = before.map(|row| (&other[row], unknown_at(row)));
            change(&mut writer, &outputs, (values, unknown_at(row)), before)?;
        }
        if let Some(code) = clock_code {
            writer.timestamp(time + PERIOD / 2)?;
            writer.change_scalar(code, Value::V0)?;
        }
    }
    writer.timestamp((window_start + rows.len() as u64) * PERIOD)?;
    Ok(bytes)
}

/// Values of a row and its unknown bits.
type Row<'a> = (&'a Vec<u32>, &'a Vec<u32>);

/// Writes the values that differ from the row before.
fn change(writer: &mut Writer<&mut Vec<u8>>, signals: &Signals, now: Row, before: Option<Row>) -> std::io::Result<()> {
    let at = |row: Row, column: usize| (row.0[column], row.1[column]);
    for &(column, bits, code) in signals {
        let (value, unknown) = at(now, column);
        if before.is_some_and(|before| at(before, column) == (value, unknown)) {
            continue;
        }
        let bit = |bit: usize| match (unknown >> bit & 1, value >> bit & 1) {
            (1, _) => Value::X,
            (_, 1) => Value::V1,
            _ => Value::V0,
        };
        match bits {
            1 => writer.change_scalar(code, bit(0))?,
            _ => writer.change_vector(code, &(0..bits).rev().map(bit).collect::<Vec<_>>())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_shows_both_sides_and_the_clock() {
        let port = |name: &str, bits, input| Port { name: name.to_string(), bits, input };
        let ports = [port("clock", 1, true), port("enqueue", 1, true), port("queue_bytes", 4, false)];
        let rows = vec![vec![0, 1, 3], vec![0, 0, 3], vec![0, 0, 5]];
        let other = vec![vec![0, 1, 3], vec![0, 0, 2], vec![0, 0, 4]];
        let unknown = vec![vec![0; 3], vec![0; 3], vec![0, 0, 1]];
        let (cycle, window_start, port) = (101, 100, "queue_bytes".to_string());
        let difference = Difference { cycle, port, expected: 3, found: 2, window_start, rows, other };
        let octets = super::text(&ports, &difference, &unknown, "icarus").unwrap();

        let mut parser = vcd::Parser::new(&octets[..]);
        let header = parser.parse_header().unwrap();
        let code = |scope: &str, name: &str| header.find_var(&[scope, name]).map(|variable| variable.code);
        let [clock, ours, theirs] =
            [code("rtl", "clock"), code("rtl", "queue_bytes"), code("icarus", "queue_bytes")].map(Option::unwrap);
        assert!(code("rtl", "enqueue").is_some() && code("icarus", "enqueue").is_none());
        let text = |bits: Vec<Value>| bits.iter().map(|bit| bit.to_string()).collect::<String>();
        let (mut time, mut edges, mut seen) = (0, Vec::new(), Vec::new());
        for command in parser.map(Result::unwrap) {
            match command {
                vcd::Command::Timestamp(now) => time = now,
                vcd::Command::ChangeScalar(id, Value::V1) if id == clock => edges.push(time),
                vcd::Command::ChangeVector(id, value) if id == ours => seen.push((time, "rtl", text(value))),
                vcd::Command::ChangeVector(id, value) if id == theirs => seen.push((time, "icarus", text(value))),
                _ => {}
            }
        }
        assert_eq!(edges, [1000, 1010, 1020]);
        let expected =
            [(1000, "rtl", "0011"), (1000, "icarus", "0011"), (1010, "icarus", "0010"), (1020, "rtl", "0101")];
        let expected: Vec<_> = expected.into_iter().chain([(1020, "icarus", "010x")]).collect();
        let seen: Vec<_> = seen.iter().map(|(time, side, value)| (*time, *side, value.as_str())).collect();
        assert_eq!(seen, expected);
    }
}
