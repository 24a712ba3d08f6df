//! What connects a part to the bus of a card.

pub mod axi4_lite;
pub mod netfpga1g;
pub mod register_ring;
