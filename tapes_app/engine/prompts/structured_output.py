"""Answers in the form of a pydantic class: asking a model for one, and reading it."""

import json
import time
from collections.abc import Callable
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from tapes_app.engine.errors import CallRefusedError, LLMError
from tapes_app.engine.model.answer_ends import check_end
from tapes_app.engine.model.llm import LLM, LLMCall, LLMOutput, LLMResult, Prompt
from tapes_app.engine.model.messages import Message, user_message
from tapes_app.engine.model.reasoning import reasoning_of
from tapes_app.engine.plain_json import dump_json_data, dump_json_text
from tapes_app.engine.prompts.answer_schema import make_response_format
from tapes_app.engine.prompts.parsing import bare_answer
from tapes_app.engine.tape.steps import Step, first_place, first_reason

Form = TypeVar("Form", bound=BaseModel)

MOST_ATTEMPTS = 3
"""How often a model is asked for a readable answer."""

_LONGEST_SHOWN = 200


class StructuredOutputError(LLMError):
    """An answer is not in the requested form; `details["place"]` points into it."""

    code = "structured_output"


def read_structured(text: str, form: type[Form]) -> Form:
    """Read an answer strictly: one JSON value, bare or in one code fence, no other text.

    What a model thought aloud in front of it is not read.

    Raises:
        StructuredOutputError: it is anything else, or does not fit; the message says where and why.
    """
    answer = bare_answer(text).strip()
    if not answer:
        raise StructuredOutputError("The answer is empty; expected JSON.", place="")
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise StructuredOutputError(
            f"The answer is not JSON ({error}): {answer[:_LONGEST_SHOWN]!r}.", place=""
        ) from error
    if issubclass(form, Step) and isinstance(value, dict):
        value = {key: item for key, item in value.items() if key not in form.hidden_fields}
    try:
        # As JSON again: tuples, dates and enums of strict classes only fit that way.
        return form.model_validate_json(json.dumps(value))
    except ValidationError as error:
        raise StructuredOutputError(
            f"The answer does not fit {form.__name__}: {first_reason(error)}.",
            place=first_place(error),
        ) from error


def write_structured(answer: BaseModel) -> str:
    """Return the answer text from which `read_structured` builds this value."""
    left_out = set(answer.hidden_fields) if isinstance(answer, Step) else None
    return dump_json_text(dump_json_data(answer, exclude=left_out, by_alias=True, round_trip=True))


async def ask_structured(
    llm: LLM,
    prompt: Prompt,
    form: type[Form],
    *,
    attempts: int = MOST_ATTEMPTS,
    keep: Callable[[LLMCall], object] = lambda _: None,
) -> Form:
    """Ask a model for an answer in a form; ask again if it cannot be read.

    The model sees what it wrote and what is wrong with it. `keep` receives every call that was
    made, including failed ones.

    Raises:
        StructuredOutputError: none of the answers could be read.
        LLMError: a call failed.
    """
    response_format, messages = make_response_format(form), prompt.messages
    for attempt in range(1, attempts + 1):
        asked = Prompt(
            messages=messages,
            tools=prompt.tools,
            response_format=response_format,
            sampling=prompt.sampling,
            tool_choice=prompt.tool_choice,
        )
        output = await _ask_once(llm, asked, keep)
        text = output.content or ""
        try:
            return read_structured(text, form)
        except StructuredOutputError as error:
            if attempt >= attempts:
                raise
            complaint = user_message(
                f"Your answer could not be used: {error.message} Answer again."
            )
            answer_message = Message(role="assistant", content=text, **reasoning_of(output))
            messages = (*messages, answer_message, complaint)
    raise ValueError("A model must be asked at least once.")


async def _ask_once(llm: LLM, prompt: Prompt, keep: Callable[[LLMCall], object]) -> LLMOutput:
    began, clock = datetime.now(UTC), time.perf_counter()

    def record(result: LLMResult, error: str = "") -> LLMCall:
        return LLMCall(
            prompt=prompt,
            output=result.output,
            usage=result.usage,
            cost_micro_usd=result.cost_micro_usd,
            llm=llm.describe(),
            started_at=began,
            duration_seconds=time.perf_counter() - clock,
            finish_reason=result.finish_reason,
            is_cached=result.is_cached,
            error=error,
            tokens=result.tokens,
        )

    result = LLMResult(output=LLMOutput())
    try:
        result = await _read_to_end(llm, prompt)
        check_end(result)
    except CallRefusedError:  # no call was made
        raise
    except LLMError as error:
        keep(record(result, error.message))
        raise
    keep(record(result))
    return result.output


async def _read_to_end(llm: LLM, prompt: Prompt) -> LLMResult:
    async with aclosing(llm.stream(prompt)) as events:  # type: ignore[type-var]  # a generator
        async for event in events:
            if isinstance(event, LLMResult):
                return event
    raise LLMError("Its answer was cut off.")
