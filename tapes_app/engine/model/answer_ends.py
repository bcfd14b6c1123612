"""Model answers that ended early: each is reported with its cause."""

import json

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput, LLMResult

_MOST_SHOWN = 300


class AnswerEndError(LLMError):
    """A model refused, was stopped by a filter, or ran out of tokens before it answered."""

    code = "answer_end"


def check_end(result: LLMResult) -> None:
    """Reject an answer that must not be acted on; text that was merely cut off is kept.

    Raises:
        AnswerEndError: the answer is a refusal, or a filter or the token limit left nothing of it,
            or only half a tool call.
    """
    output = result.output
    refusal = getattr(output, "refusal", None)
    if _is_usable(output):
        return
    if isinstance(refusal, str) and refusal:
        raise AnswerEndError(
            f"The model refused to answer: {refusal[:_MOST_SHOWN]!r}. Ask for something else, or "
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
            f"The answer reached its token limit {where}. Raise max_tokens among the "
            "parameters of the model, or ask for less."
        )


def _is_usable(output: LLMOutput) -> bool:
    """Return whether there is any text, or calls with readable arguments."""
    if not output.tool_calls:
        return bool(output.content)
    try:
        for call in output.tool_calls:
            json.loads(call["function"]["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    return True
