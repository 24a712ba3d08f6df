// Counts packets, bytes or cycles and marks the arriving packet with which an interval is full (SCHEMES, Sampling).
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module sampler (
    input  wire        clock,         // Rising edge counts
    input  wire        reset,         // Synchronous, active high
    input  wire        enqueue,       // A packet enters the queue
    input  wire [23:0] enqueue_bytes, // Its length, bytes
    input  wire [23:0] interval_low,  // Smallest sampling interval, in what the mode counts
    input  wire [1:0]  sample_mode,   // What is counted: 0 packets, 1 bytes, 2 cycles
    input  wire [15:0] jitter_ratio,  // (largest - smallest + 1) / smallest interval, 13 fraction bits; 0 = no jitter
    input  wire [15:0] seed,          // Start of the random source, not 0
    output reg         sample         // This packet is a sample; same cycle
);
    reg [23:0] elapsed; // Counted since the last interval ended
    reg due; // By time: an interval ended, its packet has not come

    initial begin
        elapsed = 24'd0;
        due = 1'd0;
    end
    wire [23:0] jitter_interval;
    wire interval_reached_reached;
    wire by_bytes = sample_mode == 2'd1;
    wire by_time = sample_mode == 2'd2;
    reg [23:0] amount;
    always @* begin
        amount = 24'd1;
        if (by_bytes) begin
            amount = enqueue_bytes;
        end
    end
    wire counts = enqueue || by_time;
    wire full = counts && interval_reached_reached;
    always @* begin
        sample = full;
        if (by_time) begin
            sample = enqueue && due;
        end
    end
    jitter jitter (
        .clock(clock),
        .reset(reset),
        .low(interval_low),
        .ratio(jitter_ratio),
        .seed(seed),
        .draw(full),
        .interval(jitter_interval)
    );
    sum_reaches interval_reached (
        .first(elapsed),
        .second(amount),
        .bound(jitter_interval),
        .reached(interval_reached_reached)
    );
    always @(posedge clock) begin
        if (counts) begin
            elapsed <= elapsed + amount;
        end
        if (full) begin
            elapsed <= 24'd0;
        end
        due <= 1'd0;
        if (by_time) begin
            due <= full || (due && !enqueue);
        end
        if (reset) begin
            elapsed <= 24'd0;
            due <= 1'd0;
        end
    end
endmodule
