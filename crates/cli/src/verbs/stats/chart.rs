//! Numbers as bars, sparklines and short figures.

/// The width of the longest bar.
const WIDTH: u64 = 30;
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A bar as long as a count is beside the largest; what is not nothing can be seen.
pub(super) fn bar(count: u64, most: u64) -> String {
    let length = count.saturating_mul(WIDTH).checked_div(most).unwrap_or_default();
    let length = if count > 0 { length.max(1) } else { 0 };
    "█".repeat(usize::try_from(length).unwrap_or_default())
}

/// A character for each count, as high as it is beside the largest; a blank for none.
pub(super) fn sparkline(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or_default();
    let step = |count: &u64| {
        let step = count.saturating_mul(7).checked_div(most).unwrap_or_default();
        let step = usize::try_from(step).ok().and_then(|step| STEPS.get(step).copied());
        if *count == 0 { ' ' } else { step.unwrap_or('█') }
    };
    counts.iter().map(step).collect()
}

/// A count in three digits or so: `950`, `1.2K`, `3.4M`.
pub(super) fn tokens(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{:.1}K", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}M", count as f64 / 1e6),
        _ => format!("{:.1}G", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_can_be_told_apart() {
        assert_eq!((bar(0, 10).as_str(), bar(1, 1_000).as_str()), ("", "█"));
        assert_eq!(bar(10, 10).chars().count(), 30);
        assert_eq!(bar(0, 0), "");
        assert_eq!(sparkline(&[0, 1, 4, 8]), " ▁▄█");
        assert_eq!([tokens(950), tokens(1_234), tokens(3_400_000)].join(" "), "950 1.2K 3.4M");
    }
}
