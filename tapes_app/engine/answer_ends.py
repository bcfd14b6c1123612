"""Answers that a model did not bring to their end: told as what they are."""

import json

from tapes_app.engine.errors import LLMError
from tapes_app.engine.llm import LLMOutput, LLMResult

MOST_SAID = 300


class AnswerEndError(LLMError):
    """A model refused, was stopped by a filter, or ran out of tokens before its answer."""

    code = "answer_end"


def check_end(result: LLMResult) -> None:
    """Refuse an answer that nobody should act on; words that were merely cut off are kept.

    Raises:
        AnswerEndError: the answer is a refusal, or a filter or the limit of tokens left nothing
            of it, or half a tool call.
    """
    output = result.output
    refusal = getattr(output, "refusal", None)
    if _is_usable(output):
        return
    if isinstance(refusal, str) and refusal:
        raise AnswerEndError(
            f"The model refused to answer: {refusal[:MOST_SAID]!r}. Ask for something else, or "
            "choose another model."
        )
    if result.finish_reason == "content_filter":
        raise AnswerEndError(
            "The provider's content filter stopped the answer. Change what is asked, or choose "
            "another model."
        )
    if result.finish_reason == "length":
        where = "in the middle of a tool call" if output.tool_calls else "before it said anything"
        raise AnswerEndError(
            f"The answer reached its limit of tokens {where}. Raise max_tokens among the "
            "parameters of the model, or ask for less."
        )


def _is_usable(output: LLMOutput) -> bool:
    """Tell whether there are words, or calls whose arguments can be read."""
    if not output.tool_calls:
        return bool(output.content)
    try:
        for call in output.tool_calls:
            json.loads(call["function"]["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    return True
