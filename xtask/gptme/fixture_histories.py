"""Conversations that differ in what was done to them: branches, views, undo, edits, checkpoints, forks, stops."""

from datetime import datetime

from gptme.config import ChatConfig
from gptme.constants import DECLINED_CONTENT, INTERRUPT_CONTENT, LLM_REQUEST_FAILED_PREFIX, MAX_STEPS_STOP_PREFIX
from gptme.logmanager.conversations import rename_conversation

from fixture_contents import GPT, PROMPT, SONNET, TOOLS_PROMPT, usage
from fixture_kit import SCRATCH, Session, message


def parser_and_its_fork(logs):
    """An ordinary session with bookmarks; then a fork of it that goes on under its own name."""
    (SCRATCH / "parser").mkdir(parents=True)
    config = {"name": "Fixing the parser", "model": SONNET, "workspace": SCRATCH / "parser"}
    with Session(
        logs, "2026-01-12-fixing-the-parser", datetime(2026, 1, 12, 9, 3), [PROMPT, TOOLS_PROMPT], config
    ) as s:
        s.user("The parser fails on empty lists. Please fix it.")
        s.command("/backtrack mark start")
        s.assistant(
            "I run the tests first.\n\n```shell\npytest -q tests/test_parser.py\n```",
            metadata=usage(SONNET, 0.0041, 1904, 61),
        )
        s.system(
            "Ran command: `pytest -q tests/test_parser.py`\n\n```stdout\nF.....\n1 failed, 5 passed in 0.12s\n```",
            metadata={"tool": "shell"},
        )
        s.assistant(
            "<think>The loop reads one element before it looks for the bracket.</think>\n"
            "The loop expects an element.\n\n```patch src/parser.py\n<<<<<<< ORIGINAL\n    items = [self.element()]\n"
            '=======\n    items = []\n    if self.peek() != "]":\n        items.append(self.element())\n'
            ">>>>>>> UPDATED\n```",
            metadata=usage(SONNET, 0.0058, 2102, 143, cache_read_tokens=1800),
        )
        s.command("/backtrack mark")
        s.system("Patch applied to src/parser.py", metadata={"tool": "patch"})
        s.assistant("```shell\npytest -q\n```", metadata=usage(SONNET, 0.0012, 2300, 9))
        s.system("Ran command: `pytest -q`\n\n```stdout\n......\n6 passed in 0.10s\n```", metadata={"tool": "shell"})
        s.command("/backtrack mark grün-🌱")
        s.command("/backtrack mark start")
        s.assistant("All six tests pass now.")
    with Session(logs, "2026-01-12-fixing-the-parser", datetime(2026, 1, 13, 8, 0)) as s:
        s.manager.fork("2026-01-13-fixing-the-parser-nested")
        s.user("And nested lists?")
        s.assistant("Those already work: each element may be a list itself.")
    rename_conversation("2026-01-13-fixing-the-parser-nested", "Nested lists")


def branches(logs):
    """Branches of main and of a branch, an undo and an edit on a branch, the way back to main, a dotted name."""
    with Session(
        logs,
        "2026-01-19-two-ways-to-refactor",
        datetime(2026, 1, 19, 13, 0),
        [PROMPT],
        {"name": "Two ways", "workspace": SCRATCH},
    ) as s:
        s.user("Split the module or keep it?")
        s.assistant("Both can work. Which first?")
        s.branch("split")
        s.user("Split it.")
        s.assistant("```shell\nmkdir core && git mv lexer.py core/\n```")
        s.system("Ran command", metadata={"tool": "shell"})
        s.branch("split.v2")
        s.user("Rather by layers.")
        s.assistant("Then `core/` and `io/`.")
        s.branch("split")
        s.undo(1)
        s.user("Do it without moving files.")
        s.assistant("Only the imports change then.")
        s.edit([m for m in s.messages if m.role != "system"])
        s.branch("main")
        s.user("Keep it, after all.")
        s.assistant("Kept. I only sort the functions.")
    with Session(logs, "2026-01-19-two-ways-to-refactor", datetime(2026, 1, 20, 9, 0)) as s:
        s.branch("split.v2")
        s.user("One more idea for the layers: a facade.")


def long_session(logs):
    """More than 120 appends on main and on a branch: several checkpoints in both event logs."""
    with Session(
        logs,
        "2026-01-21-hunting-the-race",
        datetime(2026, 1, 21, 9, 0),
        [PROMPT],
        {"name": "Hunting the race", "workspace": SCRATCH},
    ) as s:
        s.user("The cache test fails once in a while. Find out why.")
        rounds(s, 1, 7)
        s.branch("with-sanitizer")
        s.branch("main")
        rounds(s, 7, 42)
        s.branch("with-sanitizer")
        s.user("Again, with the thread sanitizer.")
        rounds(s, 1, 41)
        s.assistant("The sanitizer names cache.c:88.")
        s.branch("main")
        s.assistant("The lock is taken after the read.")
        s.user("Good. Write that down.")


