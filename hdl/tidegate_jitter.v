// Interval = `low` + `low` * fraction. The fraction is drawn at random from [0, `ratio`).
//
// The fraction comes from a 16-bit linear-feedback shift register (x^16 + x^14 + x^13 + x^11 + 1)
// that advances by eight steps per draw, so that two draws share no bit. From there to `interval`
// the data passes two multipliers and an adder, each with registers at its output: a draw in cycle
// t changes `interval` in cycle t + 4; a new `low` enters the sum in cycle t + 1 and the product in
// t + 3. Reset loads the seed; for three cycles after it, the interval is `low` of the cycle
// before. If `ratio` is 0, the interval is `low` of the same cycle.
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

module tidegate_jitter (
    input  wire        clock,    // Clock, rising edge
    input  wire        reset,    // Synchronous reset, active high
    input  wire [23:0] low,      // Smallest interval, in bytes, packets or cycles
    input  wire [15:0] ratio,    // (largest - smallest + 1) / smallest, 13 fraction bits; 0 = no jitter
    input  wire [15:0] seed,     // Value of the shift register after reset, not 0
    input  wire        draw,     // Draw the next random fraction in this cycle
    output reg  [23:0] interval  // The current interval, in the unit of `low`
);
    reg [15:0] state; // Linear-feedback shift register, the source of random numbers
    reg [15:0] fraction; // Random fraction, at least 0 and below `ratio`, 13 fraction bits
    reg [23:0] multiplicand; // `low` of the cycle before, for the multipliers. `low` may come from a table, and a multiplier takes most of a cycle
    reg [23:0] extra_low; // Low 16 bits of `low` * fraction, in the unit of `low`
    reg [23:0] extra_high; // High 8 bits of `low` * fraction, in the unit of `low`
    reg [23:0] total; // `low` plus its random part, in the unit of `low`

    initial begin
        state = 16'd0;
        fraction = 16'd0;
        extra_low = 24'd0;
        extra_high = 24'd0;
        total = 24'd0;
    end

    reg [15:0] next_state;
    always @* begin
        next_state = {state[7:0], state[15:8] ^ state[13:6] ^ state[12:5] ^ state[10:3]};
        if (reset) begin
            next_state = seed;
        end
    end

    wire [15:0] uniform = state & 16'hff;
    wire [31:0] scaled = {16'd0, ratio} * {16'd0, uniform};
    wire [15:0] low_half = multiplicand[15:0];
    wire [15:0] high_half = {8'd0, multiplicand[23:16]};
    wire [31:0] low_product = {16'd0, low_half} * {16'd0, fraction};
    wire [31:0] high_product = {16'd0, high_half} * {16'd0, fraction};

    always @* begin
        interval = low;
        if (|ratio) begin
            interval = total;
        end
    end

    always @(posedge clock) begin
        if (draw || reset) begin
            state <= next_state;
        end
        fraction <= scaled[23:8];
        multiplicand <= low;
        extra_low <= {5'd0, low_product[31:13]};
        extra_high <= high_product[23:0] << 3;
        total <= low + extra_low + extra_high;
        if (reset) begin
            total <= low;
            fraction <= 16'd0;
            extra_low <= 24'd0;
            extra_high <= 24'd0;
        end
    end

    wire unused = &{1'b0, scaled[7:0], scaled[31:24], low_product[12:0], high_product[31:24]};
endmodule
