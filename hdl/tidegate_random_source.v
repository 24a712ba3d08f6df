// A 24-bit linear-feedback shift register (x^24 + x^23 + x^22 + x^17 + 1) that advances by sixteen
// steps at once, so that two numbers in a row share only eight bits, in other places.
//
// `draw` in cycle t changes `random` in cycle t + 1. Whether the new number fits is read in its
// first cycle and told by `settled` from the next one on: a number that does not fit is replaced in
// the cycle after its second. So no comparison is in the path to the next number. It has every
// value except 0 before one comes again. Reset loads the seed.
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
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module tidegate_random_source (
    input  wire        clock,   // Clock, rising edge
    input  wire        reset,   // Synchronous reset, active high
    input  wire [15:0] seed,    // The value after reset is made of this, not 0
    input  wire        draw,    // Take the next number
    input  wire        fits,    // The current number fits where it is used; a function of `random`
    output wire [23:0] random,  // The current number
    output wire        settled  // The current number fitted in the cycle before
);
    reg [23:0] state;
    reg judged; // The current number was there in the cycle before: `fitted` tells whether it fits
    reg fitted; // The current number fitted in the cycle before

    initial begin
        state = 24'd0;
        judged = 1'd0;
        fitted = 1'd0;
    end

    wire step = draw || (judged && !fitted);
    wire [23:0] fresh = ((state >> 8) ^ (state >> 7) ^ (state >> 6) ^ (state >> 1)) & 24'hffff;
    assign random = state;
    assign settled = fitted;

    always @(posedge clock) begin
        judged <= !step;
        fitted <= fits && !step;
        if (step) begin
            state <= (state << 16) | fresh;
        end
        if (reset) begin
            state <= {seed, seed[15:8]};
            judged <= 1'd0;
            fitted <= 1'd0;
        end
    end
endmodule
