"""Answers what gptme's own functions make of messages: one JSON request a line in, one answer a line out.

A request is {"op": ..., "messages": [...], "limit": tokens}; an answer is {"messages": [...]} or
{"value": ...}. A token is one character: the tokenizer is a stub, as is the model. With `--time` it takes one
request and answers how long each of three runs took, in seconds.
"""

import json
import logging
import os
import sys
import tempfile
import time
from types import SimpleNamespace

HOME = tempfile.mkdtemp(prefix="convlog-context-")
for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
    os.environ[name] = HOME
os.environ.pop("GPTME_EVIDENCE_REPLAY", None)
sys.dont_write_bytecode = True

from gptme import message  # noqa: E402
from gptme.chat import _should_prompt_for_input  # noqa: E402
from gptme.llm import models  # noqa: E402
from gptme.logmanager import Log, manager  # noqa: E402
from gptme.tools import init_tools, set_tool_format  # noqa: E402
from gptme.util import reduce, tokens  # noqa: E402
from gptme.util.uri import parse_file_reference  # noqa: E402

logging.disable(logging.CRITICAL)
OUT = sys.stdout
sys.stdout = sys.stderr  # gptme may print

model = SimpleNamespace(model="stub", provider="stub", context=0)
one_a_character = SimpleNamespace(encode=lambda text, **_: text)
tokens.get_tokenizer = lambda _: one_a_character
models.get_default_model = lambda: model
reduce.get_default_model = lambda: model
manager.enrich_messages_with_context = lambda msgs, _: msgs
init_tools(["save", "patch", "append", "shell"])
set_tool_format("tool")


def read(fields):
    fields = dict(fields)
    fields["timestamp"] = message.datetime.fromisoformat(fields["timestamp"])
    fields["files"] = [parse_file_reference(file) for file in fields.get("files", [])]
    return message.Message(**fields)


def limit(msgs):
    return manager._merge_consecutive_messages(reduce.limit_log(msgs))


LISTS = {
    "prune": manager.prune_ephemeral_messages,
    "merge": manager._merge_consecutive_messages,
    "generation": manager._active_prompt_generation,
    "hoist": manager._hoist_resume_msgs,
    "limit": limit,
    "prepare": manager.prepare_messages,
}
VALUES = {
    "boundary": manager.ephemeral_cache_boundary,
    "next": lambda msgs: _should_prompt_for_input(Log(msgs)),
    "modifications": lambda msgs: manager.check_for_modifications(Log(msgs)),
}


def answer(request):
    msgs = [read(fields) for fields in request["messages"]]
    model.context = request.get("limit") or 10**9
    op = request["op"]
    if op in LISTS:
        return {"messages": [msg.to_dict() for msg in LISTS[op](msgs)]}
    return {"value": VALUES[op](msgs)}


def timed(request):
    msgs = [read(fields) for fields in request["messages"]]
    model.context = request.get("limit") or 10**9
    seconds = []
    for _ in range(3):
        tokens._token_cache.clear()
        start = time.perf_counter()
        LISTS[request["op"]](msgs)
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds}


work = timed if "--time" in sys.argv else answer
for line in sys.stdin:
    print(json.dumps(work(json.loads(line))), file=OUT)
