// SPDX-License-Identifier: MIT OR Apache-2.0
// A 24-bit linear-feedback shift register (x^24 + x^23 + x^22 + x^17 + 1), sixteen steps at once,
// so that two numbers in a row share only eight bits, in other places. It has every value except 0
// before one comes again. Combinational.
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

module tidegate_random_step (
    input  wire [23:0] random,       // A random number, not 0
    output wire [23:0] next_random,  // The next one
    input  wire [15:0] seed,         // The first number of a random source is made of this, not 0
    output wire [23:0] first_random  // The first number
);
    wire [23:0] fresh = ((random >> 8) ^ (random >> 7) ^ (random >> 6) ^ (random >> 1)) & 24'hffff;
    assign next_random = (random << 16) | fresh;
    assign first_random = {seed, seed[15:8]};
endmodule
