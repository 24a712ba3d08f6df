// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers in the smoke test: identification and version, a write that is taken, one that is refused.

use super::ports::ports;
use super::{Device, address, axi, parameter_to_write};
use crate::registers::Registers;

/// How a bench reads and writes registers: a port that tells the bus, and the tasks.
const BUSES: [(&str, &str); 3] = [
    (
        "s_axi_awvalid",
        "
    // AXI4-Lite.
    reg address_taken, data_taken;

    task read(input [11:0] address, output [31:0] data);
        begin
            s_axi_araddr = address;
            s_axi_arvalid = 1'b1;
            #1 while (!s_axi_arready) @(negedge CLOCK);
            @(negedge CLOCK) s_axi_arvalid = 1'b0;
            while (!s_axi_rvalid) @(negedge CLOCK);
            data = s_axi_rdata;
            if (s_axi_rresp !== 0) $fatal(1, \"a read of %h has the response %b\", address, s_axi_rresp);
            s_axi_rready = 1'b1;
            @(negedge CLOCK) s_axi_rready = 1'b0;
        end
    endtask

    task write(input [11:0] address, input [31:0] data);
        begin
            s_axi_awaddr = address;
            s_axi_wdata = data;
            s_axi_wstrb = 4'b1111;
            s_axi_awvalid = 1'b1;
            s_axi_wvalid = 1'b1;
            while (s_axi_awvalid || s_axi_wvalid) begin
                #1 address_taken = s_axi_awready;
                data_taken = s_axi_wready;
                @(negedge CLOCK);
                if (address_taken) s_axi_awvalid = 1'b0;
                if (data_taken) s_axi_wvalid = 1'b0;
            end
            while (!s_axi_bvalid) @(negedge CLOCK);
            if (s_axi_bresp !== 0) $fatal(1, \"a write of %h has the response %b\", address, s_axi_bresp);
            s_axi_bready = 1'b1;
            @(negedge CLOCK) s_axi_bready = 1'b0;
        end
    endtask
",
    ),
    (
        "register_select",
        "
    // The port of the register file.
    task access(input write, input [11:0] address);
        begin
            register_write = write;
            register_address = address[11:2];
            register_select = 1'b1;
            @(negedge CLOCK);
            while (!register_acknowledge) @(negedge CLOCK);
        end
    endtask

    task read(input [11:0] address, output [31:0] data);
        begin
            access(1'b0, address);
            data = register_read_data;
            @(negedge CLOCK) register_select = 1'b0;
            @(negedge CLOCK);
        end
    endtask

    task write(input [11:0] address, input [31:0] data);
        begin
            register_write_data = data;
            access(1'b1, address);
            @(negedge CLOCK) register_select = 1'b0;
            @(negedge CLOCK);
        end
    endtask
",
    ),
    (
        "reg_req_in",
        "
    // The register ring: a request goes in, and comes out with its answer.
    task access(input read, input [11:0] address, input [31:0] data);
        begin
            reg_req_in = 1'b1;
            reg_rd_wr_L_in = read;
            reg_addr_in = {BLOCK, address[11:2]};
            reg_data_in = data;
            @(negedge CLOCK) reg_req_in = 1'b0;
            while (!reg_req_out) @(negedge CLOCK);
            if (!reg_ack_out) $fatal(1, \"a request for %h has no answer\", address);
        end
    endtask

    task read(input [11:0] address, output [31:0] data);
        begin
            access(1'b1, address, 0);
            data = reg_data_out;
            @(negedge CLOCK);
        end
    endtask

    task write(input [11:0] address, input [31:0] data);
        begin
            access(1'b0, address, data);
            @(negedge CLOCK);
        end
    endtask
",
    ),
];

/// The tasks, and the accesses of the test.
pub(super) fn of(device: &Device, registers: &Registers) -> Option<(String, String)> {
    debug_assert_eq!(BUSES[0].0, format!("{}_awvalid", axi::REGISTERS));
    let module = device.netlist.top();
    let ports = ports(module);
    let (_, tasks) = BUSES.iter().find(|(port, _)| ports.iter().any(|other| other.name == *port))?;
    let block = module.choices.first().map_or("", |&choice| &module.signals[choice].name);
    let check = "
    reg [31:0] found;

    task check(input [11:0] address, input [31:0] expected);
        begin
            read(address, found);
            if (found !== expected) $fatal(1, \"the register at %h is %h, not %h\", address, found, expected);
        end
    endtask
";
    let at = |name: &str| address(registers, name);
    let reset = |name: &str| registers.at(at(name)).map_or(0, |register| register.reset);
    let mut accesses = format!(
        "        // Identification and version.
        check(12'h{:03x}, 32'h{:08x});
        check(12'h{:03x}, 32'h{:08x});
        // A write of a register that can only be read is refused and counted.
        write(12'h{:03x}, 0);
        check(12'h{:03x}, 1);
",
        at("id"),
        reset("id"),
        at("version"),
        reset("version"),
        at("id"),
        at("refused_writes"),
    );
    if let Some((register, value)) = parameter_to_write(registers) {
        let (address, value) = (register.address, value as u32);
        accesses += &format!(
            "        // {}: a parameter after reset, and another value.
        check(12'h{address:03x}, 32'h{:08x});
        write(12'h{address:03x}, 32'h{value:08x});
        check(12'h{address:03x}, 32'h{value:08x});
        write(12'h{address:03x}, 32'h{:08x});
",
            register.name, register.reset, register.reset,
        );
    }
    Some((tasks.replace("BLOCK", block) + check, accesses))
}
