"""LLM calls as a chat template writes them; the answer is found by comparing with the prompt.

Stock templates of Llama 3.1, Qwen 3 and Gemma 3 mark no generated part, so that a mask made from
their markers is empty. Here the learnt span is what a template adds to the prompt for the answer,
up to the token that ends a turn: exactly what the model would have to sample. Many templates leave
out a part of some answers without an error, so each part is looked for in the span.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from transformers import PreTrainedTokenizerBase

from optimize_app.finetune.trainer.answer_parts import (
    AnswerParts,
    FoundParts,
    split_answer,
    with_thoughts_apart,
    without_thoughts,
)
from optimize_app.finetune.trainer.template_habits import (
    Fault,
    Turn,
    find_answer,
    find_habit,
    shape_of,
    write_chat,
)
from optimize_app.finetune.trainer.token_sequences import Template
from optimize_app.finetune.trainer.turn_ends import find_end_tokens
from optimize_app.training_sets.samples import ChatExample, SampleError, Span, TextExample
from tapes_app.engine.model.messages import content_text
from tapes_app.engine.prompts.chat_messages import fill_arguments

_OTHER_BASE = "Choose a base model whose template writes all of it, or use recorded tokens."
_FAULTS: dict[Fault, str] = {
    "thoughts": "the chat template of the base model leaves out the thoughts, which are all of the "
    f"answer. {_OTHER_BASE}",
    "text": f"the chat template of the base model leaves out the text of the answer. {_OTHER_BASE}",
    "text beside calls": "the chat template of the base model leaves out the text beside a tool "
    f"call. {_OTHER_BASE}",
    "calls": f"the chat template of the base model leaves out tool calls. {_OTHER_BASE}",
    "later calls": "the chat template of the base model leaves out all tool calls of an answer but "
    f"the first. {_OTHER_BASE}",
    "opened": "the chat template of the base model opens thoughts at the end of its prompt and "
    "does not close them before the answer, which would be learnt as a thought. Use answers with "
    "thoughts that the template writes, another base model, or recorded tokens.",
    "as thought": "the chat template of the base model writes the text beside a tool call as a "
    f"thought. {_OTHER_BASE}",
    "apart": "the chat template writes the answer only in a form that does not continue its own "
    "prompt, so nobody can say which tokens were sampled. Use recorded tokens, or a base model "
    "whose template keeps prefixes.",
}
"""What a template does to an answer, and what would do."""

_PROBE: tuple[dict[str, Any], ...] = (
    {"role": "user", "content": "First question."},
    {"role": "assistant", "content": "First answer."},
    {"role": "user", "content": "Second question."},
    {"role": "assistant", "content": "Second answer."},
)


def examine_template(tokenizer: PreTrainedTokenizerBase) -> Template:
    """Return the properties of a tokenizer's chat template, found by writing a short chat with it.

    Raises:
        SampleError: it has no chat template.
    """
    template = _template_text(tokenizer)
    texts = [write_chat(tokenizer, _PROBE[:count], (), asks=False) for count in (2, 4)]
    asked = write_chat(tokenizer, _PROBE[:3], (), asks=True)
    return Template(
        marks_generation="generation" in template.replace("add_generation_prompt", "")
        and "endgeneration" in template,
        keeps_prefixes=texts[1].startswith(texts[0].rstrip())
        and texts[1].startswith(asked)
        and asked.startswith(texts[0].rstrip()),
    )


def write_prompt(tokenizer: PreTrainedTokenizerBase, messages: Any, tools: Any = ()) -> str:
    """Return the text that asks for the next answer: the same for training and for serving.

    Raises:
        SampleError: the tokenizer has no chat template.
        Exception: any error that the template raises for this chat.
    """
    _template_text(tokenizer)
    return write_chat(tokenizer, [_plain(message) for message in messages], tools, asks=True)


def leaves_tools_out(
    tokenizer: PreTrainedTokenizerBase, messages: Any, tools: Any, prompt: str
) -> bool:
    """Return whether a prompt does not mention its tools, as the template does not support any."""
    return bool(tools) and prompt == write_prompt(tokenizer, messages)


class UnwrittenError(SampleError):
    """A chat template does not write an example so that its answer is learnt; it is left out."""

    code = "unwritten_example"


@dataclass(frozen=True)
class Rendering:
    """A call as text, of which the answer is to be learnt."""

    example: TextExample
    loses_thoughts: bool
    """The template has no place for what was thought before the answer."""


def render_chat(tokenizer: PreTrainedTokenizerBase, example: ChatExample) -> Rendering:
    """Return a call as text, of which the answer is to be learnt.

    Raises:
        SampleError: there is no template.
        UnwrittenError: it cannot write this chat, or not all of the answer.
    """
    _template_text(tokenizer)
    messages = [_plain(message) for message in example.messages]
    try:
        prompt = write_prompt(tokenizer, example.messages, example.tools)
        untold = leaves_tools_out(tokenizer, example.messages, example.tools, prompt)
    except Exception as error:
        raise _cannot_write(example, error) from error
    if untold:
        raise UnwrittenError(
            f"Example {example.id} calls tools, and the chat template of the base model supports "
            "none: the student would never see them. Choose a base model whose template "
            "takes tools."
        )
    problem: UnwrittenError | None = None
    for answer in _list_forms(_plain({**example.answer, "role": "assistant"})):
        parts = split_answer(answer)
        try:
            whole = write_chat(tokenizer, [*messages, answer], example.tools, asks=False)
        except Exception as error:  # noqa: BLE001 - a template is somebody's program
            problem = _cannot_write(example, error)
            continue
        turn = Turn(prompt, whole)
        found = find_habit(tokenizer, shape_of(answer, parts)) or find_answer(turn, parts)
        if isinstance(found, FoundParts):
            completion = _take_completion(tokenizer, turn, parts, found)
            return _make_rendering(example, prompt, completion, parts)
        problem = UnwrittenError(f"Example {example.id}: {_FAULTS[found]}")
    assert problem is not None
    raise problem


def _list_forms(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an answer as recorded, with its thoughts in their own field, and without them."""
    yield answer
    apart = with_thoughts_apart(answer)
    if apart is not answer:
        yield apart
    bare = without_thoughts(answer)
    if bare != answer and (bare["content"] or bare.get("tool_calls")):
        yield bare


