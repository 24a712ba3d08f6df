//! The rate limiter, at the ports.

use super::{columns, Reference};
use crate::emit::Port;
use crate::scheme::token_bucket::TokenBucket;
use crate::units::{Cycles, Rate};

columns!(reset, rate, bucket_bytes, overhead_bytes, request, request_bytes, grant, oversize, sent, sent_bytes);

/// The model's token bucket, at least 128 bytes deep: grants in the cycle of the request, tells of it in the next.
pub struct RateLimiter {
    at: Columns,
    bucket: TokenBucket,
    granted: bool,
    request_bytes: u32,
    now: Cycles,
}

impl RateLimiter {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        RateLimiter { at: Columns::of(ports), bucket: TokenBucket::new(0), granted: false, request_bytes: 0, now: 0 }
    }
}

impl Reference for RateLimiter {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        let cost = row[at.request_bytes] + row[at.overhead_bytes];
        let goes_at = (row[at.request] != 0).then(|| self.bucket.ready_at(cost, Rate(row[at.rate])));
        row[at.grant] = u32::from(goes_at == Some(Some(self.now)));
        row[at.oversize] = u32::from(goes_at == Some(None));
        row[at.sent] = u32::from(self.granted);
        row[at.sent_bytes] = self.request_bytes;
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        self.request_bytes = row[at.request_bytes];
        if row[at.reset] != 0 {
            (self.bucket, self.granted, self.now) = (TokenBucket::new(row[at.bucket_bytes]), false, 0);
            return;
        }
        let rate = Rate(row[at.rate]);
        self.granted = row[at.grant] != 0;
        if self.granted {
            self.bucket.take(row[at.request_bytes] + row[at.overhead_bytes], rate);
        }
        self.now += 1;
        self.bucket.advance(self.now, rate);
    }
}
