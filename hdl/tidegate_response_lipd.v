// SPDX-License-Identifier: MIT OR Apache-2.0
// Linear inter-packet delay (LIPD): a mark adds one packet time to the delay, and each higher rate
// costs as many packet times as there are rates. Combinational.
//
// Part of: infiniband.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

module tidegate_response_lipd (
    input  wire [7:0]  ipd,          // Inter-packet delay: idle packet times between two packets, 0 to 255
    output wire [15:0] price,        // Cost of the next higher rate, packet times
    output wire [7:0]  decreased,    // Inter-packet delay after a mark
    output wire        at_minimum,   // A mark at the least rate: the credit is cleared
    output wire [3:0]  credit_shift  // Number of bits by which a mark shifts the credit right: none
);
    assign price = 16'h100;
    wire slowest = ipd == 8'd255;
    assign at_minimum = slowest;
    assign decreased = slowest ? 8'd255 : (ipd + 8'd1);
    assign credit_shift = 4'd0;
endmodule

`default_nettype wire
