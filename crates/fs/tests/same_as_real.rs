//! Random operations have the same results on the simulated file system as on the real one, and
//! leave the same tree.
mod common;

use common::World;
use common::steps::{run, step};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn same_results_and_same_tree(steps in prop::collection::vec(step(), 1..40)) {
        let (real, simulated) = (World::real(), World::simulated());
        let (mut real_file, mut simulated_file) = (None, None);
        for step in &steps {
            let expected = run(&real, &mut real_file, step);
            prop_assert_eq!(run(&simulated, &mut simulated_file, step), expected, "{:?}", step);
        }
        prop_assert_eq!(simulated.tree().to_string(), real.tree().to_string());
    }
}
