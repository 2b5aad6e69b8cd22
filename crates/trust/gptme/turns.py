"""Drives the real gptme: one JSON request a line on stdin, one JSON answer a line on stdout.

The caller sets HOME, the XDG directories and GPTME_LOGS_HOME. An answer is `{"ok": …}` or `{"error": "Type: text"}`.
"""

import json
import logging
import os
import sys
from datetime import datetime, timezone
from pathlib import Path

ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what gptme prints goes to stderr
os.environ.pop("PYTEST_CURRENT_TEST", None)  # with it gptme takes no lock
sys.dont_write_bytecode = True

from gptme.logmanager import Log, LogManager, eventlog  # noqa: E402
from gptme.logmanager.conv_checkpoints import list_conv_checkpoints, save_conv_checkpoint  # noqa: E402
from gptme.logmanager.manager import _message_from_json_line  # noqa: E402
from gptme.message import set_output_format  # noqa: E402

NO_TIME = datetime(1970, 1, 1, tzinfo=timezone.utc)


def message(value):
    """A message as gptme reads it from a line; never printed."""
    return _message_from_json_line(json.dumps(value), "request", NO_TIME).replace(quiet=True)


def plain(messages):
    return [m.to_dict() for m in messages]


class Turns:
    """At most one conversation open for writing, and whatever is only read."""

    def __init__(self):
        self.manager = None

    def load(self, dir, initial=(), create=False, lock=True, branch="main"):
        """Opens for writing; without gptme's lock, as its server does, when so asked."""
        self.release()
        first = [message(value) for value in initial]
        self.manager = LogManager.load(Path(dir), initial_msgs=first, create=create, lock=lock, branch=branch)
        return plain(self.manager.log)

    def release(self):
        """Gives the lock back, as leaving gptme does."""
        if self.manager is not None:
            self.manager.__exit__(None, None, None)
            self.manager = None

    def become(self, uid):
        """Goes on as another user. What gptme loads late was loaded by an earlier `try_lock`."""
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)

    def try_lock(self, dir):
        """Opens for writing and lets go at once."""
        LogManager.load(Path(dir), lock=True).__exit__(None, None, None)

    def append(self, message_):
        before = read_so_far()
        self.manager.append(message(message_))
        return read_so_far() - before

    def undo(self, n):
        self.manager.undo(n, quiet=True)

    def edit(self, messages):
        self.manager.edit([message(value) for value in messages])

    def log(self):
        """The messages of what is active."""
        return plain(self.manager.log)

    def branch(self, name):
        """Goes to a branch, which is made when it is missing."""
        self.manager.branch(name)
        self.manager.write()

    def create_view(self, messages):
        name = self.manager.get_next_view_name()
        self.manager.create_view(name, [message(value) for value in messages])
        return name

    def switch_view(self, name):
        self.manager.switch_view(name)

    def leave_view(self):
        self.manager.switch_to_master()

    def preserve(self):
        self.manager.preserve_lossless_log()

    def mark(self, label):
        save_conv_checkpoint(self.manager.logdir, len(self.manager.log), label)

    def everything(self, dir):
        """All logs, as gptme has them after loading; an attachment's hash that it would change is changed there."""
        found = LogManager.load(Path(dir), lock=False)
        logs = {name: plain(log) for name, log in found._branches.items()}
        main = logs.pop("main")
        lossless = found._lossless_log
        return {
            "main": main,
            "branches": logs,
            "views": {name: plain(log) for name, log in found._views.items()},
            "active": found.current_view,
            "lossless": None if lossless is None else plain(lossless),
            "marks": [[mark.index, mark.label] for mark in list_conv_checkpoints(found.logdir)],
        }

    def replace_log(self, messages):
        """What compaction by hand, and the server's settings, do: the list, written, and no event."""
        self.manager.log = Log([message(value) for value in messages])
        self.manager.write()

    def read(self, dir):
        """What gptme reads from the transcript now; `load` reads the branches as well."""
        return plain(Log.read_jsonl(Path(dir, "conversation.jsonl")))

    def recover_messages(self, dir):
        """What gptme makes of the event log, each message read as from a line of the transcript."""
        found = eventlog.recover_messages(Path(dir))
        return None if found is None else plain(message(value) for value in found)


def read_so_far():
    """Bytes that this process has read, where the kernel counts them."""
    try:
        return int(Path("/proc/self/io").read_text().split()[1])
    except OSError:
        return 0


def main():
    set_output_format("quiet")
    logging.disable(logging.CRITICAL)
    turns = Turns()
    for line in sys.stdin:
        request = json.loads(line)
        do = request.pop("do")
        try:
            answer = {"ok": getattr(turns, do)(**request)}
        except Exception as error:  # noqa: BLE001 - the caller asks for whatever gptme raises
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=ANSWERS, flush=True)


main()
