// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of the pictures: all names are there, the scale is right, bad data is refused.

use super::*;

/// What only an area has.
const AREA: &str = "fill-opacity=";
/// What a line begins with, as an area does.
const LINE: &str = "<path d=";

/// Parses a picture, which proves it well-formed, and returns its texts in order.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("a picture is well-formed XML");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or("").trim().to_string()).collect()
}

fn oscillation() -> TimeSeries {
    let wave = |index: i32| (f64::from(index) * 1e-6, 64e3 + 30e3 * f64::from(index).sin());
    TimeSeries::new("Queue & <rate>", "time (s)", "queue length (bytes)")
        .series(Series::new("QCN", (0..100_000).map(wave).collect()))
        .series(Series::new("SMCC", vec![(0.0, 0.0), (0.05, 60e3), (0.1, 60e3)]).steps())
        .reference(64e3, "q0 = 64 KB")
}

#[test]
fn time_series_is_xml_with_everything_named() {
    let svg = time_series(&oscillation()).unwrap().svg();
    let texts = texts(&svg);
    for wanted in [
        "Queue & <rate>",
        "time (s)",
        "queue length (bytes); mean where one swings",
        "QCN",
        "SMCC",
        "q0 = 64 KB",
        "80,000",
        "0.10",
    ] {
        assert!(texts.iter().any(|text| text == wanted), "no {wanted} in {texts:?}");
    }
}

#[test]
fn time_series_is_small_and_always_the_same() {
    let svg = time_series(&oscillation()).unwrap().svg();
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    assert_eq!(svg, time_series(&oscillation()).unwrap().svg());
}

#[test]
fn steps_have_corners() {
    let series = Series::new("rate", vec![(0.0, 1.0), (2.0, 5.0)]).steps();
    assert_eq!(series.outline(100), [(0.0, 1.0), (2.0, 1.0), (2.0, 5.0)]);
}

#[test]
fn a_curve_that_cannot_be_drawn_is_refused_by_name() {
    let chart = |points| TimeSeries::new("t", "x", "y").series(Series::new("flow 7", points));
    let message = |points| time_series(&chart(points)).unwrap_err().to_string();
    assert!(message(vec![(0.0, f64::NAN)]).contains("flow 7"));
    assert!(message(vec![(1.0, 0.0), (0.5, 0.0)]).contains("flow 7"));
    assert!(message(vec![]).contains("no points"));
}

fn copies_and_one_part() -> Growth {
    let curve = |name: &str, dashed, points| GrowthCurve { name: name.to_string(), points, colour: 0, dashed };
    let points = vec![(1.0, 150.0), (64.0, 9600.0), (1024.0, 153_600.0)];
    Growth {
        title: "Cost & <n>".to_string(),
        x_label: "flows".to_string(),
        y_label: "flip-flops".to_string(),
        curves: vec![curve("copies", true, points), curve("one part", false, vec![(1.0, 150.0), (1024.0, 550.0)])],
    }
}

#[test]
fn growth_is_xml_with_everything_named() {
    let svg = growth(&copies_and_one_part()).unwrap().svg();
    let texts = texts(&svg);
    for wanted in ["Cost & <n>", "flows", "flip-flops", "copies", "one part", "64", "1,024", "100", "200,000"] {
        assert!(texts.iter().any(|text| text == wanted), "no {wanted} in {texts:?}");
    }
}

/// Copies are a straight line: equal factors are equal distances.
#[test]
fn growth_has_logarithmic_axes() {
    let svg = growth(&copies_and_one_part()).unwrap().svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let number = |node: &roxmltree::Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let marks: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && number(node, "width") == 28.0 && number(node, "height") == 28.0)
        .map(|node| (number(&node, "x"), number(&node, "y")))
        .collect();
    let [first, second, third, ..] = marks[..] else { panic!("a mark for each point, not {marks:?}") };
    assert_eq!(marks.len(), 5);
    for place in [|mark: (f64, f64)| mark.0, |mark: (f64, f64)| -mark.1] {
        let (near, far) = (place(second) - place(first), place(third) - place(first));
        assert!((near / far - 0.6).abs() < 0.005, "6 of 10 doublings: {marks:?}");
    }
}

