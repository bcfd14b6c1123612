"""OpenAI chat-completions conversations, both ways: `{"messages": […], "tools": […]}` or a list.

The mapping is in docs/import-and-export.md. Everything that a tape has no place for is kept, so
that an import can be exported unchanged; `unmapped` lists what no step shows.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from tapes_app.engine.errors import StepError
from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.prompts.chat_messages import (
    CHAT_KEY,
    FIELDS,
    TOOLS,
    is_chat_context,
    message_of_step,
    step_of_message,
)
from tapes_app.engine.tape.dialog_steps import ChatMessage
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.interchange.refusals import FormatProblem, ImportLimits
from tapes_app.interchange.tape_codec import (
    SOURCE_KEY,
    ImportedTape,
    TapeSource,
    digest_text,
    shown_reason,
)
from tapes_app.interchange.values import check_value

_PLAIN_PARTS = {"text", "attachment"}
_SHOWN_LENGTH = 60
# They repeat what the step holds in another form, or are empty.
_KNOWN_FIELDS = {"content", "role", "function_call", "tool_calls"}


def is_message(value: Any) -> bool:
    """Return whether an object is a message, which makes a list of such objects a conversation."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and not {"messages", "steps", "kind"} & set(value)
    )


def is_conversation(value: Any) -> bool:
    """Return whether a value is an object with messages, or a list."""
    return isinstance(value, list) or (
        isinstance(value, dict) and "messages" in value and "steps" not in value
    )


def decode_conversation(
    value: Any, source: TapeSource, limits: ImportLimits, *, position: str
) -> ImportedTape:
    """Turn a conversation into a tape that produces the same messages again.

    Raises:
        FormatProblem: it is not a conversation; the position names the message.
    """
    try:
        check_value(value, limits)
    except FormatProblem as problem:
        raise problem.inside(position) from problem
    fields = {} if isinstance(value, list) else {k: v for k, v in value.items() if k != "messages"}
    messages = value if isinstance(value, list) else value["messages"]
    if not isinstance(messages, list) or not messages:
        raise FormatProblem("'messages' is empty or not a list of messages", position=position)
    if len(messages) > limits.max_steps:
        raise FormatProblem(f"one tape has more than {limits.max_steps:,} steps", position=position)
    steps = tuple(
        _decode_message(
            message, f"{position}, message {number}" if position else f"message {number}"
        )
        for number, message in enumerate(messages)
    )
    text = canonical_json(value)
    metadata = TapeMetadata.model_validate({SOURCE_KEY: source.model_dump(exclude_defaults=True)})
    return ImportedTape(
        tape=Tape(metadata=metadata, context=_context(fields), steps=steps),
        source=source,
        digest=digest_text(text),
        size=len(text),
        position=position,
        unmapped=tuple(_list_unmapped(steps, fields)),
    )


def encode_conversation(tape: Tape) -> dict[str, Any]:
    """Return a tape as one line of a file: its messages, and the tools imported with it."""
    messages = [message for step in tape.steps if (message := message_of_step(step)) is not None]
    context = tape.context if is_chat_context(tape.context) else {}
    line: dict[str, Any] = {"messages": messages}
    if TOOLS in context:
        line[TOOLS] = context[TOOLS]
    fields = context.get(FIELDS)
    if isinstance(fields, dict):
        line |= {name: value for name, value in fields.items() if name not in line}
    return line


def _decode_message(message: Any, position: str) -> Step:
    if not isinstance(message, dict):
        raise FormatProblem("a message is not a JSON object", position=position)
    try:
        return step_of_message(message)
    except StepError as error:
        raise FormatProblem(shown_reason(error.message.rstrip(".")), position=position) from error


def _context(fields: dict[str, Any]) -> dict[str, Any] | None:
    tools = fields.get(TOOLS)
    others = {name: value for name, value in fields.items() if name != TOOLS}
    context: dict[str, Any] = {}
    if _are_tools(tools):
        context[TOOLS] = tools
    elif TOOLS in fields:
        others[TOOLS] = tools
    if others:
        context[FIELDS] = others
    return context or None


def _are_tools(tools: Any) -> bool:
    return isinstance(tools, list) and all(isinstance(tool, dict) for tool in tools)


def _list_unmapped(steps: Iterable[Step], fields: dict[str, Any]) -> Iterator[str]:
    """Yield what was kept of a conversation but is in no step, each kind once."""
    found: dict[str, None] = {}
    for step in steps:
        found |= dict.fromkeys(_unmapped_of(step))
    for name, value in fields.items():
        if name != TOOLS or not _are_tools(value):
            found[f"field {_shown(name)} next to the messages"] = None
    yield from found


def _unmapped_of(step: Step) -> Iterator[str]:
    if isinstance(step, ChatMessage):
        yield f"messages of role {_shown(str(step.message.get('role')))}, as steps of one kind"
        return
    beyond = step.metadata.other.get(CHAT_KEY, {}).get("fields", {})
    for name, value in beyond.items():
        if name == "content" and isinstance(value, list):
            kinds = {str(part.get("type")) for part in value} - _PLAIN_PARTS
            for kind in sorted(kinds):
                yield f"content parts of type {_shown(kind)}; the step shows only the text"
        elif name not in _KNOWN_FIELDS:
            yield f"field {_shown(name)} of {step.kind} messages"


def _shown(name: str) -> str:
    """Return a name that a file chose in a form that is safe in a report."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in name)
    return repr(plain if len(plain) <= _SHOWN_LENGTH else plain[:_SHOWN_LENGTH] + "…")
