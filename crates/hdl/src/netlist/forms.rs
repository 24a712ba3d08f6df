// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Verilog texts that `rust-hdl` prints for its flip-flops, RAMs and ROMs. A text is compared line by line, from its
//! first to its last one: what differs anywhere is another circuit. A flip-flop may also be one of the falling edge.

use super::atoms::Node;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A block of `rust-hdl` whose text is known.
pub(super) enum Form {
    /// `DFF` and `EdgeDFF`: `q` takes `d` at an edge.
    FlipFlop {
        /// Name of its clock.
        clock: &'static str,
        /// Whether the edge is the falling one.
        falling: bool,
        /// Its value at power-up.
        initial: BigUint,
    },
    /// `RAM`, with the words that it has at power-up.
    Ram(Words),
    /// `SyncROM`, with its words.
    SyncRom(Words),
    /// `ROM`, which is read within the cycle.
    Rom {
        /// Its words.
        words: Words,
        /// The word at all other addresses.
        other: BigUint,
    },
}

/// Words of a memory by their addresses.
pub(super) type Words = BTreeMap<BigUint, BigUint>;

/// The ports of `RAM`.
const RAM: [&str; 7] =
    ["read_address", "read_clock", "read_data", "write_address", "write_clock", "write_data", "write_enable"];

/// What the text of a block says.
///
/// # Errors
/// The first line that is not as `rust-hdl` prints it; all of them if the ports have other widths than those of `rust-hdl`.
pub(super) fn form(node: &Node, text: &str) -> Result<Form, String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut lines = Lines { lines: &lines };
    let alike = |one: &str, other: &str| {
        let bits = |name: &str| node.atom(name).map(|port| port.shape.bits);
        bits(one) == bits(other)
    };
    let form = if node.has_ports(&["d", "q", "clock"]) && alike("d", "q") {
        lines.flip_flop("clock")
    } else if node.has_ports(&["d", "q", "clk"]) && alike("d", "q") {
        lines.flip_flop("clk")
    } else if node.has_ports(&RAM) && alike("read_address", "write_address") && alike("read_data", "write_data") {
        lines.ram(node)
    } else if node.has_ports(&["address", "clock", "data"]) {
        lines.sync_rom(node)
    } else if node.has_ports(&["address", "data"]) {
        lines.rom()
    } else {
        None
    };
    match (form, lines.lines) {
        (Some(form), []) => Ok(form),
        (_, []) => Err("(the end)".to_string()),
        (_, [line, ..]) => Err(line.to_string()),
    }
}

/// The lines of a text that are not read yet.
struct Lines<'a> {
    lines: &'a [&'a str],
}

impl<'a> Lines<'a> {
    /// The next line, if it is this one.
    fn is(&mut self, wanted: &str) -> Option<()> {
        let (line, rest) = self.lines.split_first()?;
        (*line == wanted).then(|| self.lines = rest)
    }

    fn are(&mut self, wanted: &[&str]) -> Option<()> {
        wanted.iter().try_for_each(|line| self.is(line))
    }

    /// What the next line has between a beginning and an end.
    fn between(&mut self, before: &str, after: &str) -> Option<&'a str> {
        let (line, rest) = self.lines.split_first()?;
        let middle = line.strip_prefix(before)?.strip_suffix(after)?;
        self.lines = rest;
        Some(middle)
    }

    fn flip_flop(&mut self, clock: &'static str) -> Option<Form> {
        let initial = match self.is("initial begin") {
            Some(()) => {
                let initial = self.with(|lines| literal(lines.between("q = ", ";")?))?;
                self.is("end")?;
                initial
            }
            None => self.with(|lines| literal(lines.between("initial q = ", ";")?))?,
        };
        for (edge, falling) in [("posedge", false), ("negedge", true)] {
            let always = format!("always @({edge} {clock})");
            if self.is(&format!("{always} q <= d;")).is_some() {
                return Some(Form::FlipFlop { clock, falling, initial });
            }
            if self.is(&format!("{always} begin")).is_some() {
                self.are(&["q <= d;", "end"])?;
                return Some(Form::FlipFlop { clock, falling, initial });
            }
        }
        None
    }

    fn ram(&mut self, node: &Node) -> Option<Form> {
        self.storage(node, "read_data", "read_address", "mem[")?;
        let words = if self.is("initial begin").is_some() { self.words("mem[", "] = ", ";")? } else { Words::new() };
        if !words.is_empty() {
            self.is("end")?;
        }
        self.are(&["always @(posedge read_clock) begin", "read_data <= mem[read_address];", "end"])?;
        let write = "mem[write_address] <= write_data;";
        self.are(&["always @(posedge write_clock) begin", "if (write_enable) begin", write, "end", "end"])?;
        Some(Form::Ram(words))
    }

    fn sync_rom(&mut self, node: &Node) -> Option<Form> {
        self.storage(node, "data", "address", "mem [")?;
        self.is("initial begin")?;
        // Without words it prints only the semicolon behind them.
        let words = if self.is(";").is_some() { Words::new() } else { self.words("mem[", "] = ", ";")? };
        self.are(&["end", "always @(posedge clock) begin", "data <= mem[address];", "end"])?;
        Some(Form::SyncRom(words))
    }

    fn rom(&mut self) -> Option<Form> {
        self.are(&["always @*", "case (address)"])?;
        let words = self.words("", ": data = ", ";")?;
        let other = self.with(|lines| literal(lines.between("default: data = ", ";")?))?;
        self.is("endcase")?;
        Some(Form::Rom { words, other })
    }

    /// The declaration of a memory, as wide as a port and with a word for each address of another.
    fn storage(&mut self, node: &Node, data: &str, address: &str, name: &str) -> Option<()> {
        let (bits, address_bits) = (node.atom(data)?.shape.bits, node.atom(address)?.shape.bits);
        let last = (BigUint::from(1u8) << address_bits) - 1u8;
        self.is(&format!("reg[{}:0] {name}{last}:0];", bits - 1))
    }

    /// Lines with an address and a word.
    fn words(&mut self, before: &str, middle: &str, after: &str) -> Option<Words> {
        let mut words = Words::new();
        loop {
            let next = self.with(|lines| {
                let (address, word) = lines.between(before, after)?.split_once(middle)?;
                Some((literal(address)?, literal(word)?))
            });
            let Some((address, word)) = next else { return Some(words) };
            words.insert(address, word);
        }
    }

    /// What `read` finds; if it finds nothing, its lines are not read.
    fn with<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.lines;
        let found = read(self);
        if found.is_none() {
            self.lines = before;
        }
        found
    }
}

