"""Required forms of answers, compiled by llguidance into masks of what may come next.

JSON has one form: the keys in the order of the schema, `, ` and `: ` between them, no other white
space. `write_structured` writes this form and training uses it, so that a student writes the same
tokens freely and under a grammar.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import llguidance
import llguidance.hf
import llguidance.numpy
import numpy as np
from llguidance import LLMatcher
from numpy.typing import NDArray

from optimize_app.finetune.trainer.template_habits import make_probe_call, try_probe
from optimize_app.finetune.trainer.turn_ends import find_end_tokens
from optimize_app.serving.server.errors import GrammarError
from optimize_app.serving.server.requests import ChatRequest, ResponseFormat, StructuredOutputs

_JSON_FORM: Any = {
    "item_separator": ", ",
    "key_separator": ": ",
    "whitespace_flexible": False,
    "coerce_one_of": True,
    "json_allowed_escapes": '"\\bfnrtu',  # no \/, which json.dumps never writes
}


_NO_ARGUMENTS: Any = {"type": "object", "properties": {}, "additionalProperties": False}


class TokenGrammar:
    """The position of one answer in its form."""

    def __init__(self, matcher: LLMatcher) -> None:
        self._matcher = matcher

    def write_mask(self, words: NDArray[np.int32], row: int) -> None:
        """Write which tokens may come next, 32 to a word, into a row of `words`.

        Raises:
            GrammarError: the form became too large to follow.
        """
        llguidance.numpy.fill_next_token_bitmask(self._matcher, words, row)
        self._check()

    def take(self, token: int) -> None:
        """Advance by an allowed token, or by the end of the turn."""
        self._matcher.consume_token(token)
        self._check()

    def is_complete(self) -> bool:
        """Return whether the tokens so far form a complete answer."""
        return bool(self._matcher.is_accepting())

    def copy(self) -> "TokenGrammar":
        """Return the same form at the same position, for another answer."""
        return TokenGrammar(self._matcher.deep_copy())

    def _check(self) -> None:
        if self._matcher.is_error():
            raise GrammarError(
                f"The form of the answer cannot be followed: {_first_line(self._matcher)}"
            )


class GrammarMaker:
    """Compiles forms for one tokenizer; thread-safe."""

    def __init__(self, tokenizer: Any, *, vocabulary: int, end_ids: Sequence[int]) -> None:
        self.vocabulary = vocabulary
        self._tokenizer = llguidance.hf.from_tokenizer(
            tokenizer, n_vocab=vocabulary, eos_token=list(end_ids)
        )
        self._call_marks = _find_call_marks(tokenizer)

    def make(self, request: ChatRequest) -> TokenGrammar | None:
        """Return the form that a request asks for; None if any text will do.

        Raises:
            GrammarError: the form cannot be compiled.
        """
        if request.must_call:
            write = partial(_of_calls, marks=self._call_marks)
            return self._compile("tools", write, request.forced_tools)
        if request.structured_outputs is not None:
            return self._compile("structured_outputs", _of_outputs, request.structured_outputs)
        if request.response_format is not None and request.response_format.type != "text":
            return self._compile("response_format", _of_format, request.response_format)
        return None

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token."""
        return bytes(self._tokenizer.decode_bytes([token]))

    def _compile(self, field: str, write: Any, wanted: Any) -> TokenGrammar:
        try:
            matcher = LLMatcher(self._tokenizer, write(wanted), log_level=0)
        except ValueError as error:
            raise GrammarError(f"{field} cannot be compiled: {error}", param=field) from error
        if matcher.is_error():
            raise GrammarError(f"{field} cannot be compiled: {_first_line(matcher)}", param=field)
        return TokenGrammar(matcher)


def _find_call_marks(tokenizer: Any) -> tuple[str, str]:
    """Return the text before and after the JSON of a call, as training has it.

    Empty if the template writes calls in another way, or in special tokens: a call without marks is
    read too.
    """
    call = make_probe_call(0)
    turn = try_probe(tokenizer, {"role": "assistant", "content": "", "tool_calls": [call]})
    added = (turn.added if turn is not None else None) or ""
    before, written, after = added.partition(json.dumps(call["function"]))
    for end in find_end_tokens(tokenizer):
        after = after.partition(end)[0]
    special = [one.content for one in tokenizer.added_tokens_decoder.values() if one.special]
    is_plain = not any(token in before + after for token in special)
    return (before, after) if written and is_plain else ("", "")


def make_words(rows: int, vocabulary: int) -> NDArray[np.int32]:
    """Return masks for `TokenGrammar.write_mask` that allow everything."""
    return np.full((rows, (vocabulary + 31) // 32), -1, dtype=np.int32)


def unpack_words(words: NDArray[np.int32], vocabulary: int) -> NDArray[np.bool_]:
    """Return masks of shape (rows, vocabulary)."""
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits[:, :vocabulary].astype(bool)


def compile_json_schema(schema: dict[str, Any] | str) -> str:
    """Return a schema as a grammar that accepts only the form in which we write JSON."""
    return str(LLMatcher.grammar_from_json_schema(schema, overrides=_JSON_FORM))


def _of_calls(functions: Sequence[dict[str, Any]], *, marks: tuple[str, str]) -> str:
    """Return a grammar of one call between marks, whose arguments fit their schema."""
    rules = [f"start: {' | '.join(f'call_{number}' for number in range(len(functions)))}"]
    after = json.dumps(f"}}{marks[1]}")
    for number, function in enumerate(functions):
        name = json.dumps(function["name"], ensure_ascii=False)
        before = f'{marks[0]}{{"name": {name}, "arguments": '
        schema = {**(function.get("parameters") or _NO_ARGUMENTS), "x-guidance": _JSON_FORM}
        rules.append(f"call_{number}: {json.dumps(before)} %json {json.dumps(schema)} {after}")
    return str(LLMatcher.grammar_from_lark("\n".join(rules)))


def _of_format(wanted: ResponseFormat) -> str:
    form = wanted.json_schema
    return compile_json_schema({"type": "object"} if form is None else form.schema_)


def _of_outputs(wanted: StructuredOutputs) -> str:
    if wanted.json_ is not None:
        return compile_json_schema(wanted.json_)
    if wanted.regex is not None:
        return str(LLMatcher.grammar_from_regex(wanted.regex))
    if wanted.grammar is not None:
        return str(LLMatcher.grammar_from_lark(wanted.grammar))
    choices = " | ".join(json.dumps(choice, ensure_ascii=False) for choice in wanted.choice or ())
    return str(LLMatcher.grammar_from_lark(f"start: {choices}"))


def _first_line(matcher: LLMatcher) -> str:
    return str(matcher.get_error()).strip().split("\n", 1)[0][:300]
