"""Answers in OpenAI's words, whole or in chunks, with vLLM's fields for token ids."""

from dataclasses import dataclass, field
from typing import Any

from optimize_app.serving.server.asks import Ended, Sampled
from optimize_app.serving.server.requests import ChatRequest
from tapes_app.engine.errors import StudioError


@dataclass
class Answer:
    """What one choice has come to."""

    sampled: list[Sampled] = field(default_factory=list)
    reason: str | None = None


@dataclass(frozen=True)
class AnswerWriter:
    """Writes what belongs to one request."""

    request: ChatRequest
    id: str
    created: int
    prompt: tuple[int, ...]

    def first_chunk(self, index: int) -> dict[str, Any]:
        chunk = self._chunk(index, {"role": "assistant", "content": ""})
        if self.request.return_token_ids and index == 0:
            chunk["prompt_token_ids"] = list(self.prompt)
        return chunk

    def chunk(self, index: int, event: Sampled | Ended) -> dict[str, Any] | None:
        """Return what a streaming client is told of an event; None where that is nothing."""
        if isinstance(event, Ended):
            return self._chunk(index, {}, reason=event.reason)
        extra = self._extra([event])
        if not event.text and not extra:
            return None
        return self._chunk(index, {"content": event.text}, **extra)

    def usage_chunk(self, answers: list[Answer]) -> dict[str, Any]:
        return {**self._head("chat.completion.chunk"), "choices": [], "usage": self._usage(answers)}

    def whole(self, answers: list[Answer]) -> dict[str, Any]:
        choices = [
            {
                "index": index,
                "message": {
                    "role": "assistant",
                    "content": "".join(one.text for one in answer.sampled),
                },
                "logprobs": None,
                "finish_reason": answer.reason,
                **self._extra(answer.sampled),
            }
            for index, answer in enumerate(answers)
        ]
        body = {
            **self._head("chat.completion"),
            "choices": choices,
            "usage": self._usage(answers),
        }
        if self.request.return_token_ids:
            body["prompt_token_ids"] = list(self.prompt)
        return body

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
        """Return what was asked for beside the text."""
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


def write_error(error: StudioError) -> dict[str, Any]:
    """Return an error in OpenAI's form."""
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
