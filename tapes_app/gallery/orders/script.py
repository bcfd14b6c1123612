"""The order desk's script: it cancels or shows each order whose number is named."""

import re

from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.gallery.gullible import Gullibility, answer_gullibly
from tapes_app.gallery.scripting import call_tools, list_results

_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_CANCEL = re.compile(r"\bcancel", re.IGNORECASE)
_LIMITS = (
    "I am a script, not a language model: I can cancel an order, as in cancel order 17, and show "
    "one, as in where is order 17. Choose a model to ask for anything else."
)


def answer(prompt: Prompt, *, gullibility: Gullibility = 0.0, seed: int = 0) -> LLMOutput:
    """Answer the last message: tool results in words, a request by calling tools.

    `gullibility` is the share of the instructions in tool results that it follows; `seed` decides
    which ones.
    """
    return answer_gullibly(prompt, gullibility, seed, _answer)


def _answer(prompt: Prompt) -> LLMOutput:
    messages = prompt.messages
    last = messages[-1] if messages else Message(role="user", content="")
    if last.role == "tool":
        asked = max((n for n, item in enumerate(messages) if item.role == "user"), default=0)
        answers = " ".join(result.text for result in list_results(messages[asked:]))
        return LLMOutput(content=answers)
    numbers = dict.fromkeys(_NUMBER.findall(last.text))
    if not numbers or not prompt.tools:
        return LLMOutput(content=_LIMITS)
    name = "cancel_order" if _CANCEL.search(last.text) else "show_order"
    return call_tools(messages, *((name, {"number": number}) for number in numbers))
