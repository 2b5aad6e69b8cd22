"""Writes down what gptme reads back from each conversation: transcripts, recovered logs, listings, whose turn it is."""

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from gptme.chat import _should_prompt_for_input
from gptme.logmanager import Log, LogManager, eventlog
from gptme.logmanager.conversations import get_conversation_meta_direct
from gptme.logmanager.manager import _message_from_json_line

from fixture_kit import copy_tree

META_FIELDS = (
    *("id", "name", "created", "messages", "branches", "model", "total_cost"),
    *("total_input_tokens", "total_output_tokens", "total_cache_read_tokens", "models_usage"),
    *("last_message_role", "last_message_preview", "workspace"),
)

LOGS_PLACEHOLDER = "$LOGS"
"""Stands in the manifest for the directory that holds the conversations."""


def fields_of(msg):
    """All fields of a message that gptme stores, as gptme sees them, with nothing left out."""
    return {
        "role": msg.role,
        "content": msg.content,
        "timestamp": msg.timestamp.isoformat(),
        "files": [str(f) for f in msg.files],
        "file_hashes": msg.file_hashes,
        "pinned": msg.pinned,
        "hide": msg.hide,
        "ui_only": msg.ui_only,
        "ephemeral_ttl": msg.ephemeral_ttl,
        "call_id": msg.call_id,
        "metadata": msg.metadata,
    }


def transcripts_of(logdir):
    found = [logdir / "conversation.jsonl", logdir / "lossless.jsonl"]
    found += [*logdir.glob("branches/*.jsonl"), *logdir.glob("views/*.jsonl")]
    return sorted(path for path in found if path.exists())


def recovered_from(event_log):
    """What `recover_messages` gives, each message read once more as a transcript line; None when there is no event."""
    dicts = eventlog.recover_messages(event_log.parent)
    if dicts is None:
        return None
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return [fields_of(_message_from_json_line(json.dumps(d), event_log, epoch)) for d in dicts]


def meta_of(logs, conv_id, detail):
    meta = get_conversation_meta_direct(conv_id, detail=detail, logs_dir=logs)
    chosen = {name: getattr(meta, name) for name in META_FIELDS}
    chosen["workspace"] = chosen["workspace"].replace(str(logs.resolve()), LOGS_PLACEHOLDER)
    return chosen


def describe(logs, conv_id):
    """The manifest's entry of one conversation. Works on a copy, since gptme writes when it loads."""
    with tempfile.TemporaryDirectory() as scratch:
        copies = Path(scratch).resolve()
        logdir = copies / conv_id
        copy_tree(logs / conv_id, logdir)
        entry = {
            "transcripts": {
                str(path.relative_to(logdir)): [fields_of(m) for m in Log.read_jsonl(path)]
                for path in transcripts_of(logdir)
            },
            "recovered": {
                str(path.relative_to(logdir)): recovered_from(path) for path in sorted(logdir.rglob("events.jsonl"))
            },
            "meta": meta_of(copies, conv_id, detail=True),
            "meta_fast": meta_of(copies, conv_id, detail=False),
        }
        manager = LogManager.load(logdir, lock=False)
        entry["next"] = "input" if _should_prompt_for_input(manager.log) else "generate"
        entry["current_view"] = manager.current_view
        return entry


def build_manifest(logs):
    return {path.name: describe(logs, path.name) for path in sorted(logs.iterdir())}


def pretty(value, depth=0):
    """ASCII JSON, indented by one blank a level; a list has one element a line."""
    pad, close = " " * (depth + 1), " " * depth
    if isinstance(value, dict) and value:
        rows = [f"{pad}{json.dumps(k)}: {pretty(v, depth + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{close}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(pad + json.dumps(v) for v in value) + f"\n{close}]"
    return json.dumps(value)


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(pretty(value) + "\n", encoding="ascii")
