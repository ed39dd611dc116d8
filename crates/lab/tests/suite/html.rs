//! Pages and charts: read back by a strict parser of our own, with data and names that nobody would wish for.

mod markup;

use markup::{Element, elements, only, parse, with_class};
use outplay_core::Rng;
use outplay_lab::html::{
    Axis, Cell, Chart, Histogram, Interval, IntervalPlot, LinePlot, Page, Radar, Scale, Table, number,
};

/// A page with everything that there is; `text` is asked for each text.
fn full_page(mut text: impl FnMut() -> String) -> String {
    let line = LinePlot::new(&text(), &text(), &text())
        .series(&text(), [(0.0, 1.0), (1.0, 3.5), (2.0, 2.0)])
        .series_with_band(&text(), [(0.0, 2.0), (2.0, 2.5)], [(0.0, 1.0, 3.0), (2.0, 1.5, 3.5)])
        .reference(2.94, &text());
    let histogram = Histogram::new(&text(), &text())
        .series(&text(), (0..50).map(f64::from))
        .series(&text(), (20..40).map(f64::from));
    let interval = Interval { value: 10.0, low: 5.0, high: f64::INFINITY };
    let intervals = IntervalPlot::new(&text(), &text()).row(&text(), interval);
    let radar = ["a", "b", "c"].iter().fold(Radar::new(&text()), |radar, _| radar.axis(&text(), 0.0, 1.0));
    let radar = radar.series(&text(), [Some(0.5), None, Some(1.0)]).series(&text(), [None, None, Some(0.0)]);
    let table =
        Table::new([text(), text()]).row([Cell::Text(text()), Cell::Number(text())]).row([text().into()]);
    Page::new(&text())
        .heading(&text())
        .paragraph(&text())
        .facts([(text(), text()), (text(), text())])
        .table(&table)
        .chart(&line)
        .row(&[&histogram, &intervals, &radar])
        .preformatted(&text())
        .render()
}

#[test]
fn the_parser_of_these_tests_refuses_what_is_malformed() {
    let malformed =
        ["<p>", "</p>", "<p></b>", "<p><b></p></b>", "<p class=a></p>", "<p class=\"a></p>", "<p>a & b</p>"];
    let also = [
        "<p>a > b</p>",
        "<p a=\"<\"></p>",
        "<p a=\"1\" a=\"2\"></p>",
        "<p a=\"1\"b=\"2\"></p>",
        "text",
        "<p>&x;</p>",
    ];
    for html in malformed.into_iter().chain(also) {
        assert!(parse(html).is_err(), "{html}");
    }
    assert_eq!(parse("<p a=\"&lt;\">x &amp; y<br/></p>").unwrap()[1].text, "x & y");
}

#[test]
fn no_name_breaks_out_of_its_place() {
    let mut count = 0;
    let page = full_page(|| {
        count += 1;
        format!("{count}\"'><script>x&y</script>{count}\0")
    });
    let elements = elements(&page);
    let known = "html head meta title style body main h1 h2 p dl div dt dd table thead tbody tr th td figure figcaption \
                 svg g line rect path text ul li span pre";
    for element in &elements {
        assert!(known.split_whitespace().any(|name| name == element.name), "{element:?}");
        assert!(
            element.attributes.iter().all(|(name, _)| !name.starts_with("on") && name != "style"),
            "{element:?}"
        );
    }
    let shown = |text: &str| {
        elements.iter().any(|element| {
            element.text.contains(text) || element.attributes.iter().any(|(_, value)| value.contains(text))
        })
    };
    assert!(count > 30);
    for place in 1..=count {
        assert!(shown(&format!("{place}\"'><script>x&y</script>{place}\u{fffd}")), "text {place} is lost");
    }
}

#[test]
fn names_of_any_length_leave_charts_readable() {
    let page = full_page(|| "W endless ".repeat(20_000));
    for text in elements(&page).iter().filter(|element| element.name == "text") {
        assert!(text.text.chars().count() < 120);
    }
}