#[test]
fn growth_that_cannot_be_drawn_is_refused_by_name() {
    let message = |points: Vec<(f64, f64)>| {
        let mut chart = copies_and_one_part();
        chart.curves = vec![GrowthCurve { points, ..chart.curves[0].clone() }];
        growth(&chart).unwrap_err().to_string()
    };
    assert!(message(vec![(1.0, 0.0)]).contains("copies"));
    assert!(message(vec![(0.0, 1.0)]).contains("copies"));
    assert!(message(vec![(1.0, f64::NAN)]).contains("copies"));
    assert!(message(Vec::new()).contains("no points"));
}

fn area() -> BarChart {
    let virtex = BarGroup::new("xc2vp").bar(Bar::new("QCN", vec![1200.0, 34.0])).bar(Bar::new("SMCC", vec![0.0, 0.0]));
    BarChart::new("Area <of> all", "LUTs", ["calculator", "rate limiter"]).group(virtex)
}

#[test]
fn bars_are_xml_with_everything_named() {
    let svg = bars(&area()).unwrap().svg();
    let texts = texts(&svg);
    for wanted in ["Area <of> all", "LUTs", "calculator", "rate limiter", "xc2vp", "QCN", "1,234", "SMCC"] {
        assert!(texts.iter().any(|text| text == wanted), "no {wanted} in {texts:?}");
    }
    assert_eq!(svg, bars(&area()).unwrap().svg());
}

#[test]
fn segments_are_stacked_to_scale() {
    let svg = bars(&area()).unwrap().svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let number = |node: &roxmltree::Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let bars: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && number(node, "height") == 4.0 * super::bars::BAR)
        .map(|node| (number(&node, "x"), number(&node, "width")))
        .collect();
    let [first, second] = bars[..] else { panic!("two segments, not {bars:?}") };
    assert_eq!(first.0 + first.1, second.0);
    assert!((first.1 / second.1 - 1200.0 / 34.0).abs() < 0.5, "{bars:?}");
}

#[test]
fn a_bar_that_cannot_be_drawn_is_refused_by_name() {
    let message = |values| {
        let chart = BarChart::new("t", "LUTs", ["one"]).group(BarGroup::new("").bar(Bar::new("QCN", values)));
        bars(&chart).unwrap_err().to_string()
    };
    assert!(message(vec![1.0, 2.0]).contains("QCN"));
    assert!(message(vec![-1.0]).contains("QCN"));
    assert!(message(vec![f64::NAN]).contains("QCN"));
    assert!(bars(&BarChart::new("t", "LUTs", ["one"])).unwrap_err().to_string().contains("no bars"));
}

#[test]
fn names_of_close_reference_lines_keep_apart() {
    let mut chart = oscillation();
    for value in [64.5e3, 65e3, 65.5e3] {
        chart = chart.reference(value, format!("reference {value}"));
    }
    let svg = time_series(&chart).unwrap().svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let mut heights: Vec<f64> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter(|node| ["reference", "q0 ="].iter().any(|name| node.text().unwrap_or("").trim().starts_with(name)))
        .map(|node| node.attribute("y").unwrap().parse().unwrap())
        .collect();
    heights.sort_by(f64::total_cmp);
    assert_eq!(heights.len(), 4);
    assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 4.0 * 14.0), "{heights:?}");
}

