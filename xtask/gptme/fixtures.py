"""Lets gptme 0.35.1 write test conversations, and writes down what gptme reads back from them.

Usage: `python fixtures.py OUT_DIR`, with the Python of an environment that has gptme 0.35.1.
It makes `OUT_DIR/logs/`, `OUT_DIR/manifest.json` and the tables in `OUT_DIR/oracle/`; these must not exist before.
Two runs give the same bytes: times are fixed, the environment is isolated, no network and no model is used.
`/tmp/convlog-fixtures` holds attachments and workspaces meanwhile and is removed at the end, so links to it dangle.
"""

import contextlib
import logging
import os
import shutil
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

GPTME_VERSION = "0.35.1"


def isolate(logs, home):
    """Points every place that gptme reads or writes at `logs` and `home`. Must run before gptme is imported."""
    for name in list(os.environ):
        if (
            name.startswith(("GPTME_", "XDG_", "OPENAI_", "ANTHROPIC_", "OPENROUTER_", "LC_"))
            or name == "PYTEST_CURRENT_TEST"
        ):
            del os.environ[name]
    os.environ.update(
        TZ="UTC",
        LANG="C.UTF-8",
        HOME=str(home),
        GPTME_LOGS_HOME=str(logs),
        XDG_CONFIG_HOME=str(home / "config"),
        XDG_DATA_HOME=str(home / "data"),
        XDG_STATE_HOME=str(home / "state"),
        XDG_CACHE_HOME=str(home / "cache"),
    )
    time.tzset()
    os.umask(0o022)
    os.chdir("/")
    sys.dont_write_bytecode = True
    logging.disable(logging.CRITICAL)


def make(out):
    import fixture_contents
    import fixture_histories
    import fixture_kit
    import fixture_oracles
    from fixture_manifest import build_manifest, write_json

    logs = out / "logs"
    logs.mkdir(parents=True, exist_ok=True)  # importing gptme makes it already
    fixture_kit.SCRATCH.mkdir()
    try:
        fixture_kit.patch_gptme()
        fixture_histories.build(logs)
        fixture_contents.build(logs)
        os.chdir("/")
        for name, table in fixture_oracles.tables(fixture_kit.SCRATCH).items():
            write_json(out / "oracle" / f"{name}.json", table)
    finally:
        shutil.rmtree(fixture_kit.SCRATCH)
    fixture_kit.settle(logs)
    write_json(out / "manifest.json", build_manifest(logs))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: fixtures.py OUT_DIR")
    if version("gptme") != GPTME_VERSION:
        sys.exit(f"this needs gptme {GPTME_VERSION}, not {version('gptme')}")
    out = Path(sys.argv[1]).resolve()
    if any((out / name).exists() for name in ("logs", "manifest.json", "oracle")):
        sys.exit(f"{out} holds fixtures already; remove them first")
    with tempfile.TemporaryDirectory() as home, open(os.devnull, "w") as nowhere:
        isolate(out / "logs", Path(home))
        with contextlib.redirect_stdout(nowhere):
            make(out)


if __name__ == "__main__":
    main()
