// SPDX-License-Identifier: MIT OR Apache-2.0
// Linear inter-packet delay (LIPD): a mark adds one packet time to the delay, and each higher rate
// costs as many packet times as there are rates. Combinational.
//
// Scheme: End-to-end congestion control for InfiniBand (infiniband). Santos 2002: End-to-End
//   Congestion Control for InfiniBand, sections IV and V; older than the congestion control of the
//   InfiniBand standard (threshold, marking rate, CCT).
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

module tidegate_response_lipd (
    input  wire [7:0]  ipd,          // Inter-packet delay: idle packet times between two packets, 0 to 255
    output wire [15:0] price,        // Cost of the next higher rate, packet times
    output reg  [7:0]  decreased,    // Inter-packet delay after a mark
    output wire        at_minimum,   // A mark at the least rate: the credit is cleared
    output wire [3:0]  credit_shift  // Number of bits by which a mark shifts the credit right: none
);
    assign price = 16'h100;
    wire slowest = ipd == 8'd255;
    assign at_minimum = slowest;

    always @* begin
        decreased = ipd + 8'd1;
        if (slowest) begin
            decreased = 8'd255;
        end
    end

    assign credit_shift = 4'd0;
endmodule
