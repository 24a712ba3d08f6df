// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate limiter, at the ports.

use super::{Reference, columns};
use crate::scheme::token_bucket::TokenBucket;
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::units::{Cycles, Rate};

columns!(reset, rate, bucket_bytes, overhead_bytes, request, request_bytes, grant, oversize);

/// The token bucket of the model, at least 128 bytes deep. It decides in the cycle of the request and grants in the
/// next cycle, in which the request must still be there.
pub struct RateLimiter {
    at: Columns,
    bucket: TokenBucket,
    /// The overhead of the cycle before; the bucket has the depth of the cycle before, too.
    overhead: u32,
    /// The request of the cycle before is granted.
    granted: bool,
    now: Cycles,
}

impl RateLimiter {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        RateLimiter { at: Columns::of(ports), bucket: TokenBucket::new(0), overhead: 0, granted: false, now: 0 }
    }

    /// The cycle in which the bucket holds the length of the present request; the inner `None` means never.
    fn goes_at(&self, row: &[u32]) -> Option<Option<Cycles>> {
        let at = &self.at;
        let cost = row[at.request_bytes] + self.overhead;
        (row[at.request] != 0).then(|| self.bucket.ready_at(cost, Rate(row[at.rate])))
    }
}

impl Reference for RateLimiter {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        row[at.grant] = u32::from(self.granted);
        row[at.oversize] = u32::from(self.goes_at(row) == Some(None));
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        let goes_at = self.goes_at(row);
        let paid = self.granted.then_some(row[at.request_bytes] + self.overhead);
        self.overhead = row[at.overhead_bytes];
        if row[at.reset] != 0 {
            (self.bucket, self.granted, self.now) = (TokenBucket::new(row[at.bucket_bytes]), false, 0);
            return;
        }
        let rate = Rate(row[at.rate]);
        self.granted = !self.granted && goes_at == Some(Some(self.now));
        if let Some(bytes) = paid {
            self.bucket.take(bytes, rate);
        }
        self.now += 1;
        self.bucket.advance(self.now, rate);
        self.bucket.set_depth(row[at.bucket_bytes]);
    }
}
