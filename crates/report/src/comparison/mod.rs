// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of `tidegate compare --report`: the resources of schemes, and their behaviour in the closed loop.
//!
//! | module | contents |
//! |---|---|
//! | `first_page` | which scheme when, in a table and three pictures |
//! | [`area`] | tables, sentences and bars of a synthesis |
//! | [`clock_rate`] | table and sentences of a place and route |
//! | [`counts`] | tables, sentences and curves of copies and of one part for many |
//! | [`closed_loop`] | runs of the dumbbell, their figures of merit, their pictures |

pub mod area;
pub mod clock_rate;
pub mod closed_loop;
pub mod counts;
mod first_page;

use self::area::{Cells, Quantity};
use self::closed_loop::Run;
use super::number::{grouped, short};
use super::page::{Page, Section};
use super::plot::Picture;
use anyhow::Result;
use tidegate_lab::measure::Difference;
use tidegate_lab::measure::Request;
use tidegate_lab::measure::area::{Comparison, compare_differences};
use tidegate_lab::measure::counts::Counts;
use tidegate_package::emit::ParameterStyle;
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::cells::Family;

/// Widths of the CPID on the page: all bits, the 16 bits that distinguish the ports of a switch, none.
const CPID_BITS: [u64; 3] = [64, 16, 0];

/// The card of the published figure.
const CARD_PORTS: u32 = 4;

/// Options that QCN can have in addition to the profile of the papers, in the order of the page: name, key, value of
/// 802.1Q.
const ADD_ONS: [(&str, &str, &str); 5] = [
    ("timer", "timer_us", "15000"),
    ("jitter of cycles", "cycle_jitter_percent", "30"),
    ("hyper-active increase", "hai_rate_mbps", "50"),
    ("target reduction", "target_reduction", "true"),
    ("extra fast recovery", "extra_fast_recovery", "true"),
];

/// The reaction point of QCN in one form, compared with that of SMCC.
pub struct SweepStep {
    /// The form.
    pub label: String,
    /// QCN minus SMCC, one port, for 64, 16 and 0 bits of CPID.
    pub differences: Vec<Difference>,
}

/// How the published difference depends on the options that the papers leave open: options added one after the other to
/// the profile of the papers, then the whole 802.1Q profile, then parameters as inputs; each with fewer and fewer bits
/// of the CPID. The FPGA family is that of the published figure, or the first one if that is not requested. Empty if
/// one of the two schemes is not compared.
///
/// # Errors
/// See [`tidegate_lab::measure::area::compare`].
pub fn sweep(request: &Request, progress: impl Fn(usize, usize) + Sync) -> Result<Vec<SweepStep>> {
    if !["qcn", "smcc"].iter().all(|wanted| request.schemes.iter().any(|scheme| scheme == wanted)) {
        return Ok(Vec::new());
    }
    let mut forms = vec![("papers' profile".to_string(), "paper", ParameterStyle::Fixed, 0)];
    for (index, (name, ..)) in ADD_ONS.iter().enumerate() {
        forms.push((format!("and {name}"), "paper", ParameterStyle::Fixed, index + 1));
    }
    forms.push(("802.1Q profile".to_string(), "8021q", ParameterStyle::Fixed, 0));
    forms.push(("parameters as inputs".to_string(), "paper", ParameterStyle::Inputs, 0));
    let swept: Vec<&str> = ADD_ONS.iter().map(|add_on| add_on.1).chain(["cpid_bits", "profile"]).collect();
    let all = forms.len() * CPID_BITS.len();
    let mut steps = Vec::new();
    for (label, profile, style, add_ons) in forms {
        let mut differences = Vec::new();
        for (index, cpid_bits) in CPID_BITS.into_iter().enumerate() {
            let mut settings = request.settings.clone();
            settings.retain(|(key, _)| !swept.contains(&key.rsplit('.').next().unwrap_or(key)));
            settings.push(("qcn.profile".to_string(), profile.to_string()));
            settings.push(("cpid_bits".to_string(), cpid_bits.to_string()));
            for (_, key, value) in &ADD_ONS[..add_ons] {
                settings.push((format!("qcn.{key}"), value.to_string()));
            }
            let request = Request {
                schemes: vec!["qcn".to_string(), "smcc".to_string()],
                families: vec![sweep_family(request)],
                parts: vec![Part::ReactionPoint],
                ports: vec![1],
                counts: Vec::new(),
                style,
                settings,
            };
            differences.extend(compare_differences(&request)?);
            progress(steps.len() * CPID_BITS.len() + index + 1, all);
        }
        steps.push(SweepStep { label, differences });
    }
    Ok(steps)
}

fn sweep_family(request: &Request) -> Family {
    if request.families.contains(&Family::Xc2vp) { Family::Xc2vp } else { request.families[0] }
}

/// Pictures of the page by the names of their files.
#[derive(Default)]
struct Drawn(Vec<(String, Picture)>);

impl Drawn {
    /// Adds a picture to a section.
    fn figure(&mut self, section: Section, name: String, picture: Picture, caption: impl AsRef<str>) -> Section {
        let section = section.figure(&picture, caption);
        self.0.push((name, picture));
        section
    }

