//! The call sites that may be left out without harm, each with its reason.

use super::site::Site;

/// Functions from the inside out, as [`Site`] shows them, and why nothing notices.
const REDUNDANT: &[(&str, &str)] = &[];

/// Why a call site may be left out.
pub(super) fn reason(site: &Site) -> Option<&'static str> {
    let shown = site.functions();
    REDUNDANT.iter().find(|(functions, _)| shown == *functions).map(|(_, reason)| *reason)
}
