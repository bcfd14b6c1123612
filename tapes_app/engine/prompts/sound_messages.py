"""Messages that every provider accepts, from steps by any author; the same for all agents.

Providers refuse results without a call, calls without a result, empty ids, and keys and roles of
other providers; imported transcripts and edited tapes have all of these.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tapes_app.engine.model.messages import Message, content_text, user_message
from tapes_app.engine.model.reasoning import REASONING
from tapes_app.engine.prompts.chat_messages import as_text, message_of_step, step_to_message
from tapes_app.engine.tape.control_steps import Call
from tapes_app.engine.tape.dialog_steps import SystemStep, UserStep
from tapes_app.engine.tape.media import list_media
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.view import TapeView

NO_RESULT = "No result was recorded."
SEE_BELOW = "The result follows in a message of its own."
FROM_TOOLS = "From the results of the tools above:"

_KEYS = frozenset({"role", "content", "name", "tool_calls", "tool_call_id", *REASONING})
_ROLES = {"developer": "system", "function": "tool"}
_KNOWN_ROLES = frozenset({"system", "user", "assistant", "tool"})
_OF_THE_SYSTEM = frozenset({"system", "developer"})
_MERGED = frozenset({"role", "content", "reasoning_content"})
_PARTS = frozenset({"text", "refusal", "image_url", "image", "input_audio", "audio", "video_url",
    "file", "document"})  # fmt: skip
"""Types of content parts; a list of anything else is data, which a model reads as JSON."""


def view_to_messages(view: TapeView, agent: object = None) -> list[Message]:
    """Return the messages of everything that the view's agent sees (C21).

    Rendered once per step and kept with the view, so a long history costs only its new steps.
    """
    if view.messages is None:
        view.messages = SoundMessages()
    for step in view.steps[view.messages_of :]:
        is_own_call = not view.messages_of and isinstance(step, Call)
        view.messages_of += 1
        view.messages.add_step(step, is_own_call=is_own_call)
    return view.messages.take()


def list_observations(view: TapeView) -> frozenset[int]:
    """Return where observations are among `view_to_messages`, except those by a person."""
    return frozenset(view.messages.observations) if view.messages is not None else frozenset()


class SoundMessages:
    """Messages as they grow, and the tool calls among them that wait for a result."""

    def __init__(self) -> None:
        self.observations: set[int] = set()
        """Where the steps' observations are; not those by a person, whose request is kept whole."""

        self._messages: list[Message] = []
        self._open: list[str] = []
        self._media: list[dict[str, Any]] = []
        """What the results of the last calls showed: providers accept only text from tools."""

        self._count = 0

    def add_step(self, step: Step, *, is_own_call: bool = False) -> None:
        """Add a step as its message, if it has one; `is_own_call` as for `step_to_message`."""
        message = step_to_message(step, is_own_call=True) if is_own_call else message_of_step(step)
        if message is None:
            return
        place = self.add(message)
        if family_of(step) == "observation" and not _is_from_person(step):
            self.observations.add(place)

    def add(self, message: dict[str, Any]) -> int:
        """Add a message as it arrived; return its position among the sound ones."""
        sound = _make_plain(message, self._count)
        self._count += 1
        if sound.role == "tool":
            self._add_result(sound)
        else:
            self._close()
            self._messages.append(sound)
            self._open = [call["id"] for call in sound.get("tool_calls", ())]
        return len(self._messages) - 1

    def take(self) -> list[Message]:
        """Return the messages, with a result for each call; a later result still counts."""
        return [*self._messages, *self._rest()]

    def _add_result(self, message: Message) -> None:
        given = message.get("tool_call_id")
        call_id = given or (self._open[0] if self._open else "")
        if call_id not in self._open:
            self._close()
            text = f"Result of a tool:\n{content_text(message.get('content'))}"
            self._messages.append(_user_text(text, list_media(message.get("content"))))
            return
        self._open.remove(call_id)
        content = message.get("content")
        if media := list_media(content):
            self._media += media
            content = content_text(content) or SEE_BELOW
        sound = {
            "role": "tool", "tool_call_id": call_id, "content": "" if content is None else content
        }  # fmt: skip
        self._messages.append(message if sound == message else Message(sound))

    def _close(self) -> None:
        self._messages += self._rest()
        self._open, self._media = [], []

    def _rest(self) -> list[Message]:
        """Return what the last calls still lack: results, then the media that results showed."""
        missing = [
            Message(role="tool", tool_call_id=call_id, content=NO_RESULT) for call_id in self._open
        ]
        return [*missing, _user_text(FROM_TOOLS, self._media)] if self._media else missing