#[test]
fn a_page_needs_nothing_from_outside() {
    let page = full_page(|| "name".to_string());
    for link in [
        "http:", "https:", "//", "url(", "@import", "xmlns", "src=", "href", "<script", "<link", "NaN", "inf",
    ] {
        assert!(!page.contains(link), "{link}");
    }
    let elements = elements(&page);
    let figures = elements.iter().filter(|element| element.name == "figure").count();
    let pictures: Vec<_> =
        elements.iter().filter(|element| element.attribute("role") == Some("img")).collect();
    assert_eq!((figures, pictures.len()), (4, 4));
    assert!(
        pictures
            .iter()
            .all(|picture| picture.attribute("aria-label").is_some_and(|label| label.starts_with("name: ")))
    );
}

/// The nearest number that is one, two or five times a power of ten, if it is very near.
fn round_number(value: f64) -> Option<f64> {
    let power = 10_f64.powf(value.log10().floor());
    let candidates = [1.0, 2.0, 5.0, 10.0].map(|mantissa| mantissa * power);
    candidates.into_iter().find(|candidate| (value / candidate - 1.0).abs() < 1e-6)
}

/// Numbers of all magnitudes and signs.
fn any_number(rng: &mut Rng) -> f64 {
    let special = [0.0, 1.0, -1.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1e15, -0.3];
    match rng.below(4) {
        0 => special[rng.below(special.len())],
        1 => (rng.below(2_001) as f64) - 1_000.0,
        _ => (rng.unit() - 0.5) * 10_f64.powi(rng.below(638) as i32 - 330),
    }
}

#[test]
fn ticks_are_round_ascending_and_within_the_range() {
    let mut rng = Rng::new(1);
    for round in 0..30_000 {
        let low = any_number(&mut rng);
        let high = match rng.below(4) {
            0 => low,
            1 => low.next_up(),
            2 => low * (1.0 + rng.unit() * 1e-5),
            _ => any_number(&mut rng),
        };
        let most = 3 + rng.below(8);
        for scale in [Scale::Linear, Scale::Whole, Scale::Log] {
            let (low, high) = if scale == Scale::Whole { (low.round(), high.round()) } else { (low, high) };
            let plain = Axis::new(scale, [low, high], most);
            let rounded = plain.clone().rounded();
            for (axis, most) in [(&plain, most + 1), (&rounded, most + 3)] {
                let case = format!("round {round}: {scale:?} {low:e} to {high:e}: {axis:?}");
                let ticks = axis.ticks();
                let (start, end) = axis.range();
                assert!(start.is_finite() && end.is_finite() && start < end, "{case}");
                assert!((1..=most).contains(&ticks.len()), "{case}");
                assert!(ticks.is_sorted_by(|a, b| a < b), "{case}");
                assert!(start <= ticks[0] && ticks[ticks.len() - 1] <= end, "{case}");
                let labels: Vec<String> = ticks.iter().map(|&tick| axis.label(tick)).collect();
                assert!((1..labels.len()).all(|at| !labels[..at].contains(&labels[at])), "{labels:?} {case}");
                assert!(labels.iter().all(|label| label.chars().count() <= 16), "{labels:?} {case}");
                if scale == Scale::Log {
                    assert!(ticks.iter().all(|&tick| round_number(tick).is_some()), "{case}");
                } else if let [first, second, ..] = ticks[..] {
                    let step = round_number(second - first).expect(&case);
                    assert!(
                        ticks.windows(2).all(|pair| ((pair[1] - pair[0]) / step - 1.0).abs() < 1e-6),
                        "{case}"
                    );
                    assert!(
                        ticks.iter().all(|tick| (tick / step - (tick / step).round()).abs() < 1e-5),
                        "{case}"
                    );
                }
                if scale == Scale::Whole {
                    assert!(ticks.iter().all(|tick| tick.fract() == 0.0), "{case}");
                }
            }
            if scale != Scale::Log {
                let (ends, ticks) = (rounded.range(), rounded.ticks());
                assert_eq!(ends, (ticks[0], ticks[ticks.len() - 1]), "{low} to {high}");
            }
        }
    }
}

