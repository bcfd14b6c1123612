"""Values of slots: what is read, and why something is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tapes_app.gallery.form_filler.values import SlotValueError, read_value
from tests.gallery.form_filler.berths import read_berth

FORM = read_berth()


@pytest.mark.parametrize(
    ("slot", "said", "value"),
    [
        ("boat", "  Ann ", "Ann"),
        ("boat", 17, "17"),
        ("berth", "Dry Dock", "dry dock"),
        ("arrival", "2026-05-03", "2026-05-03"),
        ("arrival", "2026-02-03", "2026-02-03"),
        ("arrival", "3 May 2026", "2026-05-03"),
        ("arrival", "May 3rd, 2026", "2026-05-03"),
        ("arrival", "25/12/2026", "2026-12-25"),
        ("hour", "15:30", "15:30"),
        ("hour", "3 pm", "15:00"),
        ("email", "ann@harbour.example", "ann@harbour.example"),
        ("site", "harbour.example/berths", "https://harbour.example/berths"),
        ("length", "12.5", 12.5),
        ("crew", "3", 3),
        ("crew", 4.0, 4),
        ("power", "Yes", True),
        ("power", False, False),
        ("plate", "AB-123", "AB-123"),
    ],
)
def test_usual_writings_are_read(slot: str, said: JsonValue, value: JsonValue) -> None:
    assert read_value(FORM.slots[slot], said) == value


@pytest.mark.parametrize(
    ("slot", "said", "reason"),
    [
        ("boat", "", "there is no value"),
        ("boat", None, "a single value is expected"),
        ("boat", ["Ann"], "a single value is expected"),
        ("boat", "x" * 41, "is longer than 40 characters"),
        ("berth", "medium", "not among the allowed values: small, large, dry dock"),
        ("arrival", "31 June 2026", "is not a date"),
        ("arrival", "2026-02-30", "is not a date"),
        ("arrival", "May 2026", "is not a date with day, month and year"),
        ("arrival", "tomorrow", "is not a date"),
        ("arrival", "03/04/2026", "may be one of two dates"),
        ("arrival", "9" * 5_000, "longer than 2,000 characters"),
        ("hour", "25:00", "is not a time"),
        ("hour", "2026-05-03", "is not a time of day"),
        ("email", "ann@harbour", "is not an e-mail address"),
        ("email", "ann at harbour.example", "is not an e-mail address"),
        ("site", "a b.example", "is not a web address"),
        ("site", "javascript:alert(1)", "is not a web address"),
        ("site", "ftp://harbour.example", "is not a web address"),
        ("length", "1", "is less than 2"),
        ("length", "41", "is more than 40"),
        ("length", "nan", "is not a number"),
        ("length", "1e999", "is not a number"),
        ("crew", "2.5", "is not a whole number"),
        ("crew", True, "is not a number"),
        ("power", "maybe", "is neither yes nor no"),
        ("plate", "AB-1234", "does not have the expected form"),
    ],
)
def test_other_values_are_refused_with_the_reason(slot: str, said: JsonValue, reason: str) -> None:
    with pytest.raises(SlotValueError) as refused:
        read_value(FORM.slots[slot], said)

    assert reason in str(refused.value)
    assert len(str(refused.value)) < 300


_SAID = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=60),
    st.dates().map(str),
    st.dates().map(lambda day: day.strftime("%d %B %Y")),
    st.times().map(str),
    st.emails(),
    st.sampled_from(["small", "LARGE", "yes", "AB-123"]),
)


@given(slot=st.sampled_from(sorted(FORM.slots)), said=_SAID)
def test_a_value_that_was_read_is_read_again_as_itself(slot: str, said: JsonValue) -> None:
    try:
        value = read_value(FORM.slots[slot], said)
    except SlotValueError:
        return

    assert read_value(FORM.slots[slot], value) == value
