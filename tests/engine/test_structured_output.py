"""Answers in the form of a class: what a provider is told, and what counts as an answer."""

from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, RootModel

from tapes_app.engine import (
    AgentConfigError,
    LLMCall,
    LLMError,
    LLMOutput,
    Prompt,
    StructuredOutputError,
    Thought,
    ToolCall,
    ToolEnvironment,
    ask_structured,
    make_response_format,
    read_structured,
    tool,
    user_message,
    write_structured,
)
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Circle(BaseModel):
    shape: Literal["circle"] = "circle"
    radius: float = Field(ge=0, allow_inf_nan=False, description="In metres.")


class Path(BaseModel):
    shape: Literal["path"] = "path"
    points: tuple[int, ...] = ()


class Drawing(BaseModel):
    """What was drawn."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = Field(alias="headline", max_length=40)
    made_on: date | None = None
    colours: list[Colour] = []
    main: Annotated[Circle | Path, Field(discriminator="shape")] = Circle(radius=1)
    parts: list["Drawing"] = Field(default=[], description="What it is made of.")


class Verdict(Thought):
    kind: Literal["structured_verdict"] = "structured_verdict"
    passed: bool


class Counts(BaseModel):
    words: dict[str, int]


words = st.text(max_size=12)
shapes = st.one_of(
    st.builds(Circle, radius=st.floats(0, allow_infinity=False, allow_nan=False)),
    st.builds(Path, points=st.lists(st.integers(), max_size=3).map(tuple)),
)


def draw(parts: st.SearchStrategy[list[Drawing]]) -> st.SearchStrategy[Drawing]:
    return st.builds(
        Drawing,
        headline=words,
        made_on=st.none() | st.dates(),
        colours=st.lists(st.sampled_from(Colour), max_size=2),
        main=shapes,
        parts=parts,
    )


drawings = st.recursive(draw(st.just([])), lambda inner: draw(st.lists(inner, max_size=2)))
answers: st.SearchStrategy[BaseModel] = st.one_of(
    drawings,
    st.builds(Verdict, passed=st.booleans()),
    st.builds(Counts, words=st.dictionaries(words, st.integers(), max_size=3)),
)


@given(answers)
def test_what_is_written_fits_the_form_and_is_read_as_the_same(answer: BaseModel) -> None:
    text = write_structured(answer)

    assert read_structured(text, type(answer)) == answer
    schema = make_response_format(type(answer))["json_schema"]["schema"]
    written = read_structured(text, RootModel[Any]).root
    assert Draft202012Validator(schema).is_valid(written)


def list_parts(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [part for item in schema for part in list_parts(item)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(part for item in schema.values() for part in list_parts(item))]


def test_a_strict_form_says_what_every_part_is() -> None:
    made = make_response_format(Drawing)

    assert made["type"] == "json_schema"
    assert (made["json_schema"]["name"], made["json_schema"]["strict"]) == ("Drawing", True)
    schema = made["json_schema"]["schema"]
    assert schema["type"] == "object"
    objects = [part for part in list_parts(schema) if part.get("type") == "object"]
    assert len(objects) == 4
    for part in objects:
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    names = {name for part in list_parts(schema) for name in part}
    assert not names & {"default", "oneOf", "discriminator", "minimum", "maxLength", "format"}
    assert all(set(part) == {"$ref"} for part in list_parts(schema) if "$ref" in part)
    radius = schema["$defs"]["Circle"]["properties"]["radius"]
    assert radius["description"] == 'In metres. {"minimum":0}'


def test_a_step_is_asked_for_without_what_the_engine_says_of_it() -> None:
    schema = make_response_format(Verdict)["json_schema"]["schema"]

    assert schema["required"] == ["kind", "passed"]
    assert schema["properties"]["kind"] == {"type": "string", "const": "structured_verdict"}
    text = '{"kind": "structured_verdict", "passed": true, "metadata": {"agent": "root"}}'
    assert read_structured(text, Verdict).metadata.agent == ""


def test_an_open_form_is_a_hint() -> None:
    made = make_response_format(Counts)["json_schema"]

    assert made["strict"] is False
    assert made["schema"]["properties"]["words"]["type"] == "object"


def test_what_is_no_object_is_refused_in_a_sentence() -> None:
    with pytest.raises(AgentConfigError, match="not a JSON object"):
        make_response_format(RootModel[list[int]])


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("", "The answer is empty", ""),
        ("Sure!", r"is not JSON \(Expecting value: line 1 column 1", ""),
        ('{"passed": true} {}', "is not JSON", ""),
        ("[" * 100_000, "is not JSON", ""),
        ("9" * 10_000, "is not JSON", ""),
        ("[1]", "does not fit Verdict", ""),
        ('{"passed": "perhaps"}', "Verdict: passed: Input should be a valid boolean", "/passed"),
        ('{"passed": true, "x": "\\ud800"}', "does not fit Verdict", ""),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused_with_place_and_reason(
    text: str, reason: str, place: str
) -> None:
    with pytest.raises(StructuredOutputError, match=reason) as refused:
        read_structured(text, Verdict)

    assert refused.value.details["place"] == place


def ask(*texts: LLMOutput | str) -> ScriptedLLM:
    return ScriptedLLM(answers_in_order(texts))


PROMPT = Prompt(messages=(user_message("Did it pass?"),))


async def test_an_answer_that_cannot_be_read_is_asked_for_again_with_the_reason() -> None:
    calls: list[LLMCall] = []
    llm = ask("Yes.", '```json\n{"passed": true}\n```')

    answer = await ask_structured(llm, PROMPT, Verdict, keep=calls.append)

    assert answer == Verdict(passed=True)
    first, second = (call.prompt for call in calls)
    assert first.response_format == second.response_format == make_response_format(Verdict)
    assert first.id != second.id
    assert [message.role for message in second.messages] == ["user", "assistant", "user"]
    assert second.messages[1].text == "Yes."
    assert "is not JSON" in second.messages[2].text


async def test_asking_ends_after_so_many_attempts() -> None:
    calls: list[LLMCall] = []

    with pytest.raises(StructuredOutputError, match="is not JSON"):
        await ask_structured(ask(*["no"] * 9), PROMPT, Verdict, keep=calls.append)

    assert len(calls) == 3


async def test_a_call_that_fails_is_kept_and_not_repeated() -> None:
    calls: list[LLMCall] = []

    with pytest.raises(LLMError, match="used up"):
        await ask_structured(ask(), PROMPT, Verdict, keep=calls.append)

    assert [call.error for call in calls] == ["All scripted answers are used up; add more."]


async def test_a_model_that_refuses_is_not_asked_again() -> None:
    calls: list[LLMCall] = []
    refusal = LLMOutput.model_validate({"refusal": "I will not."})

    with pytest.raises(LLMError, match="refused to answer: 'I will not"):
        await ask_structured(ask(refusal, "no"), PROMPT, Verdict, keep=calls.append)

    assert [call.output for call in calls] == [refusal]
    assert "refused to answer" in calls[0].error


async def test_a_tool_that_asks_a_model_gives_its_data_or_says_why_not() -> None:
    llm = ask('{"passed": false}', "no", "no", "no")

    @tool
    async def check(text: str) -> Verdict:
        """Say whether a text is right."""
        return await ask_structured(llm, PROMPT, Verdict)

    environment = ToolEnvironment([check])
    call = ToolCall.model_validate({"function": {"name": "check", "arguments": '{"text": "x"}'}})
    good, bad = await environment.answer(call), await environment.answer(call)

    assert good.content["passed"] is False
    assert bad.is_error
    assert "StructuredOutputError: The answer is not JSON" in bad.content
