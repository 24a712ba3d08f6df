// SPDX-License-Identifier: MIT OR Apache-2.0
//! A short number that stands for texts, to see that they are not changed.

/// FNV-1a of 64 bits (Fowler, Noll, Vo: RFC 9923) over texts, each with its end.
pub fn digest<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> u64 {
    let step = |hash: u64, octet: u8| (hash ^ u64::from(octet)).wrapping_mul(0x0100_0000_01b3);
    texts.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, text| {
        let hash = text.as_ref().iter().fold(hash, |hash, octet| step(hash, *octet));
        step(hash, 0xff)
    })
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn texts_have_ends() {
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_ne!(digest(["a"]), digest(["a", ""]));
        assert_eq!(digest(["a", "b"]), digest(["a", "b"]));
    }
}
