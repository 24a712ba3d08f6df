// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of parameters: structs that models and circuits share, with a row for each port that a field becomes.

use super::bounds::Row;
use tidegate_core::units::Rate;

/// A port that a parameter drives.
#[derive(Clone)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: u64,
    /// What there is to say of it. Of two ports `_high` and `_low`, both have the row of the whole parameter.
    pub row: Row,
}

/// Values that a circuit receives at ports of at most 32 bits.
pub trait Ports: Sized {
    /// Gives each port to `to`. `name` is the name of the field that holds these values, empty for a struct of all
    /// parameters of a block; `row` is what stands with that field. A struct has rows of its own.
    fn write(&self, name: &str, row: Row, to: &mut dyn FnMut(Port));

    /// The values for which the ports have the values that `of` returns for their names.
    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self;

    /// The ports of a struct; for `name` see [`write`](Self::write).
    fn ports(&self, name: &str) -> Vec<Port> {
        let mut ports = Vec::new();
        self.write(name, Row::OF_FIELDS, &mut |port| ports.push(port));
        ports
    }

    /// The name and the value of each port.
    fn values(&self, name: &str) -> Vec<(String, u64)> {
        self.ports(name).into_iter().map(|port| (port.name, port.value)).collect()
    }
}

/// A field that is one port, with the name of the field.
pub(crate) trait OnePort: Copy {
    /// The value at the port.
    fn number(self) -> u64;

    /// The field for a value at the port.
    fn of_number(number: u64) -> Self;
}

impl<T: OnePort> Ports for T {
    fn write(&self, name: &str, row: Row, to: &mut dyn FnMut(Port)) {
        to(Port { name: name.to_string(), value: self.number(), row });
    }

    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
        T::of_number(of(name))
    }
}

macro_rules! one_port {
    ($($type:ty: $to:expr, $of:expr);* $(;)?) => {
        $(
            impl OnePort for $type {
                fn number(self) -> u64 {
                    let number: fn($type) -> u64 = $to;
                    number(self)
                }

                fn of_number(number: u64) -> Self {
                    let value: fn(u64) -> $type = $of;
                    value(number)
                }
            }
        )*
    };
}

one_port! {
    bool: u64::from, |port| port != 0;
    u8: u64::from, |port| port as u8;
    u16: u64::from, |port| port as u16;
    u32: u64::from, |port| port as u32;
    Rate: |rate| rate.0.into(), |port| Rate(port as u32);
}

/// A field of 64 bits is two ports, `_high` and `_low`.
impl Ports for u64 {
    fn write(&self, name: &str, row: Row, to: &mut dyn FnMut(Port)) {
        to(Port { name: format!("{name}_high"), value: self >> 32, row });
        to(Port { name: format!("{name}_low"), value: self & 0xffff_ffff, row });
    }

    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
        of(&format!("{name}_high")) << 32 | of(&format!("{name}_low"))
    }
}

/// An array has a port for each element, with its number behind the name.
impl<T: Ports, const N: usize> Ports for [T; N] {
    fn write(&self, name: &str, row: Row, to: &mut dyn FnMut(Port)) {
        (0..).zip(self).for_each(|(place, element)| element.write(&format!("{name}_{place}"), row, to));
    }

    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
        std::array::from_fn(|place| T::read(&format!("{name}_{place}"), of))
    }
}

/// The name of a port of a field inside a field.
pub(crate) fn within(name: &str, field: &str) -> String {
    match name {
        "" => field.to_string(),
        _ => format!("{name}_{field}"),
    }
}

/// Defines a struct of parameters whose fields have the names of their ports. Behind the type of a field stands its
/// [`Row`]; behind that of a field that is such a struct itself, nothing.
macro_rules! ports {
    (
        $(#[$about:meta])*
        pub struct $name:ident from keys {
            $($(#[$meaning:meta])* pub $field:ident: $type:ty $(= $row:expr)? $(=> $value:expr)?),* $(,)?
        }
    ) => {
        $crate::scheme::ports::ports! {
            $(#[$about])*
            pub struct $name {
                $($(#[$meaning])* pub $field: $type $(= $row)?),*
            }
        }

        impl $name {
            /// What follows from the keys. Those that [`check`](crate::registry::Scheme::check) refuses give values that fit the ports, too.
            pub fn new(keys: &$crate::scheme::parameters::Parameters) -> Self {
                $name { $($field: $crate::scheme::ports::value!(keys, $type $(, = $row)? $(, => $value)?)),* }
            }
        }
    };
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$meaning:meta])* pub $field:ident: $type:ty $(= $row:expr)?),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$meaning])* pub $field: $type,)*
        }

        impl $crate::scheme::ports::Ports for $name {
            fn write(
                &self,
                name: &str,
                _row: $crate::scheme::bounds::Row,
                to: &mut dyn FnMut($crate::scheme::ports::Port),
            ) {
                $(
                    let row = $crate::scheme::ports::row!($($row)?);
                    self.$field.write(&$crate::scheme::ports::within(name, stringify!($field)), row, to);
                )*
            }

            fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
                $(let $field = <$type>::read(&$crate::scheme::ports::within(name, stringify!($field)), of);)*
                $name { $($field),* }
            }
        }
    };
}

/// The row of a field; a struct of its own has no use for one.
macro_rules! row {
    () => {
        $crate::scheme::bounds::Row::OF_FIELDS
    };
    ($row:expr) => {
        $row
    };
}

/// The value of a field: of the key that its row names, or computed from keys.
macro_rules! value {
    ($keys:ident, $type:ty, = $row:expr) => {{
        const ROW: $crate::scheme::bounds::Row = $row;
        const { assert!(ROW.follows_from_a_key(), "expected a row with a key, or `=> |keys| value`") };
        <$type as $crate::scheme::ports::OnePort>::of_number(ROW.number($keys))
    }};
    ($keys:ident, $type:ty $(, = $row:expr)?, => $value:expr) => {{
        let value: fn(&$crate::scheme::parameters::Parameters) -> $type = $value;
        value($keys)
    }};
}
pub(crate) use {ports, row, value};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    ports! {
        /// A field of each kind.
        pub struct Inner {
            /// One bit.
            pub flag: bool = Row::BIT,
            /// Two ports.
            pub mask: u64 = Row::between(0, 9),
        }
    }

    ports! {
        /// A struct in a struct, and an array.
        pub struct Outer {
            /// A rate.
            pub rate: Rate = Row::between(1, 7).unit("steps"),
            /// A struct.
            pub set: Inner,
            /// An array.
            pub low: [u16; 2] = Row::MADE,
        }
    }

    #[test]
    fn what_is_written_to_ports_is_read_back() {
        let outer = Outer { rate: Rate(7), set: Inner { flag: true, mask: 0x1_0000_0002 }, low: [3, 4] };
        let ports: BTreeMap<String, u64> = outer.values("").into_iter().collect();
        let expected =
            [("low_0", 3), ("low_1", 4), ("rate", 7), ("set_flag", 1), ("set_mask_high", 1), ("set_mask_low", 2)];
        assert_eq!(ports.iter().map(|(name, &value)| (name.as_str(), value)).collect::<Vec<_>>(), expected);
        assert_eq!(Outer::read("", &|name| ports[name]), outer);
    }
}
