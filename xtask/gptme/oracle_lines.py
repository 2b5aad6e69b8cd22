"""Single message lines, sound and odd, for `oracle/lines.json`: a word on what is odd, and the line."""

import json

HEAD = '{"role": "user", "content": "a", "timestamp": "2026-01-02T03:04:05"'
"""A sound message, open for more members."""

BASE = HEAD + "}"


def also(members):
    """The sound message with more members."""
    return f"{HEAD}, {members}}}"


def at(timestamp):
    """The sound message with another timestamp, given as JSON."""
    return f'{{"role": "user", "content": "a", "timestamp": {timestamp}}}'


def saying(content):
    """The sound message with another content, given as JSON."""
    return f'{{"role": "user", "content": {content}, "timestamp": "2026-01-02T03:04:05"}}'


ALL_FIELDS = also(
    '"files": ["/tmp/convlog-fixtures/a.txt"], "file_hashes": {"/tmp/convlog-fixtures/a.txt": "0011223344556677"}, '
    '"pinned": true, "hide": true, "ui_only": true, "ephemeral_ttl": 2, "call_id": "c1", "metadata": {"model": "m"}'
)

LINES = [
    ("sound", BASE),
    ("all fields", ALL_FIELDS),
    ("compact separators", '{"role":"user","content":"a","timestamp":"2026-01-02T03:04:05"}'),
    (
        "other order of keys",
        '{"timestamp": "2026-01-02T03:04:05", "pinned": true, "content": "a", '
        '"metadata": {"b": 1, "a": 2}, "role": "user"}',
    ),
    ("raw UTF-8 is written as escapes", saying('"é 日 😀 \u2028"')),
    ("upper-case escapes become lower-case", saying('"\\u00E9 \\uD83D\\uDE00 \\/ \\u0041"')),
    ("blanks around", f"  \t{BASE}\r"),
    ("unicode blanks around", f"\u3000\u0085{BASE}\u2028"),
    ("blanks inside", '{ "role" : "user" , "content" :"a","timestamp": "2026-01-02T03:04:05" }'),
    ("a mark at the start", f"\ufeff{BASE}"),
    ("NULs before", f"\x00\x00\x00{BASE}"),
    ("NULs behind", f"{BASE}\x00\x00"),
    ("no JSON", "{not json}"),
    ("no object: list", '["metadata"]'),
    ("no object: string", '"user"'),
    ("no object: number", "5"),
    ("no object: null", "null"),
    ("empty object", "{}"),
    ("no role", '{"content": "a", "timestamp": "2026-01-02T03:04:05"}'),
    ("no content", '{"role": "user", "timestamp": "2026-01-02T03:04:05"}'),
    ("role of a wrong type", '{"role": 1, "content": "a"}'),
    ("role empty", '{"role": "", "content": "a", "timestamp": "2026-01-02T03:04:05"}'),
    ("role of its own", '{"role": "tool", "content": "a", "timestamp": "2026-01-02T03:04:05"}'),
    ("content null", saying("null")),
    ("content a list of parts", saying('[{"type": "text", "text": "q"}]')),
    ("two objects", BASE + BASE),
    ("two objects with a comma", f"{BASE}, {BASE}"),
    ("cut short", BASE[:40]),
    ("cut in an escape", '{"role": "user", "content": "a\\ud8'),
    ("raw control character", saying('"a\tb"')),
    ("escaped control characters", saying('"\\u0000\\u0001\\b\\f\\u007f\\u0080"')),
    ("invalid escape", saying('"\\d+"')),
    ("high surrogate alone", saying('"x\\ud83dy"')),
    ("low surrogate alone", saying('"x\\ude00y"')),
    ("surrogates the wrong way round", saying('"\\ude00\\ud83d"')),
    ("replacement character", saying('"\ufffd"')),
    ("no timestamp", '{"role": "user", "content": "a"}'),
    ("timestamp null", at("null")),
    ("timestamp a number", at("1700000000")),
    ("timestamp empty", at('""')),
    ("timestamp unreadable", at('"yesterday"')),
    ("timestamp with Z", at('"2026-01-02T03:04:05Z"')),
    ("timestamp compact", at('"20260102T030405,5+0530"')),
    ("timestamp beyond microseconds", at('"2026-01-02T03:04:05.123456789"')),
    ("timestamp with zero fraction", at('"2026-01-02T03:04:05.000000"')),
    ("timestamp T24:00", at('"2026-12-31T24:00"')),
    ("timestamp past the last day", at('"9999-12-31T24:00"')),
    ("timestamp at a leap second", at('"2016-12-31T23:59:60Z"')),
    ("timestamp with a blank before the offset", at('"2026-01-02T03:04:05 +00:00"')),
    ("timestamp with seconds in the offset", at('"1890-01-02T03:04:05+00:53:28"')),
    ("files null", also('"files": null')),
    ("files empty", also('"files": []')),
    ("files a string", also('"files": "ab"')),
    ("files an object", also('"files": {"x.txt": 1}')),
    ("files a number", also('"files": 5')),
    ("files holds a number", also('"files": [5]')),
    ("files holds null", also('"files": [null]')),
    ("files relative", also('"files": ["notes.md", "sub/../x.txt"]')),
    ("files not in plain form", also('"files": ["/tmp/convlog-fixtures//a/./b/", ""]')),
    (
        "files with URIs",
        also('"files": ["https://example.com/a//b/../c", "file:///x", "memo://n", "c:/x", "s3+x.y-z://k", "1a://k"]'),
    ),
    ("files with a NUL", also('"files": ["/tmp/convlog-fixtures/a\\u0000b"]')),
    ("file_hashes null", also('"file_hashes": null')),
    ("file_hashes null beside files", also('"files": ["/tmp/convlog-fixtures/a.txt"], "file_hashes": null')),
    ("file_hashes null beside a URI", also('"files": ["https://example.com/"], "file_hashes": null')),
    ("file_hashes a list beside files", also('"files": ["/tmp/convlog-fixtures/a.txt"], "file_hashes": ["x"]')),
    ("file_hashes an empty list beside files", also('"files": ["/tmp/convlog-fixtures/a.txt"], "file_hashes": []')),
    ("file_hashes a string", also('"file_hashes": "x"')),
    ("file_hashes with odd values", also('"file_hashes": {"a": 1, "b": null}')),
    ("pinned false", also('"pinned": false, "hide": false, "ui_only": false')),
    (
        "pinned null",
        also('"pinned": null, "hide": null, "ui_only": null, "ephemeral_ttl": null, "call_id": null, "metadata": null'),
    ),
    ("pinned odd", also('"pinned": "no", "hide": 1, "ui_only": [0]')),
    ("pinned zero", also('"pinned": 0, "hide": "", "ui_only": {}')),
    ("ephemeral_ttl zero", also('"ephemeral_ttl": 0')),
    ("ephemeral_ttl negative", also('"ephemeral_ttl": -3')),
    ("ephemeral_ttl a float", also('"ephemeral_ttl": 2.50')),
    ("ephemeral_ttl a string", also('"ephemeral_ttl": "2"')),
    ("ephemeral_ttl true", also('"ephemeral_ttl": true')),
    ("call_id empty", also('"call_id": ""')),
    ("call_id a number", also('"call_id": 7')),
    ("metadata empty", also('"metadata": {}')),
    ("metadata a list", also('"metadata": ["a"]')),
    ("metadata an empty list", also('"metadata": []')),
    ("metadata a string", also('"metadata": "usage"')),
    ("metadata false", also('"metadata": false')),
    ("metadata a number", also('"metadata": 1')),
    ("metadata flat", also('"metadata": {"model": "m", "output_tokens": 2, "cost": 0.50, "input_tokens": 1}')),
    ("metadata flat beside usage", also('"metadata": {"input_tokens": 1, "usage": {"input_tokens": 2}}')),
    ("usage of a wrong type", also('"metadata": {"usage": [1], "cost": "x"}')),
    ("not a number, infinities", also('"metadata": {"cost": NaN, "a": [Infinity, -Infinity]}')),
    (
        "numbers in other forms",
        also(
            '"metadata": {"a": 1.50, "b": 1E5, "c": 1e-7, "d": -0, "e": -0.0, '
            '"f": 1e400, "g": 100000000000000000000.0, "h": 0.1e1}'
        ),
    ),
    (
        "integers beyond 64 bits",
        also('"metadata": {"a": 18446744073709551617, "b": 9007199254740993, "c": -9223372036854775809}'),
    ),
    ("an integer of 4300 digits", also(f'"metadata": {{"a": {"9" * 4300}}}')),
    ("an integer of 4301 digits", also(f'"metadata": {{"a": {"9" * 4301}}}')),
    ("numbers that are none", also('"metadata": {"a": 01}')),
    ("a plus sign", also('"metadata": {"a": +1}')),
    ("nan in lower case", also('"metadata": {"a": nan}')),
    ("duplicate keys in metadata", also('"metadata": {"a": 1, "b": 2, "a": 3}')),
    ("duplicate content", '{"role": "user", "content": "a", "content": "b", "timestamp": "2026-01-02T03:04:05"}'),
    ("unknown keys", also('"future": {"x": 1}, "id": "m1"')),
    ("keys that are never stored", also('"quiet": true, "terminal_display_content": "t"')),
    ("nesting 200 deep", also(f'"metadata": {{"a": {"[" * 200}{"]" * 200}}}')),
    ("nesting 2,000 deep", also(f'"metadata": {{"a": {"[" * 2000}{"]" * 2000}}}')),
    ("a trailing comma", HEAD + ",}"),
    ("single quotes", BASE.replace('"', "'")),
    ("a comment", BASE + " // note"),
    ("an empty key", also('"": 1')),
    ("a long content", saying(json.dumps("ab\n" * 100))),
]
