"""Tables of small inputs with gptme's own answer: timestamps, floats, message lines, whose turn it is, previews."""

import json
import os
import random
import struct
import tempfile
from datetime import UTC, datetime

from dateutil.parser import isoparse
from gptme.chat import _should_prompt_for_input
from gptme.logmanager import Log, LogManager
from gptme.logmanager.conversations import _parse_preview
from gptme.logmanager.manager import _message_from_json_line
from gptme.message import Message

from oracle_lines import LINES
from oracle_texts import PREVIEW_LINES, PREVIEWS, timestamp_texts
from oracle_turns import TURNS

FILE_TIME = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
"""What a line without a timestamp gets in `lines.json`."""

CAUGHT = (ValueError, TypeError, AttributeError, KeyError)
"""What gptme's reader catches; any other exception makes the whole conversation unreadable."""


def timestamps():
    rows = []
    for text in timestamp_texts():
        try:
            rows.append({"text": text, "iso": isoparse(text).isoformat()})
        except Exception as error:  # the class is the answer
            rows.append({"text": text, "iso": None, "error": type(error).__name__})
    return rows


def floats():
    """The shortest text of a float, as `json.dumps` writes it, beside its bits."""
    values = [0.0, -0.0, 1.0, -1.0, 0.1, 0.2, 0.3, 0.1 + 0.2, 1 / 3, 2 / 3, 123456789.125, 4.35, 1e23, 9e15, 9.5e-5]
    values += [sign * float(f"1e{n}") for n in range(-9, 25) for sign in (1, -1)]
    values += [
        float(f"{digits}e{n}")
        for n in (-6, -5, -4, 0, 14, 15, 16, 17)
        for digits in ("1.5", "9.999999999999999", "1.2345678901234567")
    ]
    values += [
        5e-324,
        1e-323,
        2.2250738585072009e-308,
        2.2250738585072014e-308,
        1.7976931348623157e308,
        -1.7976931348623157e308,
    ]
    values += [
        float(n)
        for n in (
            7,
            100,
            2**31,
            2**53 - 1,
            2**53,
            2**53 + 2,
            2**63,
            2**64,
            10**15,
            10**16 - 2,
            10**16,
            10**17,
            10**21,
            10**22,
        )
    ]
    for text in ("1e16", "1e-4", "1e22", "1e-5", "1.0", "2.2250738585072014e-308"):
        bits = struct.unpack(">Q", struct.pack(">d", float(text)))[0]
        values += [struct.unpack(">d", struct.pack(">Q", bits + step))[0] for step in (-1, 1)]
    source = random.Random(20260112)
    while len(values) < 300:
        value = struct.unpack(">d", struct.pack(">Q", source.getrandbits(64)))[0]
        if value == value and abs(value) != float("inf"):
            values.append(value)
    values += [struct.unpack(">d", struct.pack(">Q", source.getrandbits(52)))[0] for _ in range(12)]  # subnormal
    values += [round(source.uniform(0, 10), digits) for digits in range(1, 16) for _ in range(2)]
    rows = [{"bits": struct.pack(">d", value).hex(), "repr": json.dumps(value)} for value in values]
    return list({row["bits"]: row for row in rows}.values())


def line_result(manager, line):
    """What one line becomes: `written`, or `error` with the exception's class.

    `fatal`: the exception ends the reading of the whole file.
    `stage`: `open` when the line is read but keeps the conversation from opening,
    `write` when it is read and the conversation opens, but the message cannot be written again.
    """
    row = {"line": line, "written": None}
    try:
        msg = _message_from_json_line(line.strip(), "conversation.jsonl", FILE_TIME)
    except Exception as error:
        row["error"] = type(error).__name__
        if not isinstance(error, CAUGHT):
            row["fatal"] = True
        return row
    try:
        manager.snapshot_message_files([msg])
    except Exception as error:
        return {**row, "error": type(error).__name__, "stage": "open"}
    try:
        row["written"] = json.dumps(msg.to_dict())
    except Exception as error:
        return {**row, "error": type(error).__name__, "stage": "write"}
    return row


def lines(scratch):
    """Raw lines as gptme reads and rewrites them; relative paths are taken from `scratch`."""
    os.chdir(scratch)
    with tempfile.TemporaryDirectory() as logdir:
        manager = LogManager(logdir=logdir, lock=False)
        rows = [{"about": about, **line_result(manager, line)} for about, line in LINES]
    os.chdir("/")
    return rows


def turns():
    """Logs with whose turn it is: `input` or `generate`."""
    rows = []
    for about, dicts in TURNS:
        log = Log([Message(timestamp=FILE_TIME, **d) for d in dicts])
        rows.append(
            {"about": about, "messages": dicts, "next": "input" if _should_prompt_for_input(log) else "generate"}
        )
    return rows


def previews():
    """Contents of a user's message, then whole lines, with the preview in a listing."""
    rows = [
        {"content": text, "preview": _parse_preview(json.dumps({"role": "user", "content": text}).encode())[1]}
        for text in PREVIEWS
    ]
    for line in PREVIEW_LINES:
        role, preview = _parse_preview(line.encode())
        rows.append({"line": line, "role": role, "preview": preview})
    return rows


def tables(scratch):
    return {
        "timestamps": timestamps(),
        "floats": floats(),
        "lines": lines(scratch),
        "next": turns(),
        "preview": previews(),
    }
