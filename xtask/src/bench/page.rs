//! `docs/benchmarks.md`, made of figures.

use std::fmt::Write as _;
use std::time::Duration;

use super::aims::{AIMS, Aim, Bound, Figure, ROWS};
use super::figures::{Figures, Grown, Times};

const BEGIN: &str = "\
# Benchmarks

convlog beside what people would use in its place: the same work, in one run on one machine, the programs taking \
turns. All must have done the same work (as many messages, as many bytes of text), or the run fails. What counts is \
the ratio; the times are those of the machine below, which did other things as well.

This page is made by `cargo xtask bench`, which takes some minutes and installs gptme from PyPI into `target/`. \
`--quick` measures a few rounds, `--only append|read|recover|undo|text|query|memory|growth` a part; both print in \
place of writing this page.

**Written** survives the death of the process, **synced** the loss of power. An append of gptme's and one under SQLite's \
`NORMAL` are *written*; SQLite's `FULL`, zeph-session and a bare `fdatasync` are *synced*.
";

/// The whole page.
pub(crate) fn write(figures: &Figures, machine: &str) -> String {
    let mut page = format!("{BEGIN}\n{machine}\n## Aims\n\n");
    page += "| work | durability | convlog | beside | ratio | aim | met |\n|---|---|---|---|---|---|---|\n";
    let judged: Vec<_> = AIMS.iter().filter_map(|aim| Judged::new(aim, figures)).collect();
    judged.iter().for_each(|judged| page += &judged.line());
    let short: Vec<_> = judged.iter().filter(|judged| !judged.is_met()).collect();
    if !short.is_empty() {
        page += "\n## What falls short\n\n";
        for judged in short {
            let limit = if judged.aim.limit.is_empty() { "the limit is not known yet" } else { judged.aim.limit };
            // Writing to a String cannot fail.
            let _ = writeln!(page, "- **{}**, beside {}: {limit}.", judged.work(), judged.peer());
        }
    }
    page += "\n## All figures\n\n| work | durability | who | median | mean | least | operations |\n\
             |---|---|---|---|---|---|---|\n";
    for row in ROWS {
        for (at, times) in figures.times.iter().filter(|times| times.row == row.name).enumerate() {
            let (work, durability) = if at == 0 { (row.work, row.durability) } else { ("", "") };
            let Times { who, count, .. } = times;
            let [median, mean, least] = [times.median, times.mean, times.least].map(span);
            let _ = writeln!(page, "| {work} | {durability} | {who} | {median} | {mean} | {least} | {count} |");
        }
    }
    memory(figures, &mut page);
    growth(figures, &mut page);
    page
}

/// An aim with what was measured.
struct Judged<'a> {
    aim: &'a Aim,
    ours: Duration,
    /// `None` for a time of its own.
    theirs: Option<Duration>,
}

impl<'a> Judged<'a> {
    /// `None` where it was not measured.
    fn new(aim: &'a Aim, figures: &Figures) -> Option<Self> {
        let of = |who| {
            let times = figures.find(aim.row, who)?;
            Some(match aim.figure {
                Figure::Median => times.median,
                Figure::Mean => times.mean,
            })
        };
        let ours = of("convlog")?;
        let theirs = if aim.peer.is_empty() { None } else { Some(of(aim.peer)?) };
        Some(Self { aim, ours, theirs })
    }

    fn ratio(&self) -> f64 {
        self.theirs.map_or(f64::NAN, |theirs| theirs.as_secs_f64() / self.ours.as_secs_f64())
    }

    fn is_met(&self) -> bool {
        match self.aim.bound {
            Bound::Faster(least) => self.ratio() >= least,
            Bound::Within(most) => 1.0 / self.ratio() <= most,
            Bound::Under(most) => self.ours.as_secs_f64() * 1e3 < most,
        }
    }

    fn work(&self) -> String {
        let work = ROWS.iter().find(|row| row.name == self.aim.row).map_or(self.aim.row, |row| row.work);
        match self.aim.figure {
            Figure::Median => work.to_owned(),
            Figure::Mean => format!("{work}, mean"),
        }
    }

    fn peer(&self) -> &str {
        if self.aim.peer.is_empty() { "nobody" } else { self.aim.peer }
    }

