// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters as values of ports: the structs of parameters that models and circuits share.

use crate::units::Rate;

/// Values that a circuit receives at ports of at most 32 bits.
pub trait Ports: Sized {
    /// Gives the name and the value of each port to `to`. `name` is the name of the field that holds these values;
    /// empty for a struct of all parameters of a block.
    fn write(&self, name: &str, to: &mut dyn FnMut(String, u64));

    /// The values for which the ports have the values that `of` returns for their names.
    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self;

    /// The name and the value of each port; for `name` see [`write`](Self::write).
    fn values(&self, name: &str) -> Vec<(String, u64)> {
        let mut values = Vec::new();
        self.write(name, &mut |name, value| values.push((name, value)));
        values
    }
}

/// Fields that are one port, with the name of the field.
macro_rules! one_port {
    ($($type:ty: $to:expr, $of:expr);* $(;)?) => {
        $(
            impl Ports for $type {
                fn write(&self, name: &str, to: &mut dyn FnMut(String, u64)) {
                    let number: fn($type) -> u64 = $to;
                    to(name.to_string(), number(*self));
                }

                fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
                    let value: fn(u64) -> $type = $of;
                    value(of(name))
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
    fn write(&self, name: &str, to: &mut dyn FnMut(String, u64)) {
        to(format!("{name}_high"), self >> 32);
        to(format!("{name}_low"), self & 0xffff_ffff);
    }

    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
        of(&format!("{name}_high")) << 32 | of(&format!("{name}_low"))
    }
}

/// An array has a port for each element, with its number behind the name.
impl<T: Ports, const N: usize> Ports for [T; N] {
    fn write(&self, name: &str, to: &mut dyn FnMut(String, u64)) {
        (0..).zip(self).for_each(|(place, element)| element.write(&format!("{name}_{place}"), to));
    }

    fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
        std::array::from_fn(|place| T::read(&format!("{name}_{place}"), of))
    }
}

/// The name of a port of a field inside a field.
pub(super) fn within(name: &str, field: &str) -> String {
    match name {
        "" => field.to_string(),
        _ => format!("{name}_{field}"),
    }
}

/// Defines a struct of parameters whose fields have the names of their ports.
macro_rules! ports {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$meaning:meta])* pub $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$meaning])* pub $field: $type,)*
        }

        impl $crate::scheme::ports::Ports for $name {
            fn write(&self, name: &str, to: &mut dyn FnMut(String, u64)) {
                $(self.$field.write(&$crate::scheme::ports::within(name, stringify!($field)), to);)*
            }

            fn read(name: &str, of: &dyn Fn(&str) -> u64) -> Self {
                $(let $field = <$type>::read(&$crate::scheme::ports::within(name, stringify!($field)), of);)*
                $name { $($field),* }
            }
        }
    };
}
pub(super) use ports;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    ports! {
        /// A field of each kind.
        pub struct Inner {
            /// One bit.
            pub flag: bool,
            /// Two ports.
            pub mask: u64,
        }
    }

    ports! {
        /// A struct in a struct, and an array.
        pub struct Outer {
            /// A rate.
            pub rate: Rate,
            /// A struct.
            pub set: Inner,
            /// An array.
            pub low: [u16; 2],
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
