// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions without a type are refused, with the module, the signal and the reason: nothing is guessed.

use tidegate::netlist::Netlist;
use tidegate_hdl::prelude::*;

/// A test that a module is refused: its inputs are `a` and `b` of 8 bits, `bit` and `clock`, its output `result` has 8
/// bits; it has the fields and the update that are given, and the error names the signal and the reason.
macro_rules! refuse {
    ($test:ident, $signal:literal, $reason:literal, {$($field:ident: $type:ty),*}, $($update:tt)*) => {
        #[test]
        fn $test() {
            #[derive(LogicBlock, Default)]
            struct Circuit {
                a: Signal<In, Bits<8>>,
                b: Signal<In, Bits<8>>,
                bit: Signal<In, Bit>,
                clock: Signal<In, Clock>,
                result: Signal<Out, Bits<8>>,
                $($field: $type,)*
            }
            impl Logic for Circuit {
                $($update)*
            }
            let mut circuit = Circuit::default();
            circuit.connect_all();
            let error = Netlist::of(&circuit, stringify!($test), None).expect_err("it is refused").to_string();
            for part in [stringify!($test), $signal, $reason] {
                assert!(error.contains(part), "`{part}` is not in: {error}");
            }
        }
    };
}

refuse!(
    a_literal_that_does_not_fit,
    "result",
    "the literal 511 does not fit into 8 bits",
    {},
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = self.a.val() + 0x1ff;
    }
);

refuse!(
    an_output_that_is_not_always_given_a_value,
    "result",
    "latch",
    {},
    #[hdl_gen]
    fn update(&mut self) {
        if self.bit.val() {
            self.result.next = self.a.val();
        }
    }
);

refuse!(
    an_output_that_nothing_gives_a_value,
    "result",
    "driven by nothing",
    {local: Signal<Local, Bits<8>>},
    #[hdl_gen]
    fn update(&mut self) {
        self.local.next = self.a.val();
    }
);

refuse!(
    a_local_that_is_read_and_never_given_a_value,
    "local",
    "driven by nothing",
    {local: Signal<Local, Bits<8>>},
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = self.local.val();
    }
);

refuse!(
    a_combinational_loop,
    "first",
    "combinational loop",
    {first: Signal<Local, Bits<8>>, second: Signal<Local, Bits<8>>},
    #[hdl_gen]
    fn update(&mut self) {
        self.first.next = self.second.val() + 1;
        self.second.next = self.first.val() + self.a.val();
        self.result.next = self.second.val();
    }
);

refuse!(
    a_register_without_a_clock,
    "register",
    "clock",
    {register: DFF<Bits<8>>},
    #[hdl_gen]
    fn update(&mut self) {
        self.register.d.next = self.a.val();
        self.result.next = self.register.q.val();
    }
);
