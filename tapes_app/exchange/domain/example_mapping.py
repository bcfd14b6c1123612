"""Which column of a file provides what of an example, and converting a row to an example."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from tapes_app.engine.environment.state import with_state
from tapes_app.engine.errors import StepError
from tapes_app.engine.frozen_model import FrozenModel, new_id
from tapes_app.engine.model.messages import canonical_json, digest_json
from tapes_app.engine.prompts.chat_messages import step_of_message
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Observation, Step
from tapes_app.engine.tape.tape import Split, Tape, TapeMetadata
from tapes_app.exchange.domain.example_cells import (
    RowProblem,
    read_attack,
    read_check,
    read_state,
)
from tapes_app.experiments.domain.attacks import Attack, with_attack
from tapes_app.interchange.openai_chat import is_message
from tapes_app.tapes.domain.task_outcome import LONGEST_ANSWER

DEEPEST = 4
"""How deeply a column may be nested within the row: `item.question`."""

LONGEST_ID = 200
EXAMPLE_KEY = "example"
"""The key under which a tape stores the columns of its row."""

ColumnName = Annotated[str, StringConstraints(max_length=500)]

_SPLITS: Mapping[str, Split] = {
    "train": "train", "training": "train",
    "validation": "validation", "val": "validation", "valid": "validation", "dev": "validation",
    "test": "test", "testing": "test", "eval": "test", "evaluation": "test",
}  # fmt: skip

_USUAL: Mapping[str, tuple[str, ...]] = {
    "message": ("input", "question", "message", "messages", "prompt", "query", "problem", "text",
                "instruction"),
    "expected": ("ideal", "expected", "expected_answer", "answer", "ground_truth", "correct_label",
                 "reference", "target", "label", "output", "final_answer"),
    "id": ("id", "example_id", "uuid", "task_id", "idx"),
    "task": ("task", "template", "cluster"),
    "split": ("split",),
    "check": ("checkpoints", "pass_check"),
    "state": ("environment_state", "initial_state", "set_up"),
    "attack": ("attack",),
}  # fmt: skip
PARTS = tuple(_USUAL)
"""The parts of an example that come from one column each."""


class ExampleMapping(FrozenModel):
    """Which column provides what; a nested column is written `item.question`, empty means none."""

    message: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    """The message to the agent: text, or a list of chat messages."""

    expected: ColumnName = ""
    """The right answer."""

    id: ColumnName = ""
    """Identifies an example: a second row with the same id is skipped."""

    task: ColumnName = ""
    """Examples of the same task form one cluster in statistics; defaults to the id."""

    split: ColumnName = ""
    """train, validation or test."""

    check: ColumnName = ""
    """What passes, instead of the expected answer: a check as JSON, or a list of checkpoints."""

    state: ColumnName = ""
    """The environment's state when a run begins: an object as JSON."""

    attack: ColumnName = ""
    """An instruction that is planted into an observation of each run: an attack as JSON."""

    all_in: Split = ""
    """The split of rows without one."""

    metadata: tuple[ColumnName, ...] = Field(default=(), max_length=200)
    """Columns that are stored with the tape but not shown to any agent."""

    @property
    def columns(self) -> tuple[str, ...]:
        named = (*(getattr(self, part) for part in PARTS), *self.metadata)
        return tuple(name for name in dict.fromkeys(named) if name)


@dataclass(frozen=True, slots=True)
class Example:
    """What a row becomes."""

    steps: tuple[Step, ...]
    expected: str
    id: str
    task: str
    split: Split
    metadata: dict[str, Any]
    check: dict[str, Any] | None = None
    """The check, in the form that Run N uses; `None`: the expected answer decides."""

    state: dict[str, Any] | None = None
    """The environment's state when a run begins; `None` if unspecified."""

    attack: Attack | None = None

    note: str = ""
    """What of the row was lost; empty if nothing was."""

    @property
    def digest(self) -> str:
        """Identifies equal examples, so that importing a file again creates no tapes twice."""
        steps = [step.to_json() | {"metadata": None} for step in self.steps]
        parts = [steps, self.expected, self.id, self.task, self.split, self.metadata]
        if self.check is not None:  # examples without one keep their previous digest
            parts.append(self.check)
        if self.state is not None:
            parts.append(["state", self.state])
        if self.attack is not None:
            parts.append(["attack", self.attack.model_dump(mode="json")])
        return digest_json([EXAMPLE_KEY, *parts]).hex()

    def write(self, author: str) -> Tape:
        task = {"task": self.task, "expected": self.expected}
        kept = {EXAMPLE_KEY: {"id": self.id, **self.metadata}} if self.id or self.metadata else {}
        first, *others = (step.with_metadata(id=new_id()) for step in self.steps)
        first = first if self.state is None else with_state(first, self.state)
        first = first if self.attack is None else with_attack(first, self.attack)
        steps = (first, *others)
        metadata = {"author": author, **{name: text for name, text in task.items() if text}, **kept}
        return Tape(metadata=TapeMetadata.model_validate(metadata), steps=steps)


