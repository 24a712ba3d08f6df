//! The page of `tidegate compare --report`: what schemes cost, and how they behave in the closed loop.
//!
//! | module | what is in it |
//! |---|---|
//! | [`area`] | tables, sentences and bars of a synthesis |
//! | [`closed_loop`] | runs of the dumbbell, their figures of merit, their pictures |

pub mod area;
pub mod closed_loop;

use self::area::Cells;
use self::closed_loop::Run;
use super::number::grouped;
use super::page::{Page, Section};
use crate::emit::ParameterStyle;
use crate::scheme::Part;
use crate::toolchain::cells::Family;
use crate::toolchain::resources::{self, Comparison, Request};
use anyhow::Result;

/// Widths of the CPID that the page goes through: all of it, the 16 bits that tell the ports of a switch, none.
const CPID_BITS: [u64; 3] = [64, 16, 0];

/// One line of the sweep: how parameters reach the hardware, how much of the CPID is kept.
pub struct SweepStep {
    style: ParameterStyle,
    cpid_bits: u64,
    comparison: Comparison,
}

/// The reaction point of the family of the published figure (or, where that is not asked for, of the first family) with
/// parameters fixed and as inputs, and with ever fewer bits of the CPID.
///
/// # Errors
/// What [`resources::compare`] says.
pub fn sweep(request: &Request, progress: impl Fn(usize, usize) + Sync) -> Result<Vec<SweepStep>> {
    let family = if request.families.contains(&Family::Xc2vp) { Family::Xc2vp } else { request.families[0] };
    let mut steps = Vec::new();
    for style in [ParameterStyle::Fixed, ParameterStyle::Inputs] {
        for cpid_bits in CPID_BITS {
            let mut settings = request.settings.clone();
            settings.retain(|(key, _)| key != "cpid_bits" && !key.ends_with(".cpid_bits"));
            settings.push(("cpid_bits".to_string(), cpid_bits.to_string()));
            let request = Request {
                families: vec![family],
                parts: vec![Part::ReactionPoint],
                ports: vec![1, 4],
                style,
                settings,
                ..request.clone()
            };
            let comparison = resources::compare(&request, &progress)?;
            steps.push(SweepStep { style, cpid_bits, comparison });
        }
    }
    Ok(steps)
}

/// The whole page. `commands` are those that make it again.
///
/// # Errors
/// A picture that cannot be drawn.
pub fn page(comparison: &Comparison, sweep: &[SweepStep], runs: &[Run], commands: &[String]) -> Result<String> {
    let names: Vec<String> = runs.iter().map(Run::name).collect();
    let mut page = Page::new(format!("Compared: {}", names.join(", "))).lead(lead(comparison, runs));
    for (family, part) in comparison.tables() {
        page = page.section(area_section(comparison, family, part)?);
    }
    if comparison.published.is_some() || sweep.iter().any(|step| !step.comparison.differences.is_empty()) {
        page = page.section(sweep_section(comparison, sweep));
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
        family.map(|family| area::differences(comparison, family, Part::ReactionPoint.name())).unwrap_or_default();
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
        "Flip-flops / LUTs after synthesis, without place and route. A block is synthesized by itself, the total as one \
         design, in which registers that nobody reads go away. Ports share nothing but parameters: n ports are n times one.",
    );
    let mut section = with_table(section, &area::table(comparison, family, part));
    let differences = area::differences(comparison, family, part);
    if !differences.is_empty() {
        section = section.paragraph(differences.join(". ") + ".");
    }
    for warning in area::unknown_cells(comparison, family, part) {
        section = section.paragraph(format!("Warning: {warning}."));
    }
    let picture = area::chart(comparison, &title, &[(family, part)])?;
    Ok(section.figure(&picture, format!("Flip-flops, block by block. Note: {}.", family.note())))
}

