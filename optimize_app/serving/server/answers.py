"""Answers in OpenAI's format, complete or in chunks, with vLLM's fields for token ids."""

from dataclasses import dataclass, field
from typing import Any

from optimize_app.serving.server.asks import Ended, Sampled
from optimize_app.serving.server.requests import ChatRequest
from optimize_app.serving.server.tool_calls import (
    ReadAnswer,
    WrittenCall,
    count_sure,
    list_tool_names,
    read_answer,
)
from tapes_app.engine.errors import StudioError


@dataclass
class Answer:
    """The complete answer of one choice."""

    sampled: list[Sampled] = field(default_factory=list)
    reason: str | None = None


@dataclass(frozen=True)
class AnswerWriter:
    """Writes the answers to one request."""

    request: ChatRequest
    id: str
    created: int
    prompt: tuple[int, ...]
    _held: dict[int, str] = field(default_factory=dict)
    """For each choice of a stream, text that may become tool calls; it is sent at the end."""

    @property
    def _reads_calls(self) -> bool:
        return bool(self.request.tools) and self.request.tool_choice != "none"

    def first_chunk(self, index: int) -> dict[str, Any]:
        chunk = self._chunk(index, {"role": "assistant", "content": ""})
        if self.request.return_token_ids and index == 0:
            chunk["prompt_token_ids"] = list(self.prompt)
        return chunk

    def chunk(self, index: int, event: Sampled | Ended) -> dict[str, Any] | None:
        """Return what a streaming client gets for an event; None for nothing."""
        if isinstance(event, Ended):
            delta, reason = self._last_delta(index, event.reason)
            return self._chunk(index, delta, reason=reason)
        extra, text = self._extra([event]), self._take_sendable(index, event.text)
        if not text and not extra:
            return None
        return self._chunk(index, {"content": text}, **extra)

    def usage_chunk(self, answers: list[Answer]) -> dict[str, Any]:
        return {**self._head("chat.completion.chunk"), "choices": [], "usage": self._usage(answers)}

    def whole(self, answers: list[Answer]) -> dict[str, Any]:
        choices = [self._choice(index, answer) for index, answer in enumerate(answers)]
        body = {
            **self._head("chat.completion"),
            "choices": choices,
            "usage": self._usage(answers),
        }
        if self.request.return_token_ids:
            body["prompt_token_ids"] = list(self.prompt)
        return body

    def _choice(self, index: int, answer: Answer) -> dict[str, Any]:
        read = self._read("".join(one.text for one in answer.sampled))
        message: dict[str, Any] = {"role": "assistant", "content": read.content}
        if read.calls:
            message["tool_calls"] = self._write_calls(index, read.calls)
        return {
            "index": index,
            "message": message,
            "logprobs": None,
            "finish_reason": _end_of(read, answer.reason),
            **self._extra(answer.sampled),
        }

    def _read(self, text: str) -> ReadAnswer:
        if not self._reads_calls:
            return ReadAnswer(text)
        return read_answer(text, list_tool_names(self.request.tools))

    def _take_sendable(self, index: int, text: str) -> str:
        """Return the part of a piece of text that can be sent immediately: nothing of a call."""
        if not self._reads_calls:
            return text
        held = self._held.get(index, "")
        sure = 0 if held else count_sure(text)
        self._held[index] = held + text[sure:]
        return text[:sure]

    def _last_delta(self, index: int, reason: str) -> tuple[dict[str, Any], str]:
        """Return what was held back, as calls or as text, and how the answer ended."""
        held = self._held.get(index, "")
        read = self._read(held)
        delta: dict[str, Any] = {"content": read.content} if read.content else {}
        if read.calls:
            calls = self._write_calls(index, read.calls)
            delta["tool_calls"] = [{"index": number, **call} for number, call in enumerate(calls)]
        return delta, str(_end_of(read, reason))

    def _write_calls(self, index: int, calls: tuple[WrittenCall, ...]) -> list[dict[str, Any]]:
        return [
            {
                "id": f"call_{self.id.rpartition('-')[2][:16]}_{index}_{number}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for number, call in enumerate(calls)
        ]

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.request.model,
        }

    def _chunk(
        self, index: int, delta: dict[str, Any], *, reason: str | None = None, **extra: Any
    ) -> dict[str, Any]:
        choice = {
            "index": index,
            "delta": delta,
            "logprobs": None,
            "finish_reason": reason,
            **extra,
        }
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _extra(self, sampled: list[Sampled]) -> dict[str, Any]:
        """Return what was requested in addition to the text."""
        extra: dict[str, Any] = {}
        if self.request.logprobs:
            extra["logprobs"] = {"content": [_logprob(one) for one in sampled]}
        if self.request.return_token_ids:
            extra["token_ids"] = [one.id for one in sampled]
        if self.request.return_token_masks:
            extra["token_masks"] = [one.mask for one in sampled]
        return extra

    def _usage(self, answers: list[Answer]) -> dict[str, int]:
        written = sum(len(answer.sampled) for answer in answers)
        return {
            "prompt_tokens": len(self.prompt),
            "completion_tokens": written,
            "total_tokens": len(self.prompt) + written,
        }


def _end_of(read: ReadAnswer, reason: str | None) -> str | None:
    return "tool_calls" if read.calls and reason == "stop" else reason


def write_error(error: StudioError) -> dict[str, Any]:
    """Return an error in OpenAI's format."""
    return {
        "error": {
            "message": error.message,
            "type": "invalid_request_error" if error.status < 500 else "server_error",  # noqa: PLR2004
            "param": error.details.get("param"),
            "code": error.code,
        }
    }


def _logprob(one: Sampled) -> dict[str, Any]:
    return {
        **_token(one.token, one.raw, one.logprob),
        "top_logprobs": [_token(*other) for other in one.top],
        "allowed_count": one.allowed_count,
    }


def _token(text: str, raw: bytes, logprob: float) -> dict[str, Any]:
    return {"token": text, "logprob": logprob, "bytes": list(raw)}
