"""Drives gptme with a fixed clock: one `Session` per conversation, and the clean-up that makes a tree repeatable.

Every byte in a conversation directory comes from gptme's own code.
This module only chooses the times, silences the printing, and afterwards replaces what names the running process.
"""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gptme.commands import handle_cmd
from gptme.config import ChatConfig
from gptme.logmanager import LogManager, conv_checkpoints, eventlog
from gptme.message import Message, set_output_format

SCRATCH = Path("/tmp/convlog-fixtures")
"""Where attachments and workspaces live while the fixtures are made; gone afterwards."""

FIXED_MTIME = 1_772_366_400  # 2026-03-01T12:00:00Z
LOCK_PID = "4242"


class Clock:
    """Stands in for `datetime` in the gptme modules that read the wall clock; each reading is a little later."""

    def __init__(self):
        self.at = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self, tz=None):
        self.at += timedelta(microseconds=211)
        return self.at if tz else self.at.replace(tzinfo=None)

    def advance_to(self, moment):
        """Moves to `moment` (naive times are UTC), never back."""
        self.at = max(self.at, moment.replace(tzinfo=UTC))


CLOCK = Clock()


def patch_gptme():
    """Gives the event log and the bookmarks the fixed clock, and turns all printing off."""
    eventlog.datetime = CLOCK
    conv_checkpoints.datetime = CLOCK
    set_output_format("quiet")


def message(role, content, timestamp, **fields):
    """A message that gptme does not print; `quiet` is never stored."""
    return Message(role, content, timestamp=timestamp, quiet=True, **fields)


class Session:
    """A conversation open for writing through gptme's `LogManager`.

    Times advance by themselves from `start`, or are given a message at a time.
    `initial` is a list of `(role, content, fields)`, which gptme takes as the startup prompt.
    """

    def __init__(self, logs, conv_id, start, initial=(), config=None):
        self.logdir = logs / conv_id
        self.now = start
        self.count = 0
        CLOCK.at = start.replace(tzinfo=UTC)
        if config is not None:
            ChatConfig(_logdir=self.logdir, **config).save()
        first = [message(role, text, self.tick(), **fields) for role, text, fields in initial]
        self.manager = LogManager.load(self.logdir, initial_msgs=first, create=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.manager.write(sync=True)
        self.manager.__exit__(*_)

    def tick(self):
        """The next time: some seconds on, with a fraction except now and then."""
        self.count += 1
        self.now = self.now.replace(microsecond=0) + timedelta(seconds=3 + self.count * 7 % 23)
        if self.count % 8:
            self.now = self.now.replace(microsecond=self.count * 733_133 % 1_000_000)
        CLOCK.advance_to(self.now + timedelta(microseconds=2_500))
        return self.now

    def say(self, role, content, timestamp=None, **fields):
        """Appends one message."""
        tick = self.tick()
        self.manager.append(message(role, content, timestamp or tick, **fields))

    def user(self, content, **fields):
        self.say("user", content, **fields)

    def assistant(self, content, **fields):
        self.say("assistant", content, **fields)

    def system(self, content, **fields):
        self.say("system", content, **fields)

    def command(self, text):
        """What gptme's chat loop does with a line that starts with a slash: store it, then run it."""
        self.user(text)
        for answer in handle_cmd(text, self.manager):
            self.manager.append(answer.replace(timestamp=self.tick(), quiet=True))

    def undo(self, n=1):
        self.tick()
        self.manager.undo(n, quiet=True)

    def edit(self, messages):
        self.tick()
        self.manager.edit(messages)

    def branch(self, name):
        self.manager.branch(name)

    def view(self, name, messages):
        """Makes a compacted view and switches to it, as automatic compaction does."""
        self.manager.create_view(name, messages)
        self.manager.switch_view(name)

    @property
    def messages(self):
        return list(self.manager.log.messages)


def scratch_file(path, data):
    """Writes an attachment below `SCRATCH`, with its directories and a fixed time."""
    target = SCRATCH / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data if isinstance(data, bytes) else data.encode())
    os.utime(target, (FIXED_MTIME, FIXED_MTIME))
    return target


def settle(logs):
    """Makes the tree repeatable and equal to what a checkout of it gives.

    The PID in each `.lock` is replaced, empty directories are removed (Git keeps none), every file gets the same time.
    """
    for lock in logs.glob("*/.lock"):
        lock.write_text(LOCK_PID)
    for directory, _, _ in os.walk(logs, topdown=False):
        if directory != str(logs) and not os.listdir(directory):
            os.rmdir(directory)
    for directory, _, names in os.walk(logs):
        for name in names:
            os.utime(Path(directory, name), (FIXED_MTIME, FIXED_MTIME), follow_symlinks=False)


def copy_tree(source, target):
    """Copies a conversation as it is: links stay links, times stay."""
    shutil.copytree(source, target, symlinks=True)
