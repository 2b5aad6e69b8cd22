"""Answers, line by line, with what gptme makes of messages in TOML.

Each line of the input is a JSON object, each line of the output the answer to it:

{"toml": text, "single": text, "lines": [line of JSON, ...]}
    -> {"read": messages | error, "single": messages | error, "written": text, "reread": messages | error}
    what gptme reads in the text, and in that of the first message alone; what it writes for the lines; what
    it reads in that again
{"time": [line of JSON, ...]} -> {"seconds": for writing and reading once, the best of three}

where a message is an object of its fields, and an error a string. `same_metadata` compares with the line of
the same number, after undoing the one form that is convlog's own, `{ convlog-json = "…" }`.
"""

import json
import sys
import time

from dateutil.parser import isoparse
from gptme.message import Message, _migrate_metadata, msgs_to_toml, toml_to_msgs
from gptme.util.uri import parse_file_reference

FIELDS = ["pinned", "hide", "ui_only", "ephemeral_ttl", "file_hashes", "call_id", "metadata"]


def message(line):
    line = json.loads(line)
    fields = {key: line[key] for key in FIELDS if key in line}
    files = [parse_file_reference(file) for file in line.get("files", [])]
    return Message(line["role"], line["content"], timestamp=isoparse(line["timestamp"]), files=files, **fields)


def untagged(value):
    if isinstance(value, dict):
        if list(value) == ["convlog-json"]:
            return json.loads(value["convlog-json"])
        return {key: untagged(member) for key, member in value.items()}
    if isinstance(value, list):
        return [untagged(member) for member in value]
    return value


def plain(value):
    """The value without tomlkit's types, which tomlkit itself leaves in some lists."""
    if isinstance(value, dict):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [plain(member) for member in value]
    return value.unwrap() if hasattr(value, "unwrap") else value


def metadata(value):
    return json.dumps(_migrate_metadata(untagged(plain(value or {}))))


def read(text, lines, reader=toml_to_msgs):
    try:
        messages = reader(text)
    except Exception as error:  # whatever it raises is its answer
        return f"{type(error).__name__}: {error}"
    lines = [json.loads(line) for line in lines]
    return [
        {
            "role": str(m.role),
            "content": str(m.content),
            "timestamp": m.timestamp.isoformat(),
            "flags": [bool(m.pinned), bool(m.hide), bool(m.ui_only)],
            "files": len(m.files),
            "file_hashes": {str(key): str(value) for key, value in m.file_hashes.items()},
            "call_id": m.call_id and str(m.call_id),
            "same_metadata": metadata(m.metadata) == metadata(line.get("metadata")),
        }
        for m, line in zip(messages, lines, strict=True)
    ]


def answer(question):
    if "time" in question:
        messages = [message(line) for line in question["time"]]
        seconds = []
        for _ in range(3):
            begin = time.perf_counter()
            toml_to_msgs(msgs_to_toml(messages))
            seconds.append(time.perf_counter() - begin)
        return {"seconds": min(seconds)}
    lines = question["lines"]
    answer = {
        "read": read(question["toml"], lines),
        "single": read(question["single"], lines[:1], lambda text: [Message.from_toml(text)]),
    }
    try:
        answer["written"] = msgs_to_toml([message(line) for line in lines])
        answer["reread"] = read(answer["written"], lines)
    except Exception as error:
        answer["reread"] = f"{type(error).__name__}: {error}"
    return answer


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
