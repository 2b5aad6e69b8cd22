//! The corpus of the fuzz targets, and each finding of theirs, as plain tests.
#![allow(clippy::unwrap_used, clippy::panic)]

use convlog_trust::fuzz::Target;
use convlog_trust::fuzz::corpus::inputs;

#[test]
fn every_target_holds_on_its_corpus() {
    for target in Target::ALL {
        let inputs = inputs(target);
        assert!(!inputs.is_empty(), "{target} has no corpus");
        for (path, bytes) in inputs {
            target.run(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}
