// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files: TOML, every key known, every error with file, line and column.

use super::grid::Grid;
use super::metric::Metric;
use super::overrides::takes;
use super::schema;
use super::sizes::{Distribution, Sizes};
use super::spanned::Spanned;
use anyhow::{Result, anyhow, bail, ensure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::path::Path;
use tidegate_core::error::{Usage, quoted, suggestion};
use tidegate_core::input;
use tidegate_core::input::toml_fault::{Fault, fault};

/// The longest scenario file that is read, bytes.
const FILE_MAX: usize = 1 << 20;

/// A scenario: what runs, what is claimed of it, and where each number comes from.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// One line.
    pub title: String,
    /// Author, year, section and figure that it repeats; empty: of no paper.
    #[serde(default)]
    pub paper: String,
    /// What the paper's figure shows, in words: axes, curves, segments.
    #[serde(default)]
    pub figure: String,
    /// What a reader should know: readings of the paper, what it leaves open.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Length of a run in seconds.
    pub duration_s: Spanned<f64>,
    /// Each variant runs with the seeds 1 to this.
    #[serde(default = "one_seed")]
    pub seeds: Spanned<u32>,
    /// Time between two looks at queues and rates; windows of claims are multiples of it.
    #[serde(default = "a_millisecond")]
    pub look_ms: Spanned<f64>,
    /// The window of the distribution of queue lengths that is drawn, in seconds; the whole run if absent.
    #[serde(default, deserialize_with = "optional_pair")]
    pub distribution_s: Option<Spanned<[f64; 2]>>,
    /// Pictures of queues and rates show this window, in seconds; the whole run if absent.
    #[serde(default, deserialize_with = "optional_pair")]
    pub shown_s: Option<Spanned<[f64; 2]>>,
    /// The pictures.
    #[serde(default = "usual_pictures")]
    pub pictures: Vec<Picture>,
    /// Parameters of all variants.
    #[serde(default)]
    #[schemars(with = "schema::Parameters")]
    pub parameters: Settings,
    /// Sets of parameters that variants name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, schema::Parameters>")]
    pub set: BTreeMap<Spanned<String>, Settings>,
    /// Outputs of switches; a single one at line rate if there is none.
    #[serde(default)]
    pub output: Vec<Output>,
    /// Flows.
    #[serde(default)]
    pub flow: Vec<Flow>,
    /// Changes of parameters and delays while it runs, of all variants.
    #[serde(default)]
    pub change: Vec<Change>,
    /// What runs side by side.
    pub variant: Vec<Variant>,
    /// Variants that stand for many: read, they are put in their places.
    #[serde(default)]
    pub grid: Vec<Grid>,
    /// Variants that run only to find what decides a claim that is not reproduced.
    #[serde(default)]
    pub ablation: Vec<Ablation>,
    /// The claims.
    #[serde(default)]
    pub claim: Vec<Claim>,
    /// Conditions that claims name.
    #[serde(default)]
    pub condition: BTreeMap<Spanned<String>, Vec<Condition>>,
    /// Which claims must turn where the control is taken away; if absent, nothing is known of it.
    #[serde(default)]
    pub controls: Option<Controls>,
}

/// For each control, the claims that must turn: their verdict is worse under it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { none = [\"stable\"], swap = [\"faster\"] }")]
pub struct Controls {
    /// Without congestion control.
    #[serde(default)]
    pub none: Vec<Spanned<String>>,
    /// With another scheme in the place of each.
    #[serde(default)]
    pub swap: Vec<Spanned<String>>,
    /// The claims that hold and turn under neither: they cannot fail, and do not count.
    #[serde(default)]
    pub never: Vec<Spanned<String>>,
}

fn one_seed() -> Spanned<u32> {
    Spanned::new(0..0, 1)
}

fn a_millisecond() -> Spanned<f64> {
    Spanned::new(0..0, 1.0)
}

fn usual_pictures() -> Vec<Picture> {
    vec![Picture::Queue, Picture::Distribution, Picture::Rates]
}

