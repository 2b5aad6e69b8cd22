"""Conversations that differ in what their messages hold: fields, metadata, attachments, texts, times."""

import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from gptme.config.models import MCPConfig, MCPServerConfig
from gptme.logmanager.conversations import rename_conversation
from gptme.model_attestation import (
    ModelIdentityClaim,
    ModelSelectionResolution,
    ModelSelectionSource,
    ModelSelectionTrace,
    set_selection_trace,
)
from gptme.util.uri import URI

from fixture_kit import SCRATCH, Session, scratch_file

SONNET = "anthropic/claude-sonnet-4-6"
GPT = "openai/gpt-5-mini"
PROMPT = ("system", "You are gptme, a helpful assistant that works in the terminal.", {"pinned": True, "hide": True})
TOOLS_PROMPT = (
    "system",
    "# Tools\n\n## shell\nRuns a command.\n\n## save\nWrites a file.",
    {"pinned": True, "hide": True},
)


def usage(model, cost, given, answered, **more):
    """Metadata as gptme stores it for an answer."""
    return {"model": model, "cost": cost, "usage": {"input_tokens": given, "output_tokens": answered, **more}}


def release_checklist(logs):
    """Every field of a message, an agent's settings in config.toml, a model selection trace."""
    scratch_file("agent/gptme.toml", '[agent]\nname = "Orbit"\n')
    notes = scratch_file("agent/CHANGELOG.md", "# Changelog\n\n## 2.4.0\n\n- faster start\n")
    config = {
        "name": "Release checklist",
        "model": SONNET,
        "tools": ["shell", "save", "patch"],
        "tool_format": "tool",
        "interactive": False,
        "max_tokens": 4096,
        "context_budget": 0.75,
        "temperature": 0.2,
        "top_p": 0.95,
        "workspace": SCRATCH / "agent",
        "agent": SCRATCH / "agent",
        "system_prompt": "Release engineer.\nNever push a tag without asking.",
        "agent_profile": "explorer",
        "env": {"GPTME_SHOW_WORKED": "1", "LANG": "de_DE.UTF-8"},
        "mcp": MCPConfig(enabled=True, servers=[MCPServerConfig(name="memo", url="https://mcp.example.com/v1")]),
        "allow_hosts": ["*.example.com", "docs.example.org"],
    }
    set_selection_trace(
        ModelSelectionTrace(
            selected_at=datetime(2026, 1, 14, 9, 30, tzinfo=UTC),
            selection=ModelSelectionResolution(
                source=ModelSelectionSource(kind="cli", value=SONNET),
                requested_model="sonnet",
                resolved_model=SONNET,
                transport_provider="anthropic",
                backend_provider="anthropic",
                alias_target=SONNET,
                resolution_notes=["alias of the day"],
            ),
            identity=ModelIdentityClaim(attestation_level="selection_only"),
        )
    )
    with Session(
        logs, "2026-01-14-release-checklist", datetime(2026, 1, 14, 9, 30), [PROMPT, TOOLS_PROMPT], config
    ) as s:
        s.user(
            "Is everything ready for 2.4.0? See the changelog and the issue.",
            files=[notes, URI("https://example.com/issues/812"), URI("memo://release/2.4.0")],
        )
        s.assistant(
            'I look at the tags first.\n\n@shell(call-7f3a-1): {"command": "git tag --list \'v2.*\'"}',
            metadata={
                **usage(
                    SONNET, 0.0123, 5210, 88, cache_read_tokens=4096, cache_creation_tokens=512, reasoning_tokens=0
                ),
                "served_model": "claude-sonnet-4-6-20260101",
                "resolved_model": SONNET + "@direct",
                "timings": {
                    "ttft_ms": 812.5,
                    "gen_ms": 2140,
                    "tool_ms": 33.25,
                    "tool_ms_by_name": {"shell": 33.25},
                },
                "reasoning_effort": "high",
                "input_log_messages": 3,
                "input_log_digest": "9f2c51",
                "input_log_model": SONNET,
            },
        )
        s.system(
            "Ran command: `git tag --list 'v2.*'`\n\n```stdout\nv2.3.0\nv2.3.1\n```",
            call_id="call-7f3a-1",
            metadata={"tool": "shell"},
        )
        s.system("⏳ Compacting the conversation …", ui_only=True)
        s.assistant("<think>The tag is still missing.</think>\nThe tag v2.4.0 does not exist yet.", ephemeral_ttl=2)
        s.system("The clock says 09:31.", hide=True, ephemeral_ttl=0)
        s.user("Make the tag, but do not push it.", pinned=True)
        s.assistant(
            '@shell(toolu_01-"quoted"\\x): {"command": "git tag v2.4.0"}',
            metadata={
                **usage(SONNET, 4.2e-05, 120, 14),
                "artifacts": [{"source_type": "workspace", "path": "CHANGELOG.md", "title": "Changelog"}],
                "thought_signatures": {"toolu_01": "c2lnbmF0dXJl"},
            },
        )
        s.system(
            "Ran command: `git tag v2.4.0`\n\nNo output.", call_id='toolu_01-"quoted"\\x', metadata={"tool": "shell"}
        )
        s.system("Context is approaching its compaction budget.", metadata={"compaction_reminder_view": ""})
        s.assistant("Done: v2.4.0 is tagged here and nothing was pushed.", metadata=usage(SONNET, 0.0009765625, 40, 21))
    set_selection_trace(None)
    # A user adds a comment and a table of their own; gptme's renaming keeps both.
    config_file = logs / "2026-01-14-release-checklist" / "config.toml"
    text = config_file.read_text()
    config_file.write_text("# kept by hand: do not archive\n" + text + "\n[notes]  # mine\nreviewed = true\n")
    rename_conversation("2026-01-14-release-checklist", "Release checklist (2.4.0)")


