"""Prints what gptme's own `get_conversations` says of a copy of a directory: one JSON object a line.

Arguments: the directory, which gptme may write to; and `full` or `fast`. With a third argument, `time`, it
prints the seconds that listing took, and with `search QUERY`, those that searching took.
"""

import dataclasses
import io
import json
import logging
import os
import sys
import tempfile
import time
from contextlib import redirect_stdout

HOME = tempfile.mkdtemp(prefix="convlog-query-")
for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
    os.environ[name] = HOME
os.environ["GPTME_LOGS_HOME"] = sys.argv[1]
sys.dont_write_bytecode = True

from gptme.logmanager import get_conversations  # noqa: E402
from gptme.tools.chats import search_chats  # noqa: E402

logging.disable(logging.CRITICAL)
detail = sys.argv[2] == "full"
rest = sys.argv[3:]
start = time.perf_counter()
if rest[:1] == ["search"]:
    with redirect_stdout(io.StringIO()):
        search_chats(rest[1], max_results=1_000_000)
    print(time.perf_counter() - start)
else:
    found = list(get_conversations(detail=detail))
    took = time.perf_counter() - start
    if rest == ["time"]:
        print(took)
    else:
        for meta in found:
            print(json.dumps(dataclasses.asdict(meta)))
