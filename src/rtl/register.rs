//! Registers that `rust-hdl` does not have.

use rust_hdl::prelude::*;

/// A register with a synchronous reset: `q` takes `d` at the rising edge of `clock`, or `T::default()`, all zeros, where `reset` is
/// high. It powers up as a reset leaves it. rust-hdl's own `DFF` is for what needs no reset, or one to a value that is no
/// constant.
#[derive(Clone, Debug, LogicBlock)]
pub struct Register<T: Synth> {
    /// Next value.
    pub d: Signal<In, T>,
    /// Value, one cycle after `d`.
    pub q: Signal<Out, T>,
    /// Rising edge counts.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
}

impl<T: Synth> Default for Register<T> {
    fn default() -> Register<T> {
        Register { d: Signal::default(), q: Signal::default(), clock: Signal::default(), reset: Signal::default() }
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

/// A register that nobody reads before its first edge: `q` is what `d` was a cycle ago. Verilog gives it no value at power-up, so that
/// where `d` is a constant, synthesis takes it away; in Rust it starts with zeros.
#[derive(Clone, Debug, LogicBlock)]
pub struct Delay<T: Synth> {
    /// Next value.
    pub d: Signal<In, T>,
    /// Value, one cycle after `d`.
    pub q: Signal<Out, T>,
    /// Rising edge counts.
    pub clock: Signal<In, Clock>,
}

impl<T: Synth> Default for Delay<T> {
    fn default() -> Delay<T> {
        Delay { d: Signal::default(), q: Signal::default(), clock: Signal::default() }
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
