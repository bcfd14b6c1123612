"""What a tape states about its task: which one, the expected and actual answer, the verdict.

Files record it in many ways, so metadata keys are looked up under several names, in this order: the
metadata itself, a `task` or `result` in it that is an object (GAIA, GSM8K), the context. An agent's
own claim of success inside a step is not a verdict and is not read.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tapes_app.engine.model.messages import content_text
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.thoughts import without_thoughts
from tapes_app.tapes.domain.answer_match import compare_answers

Outcome = Literal["", "pass", "fail"]

LONGEST_ANSWER = 10_000
"""How many characters are kept of an expected or an actual answer."""

_TASK_KEYS = ("task_id", "task", "question", "instance_id", "example_id")
_EXPECTED_KEYS = ("expected", "expected_answer", "final_answer", "gold", "ground_truth", "target")
_ACTUAL_KEYS = ("actual", "prediction", "model_answer")
_OUTCOME_KEYS = ("outcome", "success", "correct", "is_correct", "passed", "solved", "resolved")
_SCORE_KEYS = ("score", "reward")
_SAMPLE_EXPECTED_KEYS = ("value", "answer")
"""The keys of the reference answer where a complete example of a data set is stored."""

_TEXT_KEYS = ("answer", "value", "text", "content", "result", "message")
_ANSWER_WORDS = ("answer", "final", "submit", "finish")
_YES = frozenset({"pass", "passed", "success", "succeeded", "correct", "true", "yes", "solved"})
_NO = frozenset({"fail", "failed", "failure", "incorrect", "wrong", "false", "no", "unsolved"})
_LONGEST_NUMBER = 4_000
"""In bits."""

LOOKED_BACK = 20
"""How many steps at the end of a tape are searched for its answer."""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """Columns of a tape; an empty text or `None` if nothing is known."""

    task: str = ""
    expected: str = ""
    actual: str = ""
    outcome: Outcome = ""
    score: float | None = None


def read_task_outcome(
    metadata: Mapping[str, Any], context: Any, steps: Sequence[Step]
) -> TaskOutcome:
    """Return what a recorded tape states about its task.

    Answers are compared only if the file judges nothing: a score that is no verdict, or an outcome
    that is neither, stays one.
    """
    places = [_keys_of(place) for place in _places(metadata, context)]
    expected = _first_text(places, _EXPECTED_KEYS) or _sample_answer(places)
    actual = _first_text(places, _ACTUAL_KEYS, _answer_in) or _answer_in(metadata.get("result"))
    actual = actual or find_answer(steps)
    return TaskOutcome(
        task=_first_text(places, _TASK_KEYS),
        expected=expected,
        actual=actual,
        outcome=_stated_outcome(places)
        or ("" if _is_judged(places) else compare_answers(expected, actual)),
        score=_first_score(places),
    )


def find_answer(steps: Sequence[Step]) -> str:
    """Return what a tape answers at its end; empty when it ends with something else.

    An answer is a step whose kind indicates one (`gaia_answer_action`, `final_answer_action`), or
    an assistant's message without a tool call. Control steps after it do not count, nor do thoughts
    in front of its text.
    """
    found = find_answer_step(steps)
    return "" if found is None else _answer_text(steps[found].to_json())


def find_answer_step(steps: Sequence[Step]) -> int | None:
    """Return the position of the step with a tape's final answer; `None` if there is none."""
    for place in range(len(steps) - 1, max(-1, len(steps) - 1 - LOOKED_BACK), -1):
        step = steps[place]
        if family_of(step) == "control":
            continue
        return place if _is_answer(step.kind, step.to_json()) else None
    return None


def _is_answer(kind: str, body: Mapping[str, Any]) -> bool:
    if kind == "assistant":
        return not body.get("tool_calls")
    return any(word in kind.casefold() for word in _ANSWER_WORDS)


def _answer_text(body: Mapping[str, Any]) -> str:
    for name in _TEXT_KEYS:
        text = _answer_in(body.get(name)) or _answer_in(content_text(body.get(name)))
        if text:
            return text
    return ""


def _places(metadata: Mapping[str, Any], context: Any) -> Iterable[Mapping[str, Any]]:
    """Yield the objects in which keys are looked up, the more explicit first."""
    for place in (metadata, metadata.get("task"), metadata.get("result"), context):
        if isinstance(place, Mapping):
            yield place


def _keys_of(place: Mapping[str, Any]) -> dict[str, Any]:
    """Return a place with normalized keys: `Final answer` becomes `final_answer`."""
    keys: dict[str, Any] = {}
    for key, value in place.items():
        keys.setdefault(str(key).strip().casefold().replace(" ", "_").replace("-", "_"), value)
    return keys


def _first_text(
    places: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    read: Callable[[Any], str] | None = None,
) -> str:
    texts = ((read or _plain_text)(place.get(name)) for place in places for name in names)
    return next(filter(None, texts), "")


def _sample_answer(places: Sequence[Mapping[str, Any]]) -> str:
    samples = [place for place in places if "question" in place]
    return _first_text(samples, _SAMPLE_EXPECTED_KEYS)


def _stated_outcome(places: Sequence[Mapping[str, Any]]) -> Outcome:
    verdicts = (_read_verdict(place.get(name)) for place in places for name in _OUTCOME_KEYS)
    return next(filter(None, verdicts), "")


def _is_judged(places: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a file states a score, in whatever form, or an outcome in its own words."""
    judged = ("outcome", *_SCORE_KEYS)
    return any(place.get(name) not in (None, "") for place in places for name in judged)


def read_outcome(word: str) -> Outcome:
    """Return a stored outcome; any other value means not judged."""
    return "pass" if word == "pass" else "fail" if word == "fail" else ""


def _read_verdict(value: Any) -> Outcome:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    if isinstance(value, int | float) and value in {0, 1}:
        return "pass" if value else "fail"
    word = value.strip().casefold() if isinstance(value, str) else ""
    return "pass" if word in _YES else "fail" if word in _NO else ""


def _first_score(places: Sequence[Mapping[str, Any]]) -> float | None:
    scores = (_read_score(place.get(name)) for place in places for name in _SCORE_KEYS)
    return next((score for score in scores if score is not None), None)


def _read_score(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        score = float(value)
    except OverflowError:
        return None
    return score if math.isfinite(score) else None


def _answer_in(value: Any) -> str:
    """Return a value as the text of an answer, which has no thoughts in front of it."""
    return _plain_text(without_thoughts(value) if isinstance(value, str) else value)


def _plain_text(value: Any) -> str:
    """Return a scalar or a list of scalars as text; an object is not an answer."""
    if isinstance(value, str):
        return value[:LONGEST_ANSWER].strip()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        # Python refuses to write integers of thousands of digits.
        is_huge = isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER
        return "" if is_huge else str(value)
    if isinstance(value, list) and value and all(isinstance(item, str | int) for item in value):
        return ", ".join(filter(None, map(_plain_text, value[:100])))[:LONGEST_ANSWER]
    return ""
