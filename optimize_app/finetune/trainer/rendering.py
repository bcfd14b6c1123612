"""LLM calls as a chat template writes them; the answer is found by comparing with the prompt.

Stock templates of Llama 3.1, Qwen 3 and Gemma 3 mark no generated part, so that a mask made from
their markers is empty. Here the learnt span is what a template adds to the prompt for the answer,
up to the token that ends a turn: exactly what the model would have to sample.
"""

import json
from typing import Any

from transformers import PreTrainedTokenizerBase

from optimize_app.finetune.trainer.token_sequences import Template
from optimize_app.training_sets.samples import ChatExample, SampleError, Span, TextExample

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
    texts = [_write(tokenizer, _PROBE[:count], (), asks=False) for count in (2, 4)]
    asked = _write(tokenizer, _PROBE[:3], (), asks=True)
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
    return _write(tokenizer, [_plain(message) for message in messages], tools, asks=True)


def leaves_tools_out(
    tokenizer: PreTrainedTokenizerBase, messages: Any, tools: Any, prompt: str
) -> bool:
    """Return whether a prompt does not mention its tools, as the template does not support any."""
    return bool(tools) and prompt == write_prompt(tokenizer, messages)


def find_end_tokens(tokenizer: PreTrainedTokenizerBase) -> tuple[str, ...]:
    """Return the tokens that end a turn; an answer is learnt including its last one."""
    names = ("<|end|>", "<|eot_id|>", "<|im_end|>", "<end_of_turn>", "<|eom_id|>", "</s>")
    known = {name for name in names if name in tokenizer.all_special_tokens}
    if tokenizer.eos_token is not None:
        known.add(tokenizer.eos_token)
    return tuple(sorted(known))


def render_chat(tokenizer: PreTrainedTokenizerBase, example: ChatExample) -> TextExample:
    """Return a call as text, of which the answer is to be learnt.

    Raises:
        SampleError: there is no template, or it cannot write this chat.
    """
    _template_text(tokenizer)
    messages = [_plain(message) for message in example.messages]
    answer = {**_plain(example.answer), "role": "assistant"}
    try:
        prompt = write_prompt(tokenizer, example.messages, example.tools)
        full = _write(tokenizer, [*messages, answer], example.tools, asks=False)
        untold = leaves_tools_out(tokenizer, example.messages, example.tools, prompt)
    except Exception as error:
        raise SampleError(
            f"Example {example.id}: the chat template of the base model cannot write it: {error}."
        ) from error
    if untold:
        raise SampleError(
            f"Example {example.id} calls tools, and the chat template of the base model supports "
            "none: the student would never see them. Choose a base model whose template "
            "takes tools."
        )
    ends = find_end_tokens(tokenizer)
    if full.startswith(prompt):
        completion = _until_end(full[len(prompt) :], ends)
    elif not answer.get("tool_calls"):
        # The template writes an answered turn differently from the one that it prompts for.
        completion = str(answer.get("content") or "")
    else:
        raise SampleError(
            f"Example {example.id}: the chat template writes tool calls only in a form that does "
            "not continue its own prompt, so nobody can say which tokens were sampled. Use "
            "recorded tokens, or a base model whose template keeps prefixes."
        )
    if not completion.endswith(ends) and tokenizer.eos_token is not None:
        completion += tokenizer.eos_token
    if not completion:
        raise SampleError(f"Example {example.id}: the answer is empty, so nothing is learnt.")
    span = Span(start=len(prompt), end=len(prompt) + len(completion), weight=example.weight)
    return TextExample(
        id=example.id, origin=example.origin, text=prompt + completion, spans=(span,)
    )


def _template_text(tokenizer: PreTrainedTokenizerBase) -> str:
    if not tokenizer.chat_template:
        raise SampleError(
            "The tokenizer of the base model has no chat template, so chats cannot be written "
            "for it. Choose an instruction-tuned base model, or give examples as text."
        )
    return str(tokenizer.chat_template)


def _write(tokenizer: PreTrainedTokenizerBase, messages: Any, tools: Any, *, asks: bool) -> str:
    text = tokenizer.apply_chat_template(
        list(messages), tools=list(tools) or None, tokenize=False, add_generation_prompt=asks
    )
    return str(text)


def _until_end(completion: str, ends: tuple[str, ...]) -> str:
    """Return a completion up to its last end token; the line break after it is not sampled."""
    last = max((completion.rfind(end) + len(end) for end in ends if end in completion), default=0)
    return completion[:last] if last else completion.rstrip("\n")


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message as templates expect it: content as text, arguments as an object."""
    plain = {**message, "content": _text(message.get("content"))}
    if calls := message.get("tool_calls"):
        plain["tool_calls"] = [_with_arguments(call) for call in calls]
    return plain


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else str(content)


def _with_arguments(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function", {})
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except (TypeError, ValueError):
        return call
    return {**call, "function": {**function, "arguments": arguments}}
