"""The query language: text to conditions, back, its errors, what may come next, sequences."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.library.domain.tape_query.completion import complete_query
from tapes_app.library.domain.tape_query.conditions import (
    All,
    AnyOf,
    Between,
    Compare,
    Match,
    Not,
    StepPattern,
    StepTest,
    TapeQuery,
    Words,
)
from tapes_app.library.domain.tape_query.fields import FIELDS
from tapes_app.library.domain.tape_query.matching import StepFacts, find_sequence
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.domain.tape_query.printer import print_query
from tapes_app.library.domain.tape_query.tokens import QueryError
from tapes_app.library.domain.tape_query.values import read_moment


def test_the_query_of_the_brief_is_read() -> None:
    query = parse_query(
        'agent:analyst errors>0 cost<0.05 text:"Vulcan" has:tool_error -tag:bad '
        "seq: tool_error -> same_call within 2 → final_answer"
    )

    assert query == TapeQuery(
        All(
            (
                Match("agent", ("analyst",)),
                Compare("errors", ">", 0),
                Compare("cost", "<", 0.05),
                Words("Vulcan", is_phrase=True),
                Match("has", ("tool_error",)),
                Not(Match("tag", ("bad",))),
            )
        ),
        (
            StepPattern((StepTest("tool_error"),)),
            StepPattern((StepTest("same_call"),), 2),
            StepPattern((StepTest("final_answer"),)),
        ),
    )


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("", None),
        ("AND", None),
        ("red  fox", Words("red fox")),
        ("https://a.example/b?c=d:e", Words("https://a.example/b?c=d:e", is_phrase=True)),
        ("-s3://bucket/key", Not(Words("s3://bucket/key", is_phrase=True))),
        ("a < b", Words("a < b")),
        ("errors > 2", Compare("errors", ">", 2)),
        ("agent: analyst", Match("agent", ("analyst",))),
        ('agent:a,"b c",""', Match("agent", ("a", "b c", ""))),
        ("agent!=a", Not(Match("agent", ("a",)))),
        ("NOT -agent:a", Match("agent", ("a",))),
        ("steps:3..10", Between("steps", 3, 10)),
        ("tokens>=1.5k", Compare("tokens", ">=", 1500)),
        ("duration<2m", Compare("duration", "<", 120)),
        ("cost:$0.01..", Between("cost", 0.01, None)),
        ("created:..2026-11-01", Between("created", None, "2026-11-01")),
        ("steps:1,2", AnyOf((Compare("steps", "=", 1), Compare("steps", "=", 2)))),
        (
            "x (outcome:fail OR score<0.5) -(a b)",
            All(
                (
                    Words("x"),
                    AnyOf((Match("outcome", ("fail",)), Compare("score", "<", 0.5))),
                    Not(Words("a b")),
                )
            ),
        ),
        ("a b OR c", AnyOf((Words("a b"), Words("c")))),
        ("text:OR", Words("OR")),
    ],
)
def test_conditions_are_read(text: str, clause: object) -> None:
    assert parse_query(text).clause == clause


@pytest.mark.parametrize(
    ("text", "wrong", "suggestion"),
    [
        ("agnt:analyst", "agnt:", "agent:"),
        ("eror>0", "eror>", "errors>"),
        ("nod:act", "nod:", "node:"),
        ("tools:search", "tools:", "tool:"),
        ("cost<0.1 outcome:failed", "failed", "fail"),
        ("has:tool_eror", "tool_eror", "tool_error"),
        ("zzz:yes", "zzz:yes", '"zzz:yes"'),
        ("agent<3", "agent<", "agent:"),
        ("steps>many", "many", ""),
        ("cost:1..2..3", "1..2..3", ""),
        ("created>yesterday", "yesterday", "7d"),
        ("is:", "is:", "is:pinned"),
        ('text:"Vulcan', '"Vulcan', '"Vulcan"'),
        ("(a OR b", "(", ""),
        ("a) b", ")", ""),
        ("a OR", "OR", ""),
        ("OR a", "OR", ""),
        ("-", None, None),
        ("a ()", "()", ""),
        ("(seq: error)", "seq:", ""),
        ("seq: tool_eror -> same_call", "tool_eror", "tool_error"),
        ("seq: error -> final_answer within", "within", "within 2"),
        ("seq: error within 2", "within 2", ""),
        ("seq: nod:x", "nod:", "node:"),
        ("steps:1e400", "1e400", ""),
        ("steps>1,2", ",2", ""),
    ],
)
def test_mistakes_are_told_with_their_place(
    text: str, wrong: str | None, suggestion: str | None
) -> None:
    if wrong is None:
        parse_query(text)
        return

    with pytest.raises(QueryError) as refused:
        parse_query(text)

    details = refused.value.details
    assert text[details["start"] : details["end"]] == wrong
    assert details["suggestion"] == suggestion


PIECES = st.sampled_from(
    [
        *(f"{name}{sign}" for name in FIELDS for sign in (":", ">", "!=")),
        *("seq:", "->", "→", "within 2", "error", "same_call", "kind:x", "node:", "(", ")", "-"),
        *('"', "\\", ",", " ", "OR", "AND", "NOT", "..", "7d", "2026-11-01", "3", "0.5", "fail"),
        *("pinned", "train", "a", "b c", "errors", "text:", "text:OR", '"x y"', "'", "!"),
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map(" ".join),
                  st.lists(PIECES, max_size=14).map("".join))  # fmt: skip


@given(TEXTS)
def test_any_text_is_read_or_refused_and_prints_as_what_it_means(text: str) -> None:
    try:
        query = parse_query(text)
    except QueryError as error:
        place = error.details["start"], error.details["end"]
    else:
        assert parse_query(print_query(query)) == query
        return
    assert 0 <= place[0] <= place[1] <= len(text)


@given(TEXTS, st.integers(-2, 80))
def test_completion_replaces_a_part_of_the_text(text: str, caret: int) -> None:
    found = complete_query(text, caret)

    assert 0 <= found.start <= found.end <= len(text)


@given(st.text(max_size=30))
def test_any_text_is_a_moment_or_none(text: str) -> None:
    read = read_moment(text, datetime(2026, 1, 1, tzinfo=UTC))

    assert read is None or read[0] <= read[1]


def test_deep_and_long_queries_are_refused() -> None:
    for text in ("(" * 30 + "a" + ")" * 30, "-" * 50 + "a", "steps:1 " * 100, "a" * 3000):
        with pytest.raises(QueryError):
            parse_query(text)


def test_moments_are_days_times_or_how_long_ago() -> None:
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)

    assert read_moment("7d", now) == (now - timedelta(days=7),) * 2
    assert read_moment("2026-11-01", now) == (
        datetime(2026, 11, 1, tzinfo=UTC),
        datetime(2026, 11, 2, tzinfo=UTC),
    )
    assert read_moment("soon", now) is None


@pytest.mark.parametrize(
    ("text", "caret", "replaced", "offered"),
    [
        ("ag", 2, "ag", "agent:"),
        ("agent:x cos", 11, "cos", "cost>"),
        ("-ta", 3, "ta", "tag:"),
        ("outcome:fa", 10, "fa", "fail"),
        ("is:pinned,ar", 12, "ar", "archived"),
        ("lint:", 5, "", "any"),
        ("seq: tool_error -> sa", 21, "sa", "same_call"),
        ("seq: tool_error ", 16, "", "->"),
        ('"seq:" ag', 9, "ag", "agent:"),
    ],
)
def test_what_may_come_is_offered(text: str, caret: int, replaced: str, offered: str) -> None:
    found = complete_query(text, caret)

    assert text[found.start : found.end] == replaced
    assert offered in [option.text for option in found.options]


def test_values_that_the_store_knows_are_asked_for() -> None:
    found = complete_query('agent:"my ag', 12)

    assert (found.field, found.prefix) == ("agent", "my ag")
    assert complete_query("seq: node:pl", 12).field == "step_node"


def step(kind: str = "k", family: str = "action", *, call: str = "", **more: object) -> StepFacts:
    values = {"node": "", "agent": "", "is_error": False, "tools": (), **more}
    return StepFacts(kind=kind, family=family, call=call, **values)  # type: ignore[arg-type]


FAILED = step("tool", "observation", is_error=True)
TAPE = [
    step("user", "observation"),
    step(call="c1", tools=("search",)),
    FAILED,
    step("plan", "thought"),
    step(call="c1", tools=("search",)),
    step("tool", "observation"),
    step("assistant", call="c2"),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("seq: tool_error -> same_call within 2 -> final_answer", (2, 4, 6)),
        ("seq: tool_error -> same_call within 1", None),
        ("seq: same_call -> tool_error", None),
        ("seq: tool:search -> tool:search", (1, 4)),
        ("seq: thought", (3,)),
        ("seq: action -error -> observation error within 1", (1, 2)),
        ("seq: final_answer -> action", None),
    ],
)
def test_sequences_are_found(text: str, found: tuple[int, ...] | None) -> None:
    assert find_sequence(parse_query(text).sequence, TAPE) == found


def test_a_later_start_is_tried_when_the_first_is_too_far() -> None:
    steps = [FAILED, step(), step(), FAILED, step("x")]

    assert find_sequence(parse_query("seq: error -> kind:x within 1").sequence, steps) == (3, 4)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.integers(1, 4), st.integers(1, 4))
def test_a_sequence_is_found_when_there_is_one(kinds: list[str], near: int, far: int) -> None:
    steps = [step(kind) for kind in kinds]
    text = f"seq: kind:a -> kind:b within {near} -> kind:c within {far}"
    places = range(len(kinds))
    every = [
        (i, j, k)
        for i in places
        for j in range(i + 1, min(i + near + 1, len(kinds)))
        for k in range(j + 1, min(j + far + 1, len(kinds)))
        if (kinds[i], kinds[j], kinds[k]) == ("a", "b", "c")
    ]

    found = find_sequence(parse_query(text).sequence, steps)

    assert (found in every) if every else found is None