def _is_from_person(step: Step) -> bool:
    return isinstance(step, UserStep | SystemStep) or step.kind in ("task", "question")


def _user_text(words: str, media: list[dict[str, Any]]) -> Message:
    if not media:
        return user_message(words)
    return Message(role="user", content=[{"type": "text", "text": words}, *media])


def _make_plain(message: dict[str, Any], position: int) -> Message:
    """Return a message with the keys and roles that providers know, and an id on each call.

    A message already in this form is returned as it is: its digest is cached.
    """
    role = str(message.get("role"))
    role = _ROLES.get(role, role)
    if role not in _KNOWN_ROLES:
        return user_message(f"{role}: {content_text(message.get('content'))}")
    legacy = message.get("function_call")
    calls = message.get("tool_calls") or ([{"function": legacy}] if legacy else [])
    plain = {key: value for key, value in message.items() if key in _KEYS and key != "tool_calls"}
    plain["role"] = role
    if isinstance(content := plain.get("content"), list) and not _are_parts(content):
        plain["content"] = as_text(content)
    if calls:
        plain["tool_calls"] = [
            {**call, "type": "function", "id": call.get("id") or f"call_{position}_{number}"}
            for number, call in enumerate(calls)
        ]
    elif plain.get("content") is None:
        plain["content"] = message.get("refusal") or ""
    return message if isinstance(message, Message) and plain == message else Message(plain)


def _are_parts(content: list[Any]) -> bool:
    return bool(content) and all(
        isinstance(part, dict) and part.get("type") in _PARTS for part in content
    )


def merge_turns(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return messages with those of one role in a row merged, for roles that must alternate."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if turns and _are_one_turn(turns[-1], message):
            turns[-1] = _merge(turns[-1], message)
        else:
            turns.append(dict(message))
    return turns


def fold_system(messages: Sequence[Mapping[str, Any]], *, keep_first: bool) -> list[dict[str, Any]]:
    """Return messages without system messages, whose text opens the user's next message.

    Without one before the model answers again, it is a message of the user. Results stay next to
    their calls. `keep_first`: the first messages stay one system message, if they are such.
    """
    roles = [message.get("role") for message in messages]
    head = next((n for n, role in enumerate(roles) if role not in _OF_THE_SYSTEM), len(roles))
    start = head if keep_first else 0
    folded = merge_turns(messages[:start])
    waiting: list[dict[str, Any]] = []
    for message in messages[start:]:
        role = message.get("role")
        if role in _OF_THE_SYSTEM:
            waiting.append({**message, "role": "user"})
        elif role in ("tool", "function"):
            folded.append(dict(message))
        else:
            folded += merge_turns([*waiting, message])
            waiting = []
    return [*folded, *merge_turns(waiting)]


def _are_one_turn(before: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    """Return whether a message continues the turn before it: the same role, text after text.

    Calls end a turn, because their results follow them.
    """
    role = message.get("role")
    if role != before.get("role") or role in ("tool", "function") or not before.keys() <= _MERGED:
        return False
    return message.keys() <= (_MERGED | {"tool_calls"})


def _merge(before: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
    first, second = before.get("content"), message.get("content")
    if message.get("role") == "assistant" and _are_texts(first) and _are_texts(second):
        # As parts of one answer they would continue one another.
        first, second = (content_text(content, "assistant") for content in (first, second))
    if isinstance(first, list) or isinstance(second, list):
        content: Any = [*_as_parts(first), *_as_parts(second)]
    else:
        content = _join(first, second)
    thought = _join(before.get("reasoning_content"), message.get("reasoning_content"))
    return {**message, "content": content} | ({"reasoning_content": thought} if thought else {})


def _are_texts(content: Any) -> bool:
    """Return whether a content is text and nothing else, so that its text holds all of it."""
    return not isinstance(content, list) or all(
        isinstance(part, dict) and part.keys() == {"type", "text"} for part in content
    )


def _join(*texts: Any) -> str:
    return "\n\n".join(text for text in texts if text)


def _as_parts(content: Any) -> list[Any]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}] if content else []
