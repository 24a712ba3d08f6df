// SPDX-License-Identifier: MIT OR Apache-2.0
// Counts the packets that enter at four inputs. Combinational, without an adder: each bit is a
// function of four bits.
//
// Part of: infiniband.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

module tidegate_entered_of_four (
    input  wire       entering_0, // A packet enters at this input
    input  wire       entering_1, // A packet enters at this input
    input  wire       entering_2, // A packet enters at this input
    input  wire       entering_3, // A packet enters at this input
    output reg  [2:0] count,      // Number of packets, 0 to 4
    output reg  [3:0] less_one    // Number of packets minus 1, two's complement
);
    wire one_low = entering_0 ^ entering_1;
    wire one_high = entering_2 ^ entering_3;
    wire two_low = entering_0 && entering_1;
    wire two_high = entering_2 && entering_3;

    always @* begin
        if (two_low && two_high) begin
            count = 3'd4;
            less_one = 4'd3;
        end else if ((two_low && one_high) || (one_low && two_high)) begin
            count = 3'd3;
            less_one = 4'd2;
        end else if (two_low || two_high || (one_low && one_high)) begin
            count = 3'd2;
            less_one = 4'd1;
        end else if (one_low || one_high) begin
            count = 3'd1;
            less_one = 4'd0;
        end else begin
            count = 3'd0;
            less_one = 4'd15;
        end
    end
endmodule

`default_nettype wire