/// A picture of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Picture {
    /// Queue length over time, of each variant with the median seed.
    Queue,
    /// Distribution of the queue length, of all variants and seeds.
    Distribution,
    /// Rate of each flow over time, with that seed.
    Rates,
    /// Sum of the rates against the queue length, with that seed.
    Plane,
    /// Mean and standard deviation of the queue length for each combination of each grid, over all seeds.
    Grid,
}

/// A list of two values: a longer one would be read up to its second value.
pub(crate) fn pair<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Spanned<[T; 2]>, D::Error> {
    let list = Spanned::<Vec<T>>::deserialize(from)?;
    let span = list.span();
    let two = list.into_inner().try_into();
    two.map(|two| Spanned::new(span, two))
        .map_err(|list: Vec<T>| D::Error::invalid_length(list.len(), &"an array of length 2"))
}

/// A list of two values, if it is there.
pub(crate) fn optional_pair<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<Spanned<[T; 2]>>, D::Error> {
    pair(from).map(Some)
}

/// The same without its place.
fn plain_pair<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 2]>, D::Error> {
    pair(from).map(|two| Some(two.into_inner()))
}

/// Parameters by key.
pub(crate) type Settings = BTreeMap<Spanned<String>, Stated>;

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The value, as `--set` takes it.
    pub value: String,
    /// `stated, section 5.2`, `derived: …`, `choice: …`; empty if the file does not say.
    pub from: String,
}

/// Puts settings over others. Each keeps the place where it is stated.
pub(super) fn put_over(settings: &mut Settings, over: &Settings) {
    for (key, stated) in over {
        settings.remove(key);
        settings.insert(key.clone(), stated.clone());
    }
}

/// The settings of several, the last of a key counts.
pub(super) fn merged<'a>(
    pairs: impl Iterator<Item = (&'a Spanned<String>, &'a Stated)>,
) -> Vec<(&'a Spanned<String>, &'a Stated)> {
    let mut settings: Vec<(&Spanned<String>, &Stated)> = Vec::new();
    for (key, stated) in pairs {
        settings.retain(|(known, _)| known.get_ref() != key.get_ref());
        settings.push((key, stated));
    }
    settings
}

impl<'de> Deserialize<'de> for Stated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StatedVisitor { nested: false })
    }
}

/// A plain value, or a table of `value` and `from`.
struct StatedVisitor {
    nested: bool,
}

impl StatedVisitor {
    fn plain<E>(self, value: impl ToString) -> Result<Stated, E> {
        Ok(Stated { value: value.to_string(), from: String::new() })
    }
}

/// One name, or a list of names.
#[derive(Clone, Debug, Default)]
pub struct Names(pub Vec<Spanned<String>>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Spanned::<Found>::deserialize(deserializer)?;
        let span = found.span();
        Ok(Names(match found.into_inner() {
            Found::One(name) => vec![Spanned::new(span, name)],
            Found::List(names) => names,
        }))
    }
}

/// What stands in the file.
enum Found {
    One(String),
    List(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for Found {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FoundVisitor)
    }
}

struct FoundVisitor;

impl<'de> Visitor<'de> for FoundVisitor {
    type Value = Found;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("a name or a list of names")
    }

    fn visit_str<E>(self, name: &str) -> Result<Found, E> {
        Ok(Found::One(name.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Found, A::Error> {
        let mut list = Vec::new();
        while let Some(name) = names.next_element()? {
            list.push(name);
        }
        if list.is_empty() { Err(A::Error::custom("expected at least one name")) } else { Ok(Found::List(list)) }
    }
}

/// A plain value only, as `--set` takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain(pub String);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StatedVisitor { nested: true }).map(|stated| Plain(stated.value))
    }
}

impl<'de> Visitor<'de> for StatedVisitor {
    type Value = Stated;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("a number, a word, true or false")?;
        if self.nested { Ok(()) } else { formatter.write_str(", or { value = …, from = \"…\" }") }
    }

    fn visit_bool<E>(self, value: bool) -> Result<Stated, E> {
        self.plain(value)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Stated, E> {
        self.plain(value)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Stated, E> {
        self.plain(value)
    }

    fn visit_str<E>(self, value: &str) -> Result<Stated, E> {
        self.plain(value)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stated, A::Error> {
        if self.nested {
            return Err(A::Error::custom("expected a plain value"));
        }
        let (mut value, mut from) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "value" => value = Some(map.next_value::<Plain>()?.0),
                "from" => from = Some(map.next_value::<String>()?),
                other => return Err(A::Error::unknown_field(other, &["value", "from"])),
            }
        }
        let value = value.ok_or_else(|| A::Error::missing_field("value"))?;
        Ok(Stated { value, from: from.ok_or_else(|| A::Error::missing_field("from"))? })
    }
}

