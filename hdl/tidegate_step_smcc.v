// SPDX-License-Identifier: MIT OR Apache-2.0
// r <- r - a*Qoff if Qoff and dQ have the same sign (State A); r <- r - b*dQ if their signs differ
// (State B; Jiang 2015b, equation (25)). The scheme has no state: the XOR of two sign bits selects
// the rule (section 5.1), so zero is positive; with `zero_in_state_a`, dQ = 0 is State A. The rate
// itself is stored outside.
//
// A frame comes at most each eight words, so one feedback is worked on at a time: its fields and
// the rate must be held until `feedback_ready`. It becomes valid in cycle t; 16 cycles multiply,
// one limits the step, one applies it: it is taken in cycle t + 18, with the new rate. In State A
// the gain is `gain_a` if |dQ| > `t1_units`, else `gain_a_small`. An increase is applied only if it
// comes from the `same_point`. The rate stays between minimum rate and line rate. Products are
// rounded towards zero; a step saturates below 128 bytes per cycle.
//
// Which decreases are remembered is a choice, because the paper leaves it open: the first one; each
// of a queue above its target (Qoff > 0, which is State A), or with Qoff + `store_weight` * dQ > 0;
// with `store_any` each. Qoff or dQ = 0 is no decrease.
//
// Part of: smcc.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme smcc --out DIR

