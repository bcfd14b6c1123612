"""An LLM that answers from recorded calls, found by the digest of the prompt."""

import difflib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

from tapes_app.engine.errors import RecordedCallMissingError
from tapes_app.engine.model.llm import LLM, LLMCall, LLMEvent, LLMResult, Prompt
from tapes_app.engine.model.messages import Message, canonical_json
from tapes_app.engine.tape.field_diff import count_equal_start
from tapes_app.llms.scripted import split_output
from tapes_app.llms.wrapping import WrappingLLM

LONGEST_DIFF = 8_000
_CANDIDATES = 20


class RecordedLLM:
    """Gives every prompt the answer that was recorded for it.

    Several answers to one prompt are given in recorded order, each once. A prompt that was not
    recorded, or not that often, goes to `fallback`; without one it is an error that shows a diff
    with the nearest recorded prompt. Recorded calls that failed are skipped. A replayed answer
    costs nothing and is marked as cached.
    """

    def __init__(self, calls: Iterable[LLMCall], *, fallback: LLM | None = None) -> None:
        self._calls = [call for call in calls if call.prompt and not call.error]
        self._fallback = fallback
        self._waiting: dict[str, deque[LLMCall]] = {}
        for call in self._calls:
            self._waiting.setdefault(call.prompt.digest, deque()).append(call)

    @property
    def model_name(self) -> str:
        return self._fallback.model_name if self._fallback else "recorded"

    def describe(self) -> dict[str, Any]:
        if self._fallback:
            return {**self._fallback.describe(), "recorded_first": True}
        return {"model_name": "recorded", "provider": "recorded"}

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        """Answer from the recording or from the fallback.

        Raises:
            RecordedCallMissingError: neither can answer.
        """
        waiting = self._waiting.get(prompt.digest)
        if waiting:
            events = _replay(waiting.popleft())
        elif self._fallback:
            events = self._fallback.stream(prompt)
        else:
            raise missing_call_error(prompt, self._calls)
        try:
            async for event in events:
                yield event
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()  # stops the live request when the reader stops


Recall = Callable[[Prompt], Awaitable[LLMCall | None]]
"""Looks up the recorded call that answers a prompt; each is returned once."""


class RecallingLLM(WrappingLLM):
    """Checks the recording first and asks a live model for what is missing."""

    def __init__(self, llm: LLM, recall: Recall) -> None:
        super().__init__(llm)
        self._recall = recall
        self._looks_up = False
        """Also of a call that was stopped meanwhile."""

    @property
    def is_waiting(self) -> bool:
        return self._looks_up or super().is_waiting

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        self._looks_up = True
        call = await self._recall(prompt)
        self._looks_up = False
        events = self._llm.stream(prompt) if call is None else _replay(call)
        try:
            async for event in events:
                yield event
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()  # stops the live request when the reader stops


async def _replay(call: LLMCall) -> AsyncIterator[LLMEvent]:
    for delta in split_output(call.output):
        yield delta
    yield LLMResult(
        output=call.output,
        usage=call.usage,
        cost_micro_usd=0,
        finish_reason=call.finish_reason,
        is_cached=True,
        tokens=call.tokens,
    )


def missing_call_error(prompt: Prompt, calls: list[LLMCall]) -> RecordedCallMissingError:
    """Return the error for a prompt without a recording; `details["diff"]` shows the nearest."""
    nearest = find_nearest_prompt(prompt, calls)
    if nearest is None:
        return RecordedCallMissingError(
            "No LLM calls are recorded; record the run once with a live model, or choose a "
            "live model.",
            digest=prompt.digest,
            diff="",
        )
    if nearest.digest == prompt.digest:
        return RecordedCallMissingError(
            "This prompt was sent more times than it was recorded; choose a live model to "
            "continue.",
            digest=prompt.digest,
            diff="",
        )
    diff = diff_prompts(nearest, prompt)
    return RecordedCallMissingError(
        f"None of the {len(calls)} recorded calls matches this prompt; the closest one first "
        f"differs in {_first_change(diff)}. Choose a live model, or undo the change to the "
        "prompt.",
        digest=prompt.digest,
        nearest_prompt_id=nearest.id,
        diff=diff,
    )


def find_nearest_prompt(prompt: Prompt, calls: Iterable[LLMCall]) -> Prompt | None:
    """Return the most similar recorded prompt: by longest common prefix, then by common words."""
    ranked = sorted(
        (call.prompt for call in calls),
        key=lambda other: (
            other.digest != prompt.digest,
            -_same_beginning(prompt, other),
            abs(len(other.messages) - len(prompt.messages)),
        ),
    )[:_CANDIDATES]
    if not ranked or ranked[0].digest == prompt.digest:
        return ranked[0] if ranked else None
    best = _same_beginning(prompt, ranked[0])
    alike = [other for other in ranked if _same_beginning(prompt, other) == best]
    text = prompt_text(prompt)
    return max(
        alike, key=lambda o: difflib.SequenceMatcher(None, text, prompt_text(o)).quick_ratio()
    )


def diff_prompts(old: Prompt, new: Prompt) -> str:
    """Return a unified diff of two prompts in readable form, shortened if it is long."""
    lines = difflib.unified_diff(
        prompt_text(old).splitlines(),
        prompt_text(new).splitlines(),
        fromfile="recorded",
        tofile="asked",
        lineterm="",
        n=2,
    )
    diff = "\n".join(lines)
    return diff if len(diff) <= LONGEST_DIFF else f"{diff[:LONGEST_DIFF]}\n… (shortened)"


def prompt_text(prompt: Prompt) -> str:
    """Return a prompt as text: one heading per message, then tools and response format."""
    parts = [_message_text(message) for message in prompt.messages]
    parts += [f"[tool] {canonical_json(tool)}" for tool in prompt.tools or ()]
    if prompt.response_format:
        parts.append(f"[response format] {canonical_json(prompt.response_format)}")
    return "\n".join(parts)


def _message_text(message: Message) -> str:
    rest = {key: value for key, value in message.items() if key not in ("role", "content")}
    content = message.get("content")
    lines = [f"[{message.role}]"]
    if isinstance(content, str):
        lines.append(content)
    elif content is not None:
        lines.append(canonical_json(content))
    lines += [f"{key}: {canonical_json(value)}" for key, value in sorted(rest.items())]
    return "\n".join(lines)


def _same_beginning(a: Prompt, b: Prompt) -> int:
    ones, others = (one.digest for one in a.messages), (other.digest for other in b.messages)
    return count_equal_start(ones, others)


def _first_change(diff: str) -> str:
    for line in diff.splitlines():
        if line.startswith(("+", "-")) and not line.startswith(("+++", "---")):
            return f"the line {line[:120]!r}"
    return "something its text does not show"