#[test]
fn a_png_has_twice_the_pixels_and_the_colours_of_the_picture() {
    let picture = bars(&area()).unwrap();
    let octets = picture.png().unwrap();
    assert_eq!(octets, bars(&area()).unwrap().png().unwrap(), "the same picture, the same octets");
    let pixmap = tiny_skia::Pixmap::decode_png(&octets).unwrap();
    assert_eq!((pixmap.width(), pixmap.height()), (2 * picture.width(), 2 * picture.height()));
    let count = |red, green, blue| {
        let wanted = tiny_skia::ColorU8::from_rgba(red, green, blue, 255);
        pixmap.pixels().iter().filter(|pixel| pixel.demultiply() == wanted).count()
    };
    assert!(count(0xff, 0xff, 0xff) > 100_000, "paper");
    assert!(count(0x00, 0x72, 0xb2) > 5_000 && count(0xd5, 0x5e, 0x00) > 200, "two segments");
    assert!(count(0x22, 0x26, 0x2b) > 500, "text");
}

#[test]
fn the_font_of_the_program_has_what_pictures_say() {
    for font in [ttf_noto_sans::REGULAR, ttf_noto_sans::BOLD] {
        let face = ttf_parser::Face::parse(font, 0).unwrap();
        let letters = (' '..='~').chain("−–…·×±µ∞Δσ≤≥²°§äöüéß".chars());
        let missing: String = letters.filter(|letter| face.glyph_index(*letter).is_none()).collect();
        assert_eq!(missing, "");
    }
}

#[test]
fn an_svg_is_dark_where_the_screen_is() {
    let picture = time_series(&oscillation()).unwrap();
    let (file, element) = (picture.svg(), picture.element());
    assert!(file.contains("prefers-color-scheme:dark") && !element.contains("<style"));
    assert!(element.contains("class=\"c1\" color=\"#d55e00\" stroke=\"currentColor\""), "{element}");
    assert!(element.contains("stroke-dasharray"), "the second curve has dashes");
}

#[test]
fn a_band_lies_behind_the_curves() {
    let svg = time_series(&oscillation().band("all", vec![(0.0, 10e3, 90e3), (0.1, 20e3, 180e3)])).unwrap().svg();
    // The first is that of the legend.
    let band = svg.rfind(AREA).unwrap();
    assert!(svg.rfind(LINE).unwrap() > band && svg.matches(AREA).count() == 2);
    for wanted in ["all", "200,000"] {
        assert!(texts(&svg).iter().any(|text| text == wanted), "{wanted}");
    }
    assert!(time_series(&oscillation().band("all", vec![(0.0, f64::NAN, 1.0)])).is_err());
}

#[test]
fn the_spread_of_a_few_curves_lies_behind_them_in_their_colours() {
    let wide = |low: f64| (0..2000).map(|index| (f64::from(index), low, low + 50.0)).collect::<Vec<_>>();
    let chart = |curves: usize| {
        let all = (0..curves).map(|number| {
            let level = 100.0 * number as f64;
            Series::new(format!("q{number}"), vec![(0.0, level), (2000.0, level)]).spread(wide(level))
        });
        all.fold(TimeSeries::new("t", "time (s)", "KB").narrow(), TimeSeries::series)
    };
    let areas = |curves: usize| {
        let svg = time_series(&chart(curves)).unwrap().svg();
        let lines: Vec<String> = svg.lines().filter(|line| line.contains(AREA)).map(String::from).collect();
        (lines, texts(&svg).iter().filter(|text| *text == "all seeds").count())
    };
    for curves in 1..=SPREADS_MAX {
        let (drawn, named) = areas(curves);
        assert_eq!((drawn.len(), named), (curves + 1, 1), "that of the legend, and one for each curve: {drawn:?}");
        for (number, area) in drawn[1..].iter().enumerate() {
            assert!(area.contains(&format!("class=\"c{number}\"")) && area.len() < 3000, "{area}");
        }
    }
    assert_eq!(areas(SPREADS_MAX + 1), (Vec::new(), 0));
    let level = Series::new("q", vec![(0.0, 1.0), (1.0, 1.0)]);
    let none = TimeSeries::new("t", "x", "y").series(level.clone());
    assert!(!texts(&time_series(&none).unwrap().svg()).iter().any(|text| text == "all seeds"));
    let infinite = level.spread(vec![(0.0, 0.0, f64::INFINITY)]);
    assert!(time_series(&TimeSeries::new("t", "x", "y").series(infinite)).is_err());
}

