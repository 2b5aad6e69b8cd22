"""Texts for `oracle/timestamps.json` (ISO 8601, its relatives and near misses) and `oracle/preview.json`."""

import itertools

DATES = """
    2026-01-02 20260102 2026-01 2026 202601 26-01-02 2026-1-2 2026-01-2 2026-13-01 2026-00-10 2026-02-29 2024-02-29
    2026-02-30 2026-01-00 2026-01-32 2026-0102 202601-02 2026/01/02 0000-01-01 0001-01-01 9999-12-31 10000-01-01
    -2026-01-02 +2026-01-02 +02026-01-02 2026-01-02-03 1_26-01-02 2026-+1-02 2026--1-02 2026-01-+2 2026-01-_2 20-6-01-02
""".split()
DATES += ["2026-01- 2", "2026- 1-02", " 2026-01-02", "2026-01-02 ", "2026 01 02", "\t2026-01-02", "2026-01-02\n"]
DATES += [" 026-01-02", "２０２６-01-02", "2026-01-٠٢", "\ufeff2026-01-02"]

WEEKS_AND_DAYS = """
    2026-W01 2026W01 2026-W01-3 2026W013 2026-W013 2026W01-3 2026-W53-7 2026-W54-1 2026-W00-1 2026-W01-0 2026-W01-8
    2020-W53-5 2026-w01-3 0001-W01-1 9999-W52-5 9999-W52-6 9999-W53-7 2026-W1-3 2026-W+1-3 2026-W01-
    2026-001 2026001 2026-002 2026-365 2026-366 2024-366 2026-000 2026-1 2026-01- 2026-+01 2026-1_0
""".split()

TIMES = """
    03 03:04 0304 03:04:05 030405 3:04:05 03:4:05 03:04:5 03:0405 0304:05 03:04: 03: 24 24:00 24:00:00 2400 24:00:00.000
    24:00:01 24:01 24:00:00.000001 25:00:00 03:60:00 03:04:60 03:04:61 23:59:60 03:04:05. 03:04:05, 03:04:05.a 03.5
    03:04.5 03:04,5 0304.5 -3:04:05 03:-4:05 +3:04:05 03:04:+5 03:04:5_ 03:04:05:06 03:04:05.1.2 0 03:04:05x 03:04:05.1x
    03:04:05,5 03:04:05,123456789 030405.25 030405,123 03:04:05.000000 03:04:05.9999999 03:04:05.000000999
""".split()
TIMES += [f"03:04:05.{'123456789012'[:digits]}" for digits in range(1, 13)]
TIMES += ["", " 3:04:05", "03: 4:05", "03:04: 5", "03:04:05 ", "03:04:05.1 ", "۰۳:04:05", "03:04:05\u0000"]

OFFSETS = """
    Z z +05 +0530 +05:30 -05 -0530 -05:30 +00 +0000 +00:00 -00 -0000 -00:00 +23:59 -23:59 +24:00 +24 +05:60 +0560 +5
    +5:30 +053 +05:3 +05:30:15 +053015 +05:30:00 Z+00:00 ZZ UTC GMT +-5:30 ++5 -+5 +05-30 +05:+3 +99:99 +00:60 Z0 +0_:30
    --05
""".split()
OFFSETS += [" Z", " +05:30", " +0530", "Z ", "+05:30 ", "+ 5:30", "+ 5", "+0 :00", " UTC", "\u221205:30", "Ｚ", "Ω"]
OFFSETS += [" [Europe/Rome]", "[Europe/Rome]", "\ud83d"]

SEPARATORS = [
    "T",
    " ",
    "t",
    "_",
    "-",
    "/",
    "x",
    "5",
    "",
    "TT",
    "  ",
    "T ",
    "\u00a0",
    "\t",
    ":",
    ".",
    ",",
    "Z",
    "W",
    "+",
]
SEPARATORS += ["\n"]

WHOLE = """
    2026-01-02Z 2026-01-02+05:30 2026-01-02TZ 2026-01-02T+05:30 T03:04:05 03:04:05 0 Z T now yesterday null 1700000000
    1700000000.5 2026-01-02T03:04:05.123456+05:30 2026-01-02T03:04:05.123456Z 2024-12-31T24:00:00 2026-12-31T24:00:00Z
    2026-02-28T24:00:00 2024-02-28T24:00 9999-12-31T24:00 9999-12-31T23:59:59.999999 9999-12-31T23:59:59-23:59
    0001-01-01T00:00 0001-01-01T00:00:00+23:59 2026-06-30T23:59:60Z 2016-12-31T23:59:60 2016-12-31T23:59:60.5Z
""".split()
WHOLE += ["", " ", "2026-01-02 03:04:05.123456", "2026-01-02 03:04:05+00:00", "Fri, 02 Jan 2026 03:04:05 GMT"]


def timestamp_texts():
    """Each kind of part beside sound ones, then the parts combined."""
    texts = DATES + WEEKS_AND_DAYS + WHOLE
    texts += [f"2026-01-02T{time}" for time in TIMES]
    texts += [f"2026-01-02T03:04:05{offset}" for offset in OFFSETS]
    texts += [f"2026-01-02{separator}03:04:05" for separator in SEPARATORS]
    dates = ("20260102", "2026-W01-3", "2026W013", "2026-002", "2026-01", "2026")
    times = ("03", "030405Z", "24:00", "03:04:05,5+0530")
    texts += [f"{date}T{time}" for date, time in itertools.product(dates, times)]
    times = ("03", "03:04", "0304", "03:04:05.5", "24:00", "03:04:60")
    offsets = ("Z", "+05", "-0530", "+05:30", " Z", "z")
    texts += [f"2026-01-02T{time}{offset}" for time, offset in itertools.product(times, offsets)]
    return list(dict.fromkeys(texts))


PREVIEWS = [
    *("", " ", "\n\t\r", "plain", "  blanks around  ", "two\n\nparagraphs\tand  tabs"),
    *("a" * 99, "a" * 100, "a" * 101, "é" * 101, "😀" * 101, "e\u0301" * 60),
    *("word " * 20, "word " * 21, "a" * 100 + " ", "a" * 99 + " b"),
    *("<think>hidden</think>", "<think>hidden</think> shown", "<think></think><thinking></thinking>"),
    "shown <thinking>hidden\nover lines</thinking> shown too",
    "<think>one</think>mid<think>two</think>end",
    "a <think>b</think>   c",
    *("<think>open to the end", "before <thinking>open\nto the end", "</think> closed only"),
    *("<think>mixed</thinking>tail", "<think>outer <think>inner</think> rest</think> after"),
    *("<Think>upper case</Think>", "<think >blank inside</think>", "<thinkin>no</thinkin> <thin"),
    "a\u0085b\u2028c\u2029d\u00a0e\u3000f\x1cg\x1dh\x1ei\x1fj\x0bk\x0cl",
    *("zero\u200bwidth \ufeff mark \ufeff", "\u200b", "x\u180ey", "\u001f lead"),
    *("nul \x00 inside", "\x00", "half \ud83d pair"),
    "```python\nprint(1)\n```\n\nthen text",
]
"""Contents of a user's message."""

PREVIEW_LINES = [
    '{"role": "system", "content": "a"}',
    '{"role": "tool", "content": "user"}',
    '{"role": "user"}',
    '{"role": "user", "content": null}',
    '{"role": "user", "content": 5}',
    '{"role": "user", "content": ["a"]}',
    '{"role": "assistant", "content": "cut',
    '["user"]',
    '"user"',
    "null",
    '{"content": "no role"}',
    '{"role": "user", "content": "first", "content": "second"}',
]
"""Whole lines."""
