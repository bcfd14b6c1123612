"""Property tests: whatever a tape or a call holds comes back exactly."""

import math
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tapes_app.engine.tape.steps import UnknownStep, parse_step
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.models.json_text import dump_json_text, load_json_text
from tapes_app.tapes.store.calls import load_call, save_calls
from tapes_app.tapes.store.headers import load_outline, load_steps
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import make_call

pytestmark = pytest.mark.django_db

# Every code point: NUL and lone surrogates are what databases refuse.
TEXT = st.text(st.characters(), max_size=20) | st.sampled_from(
    ["\x00", "\ud800", "\udfff\ud800", "\ud83d\ude00", "😀", "\u202e", "~", "~[1]", "\x1b[31m"]
)
NUMBERS = (
    st.integers()
    | st.integers(min_value=-(2**200), max_value=2**200)
    | st.floats(allow_nan=False)
    | st.sampled_from([1e100, -0.0, 5e-324, math.inf, -math.inf])
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
# Names are Unicode in the engine; what is not Unicode is refused by name at the import.
NAMES = st.text(max_size=20) | st.sampled_from(["\x00", "\u202e", "~", "x" * 600])
BODIES = st.builds(
    lambda kind, fields, metadata: {**fields, "kind": kind, **metadata},
    st.sampled_from(["user", "assistant", "odd", "call", "tool"]) | NAMES.filter(bool),
    st.dictionaries(
        NAMES | st.sampled_from(["content", "error", "tool_calls"]), JSON, max_size=4
    ).map(lambda fields: {k: v for k, v in fields.items() if k not in {"kind", "metadata"}}),
    st.just({})
    | st.builds(
        lambda text, other: {
            "metadata": {
                "id": text,
                "agent": text,
                "node": text,
                "prompt_id": text,
                "other": other,
                "more": text,
            }
        },
        NAMES,
        st.dictionaries(NAMES, JSON, max_size=3),
    ),
)
in_one_transaction = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=60,
)


def same(a: Any, b: Any) -> bool:
    """Equal as data, types of numbers and order of keys included."""
    return dump_json_text(a) == dump_json_text(b)


@given(JSON)
@example({"a": ["\ud83d\ude00", "😀", "\x00", math.inf]})
def test_json_text_gives_back_any_value_as_utf8(value: Any) -> None:
    text = dump_json_text(value)

    text.encode("utf-8")
    assert "\x00" not in text
    assert load_json_text(text) == value


@in_one_transaction
@given(
    bodies=st.lists(BODIES, max_size=5),
    context=JSON,
    extra=st.dictionaries(
        NAMES.filter(lambda t: t not in TapeMetadata.model_fields), JSON, max_size=3
    ),
    error=JSON,
)
def test_any_tape_comes_back_exactly(
    project_id: UUID, bodies: list[dict[str, Any]], context: Any, extra: dict[str, Any], error: Any
) -> None:
    metadata = TapeMetadata.model_validate({**extra, "error": error})
    tape = Tape(metadata=metadata, context=context, steps=tuple(parse_step(b) for b in bodies))

    tape_id = save_tape(project_id, tape)

    loaded = load_tape(tape_id, project_id, as_source=True)
    assert same(loaded.to_json(), tape.to_json())
    assert [
        same(row.body, s.to_json())
        for row, s in zip(load_steps(tape_id, project_id), tape, strict=True)
    ] == [True] * len(tape)
    load_outline(tape_id, project_id)


@in_one_transaction
@given(bodies=st.lists(BODIES, min_size=1, max_size=4), cut=st.integers(0, 4))
def test_a_tape_appended_in_pieces_is_the_tape_saved_whole(
    project_id: UUID, bodies: list[dict[str, Any]], cut: int
) -> None:
    steps = tuple(parse_step(body) for body in bodies)
    head = steps[:cut]
    tape_id = save_tape(project_id, Tape(steps=head))

    append_steps(tape_id, steps[cut:], project=project_id, expected_count=len(head))

    assert same([s.to_json() for s in load_tape(tape_id, project_id)], [s.to_json() for s in steps])


@in_one_transaction
@given(body=st.dictionaries(TEXT, JSON, max_size=4), text=TEXT)
def test_any_call_comes_back_exactly(project_id: UUID, body: dict[str, Any], text: str) -> None:
    call = make_call()
    prompt = call.prompt.model_copy(
        update={"id": text, "messages": (type(call.prompt.messages[0])(body),)}
    )
    call = call.model_copy(
        update={"prompt": prompt, "llm": body, "error": text, "finish_reason": text}
    )

    loaded = load_call(save_calls(project_id, [call])[0], project_id).call

    assert loaded == call


@pytest.mark.parametrize(
    "content",
    [
        "<script>alert(1)</script>",
        "x" * 5_000_000,
        "\n".join(["word"] * 400_000),
        "\x1b]0;title\x07\u202e\ufeff",
        "\x00" * 1000,
        " ".join(f"w{i}" for i in range(200_000)),
    ],
    ids=["script", "one line", "many lines", "controls", "nuls", "many words"],
)
def test_hostile_text_is_stored_whole_and_shown_short(project_id: UUID, content: str) -> None:
    step = UnknownStep(kind="odd", content=content)

    tape_id = save_tape(project_id, Tape(steps=(step,)))

    assert load_tape(tape_id, project_id).steps[0] == step
    (row,) = load_outline(tape_id, project_id)
    assert len(row.gist) <= 200
    assert "\n" not in row.gist


def test_not_a_number_is_kept(project_id: UUID) -> None:
    tape_id = save_tape(project_id, Tape(steps=(UnknownStep(kind="odd", x=math.nan),)))

    assert math.isnan(load_steps(tape_id, project_id)[0].body["x"])
