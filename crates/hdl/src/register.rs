// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers that `rust-hdl` does not have.

use crate::netlist::Element;
use rust_hdl::prelude::*;

/// A register with a synchronous reset to zero. At the rising edge of `clock`, `q` takes the value of `d`, or zero
/// while `reset` is high. It powers up with zero. For a register without a reset, or with a reset value that is not
/// constant, use `DFF` of rust-hdl.
#[derive(Clone, Debug, LogicBlock)]
pub struct Register<T: Synth> {
    /// Next value.
    pub d: Signal<In, T>,
    /// Value, one cycle after `d`.
    pub q: Signal<Out, T>,
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    element: Constant<Element>,
    zero: Constant<T>,
}

impl<T: Synth> Default for Register<T> {
    fn default() -> Register<T> {
        Register {
            d: Signal::default(),
            q: Signal::default(),
            clock: Signal::default(),
            reset: Signal::default(),
            element: Constant::new(Element::Register),
            zero: Constant::new(T::default()),
        }
    }
}

impl<T: Synth> Logic for Register<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { T::default() } else { self.d.val() };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let zero = T::default().verilog();
        Verilog::Custom(format!(
            "initial begin\n    q = {zero:x};\nend\nalways @(posedge clock) begin\n    if (reset) q <= {zero:x};\n    else q <= d;\nend\n"
        ))
    }
}

/// `q` is `d` of the cycle before. In Verilog it has no value at power-up, so that synthesis can remove it where `d` is
/// a constant: what depends on it is valid from the second cycle after power-up on. In Rust it starts with zero.
#[derive(Clone, Debug, LogicBlock)]
pub struct Delay<T: Synth> {
    /// Next value.
    pub d: Signal<In, T>,
    /// Value, one cycle after `d`.
    pub q: Signal<Out, T>,
    pub clock: Signal<In, Clock>,
    element: Constant<Element>,
}

impl<T: Synth> Default for Delay<T> {
    fn default() -> Delay<T> {
        Delay {
            d: Signal::default(),
            q: Signal::default(),
            clock: Signal::default(),
            element: Constant::new(Element::Delay),
        }
    }
}

impl<T: Synth> Logic for Delay<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom("always @(posedge clock) q <= d;\n".to_string())
    }
}
