"""Times the real gptme: one JSON request a line on stdin, one answer a line on stdout.

An answer is `{"ns": [a time each], "items": ..., "sum": ...}`, where items and sum say what was done.
The caller sets HOME, the XDG directories and GPTME_LOGS_HOME.
"""

import json
import logging
import os
import sys
import time
from datetime import datetime
from pathlib import Path

ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
sys.stdout = open(os.devnull, "w")  # what gptme prints is of no interest
sys.dont_write_bytecode = True

from gptme.codeblock import Codeblock  # noqa: E402
from gptme.logmanager import Log, LogManager, eventlog  # noqa: E402
from gptme.message import Message, msgs_to_toml, toml_to_msgs  # noqa: E402

logging.disable(logging.CRITICAL)
opened = {}


def size(contents):
    return sum(len(content.encode("utf-8", "surrogatepass")) for content in contents)


def timed(operation):
    start = time.perf_counter_ns()
    result = operation()
    return time.perf_counter_ns() - start, result


def peak():
    """The most memory that this process had; `ru_maxrss` counts that of the parent too."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def open_(dir):
    """Opens for writing; what is opened stays open."""
    opened[dir] = LogManager.load(Path(dir))
    return {"items": len(opened[dir].log)}


def append(dir, content, count):
    manager, times = opened[dir], []
    for _ in range(count):
        message = Message("assistant", content, timestamp=datetime.now(), quiet=True)
        took, _ = timed(lambda message=message: manager.append(message))
        times.append(took)
    return {"ns": times, "items": 1, "sum": size([content])}


def read(path):
    took, log = timed(lambda: Log.read_jsonl(path))
    return {"ns": [took], "items": len(log), "sum": size(message.content for message in log)}


def recover(dir):
    took, messages = timed(lambda: eventlog.recover_messages(Path(dir)))
    return {"ns": [took], "items": len(messages), "sum": size(message["content"] for message in messages)}


def undo(dir):
    """Undoes one message in a conversation that is opened for this and let go."""
    manager = LogManager.load(Path(dir))
    took, _ = timed(lambda: manager.undo(1, quiet=True))
    messages = list(manager.log)
    manager.__exit__(None, None, None)
    return {"ns": [took], "items": len(messages), "sum": size(message.content for message in messages)}


def toml(path, count):
    messages = list(Log.read_jsonl(path))[:count]
    took, back = timed(lambda: toml_to_msgs(msgs_to_toml(messages)))
    # The sum is not compared: gptme's TOML loses text.
    return {"ns": [took], "items": len(back), "sum": 0}


def codeblocks(path):
    contents = [message.content for message in Log.read_jsonl(path)]
    took, _ = timed(lambda: sum(len(list(Codeblock.iter_from_markdown(content))) for content in contents))
    # Blocks are not compared: gptme misses those with text straight after them.
    return {"ns": [took], "items": len(contents), "sum": size(contents)}


def memory(do, **arguments):
    """By how many bytes an operation, the first of this process, raises its peak."""
    before = peak()
    OPERATIONS[do](**arguments)
    return {"bytes": peak() - before}


OPERATIONS = {
    "open": open_,
    "append": append,
    "read": read,
    "recover": recover,
    "undo": undo,
    "toml": toml,
    "codeblocks": codeblocks,
    "memory": memory,
}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = OPERATIONS[request.pop("op")](**request)
    except Exception as error:  # noqa: BLE001
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=ANSWERS, flush=True)
