"""`/openai`: agents as models of an OpenAI-compatible server."""

import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from django.http import HttpResponseBase, JsonResponse, StreamingHttpResponse
from ninja import Schema
from pydantic import ConfigDict, Field

from tapes_app.engine.errors import StudioError
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.runs.services import answers
from tapes_app.runs.services.answers import Completion
from tapes_app.runs.services.callable_agents import list_callable
from tapes_app.runs.services.conversations import CalledAgent, call_agent

router = make_router("openai")


class StreamOptionsIn(Schema):
    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class SamplingIn(Schema):
    """How the answer is sampled: this overrides what the version says, for all of its models."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    """The newer name of `max_tokens`."""

    stop: str | list[str] | None = None
    seed: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    reasoning_effort: str | None = None
    n: int | None = None
    """Only 1. The fields below are here to be refused: an agent cannot do what they ask for."""

    logprobs: bool | None = None
    top_logprobs: int | None = None
    logit_bias: dict[str, Any] | None = None
    response_format: dict[str, Any] | None = None
    tool_choice: str | dict[str, Any] | None = None
    """`auto`, or `none` to offer no tools of yours."""


class ChatIn(SamplingIn):
    """The body of a chat completion; fields of OpenAI's that are not listed have no effect."""

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
    names = list_callable(request.auth)
    return ModelsOut(data=[ModelOut(id=name) for name in names])


@router.post("/chat/completions", response={200: None})
def complete_chat(request: PersonRequest, body: ChatIn) -> HttpResponseBase:
    """Let an agent answer a conversation, in the form of OpenAI's chat completions.

    Send the whole conversation each time: it continues its tape. The answer is sent when the agent
    has finished its turn. A stream has its words as they are written, if they are certain to be the
    answer, and signs of life until then.
    """
    asked = body.model_dump(include=set(SamplingIn.model_fields), exclude_none=True)
    tools = () if body.tool_choice == "none" else body.tools or ()
    called = call_agent(request.auth, body.model, body.messages, tools, asked)
    if not body.stream:
        return JsonResponse(_write(called, answers.wait_for_completion(called)))
    with_usage = body.stream_options is not None and body.stream_options.include_usage
    return stream_events(_stream(called, with_usage=with_usage))


def stream_events(events: AsyncIterator[str]) -> StreamingHttpResponse:
    """Return server-sent events as the answer to a request."""
    answer = StreamingHttpResponse(events, content_type="text/event-stream")
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
    used = completion.used
    return {
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "total_tokens": used.input_tokens + used.output_tokens,
    }


async def _stream(called: CalledAgent, *, with_usage: bool) -> AsyncIterator[str]:
    head = _head(called, "chat.completion.chunk")
    role = {"role": "assistant"}
    try:
        async with aclosing(answers.stream_answer(called)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Completion):
                    for chunk in _last_chunks(head, role, piece, with_usage=with_usage):
                        yield _event(chunk)
                    yield "data: [DONE]\n\n"
                elif piece:
                    yield _event(_chunk(head, {**role, "content": piece}))
                    role = {}
                else:
                    yield ": the agent is working\n\n"
    except StudioError as error:
        # The status has been sent already; clients raise what has this shape.
        yield _event({"error": {"message": error.message, "code": error.code}})


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"


def _chunk(
    head: dict[str, Any], delta: dict[str, Any], finish_reason: str | None = None
) -> dict[str, Any]:
    return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def _last_chunks(
    head: dict[str, Any], role: dict[str, Any], completion: Completion, *, with_usage: bool
) -> Iterator[dict[str, Any]]:
    calls = completion.message.get("tool_calls") or ()
    if calls:
        numbered = [{"index": index, **call} for index, call in enumerate(calls)]
        yield _chunk(head, {**role, "tool_calls": numbered})
    yield _chunk(head, {}, _finish_reason(completion))
    if with_usage:
        yield {**head, "choices": [], "usage": _usage(completion)}
