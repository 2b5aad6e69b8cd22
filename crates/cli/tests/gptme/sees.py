"""What the real gptme sees in a conversation, as one JSON object; given a text, after it appended that.

    sees.py DIRECTORY BRANCH [TEXT]

The caller sets HOME, the XDG directories and GPTME_LOGS_HOME.
"""

import json
import os
import sys
from pathlib import Path

ANSWER = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what gptme prints goes to stderr
os.environ.pop("PYTEST_CURRENT_TEST", None)  # with it gptme takes no lock
sys.dont_write_bytecode = True

from gptme.logmanager import LogManager  # noqa: E402
from gptme.logmanager.conv_checkpoints import list_conv_checkpoints  # noqa: E402
from gptme.message import Message  # noqa: E402
from gptme.util.file_storage import read_stored_content  # noqa: E402


def contents(messages):
    return [message.content for message in messages]


def stored(manager, message):
    """The attached files of a message, as they were when it was written."""
    return [
        read_stored_content(manager.logdir, message.file_hashes[str(file)], file.suffix)
        for file in message.files
    ]


def main(directory, branch, text=None):
    manager = LogManager.load(Path(directory), branch=branch)
    if text is not None:
        manager.append(Message("user", text, quiet=True))
    seen = {
        "log": contents(manager.log),
        "view": manager.current_view,
        "main": contents(manager._branches["main"]),
        "branches": {name: contents(log) for name, log in manager._branches.items()},
        "views": {name: contents(log) for name, log in manager._views.items()},
        "files": [stored(manager, message) for message in manager.log if message.files],
        "bookmarks": [[mark.index, mark.label] for mark in list_conv_checkpoints(manager.logdir)],
    }
    manager.__exit__(None, None, None)
    print(json.dumps(seen), file=ANSWER)


main(*sys.argv[1:])