/// The output of a switch, or the fields of one that a variant changes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { name = \"S1\", rate_mbps = 1000 }")]
pub struct Output {
    /// Its name; not in a variant.
    pub name: Option<Spanned<String>>,
    /// Rate of its link; the line rate if absent.
    pub rate_mbps: Option<Spanned<f64>>,
    /// Delay of its link; none if absent.
    pub delay_us: Option<Spanned<f64>>,
    /// Its buffer; `buffer_bytes` of the parameters if absent.
    pub buffer_bytes: Option<u32>,
    /// Bytes in its queue from which on it stops the links that bring packets for it, with pause frames; never if absent.
    pub pause_bytes: Option<Spanned<u32>>,
    /// Bytes in its queue down to which these links stay stopped.
    pub resume_bytes: Option<Spanned<u32>>,
    /// Whether it has a congestion point; yes if absent.
    pub congestion_point: Option<bool>,
    /// How much longer it takes to make a feedback frame than its circuit does; nothing if absent.
    pub feedback_us: Option<Spanned<f64>>,
    /// A time between these for each feedback frame, chosen by the seed.
    #[serde(default, deserialize_with = "optional_pair")]
    pub feedback_within_us: Option<Spanned<[f64; 2]>>,
    /// Whether a packet that finds no room can be a sample; no if absent.
    pub sample_dropped: Option<bool>,
    /// InfiniBand: the switch whose output it is.
    pub switch: Option<Spanned<String>>,
    /// InfiniBand: the switch to which its link goes; to a host if absent.
    pub to: Option<Spanned<String>>,
    /// Where this comes from.
    pub from: Option<String>,
}

/// What lets packets of an InfiniBand flow go, if it is not the reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// A reaction point with any rate instead of discrete ones.
    Continuous,
    /// A window of one packet and `rate_mbps`, which says this alone, too.
    Fixed,
    /// A window of one packet.
    Window,
    /// Link and credits only.
    None,
}

/// One or several equal flows, or the fields that a variant changes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { name = \"A\", rate_mbps = 500 }")]
pub struct Flow {
    /// Its name; with `count`, a number follows it. Not in a variant.
    pub name: Option<Spanned<String>>,
    /// How many; 1 if absent.
    pub count: Option<Spanned<u32>>,
    /// Names of the outputs that it passes; the only one if absent.
    pub path: Option<Vec<Spanned<String>>>,
    /// A fixed rate, without a reaction point; if absent, the reaction point decides.
    pub rate_mbps: Option<Spanned<f64>>,
    /// The rate at which its reaction point starts; the line rate if absent.
    pub start_rate_mbps: Option<Spanned<f64>>,
    /// When it starts; 0 if absent.
    pub start_s: Option<Spanned<f64>>,
    /// It starts at a random time between these, chosen by the seed.
    #[serde(default, deserialize_with = "optional_pair")]
    pub start_within_s: Option<Spanned<[f64; 2]>>,
    /// When it stops; never if absent.
    pub stop_s: Option<Spanned<f64>>,
    /// It stops so long after its start.
    pub last_s: Option<Spanned<f64>>,
    /// Flows of this kind arrive at random, so many a second (a Poisson process) between `start_s` and `stop_s`, and each
    /// sends until it has sent all.
    pub arrivals_per_s: Option<Spanned<f64>>,
    /// How much it sends, in bytes; no end if absent.
    pub size_bytes: Option<Spanned<f64>>,
    /// It sends an amount between these, in bytes, chosen by the seed.
    #[serde(default, deserialize_with = "optional_pair")]
    pub size_within_bytes: Option<Spanned<[f64; 2]>>,
    /// It sends an amount of this distribution, chosen by the seed.
    pub size_distribution: Option<Spanned<Distribution>>,
    /// It sends an amount of the distribution in this data file, chosen by the seed; relative to the scenario file.
    pub sizes_file: Option<Spanned<String>>,
    /// The distribution is scaled to this mean, in bytes; its own if absent.
    pub size_mean_bytes: Option<Spanned<f64>>,
    /// It has packets in ON times only: the mean of their lengths, which are exponentially distributed.
    pub on_ms: Option<Spanned<f64>>,
    /// The mean length of the OFF times between them.
    pub off_ms: Option<Spanned<f64>>,
    /// Delay of its link to the first switch; none if absent.
    pub delay_us: Option<Spanned<f64>>,
    /// A delay between these, chosen by the seed.
    #[serde(default, deserialize_with = "optional_pair")]
    pub delay_within_us: Option<Spanned<[f64; 2]>>,
    /// Flows with the same group are measured together; its name if absent.
    pub group: Option<Spanned<String>>,
    /// InfiniBand: what lets its packets go.
    pub control: Option<Spanned<Control>>,
    /// Where this comes from.
    pub from: Option<String>,
}

