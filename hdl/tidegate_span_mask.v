// SPDX-License-Identifier: MIT OR Apache-2.0
// All bits from the most significant one of a number on. Combinational.
//
// Scheme: Quantized congestion notification (qcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase Plane Analysis of Quantized
//   Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses 30 to 33.
// Scheme: Backward congestion notification (bcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2.
// Scheme: Sliding mode congestion control (smcc). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 4.
// Scheme: Adaptive sliding mode congestion control (asm). Jiang 2014: Scale Congestion Control to
//   Ultra-High Speed Ethernet, section 4.
// Scheme: Delay-tolerant sliding mode congestion control (dsm). Cheng: Congestion Control in
//   Converged Ethernet with Heterogeneous and Time-Varying Delays, sections III and IV.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module tidegate_span_mask (
    input  wire [23:0] span, // The number
    output wire [23:0] mask  // As many ones as it has bits
);
    wire [23:0] ones_2 = span | (span >> 1);
    wire [23:0] ones_4 = ones_2 | (ones_2 >> 2);
    wire [23:0] ones_8 = ones_4 | (ones_4 >> 4);
    wire [23:0] ones_16 = ones_8 | (ones_8 >> 8);
    assign mask = ones_16 | (ones_16 >> 16);
endmodule
