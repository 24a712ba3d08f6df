// Interval = `low` + `low` * fraction, the fraction drawn from [0, `ratio`).
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module jitter (
    input  wire        clock,    // Rising edge counts
    input  wire        reset,    // Synchronous, active high
    input  wire [23:0] low,      // Smallest interval, in bytes, packets or cycles
    input  wire [15:0] ratio,    // (largest - smallest + 1) / smallest, 13 fraction bits; 0 = no jitter
    input  wire [15:0] seed,     // Start of the shift register, not 0
    input  wire        draw,     // Take the next fraction
    output reg  [23:0] interval  // Interval in force, in the unit of `low`
);
    reg [15:0] state; // Linear-feedback shift register: the random source
    reg [15:0] fraction; // Random part of the ratio, 13 fraction bits
    reg [23:0] multiplicand; // `low`, for the product: it may come from a table, and a multiplier takes most of a cycle
    reg [23:0] extra_low; // Low half of `low` times the fraction
    reg [23:0] extra_high; // High half of `low` times the fraction
    reg [23:0] total; // `low` and what was drawn on top

    initial begin
        state = 16'd0;
        fraction = 16'd0;
        extra_low = 24'd0;
        extra_high = 24'd0;
        total = 24'd0;
    end
    reg [15:0] next_state;
    always @* begin
        next_state = (state << 4'd8) | ((state >> 4'd8) ^ ((state >> 3'd6) & 16'hff) ^ ((state >> 3'd5) & 16'hff) ^ ((state >> 2'd3) & 16'hff));
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
        extra_high <= high_product[23:0] << 2'd3;
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
