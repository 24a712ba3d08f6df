// SPDX-License-Identifier: MIT OR Apache-2.0
// Five counters that stop at 65,535. A count shows in the cycle after its event. A counter whose
// output is not connected costs nothing: synthesis removes it.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_frame_counters (
    input  wire        clock,            // Clock, rising edge
    input  wire        reset,            // Synchronous reset, active high
    input  wire        frame_taken,      // A feedback frame ended: its feedback was taken
    input  wire        frame_malformed,  // A feedback frame ended: it is not valid, or was received with an error
    input  wire        frame_refused,    // A feedback frame ended: its CPID is not allowed
    input  wire        frame_elsewhere,  // A feedback frame ended: it is for another address
    input  wire        frame_dropped,    // A feedback frame ended: another feedback waited when its second word came
    output wire [15:0] taken_frames,     // Frames whose feedback was taken
    // Feedback frames for this reaction point that are not valid, or that were received with an error
    output wire [15:0] malformed_frames,
    output wire [15:0] refused_frames,   // Valid feedback frames whose CPID is not allowed
    output wire [15:0] elsewhere_frames, // Frames of the EtherType of feedback for another address
    output wire [15:0] dropped_frames    // Feedback frames that came while another feedback waited
);
    reg [15:0] taken; // Frames whose feedback was taken
    reg [15:0] malformed; // Feedback frames that are not valid
    reg [15:0] refused; // Feedback frames whose CPID is not allowed
    reg [15:0] elsewhere; // Feedback frames for another address
    reg [15:0] dropped; // Feedback frames that were dropped

    initial begin
        taken = 16'd0;
        malformed = 16'd0;
        refused = 16'd0;
        elsewhere = 16'd0;
        dropped = 16'd0;
    end

    assign taken_frames = taken;
    assign malformed_frames = malformed;
    assign refused_frames = refused;
    assign elsewhere_frames = elsewhere;
    assign dropped_frames = dropped;

    always @(posedge clock) begin
        if (frame_taken && !(&taken)) begin
            taken <= taken + 16'd1;
        end
        if (frame_malformed && !(&malformed)) begin
            malformed <= malformed + 16'd1;
        end
        if (frame_refused && !(&refused)) begin
            refused <= refused + 16'd1;
        end
        if (frame_elsewhere && !(&elsewhere)) begin
            elsewhere <= elsewhere + 16'd1;
        end
        if (frame_dropped && !(&dropped)) begin
            dropped <= dropped + 16'd1;
        end
        if (reset) begin
            taken <= 16'd0;
            malformed <= 16'd0;
            refused <= 16'd0;
            elsewhere <= 16'd0;
            dropped <= 16'd0;
        end
    end
endmodule

`default_nettype wire
