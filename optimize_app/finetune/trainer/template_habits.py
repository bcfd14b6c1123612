"""What a chat template does to the parts of answers: which it writes, and where.

It is tried out: an answer of the same shape, whose parts nothing else contains, is written with the
template. What does not come back would not be learnt, whatever the template's code looks like.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase

from optimize_app.finetune.trainer.answer_parts import (
    AnswerParts,
    FoundParts,
    find_parts,
    split_answer,
)
from tapes_app.engine.model.reasoning import TEXT
from tapes_app.engine.tape.thoughts import closes_thoughts, opens_thoughts

Fault = Literal[
    "thoughts", "text", "text beside calls", "calls", "later calls", "opened", "as thought", "apart"
]
_REJECTIONS = (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a template raises: Jinja's errors, among them those of `raise_exception`, and those of
Python in its expressions and filters."""

_QUESTION: tuple[dict[str, Any], ...] = ({"role": "user", "content": "What is asked first?"},)
_THOUGHT, PROBE_TEXT = "zqthoughtqz", "zqtextqz"
PROBE_VALUE = "zqvaluezq"
_PARAMETER = {"type": "string", "description": "A word."}
_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "zqtool",
        "description": "Look up a word.",
        "parameters": {
            "type": "object",
            "properties": {"zqkey": _PARAMETER},
            "required": ["zqkey"],
        },
    },
}


@dataclass(frozen=True)
class Turn:
    """A prompt and its answer as a chat template writes them."""

    prompt: str
    whole: str

    @property
    def added(self) -> str | None:
        """What the answer adds to the prompt; `None`: its text does not continue the prompt's."""
        is_continued = self.whole.startswith(self.prompt)
        return self.whole[len(self.prompt) :] if is_continued else None


@dataclass(frozen=True)
class Shape:
    """Which parts an answer has."""

    thoughts: Literal["", "apart", "in content"]
    text: bool
    calls: int
    """0, 1 or 2, which stands for more."""


def shape_of(answer: dict[str, Any], parts: AnswerParts) -> Shape:
    """Return the shape of an answer."""
    thoughts: Literal["", "apart", "in content"] = "apart" if parts.thoughts else ""
    if thoughts and not answer.get(TEXT):
        thoughts = "in content"
    return Shape(thoughts, bool(parts.text), min(2, len(parts.calls)))


def write_chat(tokenizer: PreTrainedTokenizerBase, messages: Any, tools: Any, *, asks: bool) -> str:
    """Return a chat as the template writes it; with `asks`, up to where the next answer begins."""
    text = tokenizer.apply_chat_template(
        list(messages), tools=list(tools) or None, tokenize=False, add_generation_prompt=asks
    )
    return str(text)


def find_answer(turn: Turn, parts: AnswerParts) -> FoundParts | Fault:
    """Return where an answer is in what the template adds to the prompt, or why it is not learnt.

    If an answer of nothing but text does not continue the prompt, only the text is looked for.
    """
    opened = opens_thoughts(turn.prompt)
    if turn.added is None:
        if opened:
            return "opened"
        if parts.calls or parts.thoughts:
            return "apart"
    found = find_parts(parts, turn.whole if turn.added is None else turn.added)
    if found.missing == "text":
        return "text beside calls" if parts.calls else "text"
    if found.missing is not None:
        return found.missing
    if opened and not closes_thoughts(found.between):
        return "opened"
    return found


def write_probe(tokenizer: PreTrainedTokenizerBase, answer: dict[str, Any]) -> Turn:
    """Return an answer to a short question as the template writes it."""
    tools = [_TOOL] if answer.get("tool_calls") else []
    return Turn(
        prompt=write_chat(tokenizer, _QUESTION, tools, asks=True),
        whole=write_chat(tokenizer, [*_QUESTION, answer], tools, asks=False),
    )


def make_probe_call(number: int) -> dict[str, Any]:
    """Return a tool call that ends in `PROBE_VALUE`."""
    function = {"name": "zqtool", "arguments": {"zqkey": f"{number}{PROBE_VALUE}"}}
    return {"id": f"zqcall00{number}", "type": "function", "function": function}


def find_habit(tokenizer: PreTrainedTokenizerBase, shape: Shape) -> Fault | None:
    """Return what the template gets wrong with every answer of a shape, if it does."""
    return _try_shape(tokenizer, str(tokenizer.chat_template), shape)


@lru_cache(maxsize=64)
def _try_shape(tokenizer: PreTrainedTokenizerBase, _template: str, shape: Shape) -> Fault | None:
    calls = [make_probe_call(number) for number in range(shape.calls)]
    answer: dict[str, Any] = {"role": "assistant", "content": PROBE_TEXT if shape.text else ""}
    answer |= {"tool_calls": calls} if calls else {}
    if shape.thoughts == "apart":
        answer[TEXT] = _THOUGHT
    elif shape.thoughts:
        answer["content"] = f"<think>{_THOUGHT}</think>{answer['content']}"
    turn = try_probe(tokenizer, answer)
    if turn is None:
        return None
    found = find_answer(turn, split_answer(answer))
    if found == "calls" and shape.calls > 1:
        one_call = Shape(thoughts="", text=False, calls=1)
        is_one_kept = _try_shape(tokenizer, _template, one_call) is None
        return "later calls" if is_one_kept else "calls"
    if isinstance(found, str):
        return found
    if shape.text and calls and not shape.thoughts:
        as_thought = try_probe(tokenizer, {**answer, "content": "", TEXT: PROBE_TEXT})
        if as_thought is not None and as_thought.whole == turn.whole:
            return "as thought"
    return None


def try_probe(tokenizer: PreTrainedTokenizerBase, answer: dict[str, Any]) -> Turn | None:
    """Return a probe as the template writes it; `None`: it rejects it, but may write examples."""
    try:
        return write_probe(tokenizer, answer)
    except _REJECTIONS:
        return None
