// `first` + `second` >= `bound`, with a single carry chain. Combinational.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module sum_reaches (
    input  wire [23:0] first,   // What was counted so far
    input  wire [23:0] second,  // What is added to it
    input  wire [23:0] bound,   // What the sum is compared with
    output wire        reached  // The sum is the bound or more
);
    wire [25:0] one = {2'd0, first};
    wire [25:0] other = {2'd0, second};
    wire [25:0] less_bound = {2'd0, bound} ^ 26'h3ffffff;
    wire [25:0] sums = one ^ other ^ less_bound;
    wire [25:0] carries = (one & other) | (one & less_bound) | (other & less_bound);
    wire [25:0] difference = sums + ((carries << 1'd1) | 26'h1);
    assign reached = !difference[25];
    wire unused = &{1'b0, difference[24:0]};
endmodule