/// A literal as `rust-hdl` prints it: `8'h1f`, `3'b101`.
pub(super) fn literal(text: &str) -> Option<BigUint> {
    let (width, digits) = text.split_once('\'')?;
    width.parse::<usize>().ok()?;
    let (base, digits) = (digits.get(..1)?, digits.get(1..)?);
    let radix = match base {
        "b" => 2,
        "h" => 16,
        _ => return None,
    };
    BigUint::parse_bytes(digits.as_bytes(), radix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_hdl::core::ast::Verilog;
    use rust_hdl::prelude::*;
    use rust_hdl::widgets::edge_ff::EdgeDFF;

    fn of<B: Block>(block: &B) -> Result<Form, String> {
        let Verilog::Custom(text) = block.hdl() else { panic!("no text") };
        form(&Node::of(block, "block"), &text)
    }

    #[test]
    fn the_blocks_of_rust_hdl_are_known_with_their_values() {
        let number = |value: u32| BigUint::from(value);
        let Ok(Form::FlipFlop { clock: "clock", falling: false, initial }) = of(&DFF::<Bits<8>>::default()) else {
            panic!("DFF")
        };
        assert_eq!(initial, number(0));
        let Ok(Form::FlipFlop { clock: "clk", falling: false, initial }) = of(&EdgeDFF::<Bits<8>>::new(0x5a.into()))
        else {
            panic!("EdgeDFF")
        };
        assert_eq!(initial, number(0x5a));
        let words: BTreeMap<Bits<3>, Bits<7>> = [(1, 100), (5, 27)].map(|(at, word)| (at.into(), word.into())).into();
        let expected: Words = [(1, 100), (5, 27)].map(|(at, word)| (number(at), number(word))).into();
        let Ok(Form::Ram(found)) = of(&RAM::new(words.clone())) else { panic!("RAM") };
        assert_eq!(found, expected);
        let Ok(Form::Ram(found)) = of(&RAM::<Bits<7>, 3>::default()) else { panic!("RAM without words") };
        assert!(found.is_empty());
        let Ok(Form::SyncRom(found)) = of(&SyncROM::new(words.clone())) else { panic!("SyncROM") };
        assert_eq!(found, expected);
        let Ok(Form::SyncRom(found)) = of(&SyncROM::<Bits<7>, 3>::new(BTreeMap::new())) else { panic!("no words") };
        assert!(found.is_empty());
        let Ok(Form::Rom { words: found, other }) = of(&ROM::new(words)) else { panic!("ROM") };
        assert_eq!((found, other), (expected, number(0)));
    }

    #[test]
    fn a_line_that_differs_is_named() {
        let flip_flop = Node::of(&DFF::<Bits<8>>::default(), "block");
        let good = "initial begin\n q = 8'h0;\nend\nalways @(posedge clock) begin\n q <= d;\nend\n";
        assert!(form(&flip_flop, good).is_ok());
        let short = "initial q = 8'h0;\nalways @(negedge clock) q <= d;";
        assert!(matches!(form(&flip_flop, short), Ok(Form::FlipFlop { falling: true, .. })));
        for (from, to, line) in [
            ("posedge clock", "posedge clock or posedge d", "always @(posedge clock or posedge d) begin"),
            ("posedge clock", "clock", "always @(clock) begin"),
            ("q <= d;", "q <= ~d;", "q <= ~d;"),
            ("8'h0", "8'd0", "q = 8'd0;"),
            ("q <= d;", "if (reset) q <= 0;\nelse q <= d;", "if (reset) q <= 0;"),
            ("end\n", "end\nassign x = 1;\n", "assign x = 1;"),
        ] {
            let at = good.rfind(from).unwrap();
            let text = format!("{}{to}{}", &good[..at], &good[at + from.len()..]);
            assert_eq!(form(&flip_flop, &text).err().as_deref(), Some(line), "{text}");
        }
        let cut = good.split_once("posedge").unwrap().0;
        assert_eq!(form(&flip_flop, cut).err().as_deref(), Some("always @("));
        assert_eq!(form(&flip_flop, "initial begin").err().as_deref(), Some("(the end)"));
    }
}