macro_rules! over {
    ($type:ident: $($field:ident),*) => {
        impl $type {
            /// These fields, with those of `other` where it has them.
            pub(crate) fn over(&self, other: &$type) -> $type {
                $type { $($field: other.$field.clone().or_else(|| self.$field.clone())),* }
            }
        }
    };
}

over!(Output: name, rate_mbps, delay_us, buffer_bytes, pause_bytes, resume_bytes, congestion_point, feedback_us,
    feedback_within_us, sample_dropped, switch, to, from);
over!(Flow: name, count, path, rate_mbps, start_rate_mbps, start_s, start_within_s, stop_s, last_s, arrivals_per_s,
    size_bytes, size_within_bytes, size_distribution, sizes_file, size_mean_bytes, on_ms, off_ms, delay_us, delay_within_us, group,
    control, from);
over!(Measure: variant, metric, quantity, window_s, output, flow, between_bytes);

/// Other values of parameters, and other delays of links, from some time on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { at_s = 1, parameters = { w = 4 } }")]
pub struct Change {
    /// When.
    pub at_s: Spanned<f64>,
    /// The values.
    #[serde(default)]
    #[schemars(with = "schema::Parameters")]
    pub parameters: Settings,
    /// Delays of the links behind outputs, by name.
    #[serde(default)]
    pub output: BTreeMap<Spanned<String>, NewDelay>,
    /// Delays of the links of flows to the first switch, by name.
    #[serde(default)]
    pub flow: BTreeMap<Spanned<String>, NewDelay>,
}

/// Another delay of a link.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { delay_us = 50 }")]
pub struct NewDelay {
    /// The delay from then on, in both directions.
    pub delay_us: Spanned<f64>,
}

/// A scheme with parameters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { name = \"QCN\", scheme = \"qcn\" }")]
pub struct Variant {
    /// Its name.
    pub name: Spanned<String>,
    /// The scheme.
    #[schemars(with = "schema::SchemeName")]
    pub scheme: Spanned<String>,
    /// The sets that it has, over the parameters of all variants: the last of a key counts.
    #[serde(default)]
    pub sets: Vec<Spanned<String>>,
    /// Its parameters, over these; read, those of its sets are among them.
    #[serde(default)]
    #[schemars(with = "schema::Parameters")]
    pub parameters: Settings,
    /// Its changes, beside those of all variants.
    #[serde(default)]
    pub change: Vec<Change>,
    /// Other fields of outputs, by name.
    #[serde(default)]
    pub output: BTreeMap<Spanned<String>, Output>,
    /// Other fields of flows, by name.
    #[serde(default)]
    pub flow: BTreeMap<Spanned<String>, Flow>,
}

/// A variant with something changed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { name = \"w = 4\", of = \"QCN\", parameters = { w = 4 } }")]
pub struct Ablation {
    /// What is changed, as `cause` names it.
    pub name: Spanned<String>,
    /// The variants: all are changed.
    pub of: Names,
    /// The claims for which it says something; all of its variants if absent.
    #[serde(default)]
    pub only: Vec<Spanned<String>>,
    /// Other parameters.
    #[serde(default)]
    #[schemars(with = "schema::Parameters")]
    pub parameters: Settings,
    /// Other fields of outputs, by name.
    #[serde(default)]
    pub output: BTreeMap<Spanned<String>, Output>,
    /// Other fields of flows, by name.
    #[serde(default)]
    pub flow: BTreeMap<Spanned<String>, Flow>,
}

