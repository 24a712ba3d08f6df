// r <- r - a*Qoff if Qoff and dQ have the same sign (State A); r <- r - b*dQ if their signs differ
// (State B). Zero counts as positive (Jiang 2015b, equation (25) and section 4.4). There is no
// state machine: the state is the XOR of two sign bits.
//
// A pipeline of four stages: select the gain, multiply, add the two products, change the rate.
// Feedback of cycle t changes `current_rate` in cycle t + 4; a feedback can be taken in every
// cycle. In State A the gain is `gain_a` if |dQ| > `t1_units`, else `gain_a_small`. A decrease
// stores the CPID; an increase is applied only if its CPID is the stored one. Only the bits that
// are set in `cpid_mask` are stored and compared. Reset sets the rate to the line rate; the rate
// stays between minimum rate and line rate. Products are rounded towards zero; a step saturates
// below 128 bytes per cycle.
//
// Scheme: Sliding mode congestion control (smcc). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 4.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module tidegate_calculator_smcc (
    input  wire        clock,          // Clock, rising edge
    input  wire        reset,          // Synchronous reset, active high
    input  wire        feedback_valid, // The feedback fields are valid
    output wire        feedback_ready, // Always 1: a feedback is taken in the cycle in which it is valid
    input  wire [15:0] q_offset_units, // QOffset, units of 64 octets, two's complement; positive means congestion
    input  wire [15:0] q_delta_units,  // QDelta, units of 64 octets, two's complement
    input  wire [31:0] cpid_high,      // Congestion point identifier (CPID) of the feedback, bits 63 to 32
    input  wire [31:0] cpid_low,       // Congestion point identifier (CPID), bits 31 to 0
    input  wire [24:0] line_rate,      // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,       // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [31:0] gain_a,         // Gain a if |QDelta| > `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [31:0] gain_a_small,   // Gain a if |QDelta| <= `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [31:0] gain_b,         // Gain b, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [15:0] t1_units,       // T1, largest |QDelta| that selects `gain_a_small`, units of 64 octets
    input  wire [31:0] cpid_mask_high, // Bits of the CPID that are stored and compared, bits 63 to 32
    input  wire [31:0] cpid_mask_low,  // Bits of the CPID that are stored and compared, bits 31 to 0
    output wire [24:0] current_rate    // Current rate r, bytes per cycle, 18 fraction bits
);
    reg [24:0] rate; // Current rate r, bytes per cycle, 18 fraction bits
    reg [31:0] stored_cpid_high; // CPID of the last decrease, bits 63 to 32
    reg [31:0] stored_cpid_low; // The same CPID, bits 31 to 0
    reg [15:0] chosen; // Stage 1: |Qoff| in State A, |dQ| in State B, units of 64 octets
    reg [31:0] chosen_gain; // Stage 1: the gain that belongs to `chosen`
    reg chosen_valid; // Stage 1 holds a feedback that changes the rate
    reg chosen_up; // The feedback in stage 1 increases the rate
    reg [31:0] whole_product; // Stage 2: magnitude times whole part of the gain, 2^-18 bytes per cycle
    reg [15:0] fraction_carry; // Stage 2: magnitude times fraction of the gain, whole part, 2^-18 bytes per cycle
    reg product_valid; // Stage 2 holds a feedback that changes the rate
    reg product_up; // The feedback in stage 2 increases the rate
    reg [24:0] step; // Stage 3: step of the rate, 2^-18 bytes per cycle; the bits of a decrease are inverted
    reg step_valid; // Stage 3 holds a step that changes the rate
    reg step_up; // The step in stage 3 increases the rate

    initial begin
        rate = 25'd0;
        stored_cpid_high = 32'd0;
        stored_cpid_low = 32'd0;
        chosen = 16'd0;
        chosen_gain = 32'd0;
        chosen_valid = 1'd0;
        chosen_up = 1'd0;
        whole_product = 32'd0;
        fraction_carry = 16'd0;
        product_valid = 1'd0;
        product_up = 1'd0;
        step = 25'd0;
        step_valid = 1'd0;
        step_up = 1'd0;
    end

    assign feedback_ready = 1'd1;

    reg [15:0] offset_magnitude;
    always @* begin
        offset_magnitude = q_offset_units;
        if (q_offset_units[15]) begin
            offset_magnitude = -q_offset_units;
        end
    end

    reg [15:0] delta_magnitude;
    always @* begin
        delta_magnitude = q_delta_units;
        if (q_delta_units[15]) begin
            delta_magnitude = -q_delta_units;
        end
    end

    wire state_b = q_offset_units[15] ^ q_delta_units[15];

    reg increase;
    reg [15:0] magnitude;
    reg [31:0] gain;
    always @* begin
        magnitude = offset_magnitude;
        increase = q_offset_units[15];
        gain = gain_a_small;
        if (state_b) begin
            magnitude = delta_magnitude;
            increase = q_delta_units[15];
            gain = gain_b;
        end else if (delta_magnitude > t1_units) begin
            gain = gain_a;
        end
    end

    wire [15:0] gain_whole = chosen_gain[31:16];
    wire [15:0] gain_fraction = chosen_gain[15:0];
    wire [31:0] fraction_product = {16'd0, chosen} * {16'd0, gain_fraction};
    wire [31:0] product = whole_product + {16'd0, fraction_carry};

    reg [24:0] size;
    always @* begin
        size = product[24:0];
        if (|product[31:25]) begin
            size = 25'h1ffffff;
        end
    end

    wire [31:0] masked_high = cpid_high & cpid_mask_high;
    wire [31:0] masked_low = cpid_low & cpid_mask_low;
    wire same_point = (masked_high == stored_cpid_high) && (masked_low == stored_cpid_low);
    assign current_rate = rate;

    reg [25:0] summand;
    reg [24:0] bound;
    reg [26:0] signed_step;
    reg [26:0] less_bound;
    always @* begin
        summand = {step, 1'd0};
        signed_step = {2'd0, step};
        bound = line_rate;
        less_bound = -{2'd0, line_rate};
        if (!step_up) begin
            summand = {step, 1'd1};
            signed_step = {2'h3, step};
            bound = min_rate;
            less_bound = -{2'd0, min_rate};
        end
    end

    wire [25:0] stepped = {rate, 1'd1} + summand;
    wire [26:0] old_rate = {2'd0, rate};
    wire [26:0] sums = old_rate ^ signed_step ^ less_bound;
    wire [26:0] carries = (old_rate & signed_step) | (old_rate & less_bound) | (signed_step & less_bound);
    wire [26:0] rate_less_bound = sums + (carries << 1);

    always @(posedge clock) begin
        chosen <= magnitude;
        chosen_gain <= gain;
        chosen_up <= increase;
        whole_product <= {16'd0, chosen} * {16'd0, gain_whole};
        fraction_carry <= fraction_product[31:16];
        product_valid <= chosen_valid;
        product_up <= chosen_up;
        step <= size ^ 25'h1ffffff;
        if (product_up) begin
            step <= size;
        end
        step_valid <= product_valid;
        step_up <= product_up;
        chosen_valid <= feedback_valid && (!increase || same_point);
        if (feedback_valid && !increase) begin
            stored_cpid_high <= masked_high;
            stored_cpid_low <= masked_low;
        end
        if (step_valid) begin
            rate <= stepped[25:1];
            if (rate_less_bound[26] ^ step_up) begin
                rate <= bound;
            end
        end
        if (reset) begin
            rate <= line_rate;
            stored_cpid_high <= 32'd0;
            stored_cpid_low <= 32'd0;
            chosen_valid <= 1'd0;
            product_valid <= 1'd0;
            step_valid <= 1'd0;
        end
    end

    wire unused = &{1'b0, fraction_product[15:0], stepped[0], rate_less_bound[25:0]};
endmodule