    fn line(&self) -> String {
        let durability = ROWS.iter().find(|row| row.name == self.aim.row).map_or("", |row| row.durability);
        let beside = self.theirs.map_or("–".to_owned(), |theirs| format!("{} {}", self.aim.peer, span(theirs)));
        let (ratio, aim) = match self.aim.bound {
            Bound::Faster(least) => (format!("{} × faster", short(self.ratio())), format!("≥ {least} × faster")),
            Bound::Within(most) => (format!("{:.2} × its time", 1.0 / self.ratio()), format!("≤ {most} × its time")),
            Bound::Under(most) => ("–".to_owned(), format!("< {most} ms")),
        };
        let met = if self.is_met() { "yes" } else { "**no**" };
        let (work, ours) = (self.work(), span(self.ours));
        format!("| {work} | {durability} | {ours} | {beside} | {ratio} | {aim} | {met} |\n")
    }
}

fn memory(figures: &Figures, page: &mut String) {
    if figures.peaks.is_empty() {
        return;
    }
    *page += "\n## Memory\n\nBy how much the work raises the peak of a process that has done nothing before; for whole \
              programs, the peak.\n\n| work | who | peak |\n|---|---|---|\n";
    for row in ROWS {
        for (at, peak) in figures.peaks.iter().filter(|peak| peak.row == row.name).enumerate() {
            let work = if at == 0 { row.work } else { "" };
            let _ = writeln!(page, "| {work} | {} | {:.1} MB |", peak.who, peak.bytes as f64 / 1e6);
        }
    }
}

fn growth(figures: &Figures, page: &mut String) {
    if figures.growth.is_empty() {
        return;
    }
    *page += "\n## Growth\n\nThe exponent is that of the size between one line and the next: 0 where the size does not \
              matter, 1 where the time grows with it.\n\n| work | size | median | exponent |\n|---|---|---|---|\n";
    let mut before: Option<&Grown> = None;
    for grown in &figures.growth {
        let exponent = before.filter(|before| before.row == grown.row).map_or("–".to_owned(), |before| {
            let slower = grown.median.as_secs_f64() / before.median.as_secs_f64();
            format!("{:.2}", slower.ln() / (grown.size as f64 / before.size as f64).ln())
        });
        let _ = writeln!(page, "| {} | {} | {} | {exponent} |", grown.row, grown.size, span(grown.median));
        before = Some(grown);
    }
}

/// A time with three digits that count.
fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = if seconds < 1e-3 {
        (seconds * 1e6, "µs")
    } else if seconds < 1.0 {
        (seconds * 1e3, "ms")
    } else {
        (seconds, "s")
    };
    format!("{} {unit}", short(number))
}

fn short(number: f64) -> String {
    let decimals = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::run::root;

    #[test]
    fn the_page_has_all_rows_and_aims() {
        let page = fs::read_to_string(root().join(crate::bench::PAGE)).unwrap();
        let (aims, figures) = page.split_once("## All figures").unwrap();
        for row in ROWS {
            assert!(figures.contains(&format!("| {} | {} | convlog |", row.work, row.durability)), "{row:?}");
        }
        for aim in AIMS {
            let row = ROWS.iter().find(|row| row.name == aim.row).unwrap();
            let peer = if aim.peer.is_empty() { "–" } else { aim.peer };
            let is_line =
                |line: &&str| line.starts_with(&format!("| {}", row.work)) && line.contains(&format!("| {peer}"));
            assert!(aims.lines().any(|line| is_line(&line)), "{aim:?}");
        }
    }

    #[test]
    fn an_aim_is_met_by_the_ratio_that_it_asks_for() {
        let mut figures = Figures::default();
        figures.add("read", "convlog", vec![Duration::from_millis(10)]);
        figures.add("read", "gptme", vec![Duration::from_millis(201)]);
        let aim = |bound| Aim { row: "read", figure: Figure::Median, peer: "gptme", bound, limit: "" };
        let met = |bound| Judged::new(&aim(bound), &figures).unwrap().is_met();
        assert!(met(Bound::Faster(20.0)) && !met(Bound::Faster(20.2)));
        assert!(met(Bound::Within(0.05)) && !met(Bound::Within(0.04)));
        assert!(met(Bound::Under(10.1)) && !met(Bound::Under(10.0)));
        let page = write(&figures, "");
        assert!(page.contains("10.0 ms | gptme 201 ms | 20.1 × faster | ≥ 20 × faster | yes |"), "{page}");
    }

    #[test]
    fn the_exponent_of_what_grows_with_the_size_is_one() {
        let mut figures = Figures::default();
        let at = |size, millis| Grown { row: "open".to_owned(), size, median: Duration::from_millis(millis) };
        figures.growth = vec![at(1_000, 3), at(10_000, 30), at(100_000, 30)];
        let page = write(&figures, "");
        assert!(page.contains("| open | 10000 | 30.0 ms | 1.00 |\n| open | 100000 | 30.0 ms | 0.00 |"), "{page}");
    }
}
