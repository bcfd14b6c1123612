"""The fields of the query language: their names, what they take, and what they mean."""

from dataclasses import dataclass
from typing import Literal

FieldType = Literal["text", "choice", "count", "dollars", "seconds", "number", "moment"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field that a query may use."""

    name: str
    type: FieldType
    help: str
    choices: tuple[str, ...] = ()
    """For a choice: all allowed values."""

    @property
    def is_ordered(self) -> bool:
        """Whether `<` and `>` may follow."""
        return self.type not in ("text", "choice")


_ALL = (
    Field("agent", "text", "agent that made the tape"),
    Field("author", "text", "who wrote the tape"),
    Field("batch", "text", "batch, by name or id"),
    Field("dataset", "text", "dataset that contains it, by name or id"),
    Field("task", "text", "task that it attempts"),
    Field("outcome", "choice", "whether it completed its task", ("pass", "fail", "none")),
    Field("score", "number", "score for its task"),
    Field("steps", "count", "number of steps"),
    Field("errors", "count", "number of steps that report an error"),
    Field("calls", "count", "number of LLM calls"),
    Field("cost", "dollars", "cost of its LLM calls in US dollars"),
    Field("tokens", "count", "input and output tokens"),
    Field("input", "count", "input tokens"),
    Field("output", "count", "output tokens"),
    Field("cached", "count", "input tokens read from a cache"),
    Field("duration", "seconds", "how long models worked on its LLM calls, such as 90s or 2m"),
    Field("created", "moment", "creation date: 2026-11-01, or 7d for seven days ago"),
    Field("title", "text", "words in the title"),
    Field("text", "text", "words in one of its steps"),
    Field("tag", "text", "a tag on the tape"),
    Field("parent_tag", "text", "a tag on the tape it was forked from"),
    Field("kind", "text", "has a step of this kind"),
    Field("node", "text", "has a step written by this node"),
    Field("tool", "text", "has a step that calls this tool"),
    Field(
        "has",
        "choice",
        "something the tape has",
        (
            "error", "tool_error", "parent", "child", "draft", "note", "tag", "task", "score",
            "calls", "batch", "dataset", "expected",
        ),
    ),
    Field("lint", "text", "a linter finding, or any or none"),
    Field("split", "choice", "purpose of the tape", ("train", "validation", "test", "none")),
    Field(
        "is",
        "choice",
        "flags of the tape",
        ("pinned", "archived", "kept-from-training", "running", "fork"),
    ),
)  # fmt: skip

FIELDS: dict[str, Field] = {field.name: field for field in _ALL}
ORDERED = tuple(field.name for field in _ALL if field.is_ordered)

STEP_WORDS: dict[str, str] = {
    "error": "a step that reports an error",
    "tool_error": "an observation that reports an error",
    "same_call": "an action with the kind and arguments of the action before it",
    "final_answer": "the last step, if it is not an error and calls no tool",
    "thought": "a step of this family",
    "action": "a step of this family",
    "observation": "a step of this family",
    "control": "a step of this family",
}
FAMILIES = ("thought", "action", "observation", "control")
STEP_FIELDS: dict[str, str] = {
    "kind": "kind of the step",
    "node": "node that wrote the step",
    "agent": "agent that wrote the step, with its path",
    "tool": "tool that the step calls",
}
