"""Takes off what a model thought aloud in front of its answer.

Where a server does not separate the two, thoughts come in the text, between marks that depend on
the model. What is recorded keeps them; whoever reads an answer reads what is left.
"""

import re
from heapq import merge
from typing import Any

from tapes_app.engine.tape.families import Family
from tapes_app.engine.tape.steps import Step, family_of

_OPENING = re.compile(
    r"<(?P<tag>think|thinking|thoughts?|reasoning|seed:think)(?:\s[^<>]{0,100})?>"
    r"|(?P<bracket>\[THINK\])|(?P<triangle>◁think▷)"
    r"|(?P<words><\|begin_of_thought\|>)|(?P<capital><\|START_THINKING\|>)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"</(?P<tag>think|thinking|thoughts?|reasoning|seed:think)\s?>"
    r"|(?P<bracket>\[/THINK\])|(?P<triangle>◁/think▷)"
    r"|(?P<words><\|end_of_thought\|>)|(?P<capital><\|END_THINKING\|>)",
    re.IGNORECASE,
)
"""What opens and what closes thoughts, in the ways of different models."""

_CHANNEL = re.compile(r"\s*(?:<\|start\|>assistant)?\s?<\|channel\|>")
_FINAL = re.compile(r"<\|channel\|>\s?final[^<]{0,100}(?:<\|constrain\|>[^<]{0,100})?<\|message\|>")
"""gpt-oss answers in channels, and only the final one is for people."""

_PLAIN_CHANNEL, _PLAIN_FINAL = "analysis", "assistantfinal"
"""The same after a server has taken out the special tokens and left the words."""

_ANSWER_BEGINS = re.compile(r"\s*(?:<\|begin_of_solution\|>|<\|START_RESPONSE\|>)")
_ANSWER_ENDS = ("<|return|>", "<|end|>", "<|end_of_solution|>", "<|END_RESPONSE|>")
_BLANKS = re.compile(r"\s*")
_QUOTES = frozenset("`'\"“”\u2018\u2019")


def without_thoughts(text: str) -> str:
    """Return an answer without the thoughts in front of it; empty if the thoughts never end.

    Only marks at the beginning of a text open thoughts. A closing mark alone ends them too, because
    some templates write the opening one into the prompt.
    """
    start, end = find_answer_range(text)
    return text[start:end].strip() if start else text


def split_thoughts(text: str) -> tuple[str, str]:
    """Return what is thought in front of an answer, without the marks around it, and the answer."""
    start, end = find_answer_range(text)
    if not start:
        return "", text
    thoughts = text[:start].strip()
    if opening := _OPENING.match(thoughts):
        thoughts = thoughts[opening.end() :]
    closings = list(_CLOSING.finditer(thoughts))
    if closings and closings[-1].end() == len(thoughts):
        thoughts = thoughts[: closings[-1].start()]
    return thoughts.strip(), text[start:end].strip()


def opens_thoughts(prompt: str) -> bool:
    """Return whether a prompt ends with the mark that opens thoughts."""
    openings = list(_OPENING.finditer(prompt))
    return bool(openings) and not prompt[openings[-1].end() :].strip()


def closes_thoughts(text: str) -> bool:
    """Return whether a text has a mark that closes thoughts."""
    return _CLOSING.search(text) is not None


def answered_json(step: Step) -> dict[str, Any]:
    """Return a step as JSON; if an agent wrote it, without the thoughts in front of its texts."""
    return answered_fields(step.to_json(), family_of(step))


def answered_fields(body: dict[str, Any], family: Family) -> dict[str, Any]:
    """Return the JSON of a step of a family; do the same as `answered_json`."""
    if family not in {"action", "thought"}:
        return body
    return {name: _answered(value) for name, value in body.items()}


def _answered(value: Any) -> Any:
    if isinstance(value, str):
        return without_thoughts(value)
    if isinstance(value, list):  # parts of a message, the thoughts in the first one with text
        first = next((at for at, part in enumerate(value) if _has_text(part)), None)
        if first is not None:
            part = {**value[first], "text": without_thoughts(value[first]["text"])}
            return [*value[:first], part, *value[first + 1 :]]
    return value


def _has_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def find_answer_range(text: str) -> tuple[int, int]:
    """Return where an answer starts and ends in a text, which without thoughts is all of it."""
    start = _find_channel(text) or _skip_blocks(text) or _find_lone_closing(text)
    if not start:
        return 0, len(text)
    if begins := _ANSWER_BEGINS.match(text, start):
        start = begins.end()
    end = len(text.rstrip())
    while mark := next((mark for mark in _ANSWER_ENDS if text.endswith(mark, start, end)), ""):
        end -= len(mark)
    return start, max(start, end)


def _find_channel(text: str) -> int:
    in_channel = _CHANNEL.match(text) is not None
    if in_channel or not _is_data(text):
        finals = [found.end() for found in _FINAL.finditer(text) if not _is_quoted(text, found)]
        if finals or in_channel:
            return finals[-1] if finals else len(text)
    if text.lstrip().startswith(_PLAIN_CHANNEL) and _PLAIN_FINAL in text:
        return text.index(_PLAIN_FINAL) + len(_PLAIN_FINAL)
    return 0


def _skip_blocks(text: str) -> int:
    """Return where the blocks of thoughts end that a text begins with; 0 if it has none."""
    at = 0
    while end := _find_block_end(text, _end_of_blanks(text, at)):
        at = end
    return at


def _find_block_end(text: str, start: int) -> int:
    """Return where a block ends: a block in it has its own end, unless its mark is only mentioned.

    Without any closing mark, everything is thought.
    """
    opening = _OPENING.match(text, start)
    if opening is None:
        return 0
    marks = (_OPENING.finditer(text, start), _CLOSING.finditer(text, start))
    depth, last = 0, len(text)
    for found in merge(*marks, key=re.Match.start):
        if _kind_of(found) != _kind_of(opening):
            continue
        depth += 1 if found.re is _OPENING else -1
        if found.re is _CLOSING:
            last = found.end()
        if depth == 0:
            break
    return last


def _kind_of(mark: re.Match[str]) -> str:
    return (mark["tag"] or mark.lastgroup or "").casefold()


def _find_lone_closing(text: str) -> int:
    if _is_data(text):
        return 0
    closings = (found for found in _CLOSING.finditer(text) if not _is_quoted(text, found))
    closing = next(closings, None)
    if closing is None or _OPENING.search(text, 0, closing.start()):
        return 0
    return closing.end()


def _is_data(text: str) -> bool:
    """Return whether a text looks like JSON or code, whose strings may mention any mark."""
    return text.lstrip().startswith(("{", "[", "```"))


def _is_quoted(text: str, found: re.Match[str]) -> bool:
    around = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
    return all(mark in _QUOTES for mark in around)


def _end_of_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at
