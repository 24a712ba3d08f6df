// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the inputs of a circuit whose regions may sleep: what has another value wakes those that read it. Without branches, since a
//! processor cannot foresee which inputs change; four at a time where the processor can.

/// All ones where two words differ.
#[inline(always)]
pub fn changed(before: u64, now: u64) -> u64 {
    u64::from(before != now).wrapping_neg()
}

/// The bits of the regions that new words of the inputs wake; `masks` are the bits that each word has.
#[inline(always)]
fn woken_here(inputs: &[u64], words: &[u64], masks: &[u64], wakes: &[u64]) -> u64 {
    let mut woken = 0;
    for (((&input, &word), &mask), &wakes) in inputs.iter().zip(words).zip(masks).zip(wakes) {
        woken |= wakes & changed(input, word & mask);
    }
    woken
}

#[inline(always)]
fn drive_here(inputs: &mut [u64], words: &[u64], masks: &[u64], wakes: &[u64]) -> u64 {
    let mut woken = 0;
    for (((input, &word), &mask), &wakes) in inputs.iter_mut().zip(words).zip(masks).zip(wakes) {
        woken |= wakes & changed(*input, word & mask);
        *input = word & mask;
    }
    woken
}

/// The bits of the regions that new words of the inputs wake.
#[inline]
pub fn woken(inputs: &[u64], words: &[u64], masks: &[u64], wakes: &[u64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn wide(inputs: &[u64], words: &[u64], masks: &[u64], wakes: &[u64]) -> u64 {
            woken_here(inputs, words, masks, wakes)
        }
        // The processor has what the function needs.
        return unsafe { wide(inputs, words, masks, wakes) };
    }
    woken_here(inputs, words, masks, wakes)
}

/// Drives all inputs. Returns the bits of the regions that wake.
#[inline]
pub fn drive(inputs: &mut [u64], words: &[u64], masks: &[u64], wakes: &[u64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn wide(inputs: &mut [u64], words: &[u64], masks: &[u64], wakes: &[u64]) -> u64 {
            drive_here(inputs, words, masks, wakes)
        }
        // The processor has what the function needs.
        return unsafe { wide(inputs, words, masks, wakes) };
    }
    drive_here(inputs, words, masks, wakes)
}
