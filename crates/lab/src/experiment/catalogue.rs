// SPDX-License-Identifier: MIT OR Apache-2.0
//! The experiments of the papers, which are in the binary.

use super::kind::AnyFile;
use super::scenario::Source;
use anyhow::{Result, anyhow};
use tidegate_core::error::{quoted, suggestion};

macro_rules! files {
    ($($id:literal),* $(,)?) => {
        /// Identifiers and texts of the scenario files, in the order of the papers.
        const FILES: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("../../experiments/", $id, ".toml")))),*];
    };
}

files![
    "smcc-fig5",
    "smcc-fig15",
    "smcc-fig16",
    "smcc-fig17",
    "smcc-fig18",
    "smcc-fig19",
    "smcc-fig20",
    "smcc-fig21",
    "smcc-fig22",
    "smcc-fig23",
    "smcc-area",
    "smcc-theorem2",
    "phase-fig12a",
    "phase-fig12b",
    "phase-fig14",
    "phase-theorem1",
    "asm-fig5",
    "asm-fig6",
    "asm-fig7",
    "asm-fig8",
    "asm-fig9",
    "asm-fig10",
    "asm-fig11",
    "asm-appendix-a",
    "dsm-fig5a",
    "dsm-fig5b",
    "dsm-fig6",
    "dsm-fig7",
    "dsm-fig8",
    "dsm-fig8-varying",
    "dsm-fig9",
    "dsm-fig10",
    "ib-fig2",
    "ib-fig3",
    "ib-fig4",
    "ib-fig5",
    "ib-fig6",
    "ib-fig7a",
    "ib-fig7b",
];

/// The identifiers.
pub fn ids() -> impl Iterator<Item = &'static str> + Clone {
    FILES.iter().map(|(id, _)| *id)
}

/// An experiment.
///
/// # Errors
/// See [`source`].
pub fn find(id: &str) -> Result<AnyFile> {
    AnyFile::of(id, source(id)?)
}

/// The text of an experiment.
///
/// # Errors
/// There is none with this identifier; the message lists those that there are.
pub fn source(id: &str) -> Result<Source> {
    let (id, text) = FILES.iter().find(|(known, _)| *known == id).ok_or_else(|| {
        let hint = suggestion(id, ids());
        anyhow!("no experiment {}: `tidegate experiments` lists them{hint}", quoted(id))
    })?;
    Ok(Source { name: format!("{id}.toml"), text: text.to_string() })
}
