// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point of the last decrease that stored it, from which alone an increase is accepted.

use super::bounds::Row;
use super::ports::ports;

ports! {
    /// The parameter ports: how congestion points are told from each other.
    pub struct CpidParameters from keys {
        /// All congestion points are the same.
        pub cpid_any: bool = Row::MADE => |keys| keys.choice("cpid_bits") == "0",
        /// By digests of 16 bits, not by whole identifiers.
        pub cpid_digest: bool = Row::MADE => |keys| keys.choice("cpid_bits") == "16",
    }
}

impl CpidParameters {
    /// Whole identifiers are compared.
    pub(crate) const WHOLE: CpidParameters = CpidParameters { cpid_any: false, cpid_digest: false };

    /// What is stored and compared for an identifier.
    fn stored(self, cpid: u64) -> u64 {
        if self.cpid_digest { digest(cpid).into() } else { cpid }
    }
}

/// A digest of a congestion point identifier: each of its bits is in one bit of the digest. The low 16 bits, which
/// mostly count the ports of a switch, come in with the order of their groups of four reversed; without that, port 1 of
/// a switch would look like port 0 of the switch with the next address.
pub(crate) fn digest(cpid: u64) -> u16 {
    let [address_high, address_middle, address_low, port] = [48, 32, 16, 0].map(|place| (cpid >> place) as u16);
    let reversed = port << 12 | (port & 0xf0) << 4 | (port >> 4) & 0xf0 | port >> 12;
    address_high ^ address_middle ^ address_low ^ reversed
}

/// The congestion point of the last decrease that stored it.
#[derive(Clone, Copy, Debug)]
pub struct LastDecrease {
    parameters: CpidParameters,
    cpid: Option<u64>,
    known: bool,
}

impl LastDecrease {
    /// Before the first decrease.
    pub fn new(parameters: CpidParameters) -> Self {
        LastDecrease { parameters, cpid: None, known: false }
    }

    /// The same, where it is only known whether one is stored, and [`example`](Self::example) stands for it.
    pub(crate) fn with_known(self, known: bool) -> Self {
        LastDecrease { known, ..self }
    }

    /// Whether a decrease has stored one.
    pub(crate) fn is_known(&self) -> bool {
        self.known
    }

    /// Whether this is the congestion point of the last decrease, as far as the stored bits tell.
    pub fn is(&self, cpid: u64) -> bool {
        self.parameters.cpid_any || self.cpid == Some(self.parameters.stored(cpid))
    }

    /// A congestion point that is that of the last decrease, or one that is not. Before the first decrease, 0 is compared
    /// as if it were that of the last from now on. Only for whole identifiers.
    pub(crate) fn example(&mut self, same: bool) -> u64 {
        let known = *self.cpid.get_or_insert(0);
        if same { known } else { !known }
    }

    /// Stores the congestion point of a decrease.
    pub fn set(&mut self, cpid: u64) {
        self.cpid = Some(self.parameters.stored(cpid));
        self.known = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_each_bit_once() {
        let mut counts = [0; 16];
        for bit in 0..64 {
            let digest = digest(1 << bit);
            assert_eq!(digest.count_ones(), 1, "bit {bit}");
            counts[digest.trailing_zeros() as usize] += 1;
        }
        assert_eq!(counts, [4; 16]);
        assert_eq!(digest(0x1000_0200_0030_0004), 0x1000 ^ 0x0200 ^ 0x0030 ^ 0x4000);
        assert_eq!(digest(0x1234), 0x4321);
    }

    #[test]
    fn ports_of_switches_with_neighbouring_addresses_have_different_digests() {
        let mut seen = std::collections::BTreeSet::new();
        for switch in 0..64u64 {
            for port in 0..16u64 {
                assert!(seen.insert(digest((0x0200_5eab_0100 + switch) << 16 | port)), "switch {switch}, port {port}");
            }
        }
    }

    #[test]
    fn none_is_known_before_the_first_decrease() {
        let mut last = LastDecrease::new(CpidParameters::WHOLE);
        assert!(!last.is(0) && !last.is(7));
        assert!(last.example(true) == 0 && !last.is_known(), "an example is not stored");
        last.set(7);
        assert!(last.is_known());
        assert!(last.is(7) && !last.is(8) && !last.is(7 | 1 << 63));
        let any = LastDecrease::new(CpidParameters { cpid_any: true, ..CpidParameters::WHOLE });
        assert!(any.is(0) && any.is(7));
        let mut digests = LastDecrease::new(CpidParameters { cpid_digest: true, ..CpidParameters::WHOLE });
        digests.set(1 << 16);
        assert!(digests.is(1 << 32) && digests.is(1 << 48) && !digests.is(1) && !digests.is(1 << 17));
    }
}
