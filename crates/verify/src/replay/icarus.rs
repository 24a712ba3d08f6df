// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Verilog bench around a module, for Icarus.

use tidegate_circuits::rtl::circuit::{Circuit, Port};

/// A bench that replays the file `rows` in its folder, and the name of its module. Arguments: `+cycles=N`, or `+from=N
/// +to=N` to print the outputs of a window. With `!==`, an unknown bit is a difference.
pub(super) fn test_bench(circuit: &Circuit) -> (String, String) {
    let columns = circuit.ports.len();
    let top = format!("replay_of_{}", circuit.module);
    let range = |port: &Port| if port.bits == 1 { String::new() } else { format!("[{}:0] ", port.bits - 1) };
    // The first word of a row is the most significant one.
    let slice = |column: usize| {
        let low = 32 * (columns - 1 - column);
        format!("recorded_row[{}:{low}]", low + circuit.ports[column].bits - 1)
    };
    let outputs: Vec<usize> = (0..columns).filter(|&column| !circuit.ports[column].input).collect();
    let lines = |of: &dyn Fn(usize) -> Option<String>, separator: &str| {
        (0..columns).filter_map(of).collect::<Vec<_>>().join(separator)
    };
    let declare = |column: usize| {
        let port = &circuit.ports[column];
        Some(format!("    {} {}{};", if port.input { "reg" } else { "wire" }, range(port), port.name))
    };
    let connect = |column: usize| Some(format!("        .{0}({0})", circuit.ports[column].name));
    let drive = |column: usize| {
        let port = &circuit.ports[column];
        (port.input && port.name != "clock").then(|| format!("            {} = {};", port.name, slice(column)))
    };
    let of_outputs = |text: &dyn Fn(usize) -> String| outputs.iter().map(|&column| text(column)).collect::<Vec<_>>();
    let names = of_outputs(&|column| circuit.ports[column].name.clone()).join(", ");
    let recorded = of_outputs(&slice).join(", ");
    let text = BENCH
        .replace("@TOP@", &top)
        .replace("@MODULE@", circuit.module)
        .replace("@HIGHEST@", &(32 * columns - 1).to_string())
        .replace("@BYTES@", &(4 * columns).to_string())
        .replace("@DECLARE@", lines(&declare, "\n").trim())
        .replace("@CONNECT@", lines(&connect, ",\n").trim())
        .replace("@DRIVE@", lines(&drive, "\n").trim())
        .replace("@FORMAT@", &vec!["%b"; outputs.len()].join(" "))
        .replace("@SETTLED@", &circuit.settled().to_string())
        .replace("@OUTPUTS@", &names)
        .replace("@RECORDED@", &recorded);
    (text, top)
}

const BENCH: &str = r#"
module @TOP@;
    @DECLARE@
    reg [@HIGHEST@:0] recorded_row;
    reg [63:0] recorded_cycle, recorded_cycles, recorded_from, recorded_to;
    integer recorded_file, recorded_bytes;

    @MODULE@ replayed (
        @CONNECT@
    );

    initial begin
        recorded_from = 0;
        recorded_to = 0;
        recorded_cycles = 0;
        recorded_bytes = $value$plusargs("from=%d", recorded_from);
        if ($value$plusargs("to=%d", recorded_to)) recorded_cycles = recorded_to;
        else recorded_bytes = $value$plusargs("cycles=%d", recorded_cycles);
        recorded_file = $fopen("rows", "rb");
        for (recorded_cycle = 0; recorded_cycle < recorded_cycles; recorded_cycle = recorded_cycle + 1) begin
            recorded_bytes = $fread(recorded_row, recorded_file);
            if (recorded_bytes != @BYTES@) begin
                $display("no row for cycle %0d", recorded_cycle);
                $finish;
            end
            clock = 0;
            @DRIVE@
            #1;
            if (recorded_to != 0) begin
                if (recorded_cycle >= recorded_from) $display("@FORMAT@", @OUTPUTS@);
            end else if (recorded_cycle >= @SETTLED@ && {@OUTPUTS@} !== {@RECORDED@}) begin
                $display("different %0d", recorded_cycle);
                $finish;
            end
            clock = 1;
            #1;
        end
        if (recorded_to == 0) $display("agreed %0d", recorded_cycles);
        $finish;
    end
endmodule
"#;
