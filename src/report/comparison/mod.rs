//! The page of `tidegate compare --report`: the resources of schemes, and their behaviour in the closed loop.
//!
//! | module | contents |
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
use crate::measure::Request;
use crate::measure::area::{Comparison, compare};
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
    (TIMER, "timer_us", "15000"),
    ("jitter of cycles", "cycle_jitter_percent", "30"),
    ("hyper-active increase", "hai_rate_mbps", "50"),
    ("target reduction", "target_reduction", "true"),
    ("extra fast recovery", "extra_fast_recovery", "true"),
];
const TIMER: &str = "timer";

/// The reaction point of QCN in one form, compared with that of SMCC.
pub struct SweepStep {
    label: String,
    /// Flip-flops of QCN minus flip-flops of SMCC, one port, for each of [`CPID_BITS`].
    differences: [i64; 3],
}

/// How the published difference depends on the options that the papers leave open: options added one after the other to
/// the profile of the papers, then the whole 802.1Q profile, then parameters as inputs; each with fewer and fewer bits
/// of the CPID. The FPGA family is that of the published figure, or the first one if that is not requested. Empty if
/// one of the two schemes is not compared.
///
/// # Errors
/// See [`compare`].
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
        let mut differences = [0; 3];
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
                style,
                settings,
            };
            let comparison = compare(&request, |_, _| ())?;
            differences[index] = comparison.differences.iter().map(|one| one.flip_flops).sum();
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
/// A picture that cannot be drawn.
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
    if !sweep.is_empty() {
        page = page.section(sweep_section(comparison, sweep, sweep_family(request)));
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
    let differences = area::few_differences(comparison, family, part);
    if !differences.is_empty() {
        section = section.paragraph(differences.join(". ") + ".");
    }
    for warning in area::unknown_cells(comparison, family, part) {
        section = section.paragraph(format!("Warning: {warning}."));
    }
    let picture = area::chart(comparison, &title, &[(family, part)])?;
    Ok(section.figure(&picture, format!("Flip-flops, block by block. Note: {}.", family.note())))
}

fn sweep_section(comparison: &Comparison, sweep: &[SweepStep], family: Family) -> Section {
    let mut section = Section::new("The published figure");
    for sentence in area::published(comparison).unwrap_or_default() {
        section = section.paragraph(sentence);
    }
    section = section.paragraph(format!(
        "The same difference, QCN − SMCC, when options are added to the QCN of the papers, and when SMCC stores fewer bits \
         of the CPID. SMCC stores the CPID twice, in the parser and in the calculator; QCN does not store it. With \
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
    let cell = |one_port: &i64| area::signed(one_port * ports) + &share(one_port * ports).unwrap_or_default();
    let rows: Vec<Vec<String>> = sweep
        .iter()
        .map(|step| std::iter::once(step.label.clone()).chain(step.differences.iter().map(cell)).collect())
        .collect();
    section = with_table(section, &Cells { headers, rows, right_aligned: vec![1, 2, 3] });
    match &comparison.published {
        Some(published) => section.paragraph(left_over(sweep, published.slice_registers)),
        None => section,
    }
}

/// The registers that the QCN of the paper would need in addition, from the row that is nearest to the paper, and from
/// the largest row.
fn left_over(sweep: &[SweepStep], published: i64) -> String {
    let ports = i64::from(CARD_PORTS);
    let left = |one_port: i64| grouped((published - one_port * ports) as f64, 0);
    let most = sweep.iter().flat_map(|step| step.differences).max().unwrap_or_default() * ports;
    let mut text = String::new();
    if let Some(step) = sweep.iter().find(|step| step.label.ends_with(TIMER)) {
        let [all, some, none] = step.differences.map(left);
        text = format!(
            "The QCN of the paper had rate decrease, fast recovery and active increase with a timer and a counter: the row \
             \"{}\". In this row {all}, {some} and {none} of the {published} registers are not explained, with 64, 16 and 0 \
             bits of CPID. ",
            step.label
        );
    }
    text += "Our calculators have pipeline registers, which are counted too. ";
    let reach = if most < published {
        format!(
            "The largest difference in the table is {}, {} registers short of the published one",
            area::signed(most),
            grouped((published - most) as f64, 0)
        )
    } else {
        format!("The largest difference in the table, {}, reaches the published one", area::signed(most))
    };
    text + &reach
        + ". The paper does not say how wide its counters were, how many bits of the CPID its SMCC stored, or whether it \
           counts one port or all four of the card."
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
