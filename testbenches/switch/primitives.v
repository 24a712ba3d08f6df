// SPDX-License-Identifier: MIT OR Apache-2.0
// Parts of the ECP5 for simulation, as far as the files of crates/toolchain/src/liteeth use them. They follow the public documents of
// the vendor: FPGA-TN-02035 (registers for two bits a cycle, delays), FPGA-TN-02200 (PLL) and the FPGA Libraries Reference
// Guide (ports and parameters).
//
// No model has the times of the device: a register changes with its clock edge, needs no setup and no hold time, and no
// input becomes unknown because it moved too close to an edge. The global reset of the device is not there: a register starts
// with the value that it would have after it.

`timescale 1ns / 1fs

// An output register for two bits a cycle: D0 while the clock is 1, then D1. How many cycles later is one here; the device may
// have another number, the same for each pin, so pins that belong together stay together.
module ODDRX1F #(
    parameter GSR = "ENABLED"
) (
    input wire D0,
    input wire D1,
    input wire SCLK,
    input wire RST,
    output reg Q
);
  reg first, second, half;
  initial {Q, first, second, half} = 4'd0;
  always @(posedge SCLK or negedge SCLK)
    if (RST === 1'b1) begin
      {Q, first, second, half} <= 4'd0;
    end else if (SCLK) begin
      first <= D0;
      second <= D1;
      Q <= first;
      half <= second;
    end else begin
      Q <= half;
    end
endmodule

// An input register for two bits a cycle: Q0 is the bit at a rising edge, Q1 the bit at the falling edge after it. Both are
// there from the next rising edge on; the number of cycles may differ in the device as above.
module IDDRX1F #(
    parameter GSR = "ENABLED"
) (
    input wire D,
    input wire SCLK,
    input wire RST,
    output reg Q0,
    output reg Q1
);
  reg rising, falling;
  initial {Q0, Q1, rising, falling} = 4'd0;
  always @(posedge SCLK or negedge SCLK)
    if (RST === 1'b1) begin
      {Q0, Q1, rising, falling} <= 4'd0;
    end else if (SCLK) begin
      rising <= D;
      Q0 <= rising;
      Q1 <= falling;
    end else begin
      falling <= D;
    end
endmodule

// A fixed delay of DEL_VALUE steps of 25 ps, which is the nominal value: that of the device depends on its temperature, its
// voltage and its speed grade. What a mode other than USER_DEFINED adds to cancel the delay of the clock is not there, because
// the clock has none here.
module DELAYG #(
    parameter DEL_MODE  = "USER_DEFINED",
    parameter DEL_VALUE = 0
) (
    input  wire A,
    output reg  Z
);
`ifdef WITHOUT_DELAYS
  // What is behind the pins keeps the times: data do not change with the clock.
  always @* Z = A;
`else
  initial Z = 1'b0;
  always @(A) Z <= #(DEL_VALUE * 0.025) A;
`endif
endmodule

// A flip-flop that is set by PD at once.
module FD1S3BX #(
    parameter GSR = "ENABLED"
) (
    input wire D,
    input wire CK,
    input wire PD,
    output reg Q
);
  initial Q = 1'b1;
  always @(posedge CK or posedge PD)
    if (PD) Q <= 1'b1;
    else Q <= D;
endmodule

// A PLL with internal feedback: it measures one period of its input, and says LOCK after some more. It does not follow an input
// that changes later, other than by a reset; it has no jitter, no phase (CPHASE, FPHASE, PHASESEL ...), no STDBY and no
// enables, and it does not see whether the rate of its oscillator is one that the device can have.
module EHXPLLL #(
    parameter CLKI_DIV = 1,
    parameter CLKFB_DIV = 1,
    parameter CLKOP_DIV = 8,
    parameter CLKOS_DIV = 8,
    parameter CLKOS2_DIV = 8,
    parameter CLKOS3_DIV = 8,
    parameter FEEDBK_PATH = "INT_OP",
    parameter CLKOP_ENABLE = "ENABLED",
    parameter CLKOS_ENABLE = "DISABLED",
    parameter CLKOS2_ENABLE = "DISABLED",
    parameter CLKOS3_ENABLE = "DISABLED",
    parameter CLKOP_CPHASE = 0,
    parameter CLKOS_CPHASE = 0,
    parameter CLKOS2_CPHASE = 0,
    parameter CLKOS3_CPHASE = 0,
    parameter CLKOP_FPHASE = 0,
    parameter CLKOS_FPHASE = 0,
    parameter CLKOS2_FPHASE = 0,
    parameter CLKOS3_FPHASE = 0
) (
    input  wire CLKI,
    input  wire RST,
    input  wire STDBY,
    output reg  CLKOP,
    output reg  CLKOS,
    output reg  CLKOS2,
    output reg  CLKOS3,
    output reg  LOCK
);
  localparam EDGES = 20;
  localparam FEEDBACK = FEEDBK_PATH == "INT_OP" ? CLKOP_DIV : FEEDBK_PATH == "INT_OS" ? CLKOS_DIV :
                        FEEDBK_PATH == "INT_OS2" ? CLKOS2_DIV : CLKOS3_DIV;
  integer edges;
`ifdef WITHOUT_DELAYS
  // Only an output that has the rate of the input is there: CLKOP is the input.
  initial begin
    {CLKOS, CLKOS2, CLKOS3, LOCK} = 4'd0;
    edges = 0;
    if (CLKI_DIV * CLKOP_DIV != CLKFB_DIV * FEEDBACK) begin
      $display("EHXPLLL: without delays CLKOP must have the rate of CLKI");
      $finish;
    end
  end
  always @* CLKOP = CLKI;
  always @(posedge CLKI or posedge RST)
    if (RST === 1'b1) begin
      edges <= 0;
      LOCK <= 1'b0;
    end else if (edges < EDGES) begin
      edges <= edges + 1;
      LOCK <= edges == EDGES - 1;
    end
`else
  realtime earlier, oscillator;
  initial begin
    {CLKOP, CLKOS, CLKOS2, CLKOS3, LOCK} = 5'd0;
    edges = 0;
  end

  always @(posedge CLKI or posedge RST)
    if (RST === 1'b1) begin
      edges = 0;
      LOCK <= 1'b0;
    end else if (edges < EDGES) begin
      if (edges == 1) oscillator = ($realtime - earlier) * CLKI_DIV / (CLKFB_DIV * FEEDBACK);
      earlier = $realtime;
      edges = edges + 1;
      LOCK <= edges == EDGES;
    end

  // The clocks run before LOCK, as those of the device do.
  always begin
    wait (edges > 1);
    #(oscillator * CLKOP_DIV / 2) CLKOP = ~CLKOP;
  end
  always begin
    wait (edges > 1);
    #(oscillator * CLKOS_DIV / 2) CLKOS = ~CLKOS;
  end
  always begin
    wait (edges > 1);
    #(oscillator * CLKOS2_DIV / 2) CLKOS2 = ~CLKOS2;
  end
  always begin
    wait (edges > 1);
    #(oscillator * CLKOS3_DIV / 2) CLKOS3 = ~CLKOS3;
  end
`endif
endmodule
