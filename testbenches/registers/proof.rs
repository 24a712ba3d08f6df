// SPDX-License-Identifier: MIT OR Apache-2.0
//! For all time and all accesses: the values in use are within their bounds and agree with the rules, and they change
//! only after a boundary or a reset.

use super::registers;
use std::fmt::Write;
use std::time::Duration;
use tidegate::registers::circuit::circuit;
use tidegate::registers::{Content, Registers, Word};
use tidegate::registry;
use tidegate::scheme::Part;
use tidegate::scheme::bounds::{Bounds, Rule, Term};
use tidegate::toolchain::formal::{Judgement, Method, Outcome, Prover, Question};
use tidegate::verilog;

/// The condition that a value is within bounds.
fn within(bounds: Bounds, value: &str) -> String {
    let Bounds { least, most, zero, clear } = bounds;
    let range = format!("({value} >= 64'd{least} && {value} <= 64'd{most})");
    let range = if zero { format!("({range} || {value} == 0)") } else { range };
    format!("({range} && ({value} & 64'd{clear}) == 0)")
}

/// The condition that a rule holds for values of ports.
fn holds(rule: &Rule, value: &dyn Fn(&str) -> String) -> String {
    let sum = |terms: &[Term], more: u64| {
        let term = |term: &Term| {
            let mask = if term.even { "64'hfffffffffffffffe" } else { "64'hffffffffffffffff" };
            format!(" + 64'd{} * ({} & {mask})", term.factor, value(term.port))
        };
        format!("(64'd{more}{})", terms.iter().map(term).collect::<String>())
    };
    format!("({} <= {})", sum(rule.left, 0), sum(rule.right, rule.more))
}