#[test]
fn an_axis_maps_its_range_to_its_length_in_order() {
    let mut rng = Rng::new(2);
    for scale in [Scale::Linear, Scale::Log] {
        for _ in 0..10_000 {
            let mut values: Vec<f64> =
                (0..5).map(|_| any_number(&mut rng)).filter(|v| scale != Scale::Log || *v > 0.0).collect();
            values.sort_by(f64::total_cmp);
            let axis = Axis::new(scale, values.iter().copied(), 5);
            let places: Vec<f64> = values.iter().map(|&value| axis.fraction(value).unwrap()).collect();
            assert!(
                places.is_sorted() && places.iter().all(|place| (0.0..=1.0).contains(place)),
                "{values:?} {places:?}"
            );
        }
    }
    let linear = Axis::new(Scale::Linear, [-2.0, 6.0], 4);
    assert_eq!(
        [-2.0, 0.0, 6.0, f64::NAN, f64::INFINITY].map(|v| linear.fraction(v)),
        [Some(0.0), Some(0.25), Some(1.0), None, None]
    );
    let log = Axis::new(Scale::Log, [1.0, 10_000.0], 6);
    assert_eq!([1.0, 100.0, 0.0, -3.0].map(|v| log.fraction(v)), [Some(0.0), Some(0.5), None, None]);
}