    /// Adds pictures with their captions, which stand side by side.
    fn several(&mut self, pictures: Vec<(&str, Picture, String)>) -> Vec<(Picture, String)> {
        let add = |(name, picture, caption): (&str, Picture, String)| {
            self.0.push((name.to_string(), picture.clone()));
            (picture, caption)
        };
        pictures.into_iter().map(add).collect()
    }
}

/// Names and contents of the files: the page `index.html`, which is complete alone, and each of its pictures as SVG and as
/// PNG. `commands` are the command lines that produce them.
///
/// # Errors
/// If drawing a picture fails.
pub fn files(
    request: &Request,
    comparison: &Comparison,
    sweep: &[SweepStep],
    runs: &[Run],
    commands: &[String],
) -> Result<Vec<(String, Vec<u8>)>> {
    let names: Vec<String> = runs.iter().map(Run::name).collect();
    let mut drawn = Drawn::default();
    let mut page = Page::new(format!("Compared: {}", names.join(", "))).lead(lead(comparison, runs));
    page = page.first(first_page::section(comparison, runs, &mut drawn)?);
    for (family, part) in comparison.tables() {
        page = page.section(area_section(comparison, family, part, &mut drawn)?);
    }
    if let Some(counts) = &comparison.counts {
        for place in comparison.tables() {
            page = page.section(counts_section(counts, place, &mut drawn)?);
        }
    }
    if !sweep.is_empty() {
        page = page.section(sweep_section(comparison, sweep, sweep_family(request)));
    }
    if let Some(timing) = &comparison.timing {
        let section = Section::new("Clock rates").paragraph(clock_rate::conditions(timing) + ".");
        let mut section = with_table(section, &clock_rate::table(timing));
        section = section.paragraph(format!("Longest paths: {}.", clock_rate::paths(timing).join("; ")));
        page = page.section(section.paragraph(clock_rate::NOTE));
    }
    let tool = &comparison.tool;
    let remark = format!(
        "tidegate {}, {} {}; seeds {}. Each picture is beside this page as SVG and as PNG.",
        env!("CARGO_PKG_VERSION"),
        tool.name,
        tool.version,
        runs.first().map_or("–".to_string(), closed_loop::seeds_text)
    );
    let page = loop_sections(page, runs, &mut drawn)?.made_by(remark, commands).render();
    let mut files = vec![("index.html".to_string(), page.into_bytes())];
    for (name, picture) in drawn.0 {
        files.push((format!("{name}.svg"), picture.svg().into_bytes()));
        files.push((format!("{name}.png"), picture.png()?));
    }
    Ok(files)
}

/// What was compared, and how far it can be trusted.
fn lead(comparison: &Comparison, runs: &[Run]) -> String {
    let families: Vec<&str> = {
        let mut families: Vec<&str> = comparison.tables().iter().map(|table| table.0.name()).collect();
        families.dedup();
        families
    };
    let area = format!("Area from synthesis ({}; parameters {}).", families.join(", "), comparison.parameters);
    let Some(run) = runs.first() else { return area };
    format!(
        "{area} Closed loop: {} s with each of the seeds {}. Nothing was tuned.",
        short(run.seconds(run.cycles)),
        closed_loop::seeds_text(run)
    )
}

fn with_table(section: Section, cells: &Cells) -> Section {
    section.table(&cells.header_texts(), &cells.rows, &cells.right_aligned)
}

fn area_section(comparison: &Comparison, family: Family, part: &str, drawn: &mut Drawn) -> Result<Section> {
    let title = format!("Area: {}, {}", family.name(), area::part_title(part));
    let section = Section::new(&title).paragraph(
        "Flip-flops / LUTs after synthesis, without place and route. Each block is synthesized alone, without outputs that \
         are not used; the total is the sum of the blocks. Ports share only parameters: n ports need n times the resources \
         of one.",
    );
    let mut section = with_table(section, &area::table(comparison, family, part));
    section = area::notes(comparison, &[(family, part)]).into_iter().fold(section, Section::paragraph);
    let differences = area::few_differences(comparison, family, part);
    if !differences.is_empty() {
        section = section.paragraph(differences.join(". ") + ".");
    }
    for warning in area::unknown_cells(comparison, family, part) {
        section = section.paragraph(format!("Warning: {warning}."));
    }
    section = section.paragraph("What each block takes of its part, flip-flops / LUTs:");
    section = with_table(section, &area::shares(comparison, family, part));
    for (quantity, caption) in [
        (Quantity::FlipFlops, "Flip-flops, block by block.".to_string()),
        (Quantity::Luts, format!("LUTs, block by block. Note: {}.", family.note())),
    ] {
        let picture = area::chart(comparison, &title, &[(family, part)], quantity)?;
        let name = format!("area-{}-{part}-{}", family.name(), quantity.name().to_lowercase());
        section = drawn.figure(section, name, picture, caption);
    }
    Ok(section)
}

