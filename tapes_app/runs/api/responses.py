"""`/openai/responses`: agents as models of OpenAI's responses."""

import itertools
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from django.http import HttpResponseBase, JsonResponse
from ninja import Schema
from pydantic import ConfigDict

from tapes_app.engine.errors import StudioError
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.runs.api.chat import stream_events
from tapes_app.runs.domain import response_events as events
from tapes_app.runs.domain.response_items import AnswerPlace, to_items, to_messages, to_tools
from tapes_app.runs.services import answers
from tapes_app.runs.services.answers import Completion
from tapes_app.runs.services.conversations import CalledAgent, call_agent
from tapes_app.runs.services.past_answers import PastAnswer, find_answer

router = make_router("openai")

_ASKED = (
    "temperature",
    "top_p",
    "max_output_tokens",
    "tool_choice",
    "top_logprobs",
    "background",
    "store",
    "conversation",
    "prompt",
    "max_tool_calls",
)


class ResponseIn(Schema):
    """The body of a response; fields of OpenAI's that are not listed have no effect."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)

    model: str
    """`agent:NAME@VERSION`, or `agent:NAME@published`."""

    input: str | list[dict[str, Any]]
    """A message, or items: messages, calls of your functions, and their outputs."""

    instructions: str | None = None
    """The first message of a conversation, to its system."""

    previous_response_id: str | None = None
    """The response that the input follows."""

    tools: list[dict[str, Any]] | None = None
    """Your own functions: their calls are answered by your next request."""

    stream: bool | None = None
    metadata: dict[str, str] | None = None
    """Returned as it is."""

    temperature: float | None = None
    top_p: float | None = None
    max_output_tokens: int | None = None
    reasoning: dict[str, Any] | None = None
    """Its `effort`."""

    tool_choice: str | dict[str, Any] | None = None
    """`auto`, or `none` to offer no tools of yours."""

    text: dict[str, Any] | None = None
    """The fields below and its `format` are here to be refused: an agent cannot do what they ask
    for."""

    top_logprobs: int | None = None
    background: bool | None = None
    store: bool | None = None
    conversation: str | dict[str, Any] | None = None
    prompt: dict[str, Any] | None = None
    max_tool_calls: int | None = None


@router.post("/responses", response={200: None})
def create_response(request: PersonRequest, body: ResponseIn) -> HttpResponseBase:
    """Let an agent answer, in the form of OpenAI's responses.

    With `previous_response_id` the input continues that conversation; otherwise send all of it.
    """
    messages = to_messages(body.input)
    after = None
    if body.previous_response_id is not None:
        after = find_answer(request.auth.project_id, body.previous_response_id)
        if body.instructions is not None:
            after.check_instructions(body.instructions)
    elif body.instructions:
        messages = [{"role": "system", "content": body.instructions}, *messages]
    tools = to_tools([] if body.tool_choice == "none" else body.tools or [])
    called = call_agent(request.auth, body.model, messages, tools, _list_asked(body), after=after)
    place = AnswerPlace(called.tape_id, called.start)
    response = _begin(place, int(time.time()), called.model, body)
    if body.stream:
        return stream_events(_stream(called, place, response))
    return JsonResponse(_complete(response, place, answers.wait_for_completion(called)))


@router.get("/responses/{response_id}", response={200: None})
def load_response(request: PersonRequest, response_id: str) -> HttpResponseBase:
    """Return a response with what the agent answered; tokens are on its tape."""
    return JsonResponse(_describe(find_answer(request.auth.project_id, response_id)))


def _list_asked(body: ResponseIn) -> dict[str, Any]:
    asked = body.model_dump(include=set(_ASKED), exclude_none=True)
    if (body.reasoning or {}).get("effort") is not None:
        asked["reasoning_effort"] = (body.reasoning or {})["effort"]
    if (body.text or {}).get("format") is not None:
        asked["text.format"] = (body.text or {})["format"]
    return asked


def _begin(
    place: AnswerPlace, created_at: int, model: str, body: ResponseIn | None = None
) -> dict[str, Any]:
    response = {
        "id": place.response_id,
        "object": "response",
        "created_at": created_at,
        "model": model,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": None,
        "tape_id": str(place.tape_id),
    }
    if body is None:
        return response
    return {
        **response,
        "instructions": body.instructions,
        "max_output_tokens": body.max_output_tokens,
        "metadata": body.metadata or {},
        "previous_response_id": body.previous_response_id,
        "reasoning": body.reasoning,
        "store": True,
        "temperature": body.temperature,
        "text": {"format": {"type": "text"}},
        "tool_choice": body.tool_choice or "auto",
        "tools": body.tools or [],
        "top_p": body.top_p,
        "truncation": "disabled",
    }


def _complete(
    response: dict[str, Any], place: AnswerPlace, completion: Completion
) -> dict[str, Any]:
    output = to_items(place, completion.message)
    used = completion.used
    usage = {
        "input_tokens": used.input_tokens,
        "input_tokens_details": {"cached_tokens": used.cached_tokens},
        "output_tokens": used.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},  # a run does not count them apart
        "total_tokens": used.input_tokens + used.output_tokens,
    }
    return {**response, "status": "completed", "output": output, "usage": usage}


def _fail(response: dict[str, Any], message: str) -> dict[str, Any]:
    return {
        **response,
        "status": "failed",
        "error": {"code": "server_error", "message": message},
    }


def _describe(past: PastAnswer) -> dict[str, Any]:
    response = _begin(past.place, int(past.asked_at.timestamp()), past.model)
    if past.message is not None:
        output = to_items(past.place, past.message)
        return {**response, "status": "completed", "output": output}
    if past.state in ("queued", "running"):
        return response
    return _fail(response, past.reason)


async def _stream(
    called: CalledAgent, place: AnswerPlace, response: dict[str, Any]
) -> AsyncIterator[str]:
    number = itertools.count()

    def write(event: dict[str, Any]) -> str:
        written = json.dumps({**event, "sequence_number": next(number)})
        return f"event: {event['type']}\ndata: {written}\n\n"

    yield write({"type": "response.created", "response": response})
    yield write({"type": "response.in_progress", "response": response})
    has_words = False
    try:
        async with aclosing(answers.stream_answer(called)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Completion):
                    completed = _complete(response, place, piece)
                    for event in _end(place, completed, has_words=has_words):
                        yield write(event)
                elif piece:
                    for event in events.add_text(place, piece, is_first=not has_words):
                        yield write(event)
                    has_words = True
                else:
                    yield ": the agent is working\n\n"
    except StudioError as error:
        # The status has been sent already.
        yield write({"type": "response.failed", "response": _fail(response, error.message)})


def _end(
    place: AnswerPlace, completed: dict[str, Any], *, has_words: bool
) -> Iterator[dict[str, Any]]:
    output = completed["output"]
    if output[0]["type"] == "message":
        if not has_words:
            yield from events.begin_text(place)
        yield from events.end_text(output[0])
    else:
        yield from events.write_calls(output)
    yield {"type": "response.completed", "response": completed}
