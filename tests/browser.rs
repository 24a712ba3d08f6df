// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each kind of page in a real browser: on a wide screen and on a phone, light and dark, and printed. Nothing may overflow or be
//! cut, nothing may be loaded from outside, and the console stays empty. Broken pages show that each check can fail.
//!
//! Skipped, with a word, where there is no Chromium (Debian: `apt-get install chromium fonts-dejavu-core poppler-utils`).

#[path = "browser/chromium.rs"]
mod chromium;

use chromium::Chromium;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tidegate::emit::ParameterStyle;
use tidegate::measure::area::{Comparison, FORMAT_VERSION, Row, Share, TOTAL};
use tidegate::measure::{Difference, Request, ToolVersion, settings_of, variants};
use tidegate::registry::ethernet;
use tidegate::report::comparison::closed_loop::Run;
use tidegate::report::comparison::{SweepStep, files};
use tidegate::scheme::Part;
use tidegate::toolchain::cells::{Family, Resources};

/// How a page is looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
enum View {
    /// Width of the screen in px, and whether the reader wants it dark.
    Screen(u32, bool),
    /// Width and height of a sheet in mm.
    Print(f64, f64),
}

const A4: View = View::Print(210.0, 297.0);
const LETTER: View = View::Print(215.9, 279.4);
const VIEWS: [View; 6] = [
    View::Screen(1280, false),
    View::Screen(1280, true),
    View::Screen(390, false),
    View::Screen(390, true),
    A4,
    LETTER,
];

/// The margin of a printed page in mm, as in `page.css`.
const MARGIN_MM: f64 = 12.0;

fn px(mm: f64) -> f64 {
    mm / 25.4 * 96.0
}

/// Everything that is wrong with a page.
fn look(browser: &mut Chromium, page: &Path, view: View) -> Vec<String> {
    let (width, medium, paper, dark) = match view {
        View::Screen(width, dark) => (width, "screen", Value::Null, dark),
        View::Print(wide, high) => {
            (px(wide - 2.0 * MARGIN_MM) as u32, "print", json!(px(high - 2.0 * MARGIN_MM)), false)
        }
    };
    let phone = width < 600;
    let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": phone });
    browser.ask("Emulation.setDeviceMetricsOverride", metrics);
    let scheme = if dark { "dark" } else { "light" };
    let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
    browser.ask("Emulation.setEmulatedMedia", json!({ "media": medium, "features": features }));
    browser.events.clear();
    let address = format!("file://{}", page.display());
    browser.ask("Page.navigate", json!({ "url": address }));
    browser.wait_for("Page.loadEventFired");
    let inspect = format!("{}({paper}, {dark})", include_str!("browser/inspect.js").trim_end());
    let mut result = browser.ask("Runtime.evaluate", json!({ "expression": inspect, "returnByValue": true }));
    assert!(result["exceptionDetails"].is_null(), "{result}");
    let mut wrong: Vec<String> = serde_json::from_value(result["result"]["value"].take()).unwrap();
    if let View::Print(wide, high) = view {
        wrong.extend(printed(browser, wide, high));
    }
    for event in &browser.events {
        let said = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => {
                let url = said["request"]["url"].as_str().unwrap_or_default();
                if url != address && !url.starts_with("data:") {
                    wrong.push(format!("it asks for {url}"));
                }
            }
            "Runtime.consoleAPICalled" => wrong.push(format!("console: {}", said["args"])),
            "Runtime.exceptionThrown" => wrong.push(format!("console: {}", said["exceptionDetails"]["text"])),
            "Log.entryAdded" => wrong.push(format!("console: {}", said["entry"]["text"])),
            _ => {}
        }
    }
    wrong
}