def map_row(mapping: ExampleMapping, values: Mapping[str, Any]) -> Example:
    """Convert a row to an example.

    Raises:
        RowProblem: it lacks a message, or contains an invalid value.
    """
    steps = _read_steps(find_value(values, mapping.message), mapping.message)
    expected, note = _read_expected(_value(values, mapping.expected))
    example_id = _read_text(_value(values, mapping.id)).strip()
    if mapping.id and not example_id:
        raise RowProblem(f"no id in column {mapping.id!r}")
    if len(example_id) > LONGEST_ID:
        raise RowProblem(f"an id of more than {LONGEST_ID} characters")
    return Example(
        steps=steps,
        expected=expected,
        id=example_id,
        task=_read_text(_value(values, mapping.task)).strip() or example_id,
        split=_read_split(mapping, _value(values, mapping.split)),
        metadata={name: find_value(values, name) for name in mapping.metadata},
        check=read_check(_value(values, mapping.check)),
        state=read_state(_value(values, mapping.state)),
        attack=read_attack(_value(values, mapping.attack)),
        note=note,
    )


def find_value(values: Mapping[str, Any], column: str) -> Any:
    """Return the value of a column, or `None`. A name with dots leads to a nested column."""
    if column in values:
        return values[column]
    at: Any = values
    for name in column.split("."):
        if not isinstance(at, Mapping) or name not in at:
            return None
        at = at[name]
    return at


def list_columns(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the columns of the given rows in order, those of objects by their fields."""
    found: dict[str, None] = {}
    for row in rows:
        found |= dict.fromkeys(_columns_below(row, "", 1))
    return list(found)


def suggest_mapping(columns: Iterable[str]) -> ExampleMapping | None:
    """Return the mapping that the column names suggest; `None` if none looks like a message."""
    plain = {name.rpartition(".")[2].lower(): name for name in reversed(list(columns))}
    found = {
        part: next((plain[name] for name in names if name in plain), "")
        for part, names in _USUAL.items()
    }
    return ExampleMapping.model_validate(found) if found["message"] else None


def _columns_below(value: Mapping[str, Any], path: str, depth: int) -> Iterable[str]:
    for name, below in value.items():
        column = f"{path}{name}"
        if isinstance(below, Mapping) and below and depth < DEEPEST:
            yield from _columns_below(below, f"{column}.", depth + 1)
        else:
            yield column


def _value(values: Mapping[str, Any], column: str) -> Any:
    return find_value(values, column) if column else None


def _read_steps(value: Any, column: str) -> tuple[Step, ...]:
    if isinstance(value, list) and value and all(map(is_message, value)):
        return _read_messages(value)
    text = _read_text(value)
    if not text.strip():
        raise RowProblem(f"nothing in column {column!r}")
    return (UserStep(content=text),)


def _read_messages(messages: list[Any]) -> tuple[Step, ...]:
    try:
        steps = tuple(map(step_of_message, messages))
    except StepError as error:
        raise RowProblem(f"its messages cannot be read: {error.message.rstrip('.')}") from error
    if not all(isinstance(step, Observation) for step in steps):
        raise RowProblem(
            "its messages include answers of an assistant; a run begins with what a "
            "person or the environment said"
        )
    if not any(isinstance(step, UserStep) for step in steps):
        raise RowProblem("its messages have none by a person")
    return steps


def _read_expected(value: Any) -> tuple[str, str]:
    """Return the expected answer, and what of it is lost: there can be only one answer."""
    if isinstance(value, list):
        answers = [_read_text(one) for one in value]
        if len(set(answers)) > 1:
            return "", "several right answers, but an example has only one expected answer"
        value = answers[0] if answers else ""
    text = _read_text(value).strip()
    if len(text) > LONGEST_ANSWER:
        return "", f"an expected answer of more than {LONGEST_ANSWER:,} characters"
    return text, ""


def _read_split(mapping: ExampleMapping, value: Any) -> Split:
    name = _read_text(value).strip().lower()
    if not name:
        return mapping.all_in
    if name not in _SPLITS:
        raise RowProblem("a split that is neither train, nor validation, nor test")
    return _SPLITS[name]


def _read_text(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool() | int() | float():
            return json.dumps(value)
        case _:
            return canonical_json(value)
