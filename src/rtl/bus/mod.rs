//! What connects a part to the bus of a card.

pub mod axi4_lite;
pub mod axis_cp;
pub mod netfpga1g;
pub mod register_ring;
