//! The page of `tidegate compare --report`: the resources of schemes, and their behaviour in the closed loop.
//!
//! | module | contents |
//! |---|---|
//! | [`area`] | tables, sentences and bars of a synthesis |
//! | [`clock_rate`] | table and sentences of a place and route |
//! | [`counts`] | tables, sentences and curves of copies and of one part for many |
//! | [`closed_loop`] | runs of the dumbbell, their figures of merit, their pictures |

pub mod area;
pub mod clock_rate;
pub mod closed_loop;
pub mod counts;

use self::area::{Cells, Quantity};
use self::closed_loop::Run;
use super::number::grouped;
use super::page::{Page, Section};
use crate::emit::ParameterStyle;
use crate::measure::Difference;
use crate::measure::Request;
use crate::measure::area::{Comparison, compare_differences};
use crate::measure::counts::Counts;
use crate::scheme::Part;
use crate::toolchain::cells::Family;
use anyhow::Result;

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
    label: String,
    /// QCN minus SMCC, one port, for each of [`CPID_BITS`].
    differences: Vec<Difference>,
}

/// How the published difference depends on the options that the papers leave open: options added one after the other to
/// the profile of the papers, then the whole 802.1Q profile, then parameters as inputs; each with fewer and fewer bits
/// of the CPID. The FPGA family is that of the published figure, or the first one if that is not requested. Empty if
/// one of the two schemes is not compared.
///
/// # Errors
/// See [`crate::measure::area::compare`].
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

/// The whole page. `commands` are the command lines that produce it.
///
/// # Errors
/// If drawing a picture fails.
pub fn page(
    request: &Request,
    comparison: &Comparison,
    sweep: &[SweepStep],
    runs: &[Run],
    commands: &[String],
) -> Result<String> {
    let names: Vec<String> = runs.iter().map(Run::name).collect();
    let mut page = Page::new(format!("Compared: {}", names.join(", "))).lead(lead(comparison, runs));
    for (family, part) in comparison.tables() {
        page = page.section(area_section(comparison, family, part)?);
    }
    if let Some(counts) = &comparison.counts {
        for place in comparison.tables() {
            page = page.section(counts_section(counts, place)?);
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
        "tidegate {}, {} {}; seed {}.",
        env!("CARGO_PKG_VERSION"),
        tool.name,
        tool.version,
        runs.first().map_or("–".to_string(), |run| run.parameters.integer("seed").to_string())
    );
    Ok(loop_sections(page, runs)?.made_by(remark, commands).render())
}

fn lead(comparison: &Comparison, runs: &[Run]) -> String {
    let family = comparison.tables().first().map(|table| table.0);
    let differences: Vec<String> =
        family.map(|family| area::few_differences(comparison, family, Part::ReactionPoint.name())).unwrap_or_default();
    let area = match (family, differences.is_empty()) {
        (Some(family), false) => {
            format!("Area: reaction points in {}: {}. ", family.name(), differences.join("; "))
        }
        _ => String::new(),
    };
    area + &closed_loop::verdict(runs)
}

fn with_table(section: Section, cells: &Cells) -> Section {
    section.table(&cells.header_texts(), &cells.rows, &cells.right_aligned)
}

fn area_section(comparison: &Comparison, family: Family, part: &str) -> Result<Section> {
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
    let picture = |quantity| area::chart(comparison, &title, &[(family, part)], quantity);
    Ok(section
        .figure(&picture(Quantity::FlipFlops)?, "Flip-flops, block by block.")
        .figure(&picture(Quantity::Luts)?, format!("LUTs, block by block. Note: {}.", family.note())))
}

fn counts_section(counts: &Counts, place: (Family, &str)) -> Result<Section> {
    let title = format!("Copies or one part: {}, {}", place.0.name(), area::part_title(place.1));
    let mut section = Section::new(&title).paragraph(counts::MEANING);
    for (quantity, name) in [(Quantity::FlipFlops, "Flip-flops"), (Quantity::Luts, "LUTs that hold logic")] {
        if let Some(picture) = counts::chart(counts, place, &title, quantity)? {
            section =
                section.figure(&picture, format!("{name}, of copies and of one part; both axes are logarithmic."));
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
    if let Some(published) = &comparison.published {
        section = with_table(section, &area::readings(published));
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

fn loop_sections(mut page: Page, runs: &[Run]) -> Result<Page> {
    if runs.is_empty() {
        return Ok(page);
    }
    let section = Section::new("Closed loop: figures of merit").paragraph(
        "Each scheme runs in the dumbbell: sources that always have a packet, one queue, feedback as real frames. The \
         integer models are exact to the cycle. Queue and rates are sampled every millisecond. Figures are for the last \
         second, or for the second half of a shorter run, unless the row says otherwise. Parameters are the defaults or \
         those of the command line; nothing was tuned. A rate is the limit of the reaction point.",
    );
    let mut section = with_table(section, &closed_loop::merits(runs));
    for run in runs {
        section = section.paragraph(run.sentence());
    }
    page = page.section(section);
    let section = Section::new("Closed loop: other seeds").paragraph(format!(
        "The same runs with seeds {}: mean, least and most. The seed sets when sources start and every random interval.",
        closed_loop::seeds_text(&runs[0])
    ));
    page = page.section(with_table(section, &closed_loop::spread(runs)));
    for run in runs {
        let section = Section::new(format!("Closed loop: {}", run.name()))
            .figure(&run.queue_picture()?, "Queue length each millisecond; the dashed line is the target.")
            .figure(&run.rate_picture()?, "Rate that each reaction point allows; the dashed line is an even share.");
        page = page.section(section);
    }
    Ok(page.section(with_table(Section::new("Parameters of the closed loop"), &closed_loop::parameters(runs))))
}
