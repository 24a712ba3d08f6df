// SPDX-License-Identifier: MIT OR Apache-2.0
// The rate of a source, one of the discrete rates R_max / (1 + ipd) (Santos 2002, section V).
//
// An unmarked ACK adds 1 + ipd packet times to a credit. The response says which credit the next
// higher rate costs; if there is that much, ipd decreases by 1 and the cost is subtracted. A marked
// ACK sets ipd to the value that the response gives, and keeps, reduces or clears the credit. An
// ACK taken in cycle t changes ipd and credit in cycle t + 1; the k-th rate that it buys is set in
// cycle t + 1 + 4k, and the calculator is ready again four cycles after the last. If the rate is
// not persistent, a new flow starts at R_max; an ACK taken in the same cycle is ignored. Reset sets
// R_max; the calculator is ready five cycles after it.
//
// Part of: infiniband.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

module tidegate_calculator_infiniband (
    input  wire       clock,           // Clock, rising edge
    input  wire       reset,           // Synchronous reset, active high
    input  wire       feedback_valid,  // An ACK has arrived; hold until `feedback_ready`
    output wire       feedback_ready,  // The ACK is taken in this cycle, if `feedback_valid`
    input  wire       feedback_marked, // The packet of the ACK was marked; valid with `feedback_valid`
    input  wire       flow_start,      // A new flow to the same destination begins in this cycle
    input  wire       persistent,      // 1: a new flow starts at the rate of the flow before; 0: at R_max
    output wire [7:0] ipd              // Inter-packet delay: idle packet times between two packets, 0 to 255
);
    reg [7:0] delay; // Inter-packet delay: idle packet times between two packets, 0 to 255
    reg [15:0] credit; // Credit for the next higher rate, packet times
    reg idle; // No ACK is being processed
    reg [1:0] stage; // State while not idle: 0 and 1 = wait for the response, 2 = compare, 3 = decide
    reg [16:0] credit_left; // Credit minus the cost of the next higher rate, packet times, two's complement
    reg has_credit; // The credit is not 0

    initial begin
        delay = 8'd0;
        credit = 16'd0;
        idle = 1'd0;
        stage = 2'd0;
        credit_left = 17'd0;
        has_credit = 1'd0;
    end

    wire [15:0] response_price;
    wire [7:0] response_decreased;
    wire response_at_minimum;
    wire [3:0] response_credit_shift;

    wire afford = has_credit && !credit_left[16] && |delay;
    wire restart = flow_start && !persistent;
    assign feedback_ready = idle;
    assign ipd = delay;

    tidegate_response_lipd response (
        .ipd(delay),
        .price(response_price),
        .decreased(response_decreased),
        .at_minimum(response_at_minimum),
        .credit_shift(response_credit_shift)
    );

    always @(posedge clock) begin
        credit_left <= {1'd0, credit} - {1'd0, response_price};
        has_credit <= |credit;
        stage <= stage + 2'd1;
        if (restart) begin
            delay <= 8'd0;
            credit <= 16'd0;
            idle <= 1'd0;
            stage <= 2'd0;
        end else if (idle) begin
            stage <= 2'd0;
            if (feedback_valid) begin
                idle <= 1'd0;
                if (!feedback_marked) begin
                    credit <= credit + {8'd0, delay} + 16'd1;
                end else begin
                    delay <= response_decreased;
                    credit <= credit >> response_credit_shift;
                    if (response_at_minimum) begin
                        credit <= 16'd0;
                    end
                end
            end
        end else if (stage == 2'd3) begin
            if (afford) begin
                credit <= credit_left[15:0];
                delay <= delay - 8'd1;
            end else begin
                idle <= 1'd1;
                if (!(|delay)) begin
                    credit <= 16'd0;
                end
            end
        end
        if (reset) begin
            delay <= 8'd0;
            credit <= 16'd0;
            idle <= 1'd0;
            stage <= 2'd0;
        end
    end
endmodule

`default_nettype wire
