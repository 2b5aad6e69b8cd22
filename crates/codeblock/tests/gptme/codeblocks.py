"""Answers, line by line, with what gptme makes of code blocks.

Each line of the input is a JSON object, each line of the output the answer to it:

{"markdown": text}               -> {"whole": [block, ...], "streaming": [block, ...]}
{"block": [lang, content, path]} -> {"xml": text, "markdown": text}
{"xml": text}                    -> {"block": block}, or {"error": text}
{"time": [text, ...]}            -> {"seconds": for one pass over the texts, "blocks": how many}

where a block is [lang, content, path, start, fence].
"""

import json
import sys
import time

from gptme.codeblock import Codeblock


def plain(block):
    return [block.lang, block.content, block.path, block.start, block.fence]


def answer(question):
    if "markdown" in question:
        text = question["markdown"]
        return {
            "whole": [plain(b) for b in Codeblock.iter_from_markdown(text)],
            "streaming": [plain(b) for b in Codeblock.iter_from_markdown(text, streaming=True)],
        }
    if "block" in question:
        block = Codeblock(*question["block"])
        return {"xml": block.to_xml(), "markdown": block.to_markdown()}
    if "xml" in question:
        try:
            return {"block": plain(Codeblock.from_xml(question["xml"]))}
        except Exception as error:  # whatever it raises is its answer
            return {"error": str(error)}
    begin = time.perf_counter()
    blocks = sum(len(Codeblock.iter_from_markdown(text)) for text in question["time"])
    return {"seconds": time.perf_counter() - begin, "blocks": blocks}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