fn counts_section(counts: &Counts, place: (Family, &str), drawn: &mut Drawn) -> Result<Section> {
    let title = format!("Copies or one part: {}, {}", place.0.name(), area::part_title(place.1));
    let mut section = Section::new(&title).paragraph(counts::MEANING);
    for (quantity, name) in [(Quantity::FlipFlops, "Flip-flops"), (Quantity::Luts, "LUTs that hold logic")] {
        if let Some(picture) = counts::chart(counts, place, &title, quantity)? {
            let caption = format!("{name}, of copies and of one part; both axes are logarithmic.");
            let name = format!("copies-{}-{}-{}", place.0.name(), place.1, quantity.name().to_lowercase());
            section = drawn.figure(section, name, picture, caption);
        }
    }
    for variant in counts::variants(counts, place) {
        section = section.paragraph(format!("{} {}:", variant.scheme, variant.profile));
        section = with_table(section, &counts::table(counts, place, &variant));
        section = counts::missing(counts, place, &variant).into_iter().fold(section, Section::paragraph);
    }
    section = counts::differences(counts, place).into_iter().fold(section, Section::paragraph);
    for warning in counts::unknown_cells(counts, place) {
        section = section.paragraph(format!("Warning: {warning}."));
    }
    Ok(area::note_on_slices(&[place]).into_iter().fold(section, Section::paragraph))
}

fn sweep_section(comparison: &Comparison, sweep: &[SweepStep], family: Family) -> Section {
    let mut section = Section::new("The published figure");
    for sentence in area::published(comparison).unwrap_or_default() {
        section = section.paragraph(sentence);
    }
    section = section.paragraph(format!(
        "Our difference, QCN − SMCC, when options are added to the QCN of the papers, and when SMCC stores fewer bits \
         of the CPID; QCN does not store it. With \
         parameters as inputs all options are in hardware, for any profile. Reaction point, sum of its blocks, {}, \
         flip-flops with {}.",
        family.name(),
        area::ports_text(CARD_PORTS)
    ));
    let ports = i64::from(CARD_PORTS);
    let mut headers = vec!["QCN".to_string()];
    headers.extend(CPID_BITS.map(|bits| format!("{bits} bits of CPID")));
    let share = |registers: i64| {
        let published = comparison.published.as_ref()?;
        let share = 100.0 * registers as f64 / published.slice_registers as f64;
        (registers > 0).then(|| format!(" ({} %)", grouped(share, 0)))
    };
    let cell = |one_port: &Difference| {
        let with = one_port.flip_flops * ports;
        let text = area::signed(with) + &share(with).unwrap_or_default();
        match one_port.flip_flops_without_lut_rams.map(|without| without * ports) {
            Some(without) if without != with => format!("{text}, {} without LUT RAM", area::signed(without)),
            _ => text,
        }
    };
    let rows: Vec<Vec<String>> = sweep
        .iter()
        .map(|step| std::iter::once(step.label.clone()).chain(step.differences.iter().map(cell)).collect())
        .collect();
    with_table(section, &Cells { headers, rows, right_aligned: vec![1, 2, 3] })
}

fn loop_sections(mut page: Page, runs: &[Run], drawn: &mut Drawn) -> Result<Page> {
    if runs.is_empty() {
        return Ok(page);
    }
    let seeds = closed_loop::seeds_text(&runs[0]);
    let section = Section::new("Closed loop: all seeds").paragraph(format!(
        "Each scheme runs in the dumbbell: sources that always have a packet, one queue, feedback as real frames. The \
         integer models are exact to the cycle. Queue and rates are sampled every millisecond. Figures are for the last \
         second, or for the second half of a shorter run, unless the row says otherwise. Parameters are the defaults or \
         those of the command line; nothing was tuned. A rate is the limit of the reaction point. The table has the median \
         of the seeds {seeds}, and the least and the largest of them. The seed sets when sources start and every random \
         interval."
    ));
    page = page.section(with_table(section, &closed_loop::spread(runs)));
    let section = Section::new("Closed loop: the median seed").paragraph(
        "The seed whose Jain's index is the median of the seeds; of two in the middle the lower one, of equal ones the first.",
    );
    let mut section = with_table(section, &closed_loop::merits(runs));
    for run in runs {
        section = section.paragraph(run.sentence());
    }
    page = page.section(section);
    for run in runs {
        let name = run.name();
        let file = |what: &str| format!("{what}-{}", name.replace(' ', "-"));
        let shown = run.seed_text();
        let mut section = Section::new(format!("Closed loop: {name}"));
        let caption = format!(
            "Queue length each millisecond. Line: {shown}. Area: from the least to the largest of the seeds at each \
             sampling interval. Dashes: the target."
        );
        section = drawn.figure(section, file("queue"), run.queue_picture()?, caption);
        let caption = format!(
            "Rate that each reaction point allows. Lines: {shown}. Area: from the least to the largest rate of all flows \
             of all seeds. Dashes: an even share."
        );
        page = page.section(drawn.figure(section, file("rates"), run.rate_picture()?, caption));
    }
    Ok(page.section(with_table(Section::new("Parameters of the closed loop"), &closed_loop::parameters(runs))))
}