#[test]
fn ticks_and_numbers_read_well() {
    let labels = |scale, low: f64, high: f64| {
        let axis = Axis::new(scale, [low, high], 5).rounded();
        axis.ticks().iter().map(|&tick| axis.label(tick)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(labels(Scale::Linear, 0.0, 1.0), "0 0.2 0.4 0.6 0.8 1.0");
    assert_eq!(labels(Scale::Linear, -2.94, 2.94), "−4 −2 0 2 4");
    assert_eq!(labels(Scale::Whole, 0.0, 2.0), "0 1 2");
    assert_eq!(labels(Scale::Whole, 12_100.0, 14_100.0), "12.0k 12.5k 13.0k 13.5k 14.0k 14.5k");
    assert_eq!(labels(Scale::Whole, 0.0, 2_600_000.0), "0 1M 2M 3M");
    assert_eq!(labels(Scale::Linear, 0.0, 3e-7), "0 1e−7 2e−7 3e−7");
    assert_eq!(labels(Scale::Log, 3.0, 40.0), "2 5 10 20 50");
    assert_eq!(labels(Scale::Log, 20.0, 30_000.0), "10 100 1000 10k 100k");
    let numbers = [0.0, -3.5, 0.123_456, 1234.0, 9999.6, 1_234_567.0, 1e-9, f64::NAN, f64::NEG_INFINITY];
    let texts = ["0", "−3.5", "0.123", "1234", "10\u{202f}000", "1\u{202f}234\u{202f}567", "1e−9", "–", "−∞"];
    assert_eq!(numbers.map(number), texts);
}

/// Every chart, filled with the numbers.
fn charts_of(values: &[f64]) -> Vec<Box<dyn Chart>> {
    let value = |index: usize| values[index % values.len()];
    let points: Vec<(f64, f64)> = (0..values.len()).map(|i| (value(i * 7 + 1), value(i))).collect();
    let band: Vec<_> = (0..values.len()).map(|i| (value(i), value(i + 1), value(i + 2))).collect();
    let line = LinePlot::new("t", "x", "y").series("a", points.clone()).series_with_band("b", points, band);
    let line = line.reference(value(0), "r").reference(value(1), "r");
    let histogram = Histogram::new("t", "x").series("a", values.iter().copied());
    let rows = (0..values.len()).map(|i| Interval { value: value(i), low: value(i + 1), high: value(i + 2) });
    let intervals = rows.fold(IntervalPlot::new("t", "x"), |plot, row| plot.row("r", row));
    let radar = (0..7).fold(Radar::new("t"), |radar, i| radar.axis("s", value(i), value(i + 3)));
    let radar =
        radar.series("a", (0..7).map(|i| Some(value(i)))).series("b", (0..5).map(|i| Some(value(i + 2))));
    vec![
        Box::new(line.clone().log_y()),
        Box::new(line),
        Box::new(histogram.clone().series("b", values.iter().map(|v| v / 3.0))),
        Box::new(histogram),
        Box::new(intervals),
        Box::new(radar),
    ]
}

#[test]
fn no_number_gets_out_of_the_drawing() {
    let mut rng = Rng::new(3);
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for round in 0..1_000 {
        let badness = rng.below(4);
        let values: Vec<f64> = (0..1 + rng.below(12))
            .map(|_| if rng.below(3) < badness { bad[rng.below(3)] } else { any_number(&mut rng) })
            .collect();
        for chart in charts_of(&values) {
            let figure = chart.figure();
            assert!(
                !figure.contains("NaN") && !figure.contains("inf"),
                "round {round}: {values:?}\n{figure}"
            );
            let elements = elements(&figure);
            let picture = elements.iter().find(|element| element.attribute("role").is_some()).unwrap();
            let size: Vec<f64> =
                picture.attribute("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
            let inside = |x: f64, y: f64| (0.0..=size[2]).contains(&x) && (0.0..=size[3]).contains(&y);
            for element in &elements {
                let fits = match element.name.as_str() {
                    "line" => {
                        inside(element.number("x1"), element.number("y1"))
                            && inside(element.number("x2"), element.number("y2"))
                    }
                    "text" => inside(element.number("x"), element.number("y")),
                    "rect" => {
                        let (x, y) = (element.number("x"), element.number("y"));
                        element.number("height") >= 0.0
                            && inside(x, y)
                            && inside(x + element.number("width"), y + element.number("height") - 0.2)
                    }
                    "path" => element.places().into_iter().all(|(x, y)| inside(x, y)),
                    _ => true,
                };
                assert!(fits, "round {round}: {values:?}: {element:?}");
            }
        }
    }
}

#[test]
fn data_stay_inside_the_plot_area() {
    let mut rng = Rng::new(4);
    for round in 0..300 {
        let values: Vec<f64> = (0..20).map(|_| any_number(&mut rng)).collect();
        for chart in charts_of(&values).into_iter().take(4) {
            let elements = elements(&chart.figure());
            let area = only(&elements, "area");
            let (left, top) = (area.number("x"), area.number("y"));
            let (right, bottom) = (left + area.number("width"), top + area.number("height"));
            let inside =
                |x: f64, y: f64| x > left - 0.2 && x < right + 0.2 && y > top - 0.2 && y < bottom + 0.2;
            for path in elements.iter().filter(|element| element.name == "path" && !element.has_class("mark"))
            {
                assert!(path.places().into_iter().all(|(x, y)| inside(x, y)), "round {round}: {path:?}");
            }
            for bar in with_class(&elements, "bar") {
                let (x, y) = (bar.number("x"), bar.number("y"));
                assert!(
                    inside(x, y) && inside(x + bar.number("width"), y + bar.number("height")),
                    "round {round}: {bar:?}"
                );
            }
        }
    }
}

fn lowest_and_highest(places: &[(f64, f64)]) -> (f64, f64) {
    places.iter().fold((f64::INFINITY, 0.0), |(low, high), place| (place.1.min(low), place.1.max(high)))
}

#[test]
fn thinning_keeps_every_peak() {
    let mut rng = Rng::new(5);
    for _ in 0..20 {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), rng.unit())).collect();
        let (peak, pit) = (rng.below(50_000), 50_000 + rng.below(50_000));
        points[peak].1 = 7.3;
        points[pit].1 = -4.1;
        let extremes = [points[0], points[peak], points[pit], points[99_999]];
        let places =
            |plot: LinePlot| elements(&plot.figure()).iter().find(|e| e.has_class("path")).unwrap().places();
        let all = places(LinePlot::new("t", "x", "y").series("", points));
        let reference = places(LinePlot::new("t", "x", "y").series("", extremes));
        assert!((200..=1_000).contains(&all.len()), "{}", all.len());
        assert_eq!(lowest_and_highest(&all), lowest_and_highest(&reference));
        assert!(reference.iter().all(|place| all.contains(place)));
        assert!(all.is_sorted_by(|a, b| a.0 <= b.0));
    }
}

