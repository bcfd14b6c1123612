"""How a prompt differs from another one: the previous one, or one of another tape."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID

from tapes_app.calls.services.calls import require_call
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.engine.tape.field_diff import FieldDiff, count_equal_start, diff_fields
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.word_diff import FieldChange, WordChange, diff_words, show_field
from tapes_app.tapes.store import calls

_LIKELY = 4
"""Up to this many replaced messages are paired in order; more are shown as removed and added."""

_ALL = 2**31 - 1


@dataclass(frozen=True)
class MessageChange:
    """Equal messages of two prompts, or one that was changed, added or removed.

    `before` and `after` are the first positions in the two prompts.
    """

    op: Literal["equal", "changed", "removed", "inserted"]
    count: int
    before: int | None
    after: int | None
    old: dict[str, Any] | None = None
    """The earlier message, if it is not in the later prompt."""

    words: list[WordChange] | None = None


@dataclass(frozen=True)
class PromptChanges:
    previous_call_id: UUID | None
    """`None` if this is the agent's first call on this tape."""

    changes: list[MessageChange]
    has_other_tools: bool = False


def compare_with_previous(person: Person, tape_id: UUID, call_id: UUID) -> PromptChanges:
    """Compare the prompt of a call with that of the same agent's previous call.

    Raises:
        NotFoundError: the tape has no step from such a call.
    """
    require_call(person, tape_id, call_id)
    project = person.project_id
    previous_id = calls.previous_call(call_id, tape_id, project)
    if previous_id is None:
        return PromptChanges(None, [])
    # A long history mostly grows at its end: the beginning that both share is not even read.
    shared, _ = calls.count_shared_messages(call_id, previous_id, project)
    before, after = (_read(project, id, start=shared) for id in (previous_id, call_id))
    return PromptChanges(
        previous_id,
        list(diff_messages(before.messages, after.messages, shared=shared)),
        has_other_tools=before.tools != after.tools,
    )


def diff_prompts(
    person: Person, left: tuple[UUID, UUID], right: tuple[UUID, UUID]
) -> list[FieldChange]:
    """Return the differences between the prompts of two calls, each given with its tape.

    Raises:
        NotFoundError: a tape has no step from such a call.
    """
    for tape_id, call_id in (left, right):
        require_call(person, tape_id, call_id)
    old, new = (_read(person.project_id, call_id) for _, call_id in (left, right))
    return [show_field(_as_words(field)) for field in diff_fields(_asked(old), _asked(new))]


def _read(project: UUID, call_id: UUID, *, start: int = 0) -> Prompt:
    """Return a prompt with its messages from `start` on."""
    return calls.load_call_window(call_id, project, start=start, count=_ALL)[0].call.prompt


def _asked(prompt: Prompt) -> dict[str, Any]:
    """Return what a model is asked; tools by name if they have one."""
    return {
        "messages": [dict(message) for message in prompt.messages],
        "tools": [tool.get("function", tool) for tool in prompt.tools or ()],
        "response_format": prompt.response_format,
    }


def _as_words(field: FieldDiff) -> FieldDiff:
    """Show a message that is on one side only as words, like its changed neighbours."""
    value = field.old if field.op == "removed" else field.new
    if field.op == "changed" or not isinstance(value, dict) or {*value} != {"role", "content"}:
        return field
    words = {"old" if field.op == "removed" else "new": value["content"]}
    return field.model_copy(update={"path": f"{field.path} {value['role']}", **words})


def diff_messages(
    before: Sequence[Message], after: Sequence[Message], *, shared: int = 0
) -> Iterator[MessageChange]:
    """Yield the changes from one list of messages to another, in order.

    Both begin with `shared` equal messages that are not included here.
    """
    if shared:
        yield MessageChange("equal", shared, 0, 0)
    for change in _diff_rest(before, after):
        yield replace(
            change,
            before=None if change.before is None else change.before + shared,
            after=None if change.after is None else change.after + shared,
        )


def _diff_rest(before: Sequence[Message], after: Sequence[Message]) -> Iterator[MessageChange]:
    olds = [message.digest for message in before]
    news = [message.digest for message in after]
    matcher = difflib.SequenceMatcher(a=olds, b=news, autojunk=False)
    for op, old, old_end, new, new_end in matcher.get_opcodes():
        if op == "equal":
            yield MessageChange("equal", old_end - old, old, new)
            continue
        paired = _pairs(before[old:old_end], after[new:new_end])
        for offset in range(paired):
            yield _changed(before, after, old + offset, new + offset)
        for at in range(old + paired, old_end):
            yield MessageChange("removed", 1, at, None, dict(before[at]))
        for at in range(new + paired, new_end):
            yield MessageChange("inserted", 1, None, at)


def _pairs(olds: Sequence[Message], news: Sequence[Message]) -> int:
    """Return how many messages at the start of two stretches are the same messages, changed."""
    if max(len(olds), len(news)) > _LIKELY and len(olds) != len(news):
        return 0
    return count_equal_start((old.role for old in olds), (new.role for new in news))


def _changed(
    before: Sequence[Message], after: Sequence[Message], old: int, new: int
) -> MessageChange:
    words = diff_words(before[old].get("content"), after[new].get("content"))
    return MessageChange("changed", 1, old, new, dict(before[old]), words)