/// Prints the page and compares its letters with those of the PDF, if `pdftotext` is there.
fn printed(browser: &mut Chromium, wide: f64, high: f64) -> Vec<String> {
    let shown = "(() => [...document.querySelectorAll('body *')].filter((element) => getComputedStyle(element).display !== 'none' \
                 && !element.closest('nav, fieldset, style, script')).flatMap((element) => [...element.childNodes]).filter((node) => \
                 node.nodeType === 3).map((node) => node.data).join(''))()";
    let shown = browser.ask("Runtime.evaluate", json!({ "expression": shown, "returnByValue": true }));
    let sheet = json!({ "paperWidth": wide / 25.4, "paperHeight": high / 25.4, "printBackground": true });
    let pdf = browser.ask("Page.printToPDF", sheet);
    let pdf = base64(pdf["data"].as_str().unwrap());
    assert!(pdf.starts_with(b"%PDF"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.pdf");
    fs::write(&file, pdf).unwrap();
    let Ok(text) = Command::new("pdftotext").arg(&file).arg("-").stderr(Stdio::null()).output() else {
        eprintln!("skipped: no pdftotext (Debian: poppler-utils), the letters of the PDF are not counted");
        return Vec::new();
    };
    let (on_paper, shown) =
        (letters(&String::from_utf8_lossy(&text.stdout)), shown["result"]["value"].as_str().unwrap());
    let missing = |(letter, count): (char, usize)| {
        let found = on_paper.get(&letter).copied().unwrap_or(0);
        (found < count).then(|| format!("printed: {found} of {count} `{letter}`"))
    };
    letters(shown).into_iter().filter_map(missing).collect()
}

/// How often each letter is there.
fn letters(text: &str) -> BTreeMap<char, usize> {
    let mut letters = BTreeMap::new();
    let plain = text.replace('ﬁ', "fi").replace('ﬂ', "fl").replace('ﬀ', "ff").replace('ﬃ', "ffi");
    for letter in plain.chars().filter(|letter| letter.is_alphanumeric()) {
        *letters.entry(letter).or_default() += 1;
    }
    letters
}

fn base64(text: &str) -> Vec<u8> {
    let alphabet: Vec<u8> = (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain(*b"+/").collect();
    let (mut octets, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = alphabet.iter().position(|known| *known == letter).expect("base64") as u32;
        (bits, held) = (bits << 6 | value, held + 6);
        if held >= 8 {
            held -= 8;
            octets.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    octets
}

/// A comparison as Yosys could have counted it, and its runs; the numbers are made up.
fn comparison_page(folder: &Path, schemes: &[&str]) -> PathBuf {
    let request = Request {
        schemes: schemes.iter().map(|scheme| scheme.to_string()).collect(),
        families: Family::ALL.to_vec(),
        parts: vec![Part::CongestionPoint, Part::ReactionPoint],
        settings: Vec::new(),
        style: ParameterStyle::Fixed,
        ports: vec![1, 4],
        counts: Vec::new(),
    };
    let all = variants(&request);
    let mut rows = Vec::new();
    let blocks = ["sampler", "queue_monitor", "sample_queue", "feedback", "packet_generator", TOTAL];
    for &family in &request.families {
        for part in ["cp", "rp"] {
            for (number, variant) in all.iter().enumerate() {
                for ports in [1, 4] {
                    for (place, block) in (1..).zip(blocks) {
                        let count = 1234 * place * (number as u32 + 1) * ports;
                        let resources =
                            Resources { flip_flops: count, luts: 2 * count, carries: 16, ..Resources::default() };
                        rows.push(Row {
                            family,
                            scheme: variant.scheme.clone(),
                            profile: variant.profile.clone(),
                            part,
                            ports,
                            block: block.to_string(),
                            slices_at_least: family.slices_at_least(&resources),
                            share: Share::of(&resources, &resources),
                            resources,
                        });
                    }
                }
            }
        }
    }
    let without_lut_rams = rows.iter().filter(|row| row.part == "rp").cloned().collect();
    let difference = |flip_flops| Difference {
        family: Family::Xc2vp,
        part: "rp",
        more: ("qcn".into(), "paper".into()),
        less: ("smcc".into(), "paper".into()),
        ports: 1,
        flip_flops,
        flip_flops_without_lut_rams: Some(-flip_flops),
    };
    let comparison = Comparison {
        format_version: FORMAT_VERSION,
        tool: ToolVersion { name: "yosys", version: "0.70".into() },
        parameters: "fixed",
        rows,
        without_lut_rams,
        differences: vec![difference(35)],
        published: None,
        counts: None,
        timing: None,
    };
    let step = |label: &str| SweepStep { label: label.into(), differences: vec![difference(1234); 3] };
    let sweep = [step("papers' profile"), step("and hyper-active increase")];
    let runs: Vec<Run> = all
        .iter()
        .map(|variant| Run::new(variant, settings_of(&request, variant), 12_500_000, &|_| ()).unwrap())
        .collect();
    let commands = [format!("tidegate compare {} --report report", schemes.join(" "))];
    fs::create_dir_all(folder).unwrap();
    for (name, octets) in files(&request, &comparison, &sweep, &runs, &commands).unwrap() {
        fs::write(folder.join(name), octets).unwrap();
    }
    folder.join("index.html")
}

const SCENARIO: &str = r#"title = "Two schemes with a long title: what they do to a queue in which many flows meet"
duration_s = 0.02
pictures = ["queue", "rates", "plane", "distribution"]
[[flow]]
name = "a source with a long name"
count = 6
[[variant]]
name = "SMCC as in the paper"
scheme = "smcc"
[[variant]]
name = "QCN as in IEEE 802.1Q, with everything"
scheme = "qcn"
[[claim]]
id = "queue"
claim = "The queue stays at its target, and this sentence is long enough to need several lines in a narrow column"
expect = [60, 70]
bound = "as far as the pixels of the published figure can be read"
measure = { variant = "SMCC as in the paper", metric = "queue_mean_kb" }
"#;

const PLAN: &str = r#"scenario = "my.toml"
seeds = 2
[grid]
w = [1, 2, 3]
q0_bytes = [16000, 32000]
[[measure]]
name = "queue"
metric = "queue_mean_kb"
[[measure]]
name = "settled"
metric = "settle_ms"
between_bytes = [0, 640]
"#;

/// Runs tidegate in a folder.
fn tidegate(folder: &Path, arguments: &[&str]) {
    let mut command = assert_cmd::Command::cargo_bin("tidegate").unwrap();
    command.current_dir(folder).args(arguments).assert().success();
}

/// One page of each kind.
fn pages(folder: &Path) -> Vec<PathBuf> {
    fs::write(folder.join("my.toml"), SCENARIO).unwrap();
    fs::write(folder.join("plan.toml"), PLAN).unwrap();
    fs::write(folder.join("curve.toml"), PLAN.replace("q0_bytes = [16000, 32000]\n", "")).unwrap();
    tidegate(folder, &["run", "my.toml", "--out", "run"]);
    tidegate(folder, &["reproduce", "phase-theorem1", "ib-fig5", "--out", "reproduce"]);
    tidegate(folder, &["sweep", "plan.toml", "--out", "sweep"]);
    tidegate(folder, &["sweep", "curve.toml", "--out", "curve"]);
    let mut pages: Vec<PathBuf> =
        ["run", "reproduce", "sweep", "curve"].iter().map(|name| folder.join(name).join("index.html")).collect();
    pages.extend(["phase.html", "ib.html"].map(|name| folder.join("reproduce").join(name)));
    pages.push(comparison_page(&folder.join("compare"), &["qcn", "smcc"]));
    pages
}

#[test]
fn pages_are_whole_on_every_screen_and_on_paper() {
    let Some(mut browser) = Chromium::start() else {
        eprintln!("skipped: no Chromium (Debian: chromium, fonts-dejavu-core, poppler-utils)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for page in pages(folder.path()) {
        for view in VIEWS {
            let found = look(&mut browser, &page, view);
            wrong.extend(found.into_iter().map(|what| format!("{}, {view:?}: {what}", page.display())));
        }
    }
    // So many schemes need more than one sheet for the first page, but they are whole too.
    let many = comparison_page(&folder.path().join("many"), &ethernet().map(|scheme| scheme.name).collect::<Vec<_>>());
    for view in [View::Screen(1280, false), View::Screen(390, true), A4] {
        let found = look(&mut browser, &many, view).into_iter().filter(|what| !what.starts_with("the first page is"));
        wrong.extend(found.map(|what| format!("{}, {view:?}: {what}", many.display())));
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));

    let good = fs::read_to_string(folder.path().join("compare/index.html")).unwrap();
    let end = |piece: &str| good.replace("</main>", &format!("{piece}</main>"));
    let style = |rules: &str| good.replace("</style>", &format!("{rules}</style>"));
    let row = format!("<td style=\"white-space: nowrap\">{}</td>", "wide ".repeat(60));
    let broken = [
        (
            "a paragraph that does not break",
            end(&format!("<p><b style=\"white-space: nowrap\">{}</b></p>", "x".repeat(400))),
            View::Screen(390, false),
            "px wide",
        ),
        (
            "a table that scrolls on paper",
            style(".wide { overflow-x: auto !important }").replace(
                "</main>",
                &format!("<div class=\"wide\"><table><tr>{row}<td>zzz</td></tr></table></div></main>"),
            ),
            A4,
            "<td> \"zzz\" goes",
        ),
        (
            "a table that scrolls on paper, printed",
            style(".wide { overflow-x: auto !important }").replace(
                "</main>",
                &format!("<div class=\"wide\"><table><tr>{row}<td>ŁŁŁ</td></tr></table></div></main>"),
            ),
            LETTER,
            "printed: 0 of 3 `Ł`",
        ),
        (
            "a box that hides what is in it",
            end("<div style=\"overflow: hidden; width: 50px; white-space: nowrap\">this is cut</div>"),
            View::Screen(1280, false),
            "is 50 px wide, what is in it",
        ),
        (
            "text outside of a picture",
            end("<svg viewBox=\"0 0 100 20\" aria-label=\"small\"><text x=\"90\" y=\"15\">outside</text></svg>"),
            View::Screen(1280, false),
            "\"outside\" is outside of its picture \"small\"",
        ),
        (
            "texts over each other",
            end(
                "<svg viewBox=\"0 0 100 20\" aria-label=\"small\"><text x=\"10\" y=\"15\">one</text><text x=\"12\" y=\"15\">other</text></svg>",
            ),
            View::Screen(1280, false),
            "\"one\" and \"other\" overlap",
        ),
        (
            "a picture from outside",
            end("<img src=\"http://127.0.0.1:9/x.png\" alt=\"\">"),
            View::Screen(1280, false),
            "it asks for http://127.0.0.1:9/x.png",
        ),
        (
            "a message on the console",
            end("<script>console.error(\"hello\")</script>"),
            View::Screen(1280, false),
            "console: ",
        ),
        ("a script that fails", end("<script>nothing()</script>"), View::Screen(1280, false), "console: "),
        (
            "a page without dark colours",
            good.replace("prefers-color-scheme: dark", "prefers-color-scheme: none"),
            View::Screen(1280, true),
            "wants it dark",
        ),
        (
            "white pictures on a dark page",
            style("figure svg rect { color: white !important }"),
            View::Screen(390, true),
            "the picture \"Queue over time\" is",
        ),
        ("a dark sheet of paper", style("body { background: black }"), A4, "wants it light"),
        (
            "a first page that is longer than a sheet",
            style("header { min-height: 300mm }"),
            LETTER,
            "the first page is",
        ),
    ];
    for (what, html, view, expected) in broken {
        assert_ne!(html, good, "{what}: the page is not changed");
        let page = folder.path().join("broken.html");
        fs::write(&page, html).unwrap();
        let found = look(&mut browser, &page, view);
        assert!(found.iter().any(|found| found.contains(expected)), "{what} is not found, only {found:?}");
    }
}
