// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files of either kind: with a network, or without one.

use super::calculation::{Calculation, Findings, Study};
use super::claims::Judged;
use super::scenario::{Claim, Data, File, Source, Variant, without_data};
use super::{Experiment, Results};
use anyhow::Result;
use std::path::Path;
use tidegate_core::input::is_standard;

/// A file of either kind.
pub enum AnyFile {
    /// With a network.
    Network(Box<File>),
    /// Without one.
    Calculation(Box<File<Calculation>>),
}

/// What is said of an experiment.
pub struct Heading<'a> {
    /// Identifier: name of the file without its ending.
    pub id: &'a str,
    /// One line.
    pub title: &'a str,
    /// What it repeats; empty: of no paper.
    pub paper: &'a str,
    /// What the paper's figure shows, in words; empty if nothing is said of it.
    pub figure: &'a str,
    /// What a reader should know.
    pub notes: &'a [String],
    /// Its claims.
    pub claims: &'a [Claim],
    /// Names of its variants.
    pub variants: Vec<&'a str>,
}

macro_rules! heading {
    ($file:expr) => {{
        let scenario = &$file.scenario;
        Heading {
            id: &$file.id,
            title: &scenario.title,
            paper: &scenario.paper,
            figure: &scenario.figure,
            notes: &scenario.notes,
            claims: &scenario.claim,
            variants: scenario.variant.iter().map(|variant| variant.name.get_ref().as_str()).collect(),
        }
    }};
}

impl AnyFile {
    /// Reads a file.
    ///
    /// # Errors
    /// With file, line, column, and what was expected.
    pub fn read(path: &Path) -> Result<AnyFile> {
        let stem = path.file_stem().filter(|_| !is_standard(path));
        let id = stem.map_or_else(|| "scenario".into(), |stem| stem.to_string_lossy().into_owned());
        AnyFile::with_data(&id, Source::read(path)?, &Source::beside(path))
    }

    /// The same of a text that names no data files.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn of(id: &str, source: Source) -> Result<AnyFile> {
        AnyFile::with_data(id, source, &without_data)
    }

    fn with_data(id: &str, source: Source, read: &dyn Fn(&str) -> Result<Source>) -> Result<AnyFile> {
        if source.calculates().is_some() {
            return Ok(AnyFile::Calculation(Box::new(File::of(id, source)?)));
        }
        Ok(AnyFile::Network(Box::new(File::behind(Source::default(), id, source, read)?)))
    }

    /// Its variants.
    pub(crate) fn variants(&self) -> &[Variant] {
        match self {
            AnyFile::Network(file) => &file.scenario.variant,
            AnyFile::Calculation(file) => &file.scenario.variant,
        }
    }

    /// What is said of it.
    pub fn heading(&self) -> Heading<'_> {
        match self {
            AnyFile::Network(file) => heading!(file),
            AnyFile::Calculation(file) => heading!(file),
        }
    }
}

/// A checked file of either kind.
pub enum AnyExperiment<'a> {
    /// With a network.
    Network(Experiment<'a>),
    /// Without one.
    Calculation(Study<'a>),
}

/// What an experiment of either kind left.
pub enum AnyResults<'a> {
    /// Of a network.
    Network(&'a Experiment<'a>, Results<'a>),
    /// Of what is calculated.
    Calculation(&'a Study<'a>, Findings<'a>),
}

impl<'a> AnyExperiment<'a> {
    /// Checks a file.
    ///
    /// # Errors
    /// With file, line and column.
    pub fn new(file: &'a AnyFile) -> Result<AnyExperiment<'a>> {
        Ok(match file {
            AnyFile::Network(file) => AnyExperiment::Network(Experiment::new(file)?),
            AnyFile::Calculation(file) => AnyExperiment::Calculation(Study::new(file)?),
        })
    }

    /// What the progress counts: looks of a network.
    pub fn looks(&self) -> usize {
        match self {
            AnyExperiment::Network(experiment) => experiment.looks(),
            AnyExperiment::Calculation(_) => 0,
        }
    }

    /// Runs it; `progress` hears how many looks are done, of how many.
    ///
    /// # Errors
    /// See [`Experiment::run`] and [`Study::run`].
    pub fn run(&'a self, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<AnyResults<'a>> {
        Ok(match self {
            AnyExperiment::Network(experiment) => AnyResults::Network(experiment, experiment.run(progress)?),
            AnyExperiment::Calculation(study) => AnyResults::Calculation(study, study.run()?),
        })
    }
}

impl<'a> AnyResults<'a> {
    /// What is said of the experiment.
    pub fn heading(&self) -> Heading<'a> {
        match self {
            AnyResults::Network(experiment, _) => heading!(experiment.file),
            AnyResults::Calculation(study, _) => heading!(study.file),
        }
    }

    /// The text of the scenario file.
    pub fn source(&self) -> &'a Source {
        match self {
            AnyResults::Network(experiment, _) => experiment.file.source(),
            AnyResults::Calculation(study, _) => study.file.source(),
        }
    }

    /// The data files that it names.
    pub fn data(&self) -> &'a Data {
        match self {
            AnyResults::Network(experiment, _) => experiment.file.data(),
            AnyResults::Calculation(study, _) => study.file.data(),
        }
    }

    /// What the command line has set in place of it.
    pub fn settings(&self) -> &'a [(String, String)] {
        match self {
            AnyResults::Network(experiment, _) => experiment.file.settings(),
            AnyResults::Calculation(study, _) => study.file.settings(),
        }
    }

    /// How many seeds have run; none without a network.
    pub fn seeds(&self) -> Option<u32> {
        match self {
            AnyResults::Network(experiment, _) => Some(*experiment.file.scenario.seeds.get_ref()),
            AnyResults::Calculation(..) => None,
        }
    }

    /// The verdicts, in the order of the claims.
    pub fn judged(&self) -> &[Judged<'a>] {
        match self {
            AnyResults::Network(_, results) => &results.judged,
            AnyResults::Calculation(_, findings) => &findings.judged,
        }
    }

    /// Packets sent.
    pub fn packets(&self) -> u64 {
        match self {
            AnyResults::Network(_, results) => results.packets,
            AnyResults::Calculation(..) => 0,
        }
    }
}
