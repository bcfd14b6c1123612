"""Definitions of OpenAI Evals: which of their graders have an equal here, and which do not.

A definition is what `GET /v1/evals/{id}` returns and `POST /v1/evals` accepts, or just its graders.
Nothing in it is executed, and its texts are only ever treated as text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from pydantic import ValidationError

from optimize_app.evaluation.scoring.scorers import (
    CheckScorer,
    ExactScorer,
    JudgeScorer,
    Scorer,
    describe_scorer,
)
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.model.messages import content_text
from tapes_app.experiments.domain.check_kinds import ExpressionCheck, TextCheck

MOST_GRADERS = 100
_NAME_LENGTH = 200

_TEMPLATE = re.compile(r"\{\{([^{}]{1,500})\}\}")
_OUTPUTS = frozenset({"sample.output_text", "sample.output"})
_KINDS: Mapping[str, Literal["equals", "contains", "differs"]] = {
    "eq": "equals", "ne": "differs", "like": "contains", "ilike": "contains",
}  # fmt: skip
_SIMILARITY = (
    "the similarity of two texts has no equal here; ask whether the answer contains the expected "
    "one, or a judge"
)
_CODE = "code from a file is not run here; write it as an expression or as a judge's rubric"


@dataclass(frozen=True, slots=True)
class MappedGrader:
    """A grader of a definition: as a scorer, or with the reason why it cannot be one."""

    name: str
    type: str
    scorer: Scorer | None
    words: str
    """What passes, in a sentence; empty if it is not mapped."""

    problem: str
    """Why it is not mapped, as a clause; empty if it is."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of the data that an example was made of."""

    message: str = ""
    expected: str = ""


class _Unmapped(Exception):  # noqa: N818 - it never leaves the module
    """Why a grader has no equal: a clause."""


def map_definition(
    definition: Mapping[str, Any], columns: Columns, *, judge: UUID | None
) -> list[MappedGrader]:
    """Return the graders of a definition as scorers, as far as they have an equal here.

    `judge` is the model that replaces the ones in the definition.

    Raises:
        InvalidInputError: the definition has no graders.
    """
    graders = _list_graders(definition)
    if not graders:
        raise InvalidInputError(
            "The definition has no graders: it needs testing_criteria, a list of objects with a "
            "type."
        )
    if len(graders) > MOST_GRADERS:
        raise InvalidInputError(f"The definition has more than {MOST_GRADERS} graders.")
    return [_map(number, one, columns, judge) for number, one in enumerate(graders, start=1)]


