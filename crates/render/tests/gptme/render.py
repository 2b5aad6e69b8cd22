"""Answers how gptme itself shows messages: one list of messages a line in, one answer a line out.

An answer has each message on one line (`oneline`) and as XML (`xml`), all of them as JSON lines (`json`) and as a
Markdown document (`markdown`), and how many it printed as JSON and as text (`shown`).
"""

import contextlib
import io
import json
import logging
import os
import sys
import tempfile
from pathlib import Path

HOME = tempfile.mkdtemp(prefix="convlog-render-")
for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
    os.environ[name] = HOME
os.environ["COLUMNS"] = "1000000"
sys.dont_write_bytecode = True

from gptme import message  # noqa: E402
from gptme.logmanager import Log  # noqa: E402
from gptme.util.export import export_chat_to_markdown  # noqa: E402
from gptme.util.uri import parse_file_reference  # noqa: E402

logging.disable(logging.CRITICAL)
OUT = sys.stdout
sys.stdout = sys.stderr  # gptme may print


def read(fields):
    fields = dict(fields)
    fields["timestamp"] = message.datetime.fromisoformat(fields["timestamp"])
    fields["files"] = [parse_file_reference(file) for file in fields.get("files", [])]
    return message.Message(**fields)


def printed(msgs, form):
    out = io.StringIO()
    message.set_output_format(form)
    message.console.file = io.StringIO()
    with contextlib.redirect_stdout(out):
        shown = message.print_msg(msgs, oneline=True)
    return out.getvalue(), shown


def markdown(msgs):
    path = Path(HOME) / "talk.md"
    export_chat_to_markdown("A talk", Log(msgs), path)
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


for line in sys.stdin:
    msgs = [read(fields) for fields in json.loads(line)]
    lines, as_json = printed(msgs, "json")
    _, as_text = printed(msgs, "text")
    answer = {
        "oneline": message.format_msgs(msgs, oneline=True),
        "xml": [msg.to_xml() for msg in msgs],
        "json": lines,
        "markdown": markdown(msgs),
        "shown": [as_json, as_text, printed(msgs, "quiet")[1]],
    }
    print(json.dumps(answer), file=OUT, flush=True)
