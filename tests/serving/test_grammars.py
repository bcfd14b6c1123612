"""Grammars of forms take exactly the text that training has, so both ways of decoding agree."""

import json
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from optimize_app.serving.server.errors import GrammarError, RequestError
from optimize_app.serving.server.grammars import (
    GrammarMaker,
    TokenGrammar,
    make_words,
    unpack_words,
)
from optimize_app.serving.server.requests import parse_chat_request
from tapes_app.engine.prompts.answer_schema import make_response_format
from tapes_app.engine.prompts.structured_output import write_structured
from tapes_app.engine.tape.steps import Thought
from tests.finetune.chat_templates import HERMES, Kind, make_tokenizer_of
from tests.finetune.folders import make_tokenizer

TOKENIZER = make_tokenizer()
END = TOKENIZER.eos_token_id
MAKER = GrammarMaker(TOKENIZER, vocabulary=len(TOKENIZER), end_ids=[END])


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    """A part of it."""

    z_last_letter_first: str
    amount: float
    parts: list["Part"] = []


class Order(BaseModel):
    number: int
    color: Color = Field(description="which one")
    note: str | None = None
    part: Part
    pair: tuple[int, str] = (0, "")


class Bill(BaseModel):
    kind: Literal["bill"] = "bill"
    at: datetime
    id: UUID
    by_name: dict[str, int]
    part: Part = Field(description="beside a reference")


class Doubt(Thought):
    kind: Literal["doubt_of_tests"] = "doubt_of_tests"
    text: str
    sure: bool


PART = Part(z_last_letter_first='é "quoted" \\ \n\t\r\b\f\x01 \u2028 🙂 /', amount=-1.5e-7)
ANSWERS = [
    PART,
    Part(z_last_letter_first="", amount=1e22, parts=[PART, PART]),
    Order(number=-3, color=Color.BLUE, part=PART, note="n", pair=(7, "x")),
    Order(number=0, color=Color.RED, part=PART),
    Bill(at=datetime(2026, 1, 2, tzinfo=UTC), id=UUID(int=5), by_name={"é": 1, "b": 2}, part=PART),
    Bill(at=datetime(2026, 1, 2, 3, 4, 5, 678, UTC), id=UUID(int=6), by_name={}, part=PART),
    Doubt(text="hm", sure=False),
]


def make(maker: GrammarMaker = MAKER, **fields: Any) -> TokenGrammar:
    messages = [{"role": "user", "content": ""}]
    body = {"model": "base", "messages": messages, **fields}
    grammar = maker.make(parse_chat_request(json.dumps(body).encode()))
    assert grammar is not None
    return grammar


def takes(
    grammar: TokenGrammar, text: str, maker: GrammarMaker = MAKER, tokenizer: Any = TOKENIZER
) -> bool:
    """Tell whether a model could draw these tokens and the end after them."""
    words = make_words(1, maker.vocabulary)
    for token in [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]:
        grammar.write_mask(words, 0)
        if not unpack_words(words, maker.vocabulary)[0, token]:
            return False
        grammar.take(token)
    return True


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_what_training_learns_is_what_a_grammar_takes(answer: BaseModel) -> None:
    wanted = make_response_format(type(answer))
    text = write_structured(answer)

    assert takes(make(response_format=wanted), text)
    assert takes(make(structured_outputs={"json": wanted["json_schema"]["schema"]}), text)
    assert takes(make(response_format={"type": "json_object"}), text)


@pytest.mark.parametrize(
    "text",
    [
        '{"amount": 1.0, "z_last_letter_first": "a", "parts": []}',
        '{"z_last_letter_first":"a","amount":1.0,"parts":[]}',
        '{ "z_last_letter_first": "a", "amount": 1.0, "parts": []}',
        '{"z_last_letter_first": "\\/", "amount": 1.0, "parts": []}',
        '{"z_last_letter_first": "a", "amount": 1.0, "parts": []}\n',
        '{"z_last_letter_first": "a", "amount": 1.0, "parts": []',
    ],
)
def test_other_order_white_space_and_escapes_are_refused(text: str) -> None:
    assert not takes(make(response_format=make_response_format(Part)), text)


@pytest.mark.parametrize(
    ("outputs", "good", "bad"),
    [
        ({"regex": "[a-c]{2}"}, "ab", "abc"),
        ({"choice": ["yes", 'say "no"', "é"]}, 'say "no"', "no"),
        ({"grammar": 'start: "x" NUMBER\nNUMBER: /[0-9]+/'}, "x12", "x"),
    ],
)
def test_other_forms_are_those_of_vllm(outputs: dict[str, Any], good: str, bad: str) -> None:
    assert takes(make(structured_outputs=outputs), good)
    assert not takes(make(structured_outputs=outputs), bad)


ADD = {
    "name": "add",
    "parameters": {
        "$defs": {"N": {"type": "integer"}},
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/N"}},
        "required": ["a"],
    },
}
TOOLS = [{"type": "function", "function": one} for one in (ADD, {"name": 'say "é"'})]


@pytest.mark.parametrize(
    ("choice", "call", "is_taken"),
    [
        ("required", '{"name": "add", "arguments": {"a": 1}}', True),
        ("required", '{"name": "say \\"é\\"", "arguments": {}}', True),
        ("required", '{"name": "add", "arguments": {"a": "1"}}', False),
        ("required", '{"name": "drop", "arguments": {}}', False),
        ("add", '{"name": "add", "arguments": {"a": 1}}', True),
        ("add", '{"name": "say \\"é\\"", "arguments": {}}', False),
    ],
)
@pytest.mark.parametrize("kind", [None, HERMES])
def test_a_forced_call_fits_its_tool_and_has_the_form_of_the_template(
    choice: str, call: str, is_taken: bool, kind: Kind | None
) -> None:
    tokenizer = TOKENIZER if kind is None else make_tokenizer_of(kind)
    end = tokenizer.eos_token_id
    maker = GrammarMaker(tokenizer, vocabulary=len(tokenizer), end_ids=[end])
    named = {"type": "function", "function": {"name": choice}}
    wanted = choice if choice == "required" else named
    text = call if kind is None else f"<tool_call>\n{call}\n</tool_call>"

    assert takes(make(maker, tools=TOOLS, tool_choice=wanted), text, maker, tokenizer) == is_taken


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tool_choice": "required"}, "not among tools"),
        ({"tools": TOOLS, "tool_choice": {"type": "function", "function": {"name": "x"}}},
         "not among tools"),
        ({"tools": TOOLS, "tool_choice": "required", "response_format": {"type": "json_object"}},
         "leave out other forms"),
        ({"tools": TOOLS, "tool_choice": "any"}, "tool_choice"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_forced_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        make(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"structured_outputs": {"json": {"type": "no type"}}},
        {"structured_outputs": {"json": {"not": {"type": "string"}}}},
        {"structured_outputs": {"json": "[]"}},
        {"structured_outputs": {"regex": "(a"}},
        {"structured_outputs": {"grammar": "begin: x"}},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": 3}}}},
    ],
)
def test_a_form_that_cannot_be_compiled_is_refused_by_its_field(fields: dict[str, Any]) -> None:
    with pytest.raises(GrammarError, match=f"^{next(iter(fields))} cannot be compiled: "):
        make(**fields)
