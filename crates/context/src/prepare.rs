//! All steps together, from a log to what is sent: [`prepare`].

use convlog_message::Message;

use crate::evidence::bring_back;
use crate::limit::keep_within;
use crate::merge::{Lives, merge};
use crate::options::Options;
use crate::piece::{Piece, to_messages, to_pieces, total};
use crate::prune::{boundary, keep_living};
use crate::reduce::shorten_to;
use crate::{active_generation, hoist_resume_prompts};

/// What is sent to a model, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prepared {
    /// The messages to send.
    pub messages: Vec<Message>,
    /// The place of the last message that stays as it is from turn to turn while ephemeral ones behind it
    /// expire: where a mark for the provider's cache goes. `None` when nothing is going to expire.
    pub cache_boundary: Option<usize>,
    /// The tokens of the texts, counted when there is a limit. More than the limit only when the messages
    /// that are always kept exceed it.
    pub tokens: Option<usize>,
    /// How many messages of the log are not among them.
    pub left_out: LeftOut,
}

/// How many messages were left out, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// For the person only.
    pub ui_only: usize,
    /// A newer prompt stands in their place.
    pub superseded: usize,
    /// Ephemeral, and their time is over (neighbours that live equally long count as one).
    pub expired: usize,
    /// Too much for the limit (neighbours that were joined count as one).
    pub over_limit: usize,
}

/// Makes of a log the messages that are sent to a model. The log itself is not touched.
///
/// In this order:
/// 1. messages for the person only (`ui_only`) are left out;
/// 2. the newest prompt generation comes first ([`active_generation`]);
/// 3. prompts applied again come behind the leading system messages ([`hoist_resume_prompts`]);
/// 4. neighbours of one role and one time to live are joined, and the caller's enrichment is applied;
/// 5. expired messages are left out and all neighbours of one role joined
///    ([`prune_ephemeral`](crate::prune_ephemeral));
/// 6. long code blocks are shortened, when asked for ([`reduce`](crate::reduce));
/// 7. the rest is kept to the limit ([`limit`](crate::limit));
/// 8. earlier messages are brought back, when asked for ([`Recall`](crate::Recall)).
///
/// Without the caller's hooks, preparing once more what comes out changes nothing. Linear in the length of the
/// log.
///
/// ```
/// use convlog_context::{Options, prepare};
/// use convlog_message::{Log, Message, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let log = Log::new()
///     .append(say(Role::System, "Be brief."))
///     .append(say(Role::User, "What is 6 × 7?"))
///     .append(say(Role::System, "Compacting …").with_ui_only(true))
///     .append(say(Role::User, "Well?"));
/// let prepared = prepare(&log, &Options::new().with_limit(1_000));
/// assert_eq!(prepared.messages[1].content(), "What is 6 × 7?\n\nWell?");
/// assert_eq!(prepared.left_out.ui_only, 1);
/// assert_eq!(prepared.tokens, Some(8));
/// ```
#[must_use]
pub fn prepare<'a>(log: impl IntoIterator<Item = &'a Message>, options: &Options<'_>) -> Prepared {
    let mut left_out = LeftOut::default();
    let (mut pieces, mut has_prompts) = (Vec::new(), false);
    for message in log {
        if message.ui_only() {
            left_out.ui_only = left_out.ui_only.saturating_add(1);
        } else {
            has_prompts |= is_marked_prompt(message);
            pieces.push(Piece::new(message.clone()));
        }
    }
    if has_prompts {
        let before = pieces.len();
        pieces = to_pieces(hoist_resume_prompts(active_generation(to_messages(pieces))));
        left_out.superseded = before.saturating_sub(pieces.len());
    }
    let mut pieces = merge(pieces, Lives::Alike);
    if let Some(enrich) = options.enrich {
        pieces = to_pieces(enrich.enrich(to_messages(pieces)));
    }
    let before = pieces.len();
    let pieces = keep_living(pieces);
    left_out.expired = before.saturating_sub(pieces.len());
    let mut pieces = merge(pieces, Lives::Any);

    let counter = options.counter;
    if let Some(limit) = options.limit {
        if let Some(is_tool) = options.is_tool {
            shorten_to(&mut pieces, limit, counter, is_tool);
        }
        let before = pieces.len();
        pieces = keep_within(pieces, limit, counter);
        left_out.over_limit = before.saturating_sub(pieces.len());
    }
    if let Some(recall) = options.recall {
        pieces = bring_back(pieces, recall, options.limit, counter);
    }
    Prepared {
        tokens: options.limit.map(|_| total(&mut pieces, counter)),
        cache_boundary: boundary(pieces.iter().map(|piece| piece.is_stable)),
        messages: to_messages(pieces),
        left_out,
    }
}

/// Whether it bears a mark that [`active_generation`] or [`hoist_resume_prompts`] look at.
fn is_marked_prompt(message: &Message) -> bool {
    let metadata = message.metadata();
    metadata.prompt_generation().is_some() || metadata.resume_key().is_some()
}