/// A further condition of a claim.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { measure = { metric = \"queue_mean_kb\" }, expect = [48, 80], bound = \"why\" }"
)]
pub struct Condition {
    /// What is measured; each absent field is that of the claim.
    pub measure: Measure,
    /// The measured value is divided by this one.
    #[serde(default)]
    pub ratio_to: Option<Measure>,
    /// Met, if the measured value is from the first to the second.
    #[serde(deserialize_with = "pair")]
    pub expect: Spanned<[f64; 2]>,
    /// Partly met, if it is from the first to the second.
    #[serde(default, deserialize_with = "plain_pair")]
    pub partly: Option<[f64; 2]>,
    /// Why the bound is what it is.
    pub bound: String,
}

/// A claim of a paper, and the bound that decides whether it is reproduced. The measured value is the mean over the seeds,
/// of a ratio the median.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of id, claim, measure, expect and bound")]
pub struct Claim {
    /// Its name.
    pub id: Spanned<String>,
    /// What is claimed.
    pub claim: String,
    /// The paper's number, as printed; absent if it gives none.
    #[serde(default)]
    pub paper: String,
    /// What is measured.
    pub measure: Measure,
    /// It is measured of each variant, and the one of these is judged; of one variant if absent.
    #[serde(default)]
    pub over: Option<Over>,
    /// The measured value is divided by this one: `deviation in one window to that in another`.
    #[serde(default)]
    pub ratio_to: Option<Measure>,
    /// This one is subtracted from the measured value.
    #[serde(default)]
    pub minus: Option<Measure>,
    /// Reproduced, if the measured value is from the first to the second.
    #[serde(deserialize_with = "pair")]
    pub expect: Spanned<[f64; 2]>,
    /// Partly reproduced, if it is from the first to the second.
    #[serde(default, deserialize_with = "plain_pair")]
    pub partly: Option<[f64; 2]>,
    /// Why the bound is what it is.
    pub bound: String,
    /// Names of conditions that must be met, too: the verdict is the worst one.
    #[serde(default)]
    pub also: Vec<Spanned<String>>,
    /// It was added after a run of this file had been seen.
    #[serde(default)]
    pub after_run: bool,
    /// The claim that says the same of another reading of the paper: the cause tells what became of it.
    #[serde(default)]
    pub other_reading: Option<Spanned<String>>,
    /// What the cause is where no ablation names it.
    #[serde(default)]
    pub remark: String,
}

/// Which of the variants a claim judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// The one with the greatest value.
    Greatest,
    /// The one with the least value.
    Least,
}

/// A metric of a variant in a window of time, or what is calculated of it. In `ratio_to` and `minus`, each absent field is
/// that of the claim.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { metric = \"queue_mean_kb\" }")]
pub struct Measure {
    /// The variant; the first one if absent.
    pub variant: Option<Spanned<String>>,
    /// The metric; a claim about a network has one.
    pub metric: Option<Spanned<Metric>>,
    /// What is calculated, in a scenario without a network; a claim there has one.
    pub quantity: Option<Spanned<String>>,
    /// The window; the whole run if absent.
    #[serde(default, deserialize_with = "optional_pair")]
    pub window_s: Option<Spanned<[f64; 2]>>,
    /// The output; the first one if absent.
    pub output: Option<Spanned<String>>,
    /// The flow, for metrics of one flow.
    pub flow: Option<Spanned<String>>,
    /// For `within_percent` and `settle_ms`: the range of queue lengths in bytes.
    #[serde(default, deserialize_with = "optional_pair")]
    pub between_bytes: Option<Spanned<[u32; 2]>>,
}

