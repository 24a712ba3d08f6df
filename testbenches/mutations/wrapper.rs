// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several copies of a circuit's Verilog, each with one change, as one module that a simulator builds once.

use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write;
use tidegate::claims::Mutation;
use tidegate::rtl::circuit::Circuit;

/// The changed text; an error if the text to find does not occur exactly once in its module.
pub fn mutate(verilog: &str, mutation: &Mutation) -> Result<String, String> {
    let start = Regex::new(&format!(r"(?m)^module {}\s*[(;]", regex::escape(mutation.module))).unwrap();
    let Some(begin) = start.find(verilog).map(|found| found.start()) else {
        return Err(format!("there is no module {}", mutation.module));
    };
    let end = begin + verilog[begin..].find("\nendmodule").expect("a module ends");
    let found: Vec<usize> = verilog.match_indices(mutation.find).map(|(place, _)| place).collect();
    match found[..] {
        [place] if (begin..end).contains(&place) => Ok(verilog.replacen(mutation.find, mutation.replace, 1)),
        [_] => Err(format!("`{}` stands outside {}", mutation.find, mutation.module)),
        _ => Err(format!("`{}` stands {} times in the circuit", mutation.find, found.len())),
    }
}

/// A module of the name and the ports of a circuit around the given copies, of which the plusarg `mutant` picks one.
pub fn wrap(circuit: &Circuit, copies: &[String]) -> String {
    let mut verilog = String::new();
    for (copy, text) in copies.iter().enumerate() {
        verilog += &renamed(text, circuit, copy);
        verilog.push('\n');
    }
    let line = |verilog: &mut String, line: String| writeln!(verilog, "{line}").unwrap();
    let range = |bits: usize| if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
    let ports = &circuit.ports;
    let declarations: Vec<String> = ports
        .iter()
        .map(|port| format!("    {} {}{}", if port.input { "input" } else { "output" }, range(port.bits), port.name))
        .collect();
    line(&mut verilog, format!("module {} (\n{}\n);", circuit.module, declarations.join(",\n")));
    line(&mut verilog, "    integer chosen_mutant;".to_string());
    line(
        &mut verilog,
        "    initial if (!$value$plusargs(\"mutant=%d\", chosen_mutant)) chosen_mutant = 0;".to_string(),
    );
    for copy in 0..copies.len() {
        let mut pins = Vec::new();
        for port in ports {
            let wire = if port.input { port.name.clone() } else { format!("{}_of_{copy}", port.name) };
            if !port.input {
                line(&mut verilog, format!("    wire {}{wire};", range(port.bits)));
            }
            pins.push(format!(".{}({wire})", port.name));
        }
        line(&mut verilog, format!("    {}_{copy} copy_{copy} ({});", circuit.module, pins.join(", ")));
    }
    for port in ports.iter().filter(|port| !port.input) {
        let choice: String =
            (1..copies.len()).map(|copy| format!("chosen_mutant == {copy} ? {}_of_{copy} : ", port.name)).collect();
        line(&mut verilog, format!("    assign {0} = {choice}{0}_of_0;", port.name));
    }
    line(&mut verilog, "endmodule".to_string());
    verilog
}

/// The text with a number appended to the name of each of its modules, wherever the name occurs.
fn renamed(verilog: &str, circuit: &Circuit, copy: usize) -> String {
    let definition = Regex::new(r"(?m)^module ([\w$]+)").unwrap();
    let modules: BTreeSet<&str> =
        definition.captures_iter(verilog).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(circuit.ports.iter().all(|port| !modules.contains(&*port.name)), "a port has the name of a module");
    let name = Regex::new(r"[A-Za-z_][\w$]*").unwrap();
    let rename = |found: &regex::Captures| match &found[0] {
        module if modules.contains(module) => format!("{module}_{copy}"),
        other => other.to_string(),
    };
    name.replace_all(verilog, rename).into_owned()
}
