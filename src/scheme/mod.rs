//! The algorithms in exact integer arithmetic.

/// Which end of the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Part {
    /// The congestion point, in the switch.
    CongestionPoint,
    /// The reaction point, in the source.
    ReactionPoint,
}

impl Part {
    /// The name on the command line and in reports: `cp` or `rp`.
    pub fn name(self) -> &'static str {
        match self {
            Part::CongestionPoint => "cp",
            Part::ReactionPoint => "rp",
        }
    }
}