/// A text with its name for messages.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is not readable, or too long.
    pub(crate) fn read(path: &Path) -> Result<Source> {
        Ok(Source { name: input::name(path), text: input::read_text(path, FILE_MAX)? })
    }

    /// Reads files that a file names, relative to it.
    pub(crate) fn beside(path: &Path) -> impl Fn(&str) -> Result<Source> + use<> {
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        move |name| Source::read(&folder.join(name))
    }

    /// What stands in it.
    ///
    /// # Errors
    /// With file, line, column, and what was expected.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        self.parse_at(0)
    }

    /// The same, with all places moved by `start` octets.
    fn parse_at<T: DeserializeOwned>(&self, start: usize) -> Result<T> {
        let text = " ".repeat(start) + &self.text;
        toml::from_str(&text).map_err(|error| {
            let Fault { at, message } = fault(&text, &error);
            anyhow!("{}: {message}", self.place(at.saturating_sub(start)))
        })
    }

    /// Where it says what is calculated in place of a network, if it does.
    pub(super) fn calculates(&self) -> Option<Spanned<()>> {
        #[derive(Deserialize)]
        struct Kind {
            calculates: Option<Spanned<toml::Value>>,
        }
        // A mistake is reported when the whole is read.
        let kind: Option<Kind> = self.parse().ok();
        kind?.calculates.map(|value| Spanned::new(value.span(), ()))
    }

    /// An error at a place in it.
    pub(crate) fn error<T>(&self, at: &Spanned<T>, reason: impl std::fmt::Display) -> anyhow::Error {
        anyhow!("{}: {reason}", self.place(at.span().start))
    }

    /// `file:line:column` of an offset, columns in characters.
    fn place(&self, offset: usize) -> String {
        let before = &self.text[..offset.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        format!("{}:{line}:{column}", self.name)
    }
}

/// A scenario with the text that it was read from: with a network, or without one ([`super::calculation`]).
#[derive(Clone, Debug)]
pub struct File<S = Scenario> {
    /// Name for messages.
    pub name: String,
    /// Identifier: name of the file without its ending.
    pub id: String,
    source: Source,
    /// A text of which values stand in place of those of the scenario: offsets count from its start and go on in that of
    /// the scenario, so that each value knows its file.
    before: Source,
    /// What stands in it.
    pub scenario: S,
    data: Data,
    /// Settings of the command line that are in it: their places are behind the end of the text.
    settings: Vec<(String, String)>,
}

/// The data files of a scenario, by the names that it gives them.
pub(crate) type Data = BTreeMap<String, DataFile>;

/// A data file: the text, and what it says.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// The text.
    pub source: Source,
    /// The distribution in it.
    pub sizes: Sizes,
}

impl File {
    /// Checks a text.
    ///
    /// # Errors
    /// With file, line, column, and what was expected.
    pub fn parse(name: &str, id: &str, text: &str) -> Result<File> {
        File::behind(Source::default(), id, Source { name: name.into(), text: text.into() }, &without_data)
    }

    /// The same of a text in which values of another, `before`, are put; `read` reads a data file that the text names.
    ///
    /// # Errors
    /// See [`parse`](Self::parse).
    pub(crate) fn behind(
        before: Source,
        id: &str,
        source: Source,
        read: &dyn Fn(&str) -> Result<Source>,
    ) -> Result<File> {
        if let Some(at) = source.calculates() {
            bail!(source.error(&at, "it has no network: expected a scenario with one"));
        }
        let scenario = source.parse_at(before.text.len())?;
        let (name, id) = (source.name.clone(), id.into());
        let mut file = File { name, id, source, before, scenario, data: Data::new(), settings: Vec::new() };
        file.data = file.read_data(read)?;
        file.expand_sets()?;
        file.expand_grids()?;
        Ok(file)
    }

