"""Kinds that an agent defines as data: from definitions to classes, schemas, steps and tapes."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapes_app.engine import AgentConfigError, DefinedKind, KindField
from tapes_app.engine.prompts.answer_schema import make_response_format
from tapes_app.engine.tape.defined_kinds import check_kinds
from tapes_app.engine.tape.defined_steps import build_step_class, build_step_classes
from tapes_app.engine.tape.steps import (
    UnknownStep,
    ends_tape,
    families_of,
    family_of,
    list_step_classes,
    parse_step,
)

names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text(max_size=20),
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "whole_number": st.integers(),
    "yes_no": st.booleans(),
    "texts": st.lists(st.text(max_size=9), max_size=3),
}


@st.composite
def fields(draw: st.DrawFn, name: str) -> KindField:
    type_ = draw(st.sampled_from([*VALUES, "choice"]))
    choices = st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=4, unique=True)
    return KindField.model_validate(
        {
            "name": name,
            "type": type_,
            "description": draw(st.text(max_size=30)),
            "required": draw(st.booleans()),
            "choices": draw(choices) if type_ == "choice" else (),
        }
    )


@st.composite
def kinds(draw: st.DrawFn) -> DefinedKind:
    named = draw(st.lists(names, max_size=5, unique=True))
    return DefinedKind(
        name=draw(names),
        family=draw(st.sampled_from(["thought", "action", "stop", "observation"])),
        description=draw(st.text(max_size=30)),
        fields=tuple(draw(fields(name)) for name in named),
    )


@st.composite
def kinds_with_bodies(draw: st.DrawFn) -> tuple[DefinedKind, dict[str, Any]]:
    kind = draw(kinds().filter(lambda one: not list(check_kinds([one]))))
    body: dict[str, Any] = {"kind": kind.name}
    for field in kind.fields:
        if field.required or draw(st.booleans()):
            chosen = st.sampled_from(field.choices) if field.choices else VALUES[field.type]
            body[field.name] = draw(chosen)
    return kind, body


@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(kinds_with_bodies())
def test_a_step_is_written_as_it_was_read_and_fits_the_schema_that_models_see(
    made: tuple[DefinedKind, dict[str, Any]],
) -> None:
    kind, body = made

    again = DefinedKind.model_validate(json.loads(kind.model_dump_json()))
    cls = build_step_class(again)
    step = cls.model_validate(body)
    loaded = parse_step(json.loads(json.dumps(step.to_json())))

    assert again == kind
    assert build_step_class(kind) is cls
    schema = make_response_format(cls)["json_schema"]["schema"]
    empty = {field.name: None for field in kind.fields if not field.required}
    jsonschema.validate({**empty, **body}, schema)
    assert step.llm_dict() == body
    assert cls.model_validate({**empty, **body}).to_json() == step.to_json()
    assert list_step_classes(kind.name) == ()
    assert isinstance(loaded, UnknownStep)
    assert loaded.content_equals(step)
    assert loaded.llm_dict() == step.llm_dict()
    assert (family_of(loaded), ends_tape(loaded)) == (family_of(step), ends_tape(step))
    assert parse_step(loaded.to_json(), known=(cls,)).to_json() == step.to_json()


def test_the_declared_family_is_not_guessed_from_the_name_or_the_next_step() -> None:
    thought = build_step_class(DefinedKind(name="final_answer", family="thought"))
    seen = build_step_class(DefinedKind(name="open_case", family="observation"))
    made = [cls.model_validate({"kind": cls.definition.name}) for cls in (thought, seen)]
    steps = [parse_step(step.to_json()) for step in made]

    assert families_of(steps) == ["thought", "observation"]
    assert not ends_tape(steps[0])


def field(**changes: Any) -> dict[str, Any]:
    return {"name": "Verdict", "fields": [{"name": "reason", **changes}]}


@pytest.mark.parametrize(
    ("kind", "place", "sentence"),
    [
        ({"name": "assistant"}, (0, "name"), "has a kind 'assistant' already"),
        ({"name": "os.system"}, (0, "name"), "cannot be named 'os.system'"),
        ({"name": ""}, (0, "name"), "begin with a letter"),
        ({"name": "V" * 65}, (0, "name"), "up to 64 letters"),
        ({"name": "V", "description": "x" * 1001}, (0, "description"), "1,001 characters"),
        (field(name="__class__"), (0, "fields", 0, "name"), "cannot be named '__class__'"),
        (field(name="kind"), (0, "fields", 0, "name"), "means something in every step"),
        (field(name="model_dump"), (0, "fields", 0, "name"), "means something in every step"),
        (field(name="reasoning_content"), (0, "fields", 0, "name"), "means something"),
        (field(description="x" * 2000), (0, "fields", 0, "description"), "2,000 characters"),
        (field(type="choice"), (0, "fields", 0, "choices"), "needs from 1 to 100 choices"),
        (field(type="choice", choices=["a", "a"]), (0, "fields", 0, "choices"), "twice"),
        (field(type="choice", choices=[""]), (0, "fields", 0, "choices"), "from 1 to 200"),
        (field(choices=["a"]), (0, "fields", 0, "choices"), "make it a choice"),
        (
            {"name": "V", "fields": [{"name": f"f{at}"} for at in range(10_000)]},
            (0, "fields"),
            "has 10,000 fields; it can have 50",
        ),
        (
            {"name": "V", "fields": [{"name": "a"}, {"name": "a"}]},
            (0, "fields", 1, "name"),
            "two fields 'a'",
        ),
    ],
)
def test_a_definition_with_a_mistake_is_refused_in_a_sentence(
    kind: dict[str, Any], place: tuple[str | int, ...], sentence: str
) -> None:
    wrong = DefinedKind.model_validate(kind)

    [problem] = check_kinds([wrong])
    with pytest.raises(AgentConfigError) as refused:
        build_step_classes([wrong])

    assert problem.place == place
    assert sentence in problem.message
    assert refused.value.message == problem.message


def test_kinds_of_one_agent_have_different_names_and_there_are_not_too_many() -> None:
    kind = DefinedKind(name="Verdict")

    assert [one.place for one in check_kinds([kind, kind])] == [(1, "name")]
    [problem] = check_kinds([kind] * 51)
    assert problem == ((), "An agent can define 50 kinds of steps; this one has 51.")


def test_two_agents_may_define_a_name_differently() -> None:
    one = build_step_class(DefinedKind(name="Verdict", fields=(KindField(name="reason"),)))
    other = build_step_class(DefinedKind(name="Verdict", family="action"))

    assert one.model_validate({"kind": "Verdict", "reason": "x"}).family == "thought"
    assert other.model_validate({"kind": "Verdict"}).family == "action"