fn sweep_section(comparison: &Comparison, sweep: &[SweepStep]) -> Section {
    let published = comparison.published.as_ref();
    let mut section = Section::new("The published figure");
    for sentence in area::published(comparison).unwrap_or_default() {
        section = section.paragraph(sentence);
    }
    let family = sweep.first().and_then(|step| step.comparison.tables().first().copied());
    let Some((family, _)) = family else { return section };
    section = section.paragraph(format!(
        "The same difference with parameters as inputs, which keeps every option in hardware, and with fewer bits of the \
         CPID, which SMCC keeps once on its way through the parser and once in the calculator and QCN not at all. Reaction \
         point, {}, flip-flops of the part as one design.",
        family.name()
    ));
    let mut headers = vec!["parameters", "CPID bits", "difference", "1 port", "4 ports"];
    if published.is_some() {
        headers.push("of the published");
    }
    let mut rows = Vec::new();
    for step in sweep {
        for difference in step.comparison.differences.iter().filter(|difference| difference.ports == 4) {
            let of_one = difference.flip_flops / i64::from(difference.ports);
            let mut row = vec![
                resources::style_name(step.style).to_string(),
                step.cpid_bits.to_string(),
                format!("{} {} − {} {}", difference.more.0, difference.more.1, difference.less.0, difference.less.1),
                area::signed(of_one),
                area::signed(difference.flip_flops),
            ];
            if let Some(published) = published {
                let share = 100.0 * difference.flip_flops as f64 / published.slice_registers as f64;
                row.push(format!("{} %", grouped(share, 0)));
            }
            rows.push(row);
        }
    }
    section = section.table(&headers, &rows, &[1, 3, 4, 5]);
    match (published, nearest(sweep)) {
        (Some(published), Some((step, four_ports, who))) => {
            let missing = published.slice_registers - four_ports;
            section.paragraph(format!(
                "The largest of these differences is {} with four ports: {who}, parameters {}, {} bits of CPID. {} The paper \
                 does not say how many options its QCN had, how wide its counters were, or how much of the CPID its SMCC kept.",
                area::signed(four_ports),
                resources::style_name(step.style),
                step.cpid_bits,
                if missing > 0 {
                    format!(
                        "About {} registers, {} a port, are left that our QCN does not have.",
                        grouped(missing as f64, 0),
                        grouped(missing as f64 / f64::from(published.ports), 0)
                    )
                } else {
                    "That reaches the published figure.".to_string()
                }
            ))
        }
        _ => section,
    }
}

/// The step with the largest difference with four ports.
fn nearest(sweep: &[SweepStep]) -> Option<(&SweepStep, i64, String)> {
    let all = sweep.iter().flat_map(|step| step.comparison.differences.iter().map(move |one| (step, one)));
    let (step, most) = all.filter(|(_, one)| one.ports == 4).max_by_key(|(_, one)| one.flip_flops)?;
    Some((step, most.flip_flops, format!("{} {} − {} {}", most.more.0, most.more.1, most.less.0, most.less.1)))
}

fn loop_sections(mut page: Page, runs: &[Run]) -> Result<Page> {
    if runs.is_empty() {
        return Ok(page);
    }
    let section = Section::new("Closed loop: figures of merit").paragraph(
        "Each scheme in the dumbbell: sources that always have a packet, one queue, feedback as real frames; the integer \
         models, exact to the cycle. Queue and rates are looked at each millisecond; figures are those of the last second, or \
         of the second half of a shorter run, unless the row says otherwise. Parameters are the defaults or what the command \
         line set; nothing was tuned. A rate is what the reaction point allows.",
    );
    let mut section = with_table(section, &closed_loop::merits(runs));
    for run in runs {
        section = section.paragraph(run.sentence());
    }
    page = page.section(section);
    for run in runs {
        let section = Section::new(format!("Closed loop: {}", run.name()))
            .figure(&run.queue_picture()?, "Queue length each millisecond; the dashed line is the target.")
            .figure(&run.rate_picture()?, "Rate that each reaction point allows; the dashed line is an even share.");
        page = page.section(section);
    }
    Ok(page.section(with_table(Section::new("Parameters of the closed loop"), &closed_loop::parameters(runs))))
}