fn strip(name: &str, runs: &[[f64; 2]]) -> Strip {
    Strip { name: name.into(), runs: runs.iter().map(|run| run.to_vec()).collect(), marked: 1 }
}

#[test]
fn a_strip_has_a_dot_for_each_flow_of_each_run() {
    let chart =
        |strips| Strips { title: "Fairness".into(), x_label: "share".into(), even: 100.0, starved: 10.0, strips };
    let all = vec![strip("SMCC", &[[3.0, 197.0], [90.0, 110.0], [99.0, 101.0]]), strip("QCN", &[[100.0, 100.0]])];
    let svg = strips(&chart(all)).unwrap().svg();
    assert_eq!(svg.matches("<circle").count(), 8);
    let filled = |line: &&str| line.starts_with("<circle") && line.contains(" fill=");
    assert_eq!(svg.lines().filter(filled).count(), 2, "those of the run that is marked");
    let texts = texts(&svg);
    for wanted in ["Fairness", "share", "SMCC", "QCN", "0", "200"] {
        assert!(texts.iter().any(|text| text == wanted), "no {wanted} in {texts:?}");
    }
    assert!(strips(&chart(vec![strip("DSM", &[[-1.0, 2.0]])])).unwrap_err().to_string().contains("DSM"));
    assert!(strips(&chart(Vec::new())).unwrap_err().to_string().contains("no values"));
}

#[test]
fn panels_share_their_scale() {
    let panel = |name: &str, high: f64| Panel {
        name: name.into(),
        curve: vec![(0.0, 0.0), (1.0, high)],
        band: vec![(0.0, 0.0, 1.0), (1.0, high / 2.0, high)],
        target: 60.0,
    };
    let chart = |panels| Panels { title: "Queue".into(), x_label: "time (s)".into(), y_label: "KB".into(), panels };
    let svg = panels(&chart(vec![panel("QCN", 100.0), panel("SMCC", 70.0)])).unwrap().svg();
    let texts = texts(&svg);
    assert_eq!(texts.iter().filter(|text| *text == "100").count(), 2, "a tick in each: {texts:?}");
    assert_eq!(svg.matches(AREA).count(), 2);
    assert!(panels(&chart(vec![panel("QCN", f64::NAN)])).unwrap_err().to_string().contains("QCN"));
    assert!(panels(&chart(Vec::new())).unwrap_err().to_string().contains("no points"));
}

#[test]
fn bars_of_a_pair_are_to_one_scale() {
    let row = |name: &str, values| (name.to_string(), values);
    let chart = |values| BarPairs {
        title: "Area".into(),
        quantities: ["flip-flops", "LUTs"].map(String::from),
        groups: vec![("reaction point".into(), vec![row("QCN", values), row("SMCC", [50.0, 100.0])])],
    };
    let svg = bar_pairs(&chart([100.0, 200.0])).unwrap().svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let widths: Vec<f64> = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && node.attribute("height") == Some("52"))
        .filter(|node| node.attribute("class") != Some("grey"))
        .map(|node| node.attribute("width").unwrap().parse().unwrap())
        .collect();
    assert_eq!(widths.len(), 4, "two bars of two schemes");
    for (width, share) in widths.iter().zip([0.5, 1.0, 0.25, 0.5]) {
        assert!((width / widths[1] - share).abs() < 0.01, "{widths:?}");
    }
    assert!(bar_pairs(&chart([-1.0, 2.0])).unwrap_err().to_string().contains("QCN"));
}
