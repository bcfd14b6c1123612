"""`/openai`: agents as models of an OpenAI-compatible server."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

from channels.db import database_sync_to_async
from django.http import HttpResponseBase, JsonResponse, StreamingHttpResponse
from ninja import Schema
from pydantic import ConfigDict, Field

from tapes_app.engine.errors import StudioError
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.runs.services import conversations
from tapes_app.runs.services.conversations import LONGEST_WAIT_SECONDS, CalledAgent, Completion

_LOOK_SECONDS = 0.2
_SIGN_OF_LIFE = 50
"""Looks between two signs of life."""

router = make_router("openai")


class StreamOptionsIn(Schema):
    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class ChatIn(Schema):
    """The body of a chat completion; fields of OpenAI's that are not listed have no effect."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)

    model: str
    """`agent:NAME@VERSION`, or `agent:NAME@published`."""

    messages: list[dict[str, Any]] = Field(min_length=1)
    tools: list[dict[str, Any]] | None = None
    """Your own tools: their calls are answered by your next request."""

    stream: bool = False
    stream_options: StreamOptionsIn | None = None


class ModelOut(Schema):
    id: str
    object: str = "model"
    created: int = 0
    owned_by: str = "tape-studio"


class ModelsOut(Schema):
    object: str = "list"
    data: list[ModelOut]


@router.get("/models", response=ModelsOut)
def list_agent_models(request: PersonRequest) -> ModelsOut:
    """List the agents of the project by the names that `model` takes."""
    names = conversations.list_callable(request.auth)
    return ModelsOut(data=[ModelOut(id=name) for name in names])


@router.post("/chat/completions", response={200: None})
def complete_chat(request: PersonRequest, body: ChatIn) -> HttpResponseBase:
    """Let an agent answer a conversation, in the form of OpenAI's chat completions.

    Send the whole conversation each time: it continues its tape. The answer is sent when the agent
    has finished its turn; a stream contains signs of life until then.
    """
    called = conversations.call_agent(request.auth, body.model, body.messages, body.tools or ())
    if not body.stream:
        return JsonResponse(_write(called, conversations.wait_for_completion(called)))
    with_usage = body.stream_options is not None and body.stream_options.include_usage
    answer = StreamingHttpResponse(
        _stream(called, with_usage=with_usage), content_type="text/event-stream"
    )
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"
    return answer


def _write(called: CalledAgent, completion: Completion) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": completion.message,
        "finish_reason": _finish_reason(completion),
        "logprobs": None,
    }
    return {**_head(called, "chat.completion"), "choices": [choice], "usage": _usage(completion)}


def _head(called: CalledAgent, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{called.job_id}",
        "object": kind,
        "created": int(time.time()),
        "model": called.model,
        "tape_id": str(called.tape_id),
    }


def _finish_reason(completion: Completion) -> str:
    return "tool_calls" if completion.message.get("tool_calls") else "stop"


def _usage(completion: Completion) -> dict[str, int]:
    return {
        "prompt_tokens": completion.input_tokens,
        "completion_tokens": completion.output_tokens,
        "total_tokens": completion.input_tokens + completion.output_tokens,
    }


async def _stream(called: CalledAgent, *, with_usage: bool) -> AsyncIterator[str]:
    try:
        for look in range(int(LONGEST_WAIT_SECONDS / _LOOK_SECONDS)):
            completion = await database_sync_to_async(conversations.read_completion)(called)
            if completion is not None:
                for chunk in _chunks(called, completion, with_usage=with_usage):
                    yield _event(chunk)
                yield "data: [DONE]\n\n"
                return
            if look % _SIGN_OF_LIFE == 0:
                yield ": the agent is working\n\n"
            await asyncio.sleep(_LOOK_SECONDS)
        raise conversations.too_slow(called)
    except StudioError as error:
        # The status has been sent already; clients raise what has this shape.
        yield _event({"error": {"message": error.message, "code": error.code}})


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"


def _chunks(
    called: CalledAgent, completion: Completion, *, with_usage: bool
) -> list[dict[str, Any]]:
    head = _head(called, "chat.completion.chunk")
    delta = dict(completion.message)
    if "tool_calls" in delta:
        delta["tool_calls"] = [
            {"index": index, **call} for index, call in enumerate(delta["tool_calls"])
        ]
    first = {"index": 0, "delta": delta, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": _finish_reason(completion)}
    chunks = [{**head, "choices": [first]}, {**head, "choices": [last]}]
    if with_usage:
        chunks.append({**head, "choices": [], "usage": _usage(completion)})
    return chunks
