// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a command line says in place of scenario files: parameters and the number of seeds.

use super::kind::AnyFile;
use super::scenario::{File, Variant};
use super::spanned::Spanned;
use crate::network::infiniband::topology;
use anyhow::Result;
use tidegate_core::error::{Usage, quoted, suggestion};
use tidegate_schemes::registry::{self, Family, Scheme};

/// What stands in place of what the files say.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Parameters, in each variant whose scheme has the key.
    pub settings: Vec<(String, String)>,
    /// The number of seeds, where there is a network.
    pub seeds: Option<u32>,
}

impl Overrides {
    /// Puts them into files. Each must say something of at least one.
    ///
    /// # Errors
    /// [`Usage`]: it says nothing of any; a grid has the values of a key.
    pub fn put(&self, files: &mut [AnyFile]) -> Result<()> {
        if let Some(seeds) = self.seeds {
            let mut there = false;
            for file in files.iter_mut() {
                if let AnyFile::Network(file) = file {
                    file.scenario.seeds = Spanned::new(0..0, seeds);
                    there = true;
                }
            }
            if !there {
                let reason = "--seeds: there is no network, so there are no seeds: leave it out";
                return Err(Usage(reason.into()).into());
            }
        }
        for (key, value) in &self.settings {
            let mut there = false;
            for file in files.iter_mut() {
                there |= match file {
                    AnyFile::Network(file) => {
                        refuse_grid(file, key)?;
                        file.put(key, value, |scenario| &mut scenario.variant)
                    }
                    AnyFile::Calculation(file) => file.put(key, value, |scenario| &mut scenario.variant),
                };
            }
            if !there {
                return Err(unknown(files, key).into());
            }
        }
        Ok(())
    }
}

/// The keys that a variant of a scheme can have: those of the scheme, and those of its kind of network.
pub(super) fn keys_of(scheme: &'static Scheme) -> impl Iterator<Item = &'static str> {
    let of_network = matches!(scheme.family, Family::InfiniBand).then_some(topology::KEYS);
    scheme.specifications().chain(of_network.into_iter().flatten().copied()).map(|known| known.key)
}

/// The keys that a variant can have.
fn keys(variant: &Variant) -> impl Iterator<Item = &'static str> + use<> {
    // A scheme that there is not is reported with its place, when the file is checked.
    registry::find(variant.scheme.get_ref()).ok().into_iter().flat_map(keys_of)
}

/// Whether a variant can have a key.
pub(super) fn takes(variant: &Variant, key: &str) -> bool {
    keys(variant).any(|known| known == key)
}

fn refuse_grid(file: &File, key: &str) -> Result<(), Usage> {
    let grids = file.scenario.grid.iter();
    match grids.map(|grid| grid.parameter.get_ref()).find(|parameter| *parameter == key) {
        None => Ok(()),
        Some(_) => {
            let reason = "has a grid of it, so its variants differ in nothing else: change a copy of the scenario";
            Err(Usage(format!("--set {key}: {} {reason}", file.id)))
        }
    }
}

fn unknown(files: &[AnyFile], key: &str) -> Usage {
    let variants = files.iter().flat_map(AnyFile::variants);
    let mut schemes: Vec<&str> = variants.clone().map(|variant| variant.scheme.get_ref().as_str()).collect();
    schemes.sort_unstable();
    schemes.dedup();
    let hint = suggestion(key, variants.flat_map(keys));
    let list: Vec<_> = schemes.iter().map(|scheme| format!("`tidegate schemes {scheme}`")).collect();
    Usage(format!(
        "--set: no variant has the parameter {}: expected one that {} lists{hint}",
        quoted(key),
        list.join(" or ")
    ))
}
