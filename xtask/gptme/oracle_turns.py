"""Logs for `oracle/next.json`: a word on the rule, and the messages as keyword arguments of gptme's `Message`."""

from gptme.constants import DECLINED_CONTENT, INTERRUPT_CONTENT, LLM_REQUEST_FAILED_PREFIX


def m(role, content="x", **fields):
    return {"role": role, "content": content, **fields}


U = m("user", "Do it.")
A = m("assistant", "Done.")
CALL = m("assistant", '@shell(c1): {"command": "ls"}')
S = m("system", "A plain notice.")
PROMPT = m("system", "You are gptme.", pinned=True)
RESULT = m("system", "ok", call_id="c1")
INTERRUPTED = m("system", INTERRUPT_CONTENT)
DECLINED = m("system", DECLINED_CONTENT)
FAILED = m("system", f"{LLM_REQUEST_FAILED_PREFIX} 503")
STOPPED = m("system", "Stopped after 3 steps", metadata={"max_steps_stop": True})
REMINDER = m("system", "Context is approaching its budget.", metadata={"compaction_reminder_view": ""})
RESUME = m("system", "# Agent Profile: explorer", pinned=True, metadata={"resume_key": "agent_profile"})
TOOL = m("tool", "result")


def stop(value):
    return m("system", "Stopped", metadata={"max_steps_stop": value})