    /// Puts the parameters of its sets into each variant.
    fn expand_sets(&mut self) -> Result<()> {
        let sets = &self.scenario.set;
        let mut expanded = Vec::new();
        for variant in &self.scenario.variant {
            let mut parameters = Settings::new();
            for name in &variant.sets {
                ensure!(!sets.is_empty(), self.error(name, "there is no set: expected a table [set.NAME]"));
                let at = self.find_name("set", name, sets.keys().map(|name| name.get_ref().as_str()))?;
                put_over(&mut parameters, sets.values().nth(at).expect("it was found"));
            }
            put_over(&mut parameters, &variant.parameters);
            expanded.push(parameters);
        }
        let used = |name: &&Spanned<String>| self.scenario.variant.iter().any(|variant| variant.sets.contains(name));
        if let Some(name) = sets.keys().find(|name| !used(name)) {
            bail!(self.error(name, format!("no variant has the set {}", quoted(name.get_ref()))));
        }
        let variants = self.scenario.variant.iter_mut();
        variants.zip(expanded).for_each(|(variant, parameters)| variant.parameters = parameters);
        Ok(())
    }

    fn read_data(&self, read: &dyn Fn(&str) -> Result<Source>) -> Result<Data> {
        let Scenario { flow, variant, ablation, .. } = &self.scenario;
        let patches = variant.iter().map(|variant| &variant.flow).chain(ablation.iter().map(|ablation| &ablation.flow));
        let flows = flow.iter().chain(patches.flat_map(BTreeMap::values));
        let mut data = Data::new();
        for named in flows.filter_map(|flow| flow.sizes_file.as_ref()) {
            if !data.contains_key(named.get_ref()) {
                let source = read(named.get_ref()).map_err(|error| self.error(named, format!("{error:#}")))?;
                let sizes = Sizes::parse(&source.name, &source.text)?;
                data.insert(named.get_ref().clone(), DataFile { source, sizes });
            }
        }
        Ok(data)
    }
}

/// A noun with `a` or `an`.
fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Reads no data file: the text is of no folder.
///
/// # Errors
/// Always.
pub(crate) fn without_data(name: &str) -> Result<Source> {
    bail!("{}: an experiment in the binary has no data files: expected size_distribution", quoted(name))
}

impl<S: DeserializeOwned> File<S> {
    /// Checks a text.
    ///
    /// # Errors
    /// With file, line, column, and what was expected.
    pub(super) fn of(id: &str, source: Source) -> Result<File<S>> {
        let before = Source::default();
        Ok(File {
            name: source.name.clone(),
            id: id.into(),
            scenario: source.parse()?,
            source,
            before,
            data: Data::new(),
            settings: Vec::new(),
        })
    }
}

impl<S> File<S> {
    /// Its text.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Its data files.
    pub(crate) fn data(&self) -> &Data {
        &self.data
    }

    /// The settings of the command line that are in it.
    pub(crate) fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// Puts a setting of the command line over what each variant has whose scheme knows the key. Returns whether one does.
    pub(super) fn put(&mut self, key: &str, value: &str, variants: fn(&mut S) -> &mut Vec<Variant>) -> bool {
        let place = self.before.text.len() + self.source.text.len() + 1 + self.settings.len();
        let stated = Stated { value: value.into(), from: "--set".into() };
        let setting = Settings::from([(Spanned::new(place..place, key.into()), stated)]);
        let mut takers = variants(&mut self.scenario).iter_mut().filter(|variant| takes(variant, key)).peekable();
        let there = takers.peek().is_some();
        takers.for_each(|variant| put_over(&mut variant.parameters, &setting));
        if there {
            self.settings.push((key.into(), value.into()));
        }
        there
    }

    /// An error at a place in the file, in the one before it, or in a setting of the command line.
    pub(crate) fn error<T>(&self, at: &Spanned<T>, reason: impl std::fmt::Display) -> anyhow::Error {
        let offset = at.span().start;
        let Some(offset) = offset.checked_sub(self.before.text.len()) else {
            return anyhow!("{}: {reason}", self.before.place(offset));
        };
        let setting = offset.checked_sub(self.source.text.len() + 1).and_then(|number| self.settings.get(number));
        match setting {
            Some((key, value)) => Usage(format!("--set {key}={value}: {}: {reason}", self.id)).into(),
            None => anyhow!("{}: {reason}", self.source.place(offset)),
        }
    }

