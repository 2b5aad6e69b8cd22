"""Does to an event log what it is told on standard input, with the code of the real gptme, and says what came of it.

One JSON object a line in, one out: {"do": ..., "dir": ..., ...} gives {"ok": ...} or {"error": "..."}.
"""

import json
import logging
import sys
from datetime import datetime
from pathlib import Path

from gptme.logmanager import eventlog
from gptme.message import Message

logging.disable(logging.CRITICAL)


def message(fields):
    return Message(fields["role"], fields["content"], timestamp=datetime.fromisoformat(fields["timestamp"]))


def act(command):
    logdir = Path(command["dir"])
    match command["do"]:
        case "recover":
            return eventlog.recover_messages(logdir)
        case "next":
            return eventlog.sequence_number(logdir)
        case "append":
            added = message(command["message"])
            return eventlog.append_next_event(
                logdir, lambda seq: eventlog.build_message_append_event(seq, added)
            )["seq"]
        case "edit":
            messages = [message(fields) for fields in command["messages"]]
            return eventlog.append_next_event(
                logdir, lambda seq: eventlog.build_message_edit_event(seq, messages)
            )["seq"]
        case "undo":
            return eventlog.append_next_event(
                logdir, lambda seq: eventlog.build_undo_event(seq, command["n"])
            )["seq"]
        case "checkpoint":
            recovered = eventlog.recover_messages(logdir)
            return eventlog.write_checkpoint(logdir, recovered)["seq"]
        case "compact":
            return eventlog.compact_events(logdir)
        case "sync":
            return eventlog.sync_events(logdir)
        case "hold":
            # Holds the lock until the next line comes.
            with eventlog._event_log_lock(logdir):
                print(json.dumps({"ok": "held"}), flush=True)
                sys.stdin.readline()
            return "released"
    raise ValueError(f"cannot {command['do']}")


for line in sys.stdin:
    try:
        answer = {"ok": act(json.loads(line))}
    except Exception as error:  # noqa: BLE001 - any failure of gptme's is an answer
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