#[test]
fn a_line_breaks_where_a_value_is_missing() {
    let path_of = |points: Vec<(f64, f64)>| {
        let elements = elements(&LinePlot::new("t", "x", "y").series("", points).figure());
        elements.iter().find(|element| element.has_class("path")).unwrap().attribute("d").unwrap().to_string()
    };
    let short = path_of(vec![(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0), (3.0, 4.0)]);
    assert_eq!(
        (short.matches('M').count(), short.matches('L').count(), short.matches("h0").count()),
        (2, 1, 1)
    );
    let missing = [30_011, 70_123];
    let long = (0..100_000)
        .map(|i| (f64::from(i), if missing.contains(&i) { f64::INFINITY } else { f64::from(i % 977) }));
    assert_eq!(path_of(long.collect()).matches('M').count(), 3);
}

#[test]
fn every_value_is_in_one_bar_of_a_histogram() {
    let mut rng = Rng::new(6);
    for round in 0..200 {
        let size = 1 + rng.below(500);
        let width = [1.0, 10.0, 1_000.0][rng.below(3)];
        let values: Vec<f64> = (0..size).map(|_| ((rng.unit() + rng.unit() - 0.7) * width).round()).collect();
        let with_bad = values.iter().copied().chain([f64::NAN, f64::INFINITY]);
        let figure = Histogram::new("t", "x").series("n", with_bad).figure();
        let elements = elements(&figure);
        let parse = |text: &str| text.replace('−', "-").replace('\u{202f}', "").parse::<f64>().unwrap();
        let mut total = 0.0;
        for title in elements.iter().filter(|element| element.name == "title") {
            let (bin, count) = title.text.strip_prefix("x: ").unwrap().split_once("\nn: ").unwrap();
            let (low, high) = bin.split_once(" … ").unwrap_or((bin, bin));
            let (low, high) = (parse(low), parse(high));
            let inside = values.iter().filter(|value| (low..=high).contains(*value)).count();
            assert_eq!(parse(count), inside as f64, "round {round}: {}", title.text);
            total += parse(count);
        }
        assert_eq!(total, size as f64);
        assert!(with_class(&elements, "bin").count() <= 42);
    }
}

#[test]
fn intervals_show_what_is_infinite_and_what_is_unknown() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let rows = [
        (0.0, -5.0, 5.0),
        (-3.0, -4.0, -2.0),
        (3.0, 2.0, 4.0),
        (inf, 1.0, inf),
        (-inf, -inf, inf),
        (nan, nan, nan),
    ];
    let plot = rows.iter().fold(IntervalPlot::new("t", "Elo"), |plot, &(value, low, high)| {
        plot.row("row", Interval { value, low, high })
    });
    let elements = elements(&plot.figure());
    let texts: Vec<&str> = with_class(&elements, "value").map(|element| element.text.as_str()).collect();
    assert_eq!(texts, ["0", "−3", "+3", "+∞", "−∞", "–"]);
    let marks: Vec<f64> = with_class(&elements, "mark").map(|mark| mark.number("x") + 4.0).collect();
    let zero = only(&elements, "zero").number("x1");
    assert_eq!(marks.len(), 3);
    assert!((marks[0] - zero).abs() < 0.11 && marks[1] < zero && marks[2] > zero);
    assert!((marks[0] - marks[1] - (marks[2] - marks[0])).abs() < 0.31, "equal differences take equal room");
    let area = only(&elements, "area");
    let ends = [area.number("x"), area.number("x") + area.number("width")];
    let arrows: Vec<(f64, bool)> = with_class(&elements, "arrow")
        .map(|arrow| (arrow.places()[0].0, arrow.attribute("d").unwrap().contains("l-8")))
        .collect();
    let (leftwards, rightwards) = ((ends[0], false), (ends[1], true));
    assert_eq!(arrows, [rightwards, rightwards, leftwards, rightwards, leftwards]);
    assert_eq!((with_class(&elements, "above").count(), with_class(&elements, "below").count()), (2, 1));
}