def rounds(s, first, last):
    """Three messages a round: a run, its result, a word on it."""
    for n in range(first, last):
        s.assistant(f"```shell\n./stress --seed {n}\n```", call_id=None)
        s.system(f"Ran command: `./stress --seed {n}`\n\n{n * 41 % 7} of 40 failed", metadata={"tool": "shell"})
        s.assistant(f"Seed {n} shows {'nothing' if n * 41 % 7 == 0 else 'the race'}.")


def undo_and_edit(logs):
    """Undo by call and by command, of more than there is, of a command; edits; each with its backup branch."""
    with Session(
        logs,
        "2026-01-23-rewriting-the-readme",
        datetime(2026, 1, 23, 18, 30),
        (),
        {"name": "README", "workspace": SCRATCH},
    ) as s:
        s.user("Rewrite the README.")
        s.assistant("Draft one.")
        s.user("Shorter.")
        s.assistant("Draft two.")
        s.undo(1)
        s.assistant("Draft three.")
        s.undo(2)
        s.user("Much shorter.")
        s.assistant("Draft four.")
        s.assistant("Draft five.")
        s.assistant("Draft six.")
        s.command("/undo")
        s.user("/undo")
        s.undo(1)
        s.user("Start over.")
        s.edit([*s.messages[:1], message("assistant", "An edited draft.", s.tick(), pinned=True)])
        s.user("/tokens")
        s.undo(1)
        s.undo(0)
        s.user("Now the badges.")
        s.assistant("Added.")
        s.edit([m.replace(content=m.content.upper()) for m in s.messages])
        # The event says that one message went; it was two, so recovery keeps one too many.
        s.user("One more.")
        s.assistant("Here it is.")
        s.user("/undo")
        s.undo(1)
    with Session(logs, "tmp3f9c21", datetime(2026, 1, 24, 6, 0)) as s:
        s.user("ping")
        s.assistant("pong")
        s.undo(5)
        s.undo(1)
        # Alone in the log, the command is removed without any event.
        s.user("/undo")
        s.undo(1)


def active_view(logs):
    """A compacted view that stays active: appends, an undo and an edit on it, more than 50 events."""
    with Session(
        logs,
        "2026-01-26-migrating-the-database",
        datetime(2026, 1, 26, 10, 0),
        [PROMPT],
        {"name": "Migration", "model": SONNET, "workspace": SCRATCH},
    ) as s:
        s.user("Move the tables to the new schema, one by one.")
        for table in ("users", "orders", "items", "stock"):
            s.assistant(f"```shell\n./migrate {table}\n```", metadata=usage(SONNET, 0.002, 900, 12))
            s.system(f"Ran command: `./migrate {table}`\n\nok", metadata={"tool": "shell"})
        s.system("Context is approaching its compaction budget.", metadata={"compaction_reminder_view": ""})
        summary = message(
            "system",
            "Summary: users, orders, items and stock are moved; prices are left.",
            s.tick(),
            metadata={"compaction_artifact": "summary"},
        )
        s.view("compacted-001", [s.messages[0], summary])
        s.user("Go on with the prices.")
        s.assistant("```shell\n./migrate prices\n```")
        s.system("Ran command: `./migrate prices`\n\nduplicate key", metadata={"tool": "shell"})
        s.undo(1)
        s.system("Ran command: `./migrate prices --skip-duplicates`\n\nok", metadata={"tool": "shell"})
        s.edit([m for m in s.messages if "compaction_artifact" not in (m.metadata or {})])
        for month in range(1, 19):
            s.assistant(f"```shell\n./migrate prices --month {month}\n```")
            s.system(f"Month {month}: ok", metadata={"tool": "shell"})
    with Session(logs, "2026-01-26-migrating-the-database", datetime(2026, 1, 27, 8, 0)) as s:
        s.user("Is anything left?")
        s.assistant("No, every table is moved.", metadata=usage(SONNET, 0.0007, 310, 8))
        s.user("Then write the report.")


def view_and_back(logs):
    """Two views, the way back to the full history, appends there; one view again, and back."""
    with Session(
        logs, "2026-01-28-tuning-the-query", datetime(2026, 1, 28, 15, 0), [PROMPT], {"workspace": SCRATCH}
    ) as s:
        s.user("The report query takes nine seconds.")
        s.assistant("It scans the whole table.")
        s.user("Add an index then.")
        s.view("compacted-001", [message("system", "The query scans the table; an index is wanted.", s.tick())])
        s.assistant("```sql\nCREATE INDEX ON reports (day);\n```")
        s.view(
            s.manager.get_next_view_name(), [message("system", "An index on day was made.", s.tick()), *s.messages[-1:]]
        )
        s.system("CREATE INDEX", call_id="sql-1")
        s.manager.switch_to_master()
        s.assistant("Now it takes 40 ms.")
        s.manager.switch_view("compacted-001")
        s.user("And for last year?")
        s.manager.switch_to_master()
        s.assistant("35 ms.")
        s.branch("partitioned")
        s.user("What about partitions?")
        s.branch("main")


