//! Which conversations come from tests: [`is_test`].

/// Whether an id is one that tests and evaluations make.
///
/// The rule, all of it: the id begins with `test-`; or has `gptme-evals-` anywhere; or is `tmp` followed by
/// nothing but ASCII letters, digits and `_`, as temporary names are, or by `-` and whatever. gptme takes
/// every id that begins with `tmp`, and so hides a person's `tmpl-notes`.
///
/// ```
/// use convlog_query::is_test;
///
/// assert!(["test-foo", "tmpfoo", "tmp3f9c21", "tmp-x", "tmp", "2026-gptme-evals-hello"].into_iter().all(is_test));
/// assert!(!["tmpl-notes", "template", "testing", "a-test-", "2026-01-02-tmp"].into_iter().any(is_test));
/// # assert!(!is_test(""));
/// ```
#[must_use]
pub fn is_test(id: &str) -> bool {
    let is_temporary =
        |rest: &str| rest.starts_with('-') || rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    id.starts_with("test-") || id.contains("gptme-evals-") || id.strip_prefix("tmp").is_some_and(is_temporary)
}
