// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of the widths of the palette, and every operator on them, computed by `rust-hdl` itself: the Verilog is
//! compared with its simulation.

use tidegate_hdl::prelude::*;

/// Operators on two values of one width.
#[derive(Clone, Copy, Debug)]
pub enum Operator {
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Operators that give one bit of a value.
#[derive(Clone, Copy, Debug)]
pub enum Reduction {
    All,
    Any,
    Parity,
}

fn bit(value: bool) -> Value {
    Value::W1(value.into())
}

macro_rules! palette {
    ($($name:ident $width:literal $input:ident $output:ident),*) => {
        /// The widths: on both sides of the widths of C types, where the rules of Verilog and of simulators change.
        pub const WIDTHS: &[usize] = &[$($width),*];

        /// A value of one of the widths.
        #[derive(Clone, Copy, Debug)]
        pub enum Value {
            $(#[doc = "So wide."] $name(Bits<$width>)),*
        }

        impl Value {
            /// A literal, which fits.
            pub fn new(value: u64, width: usize) -> Value {
                match width {
                    $($width => Value::$name(value.into()),)*
                    _ => unreachable!("no width of the palette"),
                }
            }

            /// Its number.
            pub fn number(self) -> u64 {
                match self {
                    $(Value::$name(value) => value.into(),)*
                }
            }

            fn get<const N: usize>(value: Bits<N>, low: usize, width: usize) -> Value {
                match width {
                    $($width => Value::$name(value.get_bits::<$width>(low)),)*
                    _ => unreachable!("no width of the palette"),
                }
            }

            fn cast_from<const N: usize>(value: Bits<N>, width: usize) -> Value {
                match width {
                    $($width => Value::$name(bit_cast::<$width, N>(value)),)*
                    _ => unreachable!("no width of the palette"),
                }
            }

            /// `bit_cast`.
            pub fn cast(self, width: usize) -> Value {
                match self {
                    $(Value::$name(value) => Value::cast_from(value, width),)*
                }
            }

            /// `get_bits`.
            pub fn bits(self, low: usize, width: usize) -> Value {
                match self {
                    $(Value::$name(value) => Value::get(value, low, width),)*
                }
            }

            /// `get_bit`.
            pub fn bit(self, index: usize) -> Value {
                match self {
                    $(Value::$name(value) => bit(value.get_bit(index)),)*
                }
            }

            /// `!`.
            pub fn inverse(self) -> Value {
                match self {
                    $(Value::$name(value) => Value::$name(!value),)*
                }
            }

            /// `<<` or `>>`.
            pub fn shifted(self, left: bool, amount: u64) -> Value {
                match self {
                    $(Value::$name(value) => Value::$name(if left { value << amount } else { value >> amount }),)*
                }
            }

            /// `all`, `any` or `xor`.
            pub fn reduced(self, reduction: Reduction) -> Value {
                match self {
                    $(Value::$name(value) => bit(match reduction {
                        Reduction::All => value.all(),
                        Reduction::Any => value.any(),
                        Reduction::Parity => value.xor(),
                    }),)*
                }
            }

            /// An operator on two values of one width.
            pub fn binary(self, operator: Operator, other: Value) -> Value {
                match (self, other) {
                    $((Value::$name(left), Value::$name(right)) => match operator {
                        Operator::Add => Value::$name(left + right),
                        Operator::Subtract => Value::$name(left - right),
                        Operator::And => Value::$name(left & right),
                        Operator::Or => Value::$name(left | right),
                        Operator::Xor => Value::$name(left ^ right),
                        Operator::Equal => bit(left == right),
                        Operator::NotEqual => bit(left != right),
                        Operator::Less => bit(left < right),
                        Operator::LessOrEqual => bit(left <= right),
                        Operator::Greater => bit(left > right),
                        Operator::GreaterOrEqual => bit(left >= right),
                    },)*
                    _ => unreachable!("two widths"),
                }
            }

            /// A bit added to a number.
            pub fn plus_bit(self, other: Value) -> Value {
                match self {
                    $(Value::$name(value) => Value::$name(value + (other.number() == 1)),)*
                }
            }

            /// The product of two values of 16 bits.
            pub fn product(self, other: Value) -> Value {
                match (self, other) {
                    (Value::W16(left), Value::W16(right)) => Value::W32(left * right),
                    _ => unreachable!("no 16 bits"),
                }
            }
        }

        /// A block whose statements are made at run time: inputs and outputs of every width.
        #[derive(LogicBlock, Default)]
        pub struct Anything {
            $(#[doc = "Inputs of one width."] pub $input: Vec<Signal<In, Bits<$width>>>,)*
            $(#[doc = "Outputs of one width."] pub $output: Vec<Signal<Out, Bits<$width>>>,)*
            /// Its statements.
            statements: Statements,
        }

        impl Anything {
            /// A block with this number of inputs and outputs of each width.
            pub fn new(inputs: usize, outputs: usize, statements: tidegate_hdl::rust_hdl::core::ast::VerilogBlock) -> Anything {
                Anything {
                    $($input: (0..inputs).map(|_| Signal::default()).collect(),)*
                    $($output: (0..outputs).map(|_| Signal::default()).collect(),)*
                    statements: Statements(statements),
                }
            }
        }
    };
}

palette!(
    W1 1 in_1 out_1, W2 2 in_2 out_2, W7 7 in_7 out_7, W8 8 in_8 out_8, W15 15 in_15 out_15, W16 16 in_16 out_16,
    W17 17 in_17 out_17, W31 31 in_31 out_31, W32 32 in_32 out_32, W33 33 in_33 out_33, W48 48 in_48 out_48,
    W63 63 in_63 out_63, W64 64 in_64 out_64
);

/// Makes this a part without signals for a derived block.
#[derive(Default)]
pub struct Statements(pub tidegate_hdl::rust_hdl::core::ast::VerilogBlock);

impl Logic for Statements {
    fn update(&mut self) {}
}

impl Block for Statements {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, _name: &str, _probe: &mut dyn tidegate_hdl::rust_hdl::core::probe::Probe) {}
}

impl Logic for Anything {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self.statements.0.clone())
    }
}