def _take_completion(
    tokenizer: PreTrainedTokenizerBase, turn: Turn, parts: AnswerParts, found: FoundParts
) -> str:
    """Return what the model has to sample: the answer, up to the token that ends the turn."""
    written, start = (turn.whole, found.end - len(parts.text)) if turn.added is None else ("", 0)
    written = written or turn.added or ""
    tail = written[found.end :]
    ends = [(tail.find(end), end) for end in find_end_tokens(tokenizer) if end in tail]
    if ends:
        place, end = min(ends, key=lambda one: (one[0], -len(one[1])))
        return written[start : found.end + place + len(end)]
    left = "" if turn.added is None else tail.rstrip("\n")
    return written[start : found.end] + left + (tokenizer.eos_token or "")


def _make_rendering(
    example: ChatExample, prompt: str, completion: str, parts: AnswerParts
) -> Rendering:
    if not completion:
        raise UnwrittenError(f"Example {example.id}: the answer is empty, so nothing is learnt.")
    span = Span(start=len(prompt), end=len(prompt) + len(completion), weight=example.weight)
    text = TextExample(
        id=example.id, origin=example.origin, text=prompt + completion, spans=(span,)
    )
    recorded = split_answer(_plain({**example.answer, "role": "assistant"})).thoughts
    return Rendering(text, loses_thoughts=bool(recorded) and not parts.thoughts)


def _cannot_write(example: ChatExample, error: Exception) -> UnwrittenError:
    return UnwrittenError(
        f"Example {example.id}: the chat template of the base model cannot write it: {error}."
    )


def _template_text(tokenizer: PreTrainedTokenizerBase) -> str:
    if not tokenizer.chat_template:
        raise SampleError(
            "The tokenizer of the base model has no chat template, so chats cannot be written "
            "for it. Choose an instruction-tuned base model, or give examples as text."
        )
    return str(tokenizer.chat_template)


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message as templates expect it: content as text, arguments as an object."""
    text = content_text(message.get("content"), message.get("role", ""))
    plain = {**fill_arguments(message), "content": text}
    if calls := plain.get("tool_calls"):
        plain["tool_calls"] = [_with_arguments(call) for call in calls]
    return plain


def _with_arguments(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function", {})
    try:
        arguments = json.loads(function.get("arguments"))
    except (TypeError, ValueError):  # an object already, or no JSON
        return call
    return {**call, "function": {**function, "arguments": arguments}}