def compacted_by_hand(logs):
    """The transcript replaced by a summary with the full history in lossless.jsonl; later a view on top."""
    with Session(
        logs,
        "2026-01-30-cleaning-the-logs",
        datetime(2026, 1, 30, 11, 0),
        [PROMPT],
        {"name": "Cleaning", "workspace": SCRATCH},
    ) as s:
        s.user("Which log files can go?")
        for day in range(1, 9):
            s.assistant(f"```shell\ndu -sh logs/{day:02d}\n```", call_id=None)
            s.system(f"{day * 3}M\tlogs/{day:02d}", call_id=f"du-{day}", metadata={"tool": "shell"})
        # The steps of gptme's `/compact resume`, but for the model's part in it.
        s.manager.preserve_lossless_log()
        kept = [
            s.messages[0],
            message("system", "Resume: eight days were measured, the largest is day 8.", s.tick()),
            *s.messages[-2:],
        ]
        s.manager.log = kept
        s.manager.write()
        s.system("✅ LLM-powered resume completed", ui_only=True)
        s.user("Delete days one to four.")
        s.assistant("```shell\nrm -r logs/0[1-4]\n```")
    with Session(logs, "2026-01-30-cleaning-the-logs", datetime(2026, 1, 31, 9, 0)) as s:
        s.system("Ran command", metadata={"tool": "shell"})
        s.view("compacted-001", s.messages[-2:])
        s.user("How much is left?")
        s.assistant("78M.")


def small_ones(logs):
    """An empty conversation, a test's, a user's own `tmpl-notes`, and ends of runs that decide whose turn it is."""
    Session(logs, "2026-02-10-nothing-yet", datetime(2026, 2, 10, 12, 0)).manager.__exit__(None, None, None)

    with Session(
        logs,
        "test-agent-smoke",
        datetime(2026, 2, 11, 3, 0),
        [PROMPT],
        {"model": GPT, "workspace": SCRATCH, "interactive": False},
    ) as s:
        s.user("Print the first ten primes.")
        s.assistant(
            '@ipython(call-a): {"code": "print(primes(10))"}\n\n@shell(call-b): {"command": "rm -r build"}',
            metadata=usage(GPT, 0.0001, 200, 30),
        )
        s.system("2 3 5 7 11 13 17 19 23 29", call_id="call-a", metadata={"tool": "ipython"})
        s.system(DECLINED_CONTENT)
        s.system("Tool execution was skipped.", call_id="call-b")

    # Without a saved config gptme makes `workspace` a directory of the conversation's own.
    workspace = ChatConfig.from_logdir(logs / "tmpl-notes").workspace
    with Session(logs, "tmpl-notes", datetime(2026, 2, 12, 21, 0), [PROMPT]) as s:
        (workspace / "letter.tmpl").write_text("Dear {{ name }},\n")
        s.user("Collect what we know about the templates.")
        s.assistant("They use two braces.")
        s.user("Which ones are unused?")
        profile = {"pinned": True, "hide": True, "metadata": {"resume_key": "agent_profile"}}
        s.system("# Agent Profile: explorer\n\nYou look, you do not touch.", **profile)
        s.system("# Agent Profile: explorer\n\nYou look and take notes.", **profile)

    with Session(
        logs,
        "2026-02-13-nightly-run",
        datetime(2026, 2, 13, 2, 0),
        [PROMPT],
        {"name": "Nightly run", "workspace": SCRATCH, "interactive": False},
    ) as s:
        s.user("Update the dependencies and run all tests.")
        s.assistant("```shell\ncargo update\n```")
        s.system(f"{LLM_REQUEST_FAILED_PREFIX} 503 Service Unavailable")
        s.user("go on")
        s.assistant("```shell\ncargo test\n```")
        s.system(INTERRUPT_CONTENT)
        s.user("go on")
        s.assistant("```shell\ncargo test --workspace\n```")
        s.system(f"{MAX_STEPS_STOP_PREFIX} (3)", metadata={"max_steps_stop": True})
        s.system(
            "Context is approaching its compaction budget.", metadata={"compaction_reminder_view": "compacted-001"}
        )


def build(logs):
    for make in (
        parser_and_its_fork,
        branches,
        long_session,
        undo_and_edit,
        active_view,
        view_and_back,
        compacted_by_hand,
        small_ones,
    ):
        make(logs)