TURNS = [
    ("empty", []),
    ("only a system message", [S]),
    ("only the prompt", [PROMPT]),
    ("no user message: result last", [PROMPT, CALL, RESULT]),
    ("no user message: tool role last", [PROMPT, TOOL]),
    ("user last", [PROMPT, U]),
    ("user last, empty content", [m("user", "")]),
    ("assistant last", [PROMPT, U, A]),
    ("assistant first and last", [A]),
    ("two users", [U, A, U, U]),
    ("result last", [U, CALL, RESULT]),
    ("plain system message last", [U, CALL, S]),
    ("tool role last", [U, CALL, TOOL]),
    ("unknown role last", [U, A, m("developer", "x")]),
    ("role in another case", [m("User", "x")]),
    ("interrupted last", [U, CALL, INTERRUPTED]),
    ("declined last", [U, CALL, DECLINED]),
    ("request failed last", [U, FAILED]),
    ("request failed, prefix alone", [U, m("system", LLM_REQUEST_FAILED_PREFIX)]),
    ("request failed, prefix not at the start", [U, m("system", f" {LLM_REQUEST_FAILED_PREFIX} 503")]),
    ("request failed in lower case", [U, m("system", "llm request failed: 503")]),
    ("max steps last", [U, CALL, STOPPED]),
    ("interrupted below a result", [U, CALL, INTERRUPTED, RESULT]),
    ("declined below two results", [U, CALL, DECLINED, RESULT, m("system", "skipped", call_id="c2")]),
    ("request failed below a notice", [U, FAILED, S]),
    ("max steps below a reminder", [U, CALL, STOPPED, REMINDER]),
    ("interrupted below the tool role", [U, CALL, INTERRUPTED, TOOL]),
    ("interrupted above a result", [U, CALL, RESULT, INTERRUPTED]),
    ("interrupted before the last user", [U, CALL, INTERRUPTED, U]),
    ("interrupted before the last assistant's result", [U, INTERRUPTED, CALL, RESULT]),
    ("interrupted, no user at all", [INTERRUPTED]),
    ("interrupt text with a call_id", [U, CALL, m("system", INTERRUPT_CONTENT, call_id="c1")]),
    ("interrupt text with an empty call_id", [U, CALL, m("system", INTERRUPT_CONTENT, call_id="")]),
    ("declined text with a call_id", [U, CALL, m("system", DECLINED_CONTENT, call_id="c1")]),
    ("failure text with a call_id", [U, CALL, m("system", f"{LLM_REQUEST_FAILED_PREFIX} 503", call_id="c1")]),
    ("max steps with a call_id", [U, CALL, {**STOPPED, "call_id": "c1"}]),
    ("interrupt text with a newline behind", [U, CALL, m("system", INTERRUPT_CONTENT + "\n")]),
    ("interrupt text with a blank before", [U, CALL, m("system", " " + INTERRUPT_CONTENT)]),
    ("interrupt text in lower case", [U, CALL, m("system", INTERRUPT_CONTENT.lower())]),
    ("interrupt text with more behind", [U, CALL, m("system", INTERRUPT_CONTENT + ".")]),
    ("declined text with a newline behind", [U, CALL, m("system", DECLINED_CONTENT + "\n")]),
    ("interrupt text said by the user", [A, m("user", INTERRUPT_CONTENT)]),
    ("interrupt text under the tool role", [U, CALL, m("tool", INTERRUPT_CONTENT)]),
    ("interrupt pinned", [U, CALL, {**INTERRUPTED, "pinned": True}]),
    ("max steps 1", [U, CALL, stop(1)]),
    ("max steps 1.0", [U, CALL, stop(1.0)]),
    ("max steps as text", [U, CALL, stop("true")]),
    ("max steps false", [U, CALL, stop(False)]),
    ("max steps null", [U, CALL, stop(None)]),
    ("max steps under the tool role", [U, CALL, m("tool", "x", metadata={"max_steps_stop": True})]),
    ("max steps on a user message", [A, m("user", "x", metadata={"max_steps_stop": True})]),
    ("pinned system message last", [U, CALL, m("system", "x", pinned=True)]),
    ("pinned user last", [m("user", "x", pinned=True)]),
    ("pinned result last", [U, CALL, {**RESULT, "pinned": True}]),
    ("pinned before the last", [m("user", "x", pinned=True), CALL, RESULT]),
    ("pinned tool role last", [U, CALL, m("tool", "x", pinned=True)]),
    ("reminder after the assistant", [U, A, REMINDER]),
    ("two reminders after the assistant", [U, A, REMINDER, REMINDER]),
    ("reminder after the user", [U, REMINDER]),
    ("reminder after a result", [U, CALL, RESULT, REMINDER]),
    ("result after a reminder after the assistant", [U, CALL, REMINDER, RESULT]),
    ("only a reminder", [REMINDER]),
    ("reminder with null", [U, A, m("system", "x", metadata={"compaction_reminder_view": None})]),
    ("reminder with a call_id", [U, A, {**REMINDER, "call_id": "c1"}]),
    ("reminder under the tool role", [U, A, m("tool", "x", metadata={"compaction_reminder_view": ""})]),
    ("reminder pinned after the user", [U, {**REMINDER, "pinned": True}]),
    (
        "reminder with interrupt text after a result",
        [U, CALL, RESULT, m("system", INTERRUPT_CONTENT, metadata={"compaction_reminder_view": ""})],
    ),
    ("assistant marked as a reminder", [U, m("assistant", "x", metadata={"compaction_reminder_view": ""})]),
    ("resume prompt after the assistant", [PROMPT, U, A, RESUME]),
    ("resume prompt after the user", [PROMPT, U, RESUME]),
    ("resume prompt after a result", [U, CALL, RESULT, RESUME]),
    ("resume prompt after an interrupt", [U, CALL, INTERRUPTED, RESUME]),
    ("two resume prompts after the user", [U, RESUME, RESUME]),
    ("resume prompt after a reminder after the assistant", [U, A, REMINDER, RESUME]),
    ("reminder after a resume prompt after the assistant", [U, A, RESUME, REMINDER]),
    ("reminder after a resume prompt after the user", [U, RESUME, REMINDER]),
    ("resume prompt after the pinned prompt", [U, PROMPT, RESUME]),
    ("resume prompt not pinned, after the user", [U, {**RESUME, "pinned": False}]),
    ("resume prompt not pinned, after the assistant", [U, A, {**RESUME, "pinned": False}]),
    ("resume prompt with an empty key", [U, A, m("system", "x", pinned=True, metadata={"resume_key": ""})]),
    ("resume prompt with null", [U, m("system", "x", pinned=True, metadata={"resume_key": None})]),
    ("resume prompt with a call_id", [U, {**RESUME, "call_id": "c1"}]),
    ("only resume prompts", [RESUME, RESUME]),
    ("the only user message has a resume key", [m("user", "x", metadata={"resume_key": "k"}), RESUME]),
    ("the last assistant has a resume key", [U, m("assistant", "x", metadata={"resume_key": "k"}), RESUME]),
    (
        "another resume key before, not pinned",
        [U, A, m("system", INTERRUPT_CONTENT, metadata={"resume_key": "other"}), RESUME],
    ),
    ("resume key on a pinned user message last", [U, A, m("user", "x", pinned=True, metadata={"resume_key": "k"})]),
    ("result after a resume prompt", [U, CALL, RESUME, RESULT]),
    ("resume prompt after max steps", [U, CALL, STOPPED, RESUME]),
]
