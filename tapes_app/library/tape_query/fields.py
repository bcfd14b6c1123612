"""The fields of the query language: their names, what they take, and what they mean."""

from dataclasses import dataclass
from typing import Literal

FieldType = Literal["text", "choice", "count", "dollars", "seconds", "number", "moment"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field that a query may name."""

    name: str
    type: FieldType
    help: str
    choices: tuple[str, ...] = ()
    """Of a choice: all that it may be."""

    @property
    def is_ordered(self) -> bool:
        """Whether `<` and `>` may follow."""
        return self.type not in ("text", "choice")


_ALL = (
    Field("agent", "text", "the agent that made it"),
    Field("author", "text", "who wrote it"),
    Field("batch", "text", "its batch, by name or id"),
    Field("dataset", "text", "a dataset that it is in, by name or id"),
    Field("task", "text", "the task that it is an attempt at"),
    Field("outcome", "choice", "whether it did its task", ("pass", "fail", "none")),
    Field("score", "number", "how well it did its task"),
    Field("steps", "count", "how many steps it has"),
    Field("errors", "count", "how many of its steps report an error"),
    Field("calls", "count", "how many LLM calls it took"),
    Field("cost", "dollars", "what its calls cost, in US dollars"),
    Field("tokens", "count", "input and output tokens"),
    Field("input", "count", "input tokens"),
    Field("output", "count", "output tokens"),
    Field("cached", "count", "input tokens read from a cache"),
    Field("duration", "seconds", "how long its calls took, like 90s or 2m"),
    Field("created", "moment", "when it was made: 2026-11-01, or 7d for seven days ago"),
    Field("title", "text", "words of its title"),
    Field("text", "text", "words of one of its steps"),
    Field("tag", "text", "a tag that it bears"),
    Field("kind", "text", "it has a step of this kind"),
    Field("node", "text", "it has a step that this node wrote"),
    Field("tool", "text", "it has a step that calls this tool"),
    Field(
        "has",
        "choice",
        "something that it has",
        (
            "error", "tool_error", "parent", "child", "draft", "note", "tag", "task", "score",
            "calls", "batch", "dataset", "expected",
        ),
    ),
    Field("lint", "text", "a finding of the linter, or any or none"),
    Field("split", "choice", "what it is for", ("train", "validation", "test", "none")),
    Field(
        "is",
        "choice",
        "how it is marked",
        ("pinned", "archived", "kept-from-training", "running", "fork"),
    ),
)  # fmt: skip

FIELDS: dict[str, Field] = {field.name: field for field in _ALL}
ORDERED = tuple(field.name for field in _ALL if field.is_ordered)

STEP_WORDS: dict[str, str] = {
    "error": "a step that reports an error",
    "tool_error": "an observation that reports an error",
    "same_call": "an action with the kind and arguments of the action before it",
    "final_answer": "what the tape ends on, when that is no error and calls no tool",
    "thought": "a step of this family",
    "action": "a step of this family",
    "observation": "a step of this family",
    "control": "a step of this family",
}
FAMILIES = ("thought", "action", "observation", "control")
STEP_FIELDS: dict[str, str] = {
    "kind": "the kind of the step",
    "node": "the node that wrote it",
    "agent": "the agent that wrote it, with its path",
    "tool": "the tool that it calls",
}
