"""The last clause of a query: which steps follow each other.

seq: tool_error -> same_call within 2 -> final_answer
seq: kind:search_action agent:analyst → -error within 1
"""

import re

from tapes_app.library.domain.tape_query.conditions import Sequence, StepPattern, StepTest
from tapes_app.library.domain.tape_query.fields import STEP_FIELDS, STEP_WORDS
from tapes_app.library.domain.tape_query.tokens import (
    STEP_VALUE,
    query_error,
    read_values,
    skip_blanks,
)
from tapes_app.library.domain.tape_query.values import closest

MOST_STEPS = 10
MOST_TESTS = 10
FARTHEST = 10_000
_ARROW = re.compile(r"->|→")
_WITHIN = re.compile(r"within\b", re.IGNORECASE)
_DISTANCE = re.compile(r"\s*(\d{1,9})(?:\s*steps?\b)?", re.ASCII | re.IGNORECASE)
_FIELD = re.compile(r"([A-Za-z][A-Za-z_-]*):")
_NAME = re.compile(r"[^\s()\",:→]+?(?=->|[\s()\",:→]|$)")
_SUGGESTION = "tool_error -> same_call within 2"


def read_sequence(text: str, start: int) -> Sequence:
    """Return the steps that a text describes, starting at a position.

    Raises:
        QueryError: the text cannot be parsed.
    """
    patterns: list[StepPattern] = []
    at = start
    while True:
        pattern, at = _read_pattern(text, at, is_first=not patterns)
        patterns.append(pattern)
        if len(patterns) > MOST_STEPS:
            raise query_error(f"A sequence can have at most {MOST_STEPS} steps.", at - 1, at)
        arrow = _ARROW.match(text, at)
        if arrow is None:
            return tuple(patterns)
        at = arrow.end()


def _read_pattern(text: str, start: int, *, is_first: bool) -> tuple[StepPattern, int]:
    tests: list[StepTest] = []
    within: int | None = None
    at = skip_blanks(text, start)
    while at < len(text) and not _ARROW.match(text, at):
        if _WITHIN.match(text, at) and tests:
            within, end = _read_distance(text, at)
            if is_first:
                raise query_error(
                    "'within' must follow a step that has another step before it.", at, end
                )
            at = skip_blanks(text, end)
            if at < len(text) and not _ARROW.match(text, at):
                raise query_error("Only '->' can follow 'within N'.", at, len(text), "")
            break
        test, at = _read_test(text, at)
        tests.append(test)
        if len(tests) > MOST_TESTS:
            raise query_error(f"A step can have at most {MOST_TESTS} conditions.", at - 1, at)
        at = skip_blanks(text, at)
    if not tests:
        is_bare = is_first and at >= len(text)
        raise query_error(
            "A step is missing here; write a sequence like: seq: tool_error -> same_call "
            "within 2 -> final_answer.",
            min(at, max(0, len(text) - 1)),
            min(at + 1, len(text)),
            f"{text[-1:]} {_SUGGESTION}" if is_bare else "",
        )
    return StepPattern(tuple(tests), within), at


def _read_distance(text: str, start: int) -> tuple[int, int]:
    word = _WITHIN.match(text, start)
    assert word is not None
    found = _DISTANCE.match(text, word.end())
    if found is None:
        raise query_error(
            "'within' must be followed by a number of steps.", start, word.end(), "within 2"
        )
    distance = int(found[1])
    if not 1 <= distance <= FARTHEST:
        raise query_error(
            f"'within' must be 1 to {FARTHEST:,} steps.", found.start(1), found.end(1)
        )
    return distance, found.end()


def _read_test(text: str, start: int) -> tuple[StepTest, int]:
    at = start
    is_negated = text[at] in "-!"
    if is_negated:
        at += 1
    field = _FIELD.match(text, at)
    if field is not None:
        return _read_field(text, field, is_negated=is_negated)
    found = _NAME.match(text, at)
    if found is None:
        raise query_error(
            "Describe a step with a word, such as tool_error, or with kind:, node:, agent: or "
            "tool:.",
            at if at < len(text) else start,
            min(at + 1, len(text)),
        )
    name = found.group()
    if name in STEP_WORDS:
        return StepTest(name, (), is_negated), found.end()
    near = closest(name.lower(), STEP_WORDS, 0.75)
    if near:
        raise query_error(
            f"There is no step word {name}; did you mean {near!r}? To match a kind, write "
            f"kind:{name}.",
            at,
            found.end(),
            near,
        )
    return StepTest("kind", (name,), is_negated), found.end()


def _read_field(text: str, field: re.Match[str], *, is_negated: bool) -> tuple[StepTest, int]:
    name = field[1].lower()
    values = read_values(text, field.end(), STEP_VALUE)
    end = values[-1].end if values else field.end()
    if name not in STEP_FIELDS and name not in ("family", "is"):
        near = closest(name, STEP_FIELDS)
        raise query_error(
            f"There is no step field {field[1]!r}; available: {', '.join(STEP_FIELDS)}.",
            field.start(),
            field.end(),
            f"{near}:" if near else "",
        )
    if not values:
        raise query_error(f"A value is missing after {name}:.", field.start(), field.end())
    if name in STEP_FIELDS:
        return StepTest(name, tuple(value.text for value in values), is_negated), end
    (first, *more) = values
    if more or first.text not in STEP_WORDS:
        raise query_error(
            f"{name}: must be one of {', '.join(STEP_WORDS)}.",
            first.start,
            end,
            closest(first.text.lower(), STEP_WORDS),
        )
    return StepTest(first.text, (), is_negated), end