def cost_accounting(logs):
    """Metadata: floats of every shape, big integers, null, nesting, unicode keys, the old flat form, several models."""
    config = {"name": "Where did the money go?", "model": GPT, "workspace": SCRATCH / "billing"}
    (SCRATCH / "billing").mkdir(parents=True)
    with Session(logs, "2026-01-17-cost-accounting", datetime(2026, 1, 17, 16, 5), [PROMPT], config) as s:
        s.user("Sum up what the last runs cost.")
        s.assistant("The first run was almost free.", metadata=usage(GPT, 1e-07, 12, 3))
        s.assistant("The second was not.", metadata=usage(SONNET, 0.1, 30_000, 900, cache_read_tokens=28_000))
        s.assistant("Three times ten cents, added up.", metadata=usage(SONNET, 0.2, 1, 1))
        s.assistant(
            "Old flat counts.",
            metadata={
                "model": GPT,
                "cost": 0.30000000000000004,
                "input_tokens": 77,
                "output_tokens": 5,
                "cache_read_tokens": 60,
            },
        )
        s.system("Ran the report.", metadata={"tool": "ipython", "timings": {"tool_ms": 1e16, "tool_ms_by_name": {}}})
        s.assistant(
            "Extremes.",
            metadata={
                "model": GPT,
                "cost": 0,
                "usage": {"input_tokens": 9007199254740993, "output_tokens": 0},
                "floats": [
                    1e-07,
                    1e16,
                    1e15,
                    1e-05,
                    0.0001,
                    0.1,
                    5e-324,
                    1.7976931348623157e308,
                    -0.0,
                    1.0,
                    123456789.125,
                    2.5e-10,
                ],
                "integers": [0, -1, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64 + 1, -(2**63), -(2**63) - 1, 10**40],
                "flags": [True, False, None],
                "empty": {"list": [], "object": {}, "text": ""},
                "nested": [[1, [2, [3, [4.5, {"deep": [None, {"x": "y"}]}]]]], {"a": {"b": {"c": [True]}}}],
            },
        )
        s.assistant(
            "Keys of all kinds.",
            metadata={
                "größe": 1,
                "日本": "東京",
                "😀": ["🚀", "e\u0301"],
                "with space": 1,
                'quo"te': 2,
                "back\\slash": 3,
                "new\nline": 4,
                "": "empty key",
                "\u2028": "\u2029",
                "usage": {"input_tokens": 10, "output_tokens": None},
            },
        )
        s.system("A call came in.", metadata={"voice_call": {"from": "user", "to": "assistant"}})