def _list_graders(definition: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = definition.get("testing_criteria") or definition.get("graders")
    if isinstance(found, Mapping):
        found = [{"name": name, **one} for name, one in found.items() if isinstance(one, Mapping)]
    if found is None and "type" in definition:
        found = [definition]
    listed = found if isinstance(found, list) else []
    return [part for one in listed if isinstance(one, Mapping) for part in _parts_of(one)]


def _parts_of(grader: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a grader and, after a combined one, the graders that it consists of."""
    yield grader
    inner = grader.get("graders")
    if grader.get("type") == "multi" and isinstance(inner, Mapping):
        yield from (
            {"name": name, **one} for name, one in inner.items() if isinstance(one, Mapping)
        )


def _map(
    number: int, grader: Mapping[str, Any], columns: Columns, judge: UUID | None
) -> MappedGrader:
    kind = _text(grader, "type")
    name = " ".join(_text(grader, "name").split())[:_NAME_LENGTH] or f"{kind or 'grader'} {number}"
    try:
        scorer = _scorer_of(kind, grader, columns, judge)
    except _Unmapped as problem:
        return MappedGrader(name, kind, None, "", str(problem))
    except (ValidationError, InvalidInputError):
        return MappedGrader(name, kind, None, "", "one of its texts is empty or too long")
    return MappedGrader(name, kind, scorer, describe_scorer(scorer), "")


def _scorer_of(
    kind: str, grader: Mapping[str, Any], columns: Columns, judge: UUID | None
) -> Scorer:
    match kind:
        case "string_check":
            return _string_check(grader, columns)
        case "label_model":
            return _label_model(grader, columns, judge)
        case "score_model":
            return _score_model(grader, columns, judge)
        case "text_similarity":
            raise _Unmapped(_SIMILARITY)
        case "python":
            raise _Unmapped(_CODE)
        case "multi":
            raise _Unmapped("its formula has no equal here; its parts follow separately")
        case _:
            raise _Unmapped("its type is not known here")


def _string_check(grader: Mapping[str, Any], columns: Columns) -> Scorer:
    if _only_template(_text(grader, "input")) not in _OUTPUTS:
        raise _Unmapped("it checks more than the output text")
    operation = _text(grader, "operation")
    kind = _KINDS.get(operation)
    if kind is None:
        raise _Unmapped(f"its operation {operation[:40]!r} is not known here")
    reference = _text(grader, "reference")
    column = _only_template(reference)
    if column is not None:
        _require_expected(column, columns)
        return ExactScorer(kind=kind, ignores_case=operation == "ilike")
    if _TEMPLATE.search(reference):
        raise _Unmapped("its reference mixes columns and words")
    if operation == "ne":
        literal = json.dumps(reference.strip(), ensure_ascii=False).replace("`", "\\`")
        return CheckScorer(check=ExpressionCheck(expression=f"text != `{literal}`"))
    check = TextCheck(
        kind="equals" if operation == "eq" else "contains",
        text=reference,
        ignores_case=operation == "ilike",
    )
    return CheckScorer(check=check)


def _label_model(grader: Mapping[str, Any], columns: Columns, judge: UUID | None) -> Scorer:
    labels, passing = _texts(grader, "labels"), _texts(grader, "passing_labels")
    if not labels or not passing:
        raise _Unmapped("it has no labels, or none that passes")
    rubric = (
        f"{_read_prompt(grader, columns)}\n\nDecide on one of these labels: {', '.join(labels)}. "
        f"The score is 1 for {' or '.join(passing)}, and 0 for any other."
    )
    return JudgeScorer(model_id=_require_judge(judge), rubric=rubric)


def _score_model(grader: Mapping[str, Any], columns: Columns, judge: UUID | None) -> Scorer:
    low, high = _read_range(grader.get("range"))
    threshold = grader.get("pass_threshold")
    if threshold is None:
        threshold = (low + high) / 2
    if not isinstance(threshold, int | float) or not low <= threshold <= high:
        raise _Unmapped("its threshold is outside its range")
    rubric = _read_prompt(grader, columns)
    if (low, high) != (0, 1):
        rubric += (
            f"\n\nWhere this speaks of a rating from {low:g} to {high:g}, the score is (rating - "
            f"{low:g}) / {high - low:g}."
        )
    return JudgeScorer(
        model_id=_require_judge(judge),
        rubric=rubric,
        pass_score=(threshold - low) / (high - low),
    )


def _read_range(value: Any) -> tuple[float, float]:
    match value:
        case None:
            return 0, 1
        case [int() | float() as low, int() | float() as high] if low < high:
            return low, high
        case _:
            raise _Unmapped("its range is not two numbers")


def _read_prompt(grader: Mapping[str, Any], columns: Columns) -> str:
    """Return a model grader's prompt, with a description in place of each column it refers to."""
    messages = grader.get("input")
    parts = messages if isinstance(messages, list) else []
    texts = [_message_text(part) for part in parts if isinstance(part, Mapping)]
    prompt = "\n\n".join(filter(None, texts))
    if not prompt:
        raise _Unmapped("it has no messages")

    def name(match: re.Match[str]) -> str:
        return _name_column(_column_in(match), columns)

    return _TEMPLATE.sub(name, prompt)


def _message_text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, Mapping):
        content = [content]
    if isinstance(content, list):
        words = (one.get("text") for one in content if isinstance(one, Mapping))
        return "\n".join(word for word in words if isinstance(word, str))
    return content_text(content)


def _name_column(column: str, columns: Columns) -> str:
    if column in _OUTPUTS:
        return "[the final answer]"
    if _is(column, columns.expected):
        return "[the expected answer]"
    if _is(column, columns.message):
        return "[the task]"
    raise _Unmapped(f"its prompt shows {column[:80]!r}, which a judge does not see here")


def _require_expected(column: str, columns: Columns) -> None:
    if not _is(column, columns.expected):
        expected = columns.expected or "none"
        raise _Unmapped(
            f"it compares with {column[:80]!r}, and the expected answer is {expected[:80]!r}"
        )


def _require_judge(judge: UUID | None) -> UUID:
    if judge is None:
        raise _Unmapped("no model is chosen to judge in place of its own")
    return judge


def _is(column: str, mapped: str) -> bool:
    """Check whether a column is the mapped one; files may or may not write `item.` before it."""
    return bool(mapped) and column.removeprefix("item.") == mapped.removeprefix("item.")


def _only_template(text: str) -> str | None:
    match = _TEMPLATE.fullmatch(text.strip())
    return _column_in(match) if match else None


def _column_in(match: re.Match[str]) -> str:
    """Return the column that a template names, without a filter after it."""
    return match.group(1).partition("|")[0].strip()


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""


def _texts(values: Mapping[str, Any], name: str) -> list[str]:
    found = values.get(name)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