`default_nettype none

module tidegate_step_smcc (
    input  wire        clock,           // Clock, rising edge
    input  wire        reset,           // Synchronous reset, active high
    input  wire        feedback_valid,  // The feedback fields are valid; hold them until `feedback_ready`
    output reg         feedback_ready,  // The feedback is taken in this cycle
    input  wire [15:0] q_offset_units,  // QOffset, units of 64 octets, two's complement; positive means congestion
    input  wire [15:0] q_delta_units,   // QDelta, units of 64 octets, two's complement
    // The feedback comes from the congestion point of the last one that was taken with `remember`
    input  wire        same_point,
    input  wire        knows_point,     // A congestion point is remembered for this rate
    output reg         remember,        // Remember the congestion point of the feedback; valid with `feedback_ready`
    output wire        will_know_point, // A congestion point is remembered after this feedback; valid with `changes`
    input  wire [24:0] line_rate,       // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,        // Minimum rate, bytes per cycle, 18 fraction bits
    // Gain a if |QDelta| > `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [31:0] gain_a,
    // Gain a if |QDelta| <= `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [31:0] gain_a_small,
    input  wire [31:0] gain_b,          // Gain b, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [15:0] t1_units,        // T1, largest |QDelta| that selects `gain_a_small`, units of 64 octets
    // QDelta = 0 is State A, whatever the sign of QOffset; otherwise zero is positive
    input  wire        zero_in_state_a,
    input  wire        store_any,       // Each decrease is remembered
    // Without `store_any`: the first decrease is remembered, and each with QOffset + `store_weight` x QDelta > 0; 0 =
    // with QOffset > 0
    input  wire [5:0]  store_weight,
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    input  wire [24:0] rate,            // Current rate r, bytes per cycle, 18 fraction bits
    output reg         changes,         // The rate changes; valid with `feedback_ready`
    output wire [24:0] new_rate         // New rate, bytes per cycle, 18 fraction bits; valid with `changes`
);
    localparam [1:0] SMCC_PHASE_IDLE = 2'd0;
    localparam [1:0] SMCC_PHASE_MULTIPLY = 2'd1;
    localparam [1:0] SMCC_PHASE_LIMIT = 2'd2;
    localparam [1:0] SMCC_PHASE_APPLY = 2'd3;

    reg [1:0] phase; // What happens in this cycle
    reg [3:0] place; // Number of the bit of Qoff or dQ that is multiplied in the next cycle
    reg nonzero; // A bit of the number below this one is 1; in the phases after the product: the number is not 0
    reg factor; // The bit of the magnitude that is multiplied in this cycle
    reg delta_large; // |dQ| is above `t1_units`
    reg state_b; // The rule of State B holds
    reg increase; // The feedback raises the rate
    // The negative of the rate that `increase` must not pass: of the line rate or of the minimum rate
    reg [26:0] less_bound;
    // Gain * the lowest bits of the magnitude, shifted right by as many bits; then the step of the rate, whose bits are
    // inverted if it is a decrease; 2^-18 bytes per cycle
    reg [31:0] product;
    reg offset_bit; // The bit of Qoff at the place of `factor`
    // In State B, if dQ is above 0: `store_weight` * dQ + Qoff as a number of 16 bits without sign, of the bits so far,
    // shifted right by as many
    reg [5:0] line;
    reg line_rest; // A bit that was shifted out of it is 1

    initial begin
        phase = 2'd0;
        place = 4'd0;
        nonzero = 1'd0;
        factor = 1'd0;
        delta_large = 1'd0;
        state_b = 1'd0;
        increase = 1'd0;
        less_bound = 27'd0;
        product = 32'd0;
        offset_bit = 1'd0;
        line = 6'd0;
        line_rest = 1'd0;
    end

    // The rule: which number decides, and which gain belongs to it
    wire signs_differ = q_offset_units[15] ^ q_delta_units[15];
    wire by_delta = signs_differ && !(zero_in_state_a && !(|q_delta_units));
    wire raises = by_delta ? q_delta_units[15] : q_offset_units[15];
    wire [16:0] delta_doubled = q_delta_units[15] ? {q_delta_units ^ 16'hffff, 1'd1} : {q_delta_units, 1'd0};
    wire [31:0] gain =
        state_b ? gain_b :
        delta_large ? gain_a :
        gain_a_small;
    wire [15:0] raw_bit_term = q_offset_units >> place;
    wire [15:0] raw_bit_term_2 = q_delta_units >> place;

    // Serial multiplier, least significant bit of the magnitude first
    wire raw_bit = by_delta ? raw_bit_term_2[0] : raw_bit_term[0];
    wire [32:0] addend = factor ? {1'd0, gain} : 33'd0;
    wire [32:0] product_sum = {1'd0, product} + addend;
    wire [5:0] line_addend = factor ? store_weight : 6'd0;
    wire [7:0] line_sum = {1'd0, line, 1'd1} + {1'd0, line_addend, offset_bit};
    wire line_above = (line > 6'd1) || ((line == 6'd1) && line_rest);
    wire stores = store_any || !knows_point || !state_b || (|store_weight && line_above);
    wire remembers = !increase && nonzero && stores;
    assign will_know_point = knows_point || remembers;

    // Limit of the step
    wire [24:0] size = (|product[31:25]) ? 25'h1ffffff : product[24:0];

    // The new rate
    wire [24:0] step = product[24:0];

    reg [25:0] summand;
    reg [24:0] bound;
    reg [26:0] signed_step;
    always @* begin
        summand = {step, 1'd0};
        signed_step = {2'd0, step};
        bound = line_rate;
        if (!increase) begin
            summand = {step, 1'd1};
            signed_step = {2'h3, step};
            bound = min_rate;
        end
    end

    wire [25:0] stepped = {rate, 1'd1} + summand;

    // Whether the new rate passes the bound
    wire [26:0] old_rate = {2'd0, rate};
    wire [26:0] sums = old_rate ^ signed_step ^ less_bound;
    wire [26:0] carries = (old_rate & signed_step) | (old_rate & less_bound) | (signed_step & less_bound);
    wire [26:0] rate_less_bound = sums + (carries << 1);
    wire [24:0] bounded = (rate_less_bound[26] ^ increase) ? bound : stepped[25:1];

    // What is below a level is cut off
    assign new_rate = bounded & (rate_cut ^ 25'h1ffffff);

    // Phases of a feedback
    always @* begin
        changes = 1'd0;
        feedback_ready = 1'd0;
        remember = 1'd0;
        case (phase)
            SMCC_PHASE_IDLE, SMCC_PHASE_MULTIPLY, SMCC_PHASE_LIMIT: ;
            default: begin
                feedback_ready = 1'd1;
                changes = !increase || same_point;
                remember = remembers;
            end
        endcase
    end

    always @(posedge clock) begin
        state_b <= by_delta;
        increase <= raises;
        less_bound <= -{2'd0, min_rate};
        if (raises) begin
            less_bound <= -{2'd0, line_rate};
        end
        delta_large <= delta_doubled > {t1_units, 1'd0};
        factor <= raw_bit ^ (increase && nonzero);

        // Whether a decrease is remembered
        offset_bit <= raw_bit_term[0];
        case (phase)
            SMCC_PHASE_IDLE: begin
                product <= 32'd0;
                line <= 6'd0;
                line_rest <= 1'd0;
                if (feedback_valid) begin
                    nonzero <= raw_bit;
                    place <= 4'd1;
                    phase <= SMCC_PHASE_MULTIPLY;
                end
            end
            SMCC_PHASE_MULTIPLY: begin
                product <= product_sum[32:1];
                line <= line_sum[7:2];
                line_rest <= line_rest || line_sum[1];
                nonzero <= nonzero || raw_bit;
                place <= place + 4'd1;
                if (!(|place)) begin
                    phase <= SMCC_PHASE_LIMIT;
                end
            end
            SMCC_PHASE_LIMIT: begin
                product <= {7'd0, size};
                if (!increase) begin
                    product <= {7'd0, size ^ 25'h1ffffff};
                end
                place <= 4'd0;
                phase <= SMCC_PHASE_APPLY;
            end
            default: begin
                nonzero <= 1'd0;
                phase <= SMCC_PHASE_IDLE;
            end
        endcase
        if (reset) begin
            phase <= SMCC_PHASE_IDLE;
            place <= 4'd0;
            nonzero <= 1'd0;
        end
    end

    wire unused = &{1'b0, product_sum[0], line_sum[0], stepped[0], rate_less_bound[25:0], raw_bit_term[15:1],
        raw_bit_term_2[15:1]};
endmodule

`default_nettype wire
