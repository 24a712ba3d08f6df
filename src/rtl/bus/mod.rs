//! What connects a part to the bus of a card.

pub mod netfpga1g;