/// A harness around a register file. A claim about bounds needs what is true before: what was written is within bounds,
/// and so is a value that has been accepted and is about to be stored.
fn harness(registers: &Registers) -> String {
    let module = &registers.module;
    let (mut wires, mut ports, mut inner) = (String::new(), String::new(), String::new());
    let mut same = vec!["1'b1".to_string()];
    for register in &registers.list {
        let (Content::Parameter(place, _), Some(port)) = (register.content, &register.port) else { continue };
        let range = format!("[{}:0]", register.bits - 1);
        writeln!(wires, "    wire {range} {port}; reg {range} {port}_before;").unwrap();
        write!(ports, ", .{port}({port})").unwrap();
        same.push(format!("{port} == {port}_before"));
        if registers.parameters[place].bounds.is_some() {
            writeln!(inner, "    (* anyseq *) wire {range} inner_written_{port};").unwrap();
        }
    }
    for parameter in registers.parameters.iter().filter(|parameter| parameter.high.is_some()) {
        writeln!(inner, "    (* anyseq *) wire [31:0] inner_held_{};", parameter.port).unwrap();
    }
    for input in registers.part_inputs() {
        writeln!(wires, "    (* anyseq *) wire [{}:0] {};", input.bits - 1, input.name).unwrap();
        write!(ports, ", .{0}({0})", input.name).unwrap();
    }
    let (mut written, mut used, mut accepted) = (vec!["1'b1".into()], vec!["1'b1".into()], vec!["1'b1".into()]);
    for register in &registers.list {
        let Content::Parameter(place, word) = register.content else { continue };
        let parameter = &registers.parameters[place];
        let Some(bounds) = parameter.bounds else { continue };
        let value = |start: &str| match &parameter.high {
            None => {
                format!("{{32'd0, {start}{}}}", parameter.port).replace("32'd0", &format!("{}'d0", 64 - parameter.bits))
            }
            Some((high, bits)) => match 32 - bits {
                0 => format!("{{{start}{high}, {start}{}}}", parameter.port),
                above => format!("{{{above}'d0, {start}{high}, {start}{}}}", parameter.port),
            },
        };
        let here = format!("inner_accessed_address != 10'd{}", register.address >> 2);
        match word {
            Word::Low => continue,
            Word::Only => accepted.push(format!("({here} || {})", within(bounds, "{32'd0, inner_written_data}"))),
            Word::High => {
                let both = format!("{{inner_written_data, inner_held_{}}}", parameter.port);
                accepted.push(format!("({here} || {})", within(bounds, &both)));
            }
        }
        written.push(within(bounds, &value("inner_written_")));
        used.push(within(bounds, &value("")));
        for rule in registers.rules.iter().filter(|rule| rule.ports().any(|port| port == parameter.port)) {
            let tried = |port: &str| match port == parameter.port {
                true => "{32'd0, inner_written_data}".to_string(),
                false => format!("inner_written_{port}"),
            };
            accepted.push(format!("({here} || {})", holds(rule, &tried)));
        }
    }
    for rule in &registers.rules {
        written.push(holds(rule, &|port| format!("inner_written_{port}")));
        used.push(holds(rule, &|port| port.to_string()));
    }
    let all = |conditions: &[String]| conditions.join("\n        && ");
    let before: String = same[1..]
        .iter()
        .map(|same| same.split_once(" == ").unwrap())
        .fold(String::new(), |text, (now, before)| text + &format!("        {before} <= {now};\n"));
    format!(
        "module {module}_properties (input clock, input reset, input select, input write, input [9:0] address,
    input [31:0] write_data, input boundary);
{wires}{inner}
    (* anyseq *) wire inner_writing, inner_accepted;
    (* anyseq *) wire [4:0] inner_progress;
    (* anyseq *) wire [9:0] inner_accessed_address;
    (* anyseq *) wire [31:0] inner_written_data;
    {module} device (.clock(clock), .reset(reset), .select(select), .write(write), .address(address),
        .write_data(write_data), .boundary(boundary){ports});
    reg started = 0, may_change = 0;
    always @(posedge clock) begin
        started <= 1;
        may_change <= boundary || reset;
{before}    end
    always @(*) if (!started) assume(reset);
    always @(*) if (started) begin
        helper_written: assert({});
        helper_accepted: assert(!(inner_progress[4] && inner_writing && inner_accepted) || ({}));
        helper_one_access: assert((inner_progress & (inner_progress - 5'd1)) == 0);
        used_within_bounds: assert({});
        changes_at_a_boundary: assert(may_change || ({}));
    end
endmodule
",
        all(&written),
        all(&accepted),
        all(&used),
        all(&same),
    )
}

fn judge(registers: &Registers, verilog: &str) -> Vec<Outcome> {
    let prover = Prover::find().unwrap();
    let outcomes = prover.judge(&Question {
        sources: &[("design.v", verilog)],
        harness: &harness(registers),
        top: &format!("{}_properties", registers.module),
        only: &[],
        until: None,
        method: Method::Induction(6),
        timeout: Duration::from_secs(500),
    });
    outcomes.unwrap()
}

fn proved(outcomes: &[Outcome], name: &str) -> bool {
    outcomes.iter().any(|outcome| outcome.name == name && outcome.judgement == Judgement::Proved)
}

const CLAIMS: [&str; 2] = ["used_within_bounds", "changes_at_a_boundary"];

#[test]
fn values_in_use_are_within_bounds_and_change_at_a_boundary() {
    within_bounds(&[("dsm", Part::ReactionPoint)]);
}

#[test]
#[ignore = "long: half a minute of z3"]
fn values_of_qcn_in_use_are_within_bounds_and_change_at_a_boundary() {
    within_bounds(&[("qcn", Part::ReactionPoint), ("qcn", Part::CongestionPoint)]);
}

fn within_bounds(parts: &[(&str, Part)]) {
    for &(scheme, part) in parts {
        let registers = registers(registry::find(scheme).unwrap(), part, &[]);
        let outcomes = judge(&registers, &verilog::text(&circuit(&registers)));
        for claim in CLAIMS {
            assert!(proved(&outcomes, claim), "{}: {claim}: {outcomes:?}", registers.module);
        }
    }
}

/// A claim is not proved of a register file that breaks it.
#[test]
#[ignore = "long: half a minute of z3"]
fn claims_are_not_proved_of_a_broken_register_file() {
    let registers = registers(registry::find("qcn").unwrap(), Part::ReactionPoint, &[]);
    let verilog = verilog::text(&circuit(&registers));
    for (claim, from, to) in [
        ("used_within_bounds", "written_data >= 32'd128", "written_data >= 32'd127"),
        ("used_within_bounds", "rule_0 <= left_0 <= right_0;", "rule_0 <= 1'd1;"),
        ("changes_at_a_boundary", "assign gd_shift = used_gd_shift;", "assign gd_shift = written_gd_shift;"),
    ] {
        assert!(verilog.contains(from), "the Verilog has no `{from}`");
        let outcomes = judge(&registers, &verilog.replace(from, to));
        assert!(!proved(&outcomes, claim), "{claim} is proved with {to}");
    }
}