#[test]
fn a_radar_leaves_out_and_marks_what_is_absent() {
    let radar = Radar::new("t")
        .axis("up", 0.0, 10.0)
        .axis("right", 0.0, 1.0)
        .axis("down", 8.0, 2.0)
        .axis("left", 0.0, 1.0);
    let radar = radar.series("full", [Some(10.0), Some(0.5), Some(2.0), Some(7.0)]);
    let radar = radar.series("part", [Some(5.0), None, Some(5.0), Some(f64::NAN)]).series("none", []);
    let elements = elements(&radar.figure());
    let polygons: Vec<_> = with_class(&elements, "polygon").map(Element::places).collect();
    assert_eq!(polygons.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2, 0]);
    let rim = only(&elements, "rim").places();
    let middle = |a: (f64, f64), b: (f64, f64)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let centre = middle(rim[0], rim[2]);
    let expected =
        [rim[0], middle(centre, rim[1]), rim[2], rim[3], middle(centre, rim[0]), middle(centre, rim[2])];
    for (place, expected) in polygons.iter().flatten().zip(expected) {
        assert!(
            (place.0 - expected.0).abs() < 0.2 && (place.1 - expected.1).abs() < 0.2,
            "{place:?} {expected:?}"
        );
    }
    assert_eq!(with_class(&elements, "absent").count(), 6);
    let titles: Vec<&str> = elements.iter().filter(|e| e.name == "title").map(|e| e.text.as_str()).collect();
    assert!(titles.contains(&"full\nleft: 7") && titles.contains(&"part\nright: no value"), "{titles:?}");
    assert!(!Radar::new("t").axis("a", 0.0, 1.0).axis("b", 0.0, 1.0).figure().contains("web"));
}

#[test]
fn labels_of_a_radar_are_neither_clipped_nor_on_top_of_each_other() {
    let names = [
        "first-move cutoff rate",
        "stability of the principal variation",
        "nps",
        "effective branching factor",
    ];
    for axes in 3..=12 {
        let radar =
            (0..axes).fold(Radar::new("t"), |radar, axis| radar.axis(names[axis % 4], 0.0, 2_400_000.0));
        let elements = elements(&radar.series("a", (0..axes).map(|_| None)).figure());
        let picture = elements.iter().find(|element| element.attribute("role").is_some()).unwrap();
        let height: f64 = picture.attribute("viewBox").unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        let boxes: Vec<[f64; 4]> = elements
            .iter()
            .filter(|element| element.name == "text")
            .map(|text| {
                let width = text.text.chars().count() as f64 * 0.48 * 18.0;
                let left = match text.attribute("text-anchor").unwrap() {
                    "start" => text.number("x"),
                    "middle" => text.number("x") - width / 2.0,
                    _ => text.number("x") - width,
                };
                [left, left + width, text.number("y") - 13.0, text.number("y") + 4.0]
            })
            .collect();
        for (index, a) in boxes.iter().enumerate() {
            assert!(a[0] >= 0.0 && a[1] <= 560.0 && a[2] >= 0.0 && a[3] <= height, "{axes} axes: {a:?}");
            for b in &boxes[..index] {
                assert!(
                    a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2],
                    "{axes} axes: {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn a_table_has_cells_for_all_columns_and_numbers_to_the_right() {
    let table =
        Table::new(["name", "games"]).row(["a".into(), Cell::from(1e4), "more".into()]).row(["b".into()]);
    let elements = elements(&Page::new("t").table(&table).render());
    let cells = |name: &str| -> Vec<(String, bool)> {
        let found = elements.iter().filter(|element| element.name == name);
        found.map(|element| (element.text.clone(), element.has_class("number"))).collect()
    };
    let expected = |cells: &[(&str, bool)]| {
        cells.iter().map(|&(text, number)| (text.to_string(), number)).collect::<Vec<_>>()
    };
    assert_eq!(cells("th"), expected(&[("name", false), ("games", true), ("", false)]));
    let rows =
        [("a", false), ("10\u{202f}000", true), ("more", false), ("b", false), ("", false), ("", false)];
    assert_eq!(cells("td"), expected(&rows));
}
