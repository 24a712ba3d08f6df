// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controls: a scenario with its congestion control taken away, or with another scheme in the place of each. A claim that
//! stays reproduced under both says nothing of the scheme.

use super::Results;
use super::claims::{Judged, Verdict};
use super::scenario::{Control as FlowControl, File, Scenario, Settings, Stated, Variant};
use super::spanned::Spanned;
use anyhow::Result;
use tidegate_schemes::registry::{self, Family, Scheme};

/// What is done to a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// No congestion control: no congestion point sends feedback, so each flow goes on at the rate with which it starts.
    /// In InfiniBand only link and credits stop a flow.
    None,
    /// Another scheme in the place of each: SMCC for all, but QCN for SMCC. It has the parameters of the variant of that
    /// scheme in the file, if there is one, and else its defaults. In InfiniBand the response of a source is another one
    /// (AIMD for LIPD, LIPD for FIMD and AIMD), and a flow without a reaction point has one.
    Swap,
}

impl Control {
    /// Both.
    pub const ALL: [Control; 2] = [Control::None, Control::Swap];

    /// Its name at the command line.
    pub fn name(self) -> &'static str {
        match self {
            Control::None => "none",
            Control::Swap => "swap",
        }
    }

    /// What it does, in words.
    pub fn words(self) -> &'static str {
        match self {
            Control::None => "without congestion control",
            Control::Swap => "with another scheme in the place of each",
        }
    }
}

/// A claim under a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whether its verdict is worse than without the control.
    pub turns: bool,
    /// Whether the file says that it must turn.
    pub must: bool,
}

/// Whether another verdict about the same claim is worse.
fn turns(before: &Judged, after: &Judged) -> bool {
    after.verdict > before.verdict && after.verdict != Verdict::NotMeasured
}

impl Scenario {
    /// The claims that must turn under a control.
    pub(crate) fn must_turn(&self, control: Control) -> &[Spanned<String>] {
        self.controls.as_ref().map_or(&[], |controls| match control {
            Control::None => &controls.none,
            Control::Swap => &controls.swap,
        })
    }
}

impl File {
    /// The same scenario without ablations.
    pub fn without_ablations(&self) -> File {
        let mut file = self.clone();
        file.scenario.ablation.clear();
        file
    }

    /// The same scenario under a control, without ablations.
    ///
    /// # Errors
    /// A scheme that there is not, with its place in the file.
    pub fn under(&self, control: Control) -> Result<File> {
        let mut file = self.without_ablations();
        match control {
            Control::None => without_control(self, &mut file.scenario)?,
            Control::Swap => swapped(self, &mut file.scenario)?,
        }
        Ok(file)
    }

    fn scheme_of(&self, variant: &Variant) -> Result<&'static Scheme> {
        registry::find(variant.scheme.get_ref()).map_err(|reason| self.error(&variant.scheme, reason))
    }

    /// The scheme of each variant.
    pub(super) fn schemes(&self) -> Result<Vec<&'static Scheme>> {
        self.scenario.variant.iter().map(|variant| self.scheme_of(variant)).collect()
    }

    fn is_infiniband(&self) -> Result<bool> {
        let first = self.scenario.variant.first().map(|variant| self.scheme_of(variant)).transpose()?;
        Ok(first.is_some_and(|scheme| matches!(scheme.family, Family::InfiniBand)))
    }
}

fn without_control(file: &File, scenario: &mut Scenario) -> Result<()> {
    if file.is_infiniband()? {
        let patches = scenario.variant.iter_mut().flat_map(|variant| variant.flow.values_mut());
        for flow in scenario.flow.iter_mut().chain(patches) {
            flow.rate_mbps = None;
            flow.control = Some(Spanned::new(0..0, FlowControl::None));
        }
        return Ok(());
    }
    let patches = scenario.variant.iter_mut().flat_map(|variant| variant.output.values_mut());
    scenario.output.iter_mut().chain(patches).for_each(|output| output.congestion_point = Some(false));
    if scenario.output.is_empty() {
        let name = Some(Spanned::new(0..0, "bottleneck".into()));
        scenario.output.push(super::scenario::Output { name, congestion_point: Some(false), ..Default::default() });
    }
    Ok(())
}

/// Puts a setting in the place of one that is there.
pub(super) fn put(settings: &mut Settings, key: &str, stated: Stated) {
    settings.remove(key);
    settings.insert(Spanned::new(0..0, key.into()), stated);
}

fn swapped(file: &File, scenario: &mut Scenario) -> Result<()> {
    if file.is_infiniband()? {
        let shared = scenario.parameters.get("response").map(|stated| stated.value.clone());
        for variant in &mut scenario.variant {
            let own = variant.parameters.get("response").map(|stated| stated.value.clone()).or(shared.clone());
            let other = if own.as_deref().unwrap_or("lipd") == "lipd" { "aimd" } else { "lipd" };
            put(&mut variant.parameters, "response", Stated { value: other.into(), from: "control".into() });
        }
        let patches = scenario.variant.iter_mut().flat_map(|variant| variant.flow.values_mut());
        for flow in scenario.flow.iter_mut().chain(patches) {
            flow.rate_mbps = None;
            flow.control = flow.control.take().filter(|control| *control.get_ref() == FlowControl::Continuous);
        }
        return Ok(());
    }
    let settings = |variant: &Variant| {
        let mut settings = file.scenario.parameters.clone();
        super::scenario::put_over(&mut settings, &variant.parameters);
        settings
    };
    for (variant, before) in scenario.variant.iter_mut().zip(&file.scenario.variant) {
        let own = file.scheme_of(before)?;
        let other = registry::find(if own.name == "smcc" { "qcn" } else { "smcc" }).expect("it is a scheme");
        let knows = |scheme: &Scheme, key: &str| scheme.specifications().any(|known| known.key == key);
        // What belongs to the other scheme alone comes from a variant of it.
        let pattern = file.scenario.variant.iter().find(|variant| variant.scheme.get_ref() == other.name).map(settings);
        let mut parameters = Settings::new();
        for (key, stated) in settings(before) {
            let word = key.get_ref().as_str();
            if knows(other, word) && word != "profile" && !(word == "w" && pattern.is_some()) {
                parameters.insert(key, stated);
            }
        }
        for (key, stated) in pattern.into_iter().flatten() {
            let word = key.get_ref().as_str();
            if word == "profile" || word == "w" || !knows(own, word) {
                parameters.insert(key, stated);
            }
        }
        variant.scheme = Spanned::new(before.scheme.span(), other.name.into());
        variant.parameters = parameters;
        // Changes of keys that the other scheme has.
        let mut changes = file.scenario.change.clone();
        changes.extend(variant.change.iter().cloned());
        for change in &mut changes {
            change.parameters.retain(|key, _| knows(other, key.get_ref()));
        }
        changes.retain(|change| !(change.parameters.is_empty() && change.output.is_empty() && change.flow.is_empty()));
        variant.change = changes;
    }
    scenario.parameters.clear();
    scenario.change.clear();
    // A grid stands for variants that are there already.
    scenario.grid.clear();
    Ok(())
}

/// Each claim under a control: `before` are the results of the file, `after` those under the control.
pub fn compare(file: &File, control: Control, before: &Results, after: &Results) -> Vec<Turn> {
    let must = file.scenario.must_turn(control);
    let pairs = before.judged.iter().zip(&after.judged);
    pairs.map(|(before, after)| Turn { turns: turns(before, after), must: must.contains(&before.claim.id) }).collect()
}