    /// The number of the item of this name.
    ///
    /// # Errors
    /// There is none: with the place of the name, and those that there are.
    pub(crate) fn find_name<'b>(
        &self,
        kind: &str,
        wanted: &Spanned<String>,
        known: impl Iterator<Item = &'b str> + Clone,
    ) -> Result<usize> {
        let wanted_name: &str = wanted.get_ref();
        known.clone().position(|known| known == wanted_name).ok_or_else(|| {
            let hint = suggestion(wanted_name, known.clone());
            let known: Vec<_> = known.collect();
            let wanted_name = quoted(wanted_name);
            self.error(wanted, format!("no {kind} {wanted_name}: expected one of {}{hint}", known.join(", ")))
        })
    }

    /// The number of the variant that a measure names; the first one if it names none.
    ///
    /// # Errors
    /// See [`find_name`](Self::find_name).
    pub(super) fn find_variant<'b>(
        &self,
        wanted: &Option<Spanned<String>>,
        known: impl Iterator<Item = &'b str> + Clone,
    ) -> Result<usize> {
        wanted.as_ref().map_or(Ok(0), |name| self.find_name("variant", name, known))
    }

    /// The number of the item of this name, of names that stand in the file.
    ///
    /// # Errors
    /// See [`find_name`](Self::find_name).
    pub(crate) fn find<'b>(
        &self,
        kind: &str,
        wanted: &Spanned<String>,
        known: impl Iterator<Item = &'b Option<Spanned<String>>> + Clone,
    ) -> Result<usize> {
        self.find_name(kind, wanted, known.map(|name| name.as_ref().map_or("", |name| name.get_ref())))
    }

    /// Checks that each name is there once among those of its kind.
    ///
    /// # Errors
    /// With the place of the second one.
    pub(super) fn check_distinct<'b>(
        &self,
        names: impl IntoIterator<Item = (&'static str, &'b Spanned<String>)>,
    ) -> Result<()> {
        let mut seen: Vec<(&str, &str)> = Vec::new();
        for (kind, name) in names {
            let text: &str = name.get_ref();
            if text.is_empty() || seen.contains(&(kind, text)) {
                let found = if text.is_empty() { "an empty name".into() } else { format!("a second `{text}`") };
                bail!(self.error(name, format!("{found}: expected {} with a name of its own", with_article(kind))));
            }
            seen.push((kind, text));
        }
        Ok(())
    }
}

impl Flow {
    /// How many it stands for.
    pub(crate) fn number(&self) -> u32 {
        self.count.as_ref().map_or(1, |count| *count.get_ref())
    }
}

impl File {
    /// Checks what a single field cannot tell.
    ///
    /// # Errors
    /// With file, line and column.
    pub(crate) fn check_names(&self) -> Result<()> {
        let scenario = &self.scenario;
        ensure!(!scenario.variant.is_empty(), "{}: expected at least one [[variant]]", self.name);
        ensure!(!scenario.flow.is_empty(), "{}: expected at least one [[flow]]", self.name);
        for (kind, named) in [
            ("output", scenario.output.iter().all(|output| output.name.is_some())),
            ("flow", scenario.flow.iter().all(|flow| flow.name.is_some())),
        ] {
            ensure!(named, "{}: a [[{kind}]] has no name", self.name);
        }
        let outputs = scenario.output.iter().filter_map(|output| Some(("output", output.name.as_ref()?)));
        let flows = scenario.flow.iter().filter_map(|flow| Some(("flow", flow.name.as_ref()?)));
        let variants = scenario.variant.iter().map(|variant| ("variant", &variant.name));
        let ablations = scenario.ablation.iter().map(|ablation| ("ablation", &ablation.name));
        let claims = scenario.claim.iter().map(|claim| ("claim", &claim.id));
        self.check_distinct(outputs.chain(flows).chain(variants).chain(ablations).chain(claims))?;
        let used = |name: &&Spanned<String>| scenario.claim.iter().any(|claim| claim.also.contains(name));
        if let Some(name) = scenario.condition.keys().find(|name| !used(name)) {
            bail!(self.error(name, format!("no claim has the condition {}", quoted(name.get_ref()))));
        }
        let ids = || scenario.claim.iter().map(|claim| claim.id.get_ref().as_str());
        let listed = scenario.controls.iter().flat_map(|all| all.none.iter().chain(&all.swap).chain(&all.never));
        listed.map(|name| self.find_name("claim", name, ids())).collect::<Result<Vec<_>>>().map(|_| ())
    }
}