def attachments(logs):
    """Files: suffixes, same names, same content, a changed file, links, relative paths, URIs, what is missing."""
    work = SCRATCH / "report"
    table = scratch_file("report/table.csv", "quarter,units\nQ1,120\n")
    readme = scratch_file("report/README", "Inputs of the quarterly report.\n")
    config = {"name": "Quarterly report", "workspace": work}
    first = [PROMPT, ("system", "# Workspace files\n\nREADME", {"files": [readme], "pinned": True})]
    with Session(logs, "2026-01-15-quarterly-report-files", datetime(2026, 1, 15, 10, 0), first, config) as s:
        s.user("Here is the table.", files=[table])
        s.assistant("120 units in Q1.")
        scratch_file("report/table.csv", "quarter,units\nQ1,120\nQ2,98\n")
        s.user("I have added Q2, look again.", files=[table])
        s.assistant("98 in Q2, 218 together.")
        s.user(
            "And the raw material.",
            files=[
                scratch_file("report/raw/archive.tar.gz", bytes(range(64))),
                scratch_file("report/raw/Scan 04.PDF", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n%%EOF\n"),
                scratch_file("report/raw/Makefile", "all:\n\tpandoc report.md\n"),
                scratch_file("report/raw/.gitignore", "*.tmp\n"),
                scratch_file("report/raw/.env.example", "REGION=north\n"),
                scratch_file("report/raw/trailing.", "a name that ends in a dot\n"),
                scratch_file("report/raw/empty.txt", ""),
                scratch_file("report/raw/Größen – 日本.md", "# Größen\n"),
            ],
        )
        s.user(
            "The same name twice, and the same content twice.",
            files=[
                scratch_file("report/north/notes.txt", "north is fine\n"),
                scratch_file("report/south/notes.txt", "south is late\n"),
                scratch_file("report/south/copy.txt", "north is fine\n"),
                scratch_file("report/south/copy.md", "north is fine\n"),
            ],
        )
        s.user(
            "What cannot be copied.",
            files=[
                work / "gone.txt",
                work / "raw",
                URI("https://example.com/chart.png?size=large#top"),
                URI("file:///tmp/convlog-fixtures/report/table.csv"),
            ],
        )
        link = work / "latest.csv"
        link.symlink_to("table.csv")
        s.user("By a link.", files=[link])
        os.chdir(work)
        scratch_file("report/draft.md", "# Draft 1\n")
        s.user("By relative paths.", files=[Path("draft.md"), Path("north/../table.csv")])
        s.assistant("I have all of them.", files=[work / "raw" / "Makefile"])
    # A day later: gptme takes what lies under the resolved path now for the relative attachment of the day before.
    scratch_file("report/draft.md", "# Draft 2\n")
    with Session(logs, "2026-01-15-quarterly-report-files", datetime(2026, 1, 16, 8, 0)) as s:
        s.user("I have changed the draft.", files=[Path("draft.md")])
    os.chdir("/")


def texts(logs):
    """Text beyond ASCII, on main and on a branch with a name beyond ASCII."""
    with Session(
        logs,
        "2026-02-02-translating-the-guide",
        datetime(2026, 2, 2, 11, 11),
        [PROMPT],
        {"name": "Übersetzung 📖", "workspace": SCRATCH},
    ) as s:
        s.user("Bitte übersetze »Schnellstart« ins Japanische und Arabische.")
        s.assistant("日本語：クイックスタート。中文：快速入门。한국어: 빠른 시작.")
        s.user("Emoji: 😀 👍🏽 👩‍👩‍👧‍👦 🇯🇵 ❤️ and the keycap 1️⃣.")
        s.assistant("Combining: e\u0301 a\u0308 n\u0303 \u0915\u094d\u0937 Z\u0351\u036b\u0343; composed: é ä ñ.")
        s.user("RTL: \u202bשלום\u202c and مرحبا \u200f(\u200e42\u200f).")
        s.assistant("Astral: 𝒜 𐍈 𠜎 \U0010fffd, and the noncharacter \U0001ffff.")
        s.user("Separators: a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\x1dh\x1ei\u00a0j\u3000k\ufeffl\u200bm.")
        s.assistant("Controls: \x00 \x01 \x07 \x08 \t \x0b \x0c \x1b[31mred\x1b[0m \x1f \x7f \x80 \x9f end.")
        s.user("\ufeffA message that starts with a mark and ends in blanks.  \u3000\n\n\t ")
        s.assistant("")
        s.user(" ")
        s.system("\n")
        s.branch("entwurf-日本語")
        s.user("ではもう一度、丁寧に。")
        s.assistant("かしこまりました。『はじめに』ではいかがでしょうか。")
        s.branch("main")
        s.user("Quotes: \"double\" 'single' `tick` \\ / </script> &amp; %s {} $HOME")


def odd_values(logs):
    """What JSON proper cannot say, yet gptme writes: lone surrogates, NaN and infinities; and a role of its own."""
    with Session(logs, "2026-02-03-flaky-provider", datetime(2026, 2, 3, 23, 50), [PROMPT]) as s:
        s.user("Try the new provider.")
        s.assistant(
            "It cut a character in half: x\ud83dy and y\ude00x.",
            metadata={"model": "local/tiny", "half \udc80": "\udfff\ud800"},
        )
        s.assistant(
            "the the the the",
            metadata={
                "degeneration": {"provider": "local", "score": float("nan"), "retried": True},
                "bounds": [float("-inf"), float("inf")],
            },
        )
        s.say("tool", "A result under a role of its own.", call_id="t-1")
        s.user("Enough, back to the old one.")


def times(logs):
    """Timestamps: naive with and without fraction, offsets, far years, out of order, equal."""
    rome = timezone(timedelta(hours=1))
    moments = [
        datetime(2026, 2, 7, 8, 0, 0),
        datetime(2026, 2, 7, 8, 0, 0, 1),
        datetime(2026, 2, 7, 8, 0, 0, 100_000),
        datetime(2026, 2, 7, 8, 0, 0, 999_999),
        datetime(2026, 2, 7, 8, 0, 1, 123_456, tzinfo=UTC),
        datetime(2026, 2, 7, 9, 0, 2, tzinfo=rome),
        datetime(2026, 2, 7, 13, 30, 3, 5, tzinfo=timezone(timedelta(hours=5, minutes=30))),
        datetime(2026, 2, 6, 22, 45, 4, tzinfo=timezone(-timedelta(hours=9, minutes=15))),
        datetime(2026, 2, 7, 7, 59, 59),
        datetime(2026, 2, 7, 7, 59, 59),
        datetime(2024, 2, 29, 23, 59, 59, 999_999),
        datetime(1969, 12, 31, 23, 59, 59),
        datetime(1, 1, 1),
        datetime(9999, 12, 31, 23, 59, 59, 999_999),
        datetime(2026, 2, 7, 8, 1, tzinfo=timezone(timedelta(hours=23, minutes=59))),
        datetime(2026, 2, 7, 8, 1, tzinfo=timezone(-timedelta(hours=23, minutes=59))),
    ]
    with Session(logs, "2026-02-07-clocks-and-zones", datetime(2026, 2, 7, 8, 0)) as s:
        for index, moment in enumerate(moments):
            s.say("user" if index % 2 == 0 else "assistant", f"Entry {index + 1} of the log.", moment)
    rename_conversation("2026-02-07-clocks-and-zones", "Clocks & zones")


def windows(logs):
    """Windows-style text, paths full of backslashes, code blocks of all fences, think sections, TOML look-alikes."""
    with Session(
        logs,
        "2026-02-09-installer-on-windows",
        datetime(2026, 2, 9, 14, 20),
        [PROMPT],
        {"model": GPT, "workspace": SCRATCH},
    ) as s:
        s.user("Line one\r\nLine two\r\n\r\nThe path is C:\\new\\table\\u0041 and \\\\server\\share\\.\r\n")
        s.assistant(
            "<thinking>\r\nBackslashes again.\r\n</thinking>\r\n\r\n"
            "```powershell\r\nGet-ChildItem C:\\new | Select Name\r\n```"
        )
        s.system("Ran code block\n\n```stdout\nC:\\new\\a.txt\r\nC:\\new\\b.txt\r\n```", metadata={"tool": "shell"})
        s.assistant("`````save notes.md\n# Notes\n\n````markdown\n```python\nprint('inner')\n```\n````\n`````")
        s.user("lone CR\rhere, tab\there, \\n literal, \\d+\\n\\nabla, ends in a backslash \\")
        s.assistant(
            'See [message] and [[messages]].\n\n[[messages]]\nrole = "user"\ncontent = """\nnot a message\n"""\n\'\'\''
        )
        s.user("~~~sh\necho tilde\n~~~\n\n```\nno language\n```\n\n```python\nx = 1\n```trailing\n\n```open at the end")
        s.assistant("<think>An open thought that\nnever ends ``` and shows nothing")
        s.assistant("<think>first</think>Visible <thinking>second</thinking>answer: " + "word " * 40)


def build_log(logs):
    """One tool result of about 60 KB, and an answer to it."""
    rows = [
        f"[{n:03d}/900] cc -O2 -c src/mod_{n * 37 % 997:03d}.c -o build/mod_{n * 37 % 997:03d}.o  # {n * n % 9973} B"
        for n in range(1, 901)
    ]
    rows += [f"warning: unused variable 'tmp{n}' [-Wunused-variable]" for n in range(1, 31)]
    with Session(
        logs,
        "2026-02-05-reading-the-build-log",
        datetime(2026, 2, 5, 7, 45),
        [PROMPT],
        {"name": "Build log", "workspace": SCRATCH},
    ) as s:
        s.user("Why does the build take so long?")
        s.assistant('@shell(call-build): {"command": "make -j1 2>&1"}', metadata=usage(SONNET, 0.003, 800, 25))
        s.system(
            "Ran command: `make -j1 2>&1`\n\n```stdout\n" + "\n".join(rows) + "\n```",
            call_id="call-build",
            metadata={"tool": "shell", "timings": {"tool_ms": 184_220.75}},
        )
        s.assistant(
            "It compiles 900 files one after the other. Try `make -j8`.", metadata=usage(SONNET, 0.031, 21_480, 40)
        )
        s.user("That helped, thank you.")


def build(logs):
    for make in (release_checklist, cost_accounting, attachments, texts, odd_values, times, windows, build_log):
        make(logs)
