//! Parts with the ports of a card's bus: part, what connects it, and its register file in one module.

pub mod netfpga1g;
