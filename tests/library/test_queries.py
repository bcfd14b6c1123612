"""Tests of what queries pick, of forks and sequences, of searches that are cut, of facets."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapes_app.engine.tape.dialog_steps import ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.domain.tape_query.tokens import QueryError
from tapes_app.library.store import samples as tape_samples
from tapes_app.library.store import scans as tape_scans
from tapes_app.library.store import search as search_module
from tapes_app.library.store.facets import count_facets
from tapes_app.library.store.lists import list_tapes
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.samples import ListLength, count_quickly
from tapes_app.models import (
    AnnotationRecord,
    LintMarkRecord,
    StepRecord,
    TapeLintRecord,
    TapeRecord,
    TapeTagRecord,
)
from tapes_app.projects.store import time_limits
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.saving import NewTape, save_tape, save_tapes
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import answer, make_tape, user_step

pytestmark = pytest.mark.django_db


def listed(project: UUID, text: str) -> list[UUID]:
    where = TapeFilter(query=parse_query(text), is_archived=False)
    return [row.id for row in list_tapes(project, where).items]


def change(tape_id: UUID, **values: Any) -> None:
    TapeRecord.objects.filter(id=tape_id).update(**values)


def calls(name: str = "search", arguments: str = '{"q": 1}', *, id: str = "c1") -> ToolCalls:
    call = {"id": id, "function": {"name": name, "arguments": arguments}}
    return ToolCalls.model_validate({"tool_calls": [call]}).with_metadata(agent="bot/web", node="n")


def failed() -> ToolResult:
    return ToolResult(content="no").with_metadata(other={"error": "timeout"})


STUCK: Sequence[Step] = (
    user_step("Find it"),
    calls(id="c1"),
    failed(),
    calls(arguments='{ "q":1 }', id="c2"),
    ToolResult(content="found"),
    answer("Here it is"),
)


@pytest.mark.parametrize(
    ("values", "query", "other"),
    [
        ({"agent_name": "ana lyst"}, 'agent:x,"ana lyst"', "agent:ana"),
        ({"author": "ada"}, "author:ada", "-author:ada"),
        ({"task": "t1"}, "task:t1 has:task", 'task:""'),
        ({"outcome": "fail"}, "outcome:pass,fail", "outcome:none"),
        ({"score": 0.5}, "score>=0.5 score<0.6", "score>0.5"),
        ({"step_count": 7}, "steps:5..9 steps:7", "steps>7"),
        ({"error_count": 2}, "errors > 1.5", "errors<2"),
        ({"llm_call_count": 3}, "calls=3 has:calls", "calls!=3"),
        ({"cost_micro_usd": 50_000}, "cost:0.05 cost<=$0.05", "cost<0.05"),
        ({"input_tokens": 900, "output_tokens": 100}, "tokens:1k tokens>999", "tokens>1000"),
        ({"cache_read_tokens": 5}, "cached>4.5 input:0 output:0", "cached:4.5"),
        ({"duration_seconds": 90.0}, "duration:90s duration>1m", "duration>1.5m"),
        ({"title": "The Vulcan"}, "title:vulcan", "-title:vulcan"),
        ({"split": "train"}, "split:train", "split:none"),
        ({"expected": "42"}, "has:expected", "-has:expected"),
        ({"is_kept_from_training": True}, "is:kept-from-training", "-is:kept-from-training"),
    ],
)
def test_columns_are_asked_for(
    project_id: UUID, values: dict[str, Any], query: str, other: str
) -> None:
    tape_id = save_tape(project_id, make_tape(1))
    change(tape_id, **values)

    assert listed(project_id, query) == [tape_id]
    assert tape_id not in listed(project_id, other)
    assert tape_id not in listed(project_id, f"-({query})")


def test_moments_are_days_or_how_long_ago(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(1))
    made = timezone.now() - timedelta(days=3)
    change(tape_id, created_at=made)
    day = made.strftime("%Y-%m-%d")

    for query in (
        f"created:{day}",
        f"created<={day}",
        "created>4d",
        "created:4d",
        "created:4d..2d",
    ):
        assert listed(project_id, query) == [tape_id], query
    for query in (f"created>{day}", f"created<{day}", "created>2d", "created:..5d"):
        assert listed(project_id, query) == [], query


def test_marks_and_rows_beside_a_tape_are_asked_for(project_id: UUID) -> None:
    batch = ensure_batch(project_id, "my batch")
    one = save_tape(project_id, make_tape(2), batch=batch.id)
    two = save_tape(project_id, make_tape(2))
    child = fork_tape(two, project=project_id)
    TapeTagRecord.objects.create(project_id=project_id, tape_id=one, name="bad")
    AnnotationRecord.objects.create(project_id=project_id, tape_id=one, kind="note", text="hm")
    LintMarkRecord.objects.create(
        project_id=project_id, tape_id=one, detector="rule:no talk", severity="info",
        finding_count=1, position=0,
    )  # fmt: skip
    TapeLintRecord.objects.create(tape_id=one, tape_version=0, stamp="s", finding_count=1)
    change(one, pinned_at=timezone.now())

    for query in (
        'batch:"my batch"', f"batch:{batch.id}", "has:batch", "tag:bad,good", "has:tag",
        "has:note", 'lint:"rule:no talk"', "lint:any", "is:pinned", "-is:fork -has:child",
    ):  # fmt: skip
        assert listed(project_id, query) == [one], query
    for query in ('batch:"" -is:fork', "-tag:bad -has:parent", 'tag:"" has:child'):
        assert listed(project_id, query) == [two], query
    assert listed(project_id, "is:fork OR tag:bad") == [child, one]
    TapeTagRecord.objects.create(project_id=project_id, tape_id=two, name="hard")
    assert listed(project_id, "parent_tag:hard") == [child]
    assert listed(project_id, "parent_tag:bad") == listed(project_id, 'parent_tag:""') == []


def test_archived_tapes_are_listed_when_they_are_spoken_of(project_id: UUID) -> None:
    put, shown = (save_tape(project_id, make_tape(1)) for _ in range(2))
    change(put, archived_at=timezone.now())

    assert listed(project_id, "") == [shown]
    assert listed(project_id, "is:archived") == [put]
    assert listed(project_id, "is:archived OR -is:archived") == [shown, put]


def test_words_are_found_with_what_is_around_them(project_id: UUID) -> None:
    tape_id = save_tape(
        project_id, Tape(steps=(user_step("Who built\nthe Vulcan <b>bomber</b>?"),))
    )
    save_tape(project_id, Tape(steps=(user_step("A bomber of the name of Vulcan"),)))

    where = TapeFilter(query=parse_query('text:"vulcan b"'))
    (row,) = list_tapes(project_id, where).items

    assert row.id == tape_id
    assert "".join(part.text for part in row.snippet) == "Who built the Vulcan <b>bomber</b>?"
    assert [part.text for part in row.snippet if part.is_hit] == ["Vulcan <b"]
    assert len(listed(project_id, "vulcan bomb")) == 2
    assert listed(project_id, "vulcan -built -of") == []


def shown(project: UUID, text: str) -> list[str]:
    where = TapeFilter(query=parse_query(text))
    return ["".join(p.text for p in row.snippet) for row in list_tapes(project, where).items]


def test_words_are_found_in_titles_tasks_and_answers_too(project_id: UUID) -> None:
    tape_id = save_tape(project_id, Tape(steps=(user_step("Who built it?"),)))
    save_tape(project_id, make_tape(2))

    assert listed(project_id, "airborne") == []
    change(
        tape_id, title="Airborne matters", task="hangar-17", expected="Avro, 1956", actual="Vickers"
    )

    for query, piece in (
        ("airborne", "title: Airborne matters"),
        ("hangar 17", "task: hangar-17"),
        ("avro", "expected: Avro, 1956"),
        ('"avro 1956"', "expected: Avro, 1956"),
        ("airborne avro", "expected: Avro, 1956"),
        ("vickers", "actual: Vickers"),
        ("who built", "Who built it?"),
    ):
        assert listed(project_id, query) == [tape_id], query
        assert shown(project_id, query) == [piece], query
    assert tape_id not in listed(project_id, "-airborne")
    assert listed(project_id, "airborne built") == []
    change(tape_id, title="Ships")
    assert listed(project_id, "airborne") == []
    assert listed(project_id, "ships") == [tape_id]


def test_common_words_of_titles_are_found_beside_those_of_steps(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "_FIRST", 1)
    monkeypatch.setattr(search_module, "_RARE", 2)
    monkeypatch.setattr(search_module, "_MOST", 4)
    ids = [save_tape(project_id, make_tape(1)) for _ in range(9)]
    for tape_id in ids[::2]:
        change(tape_id, task="common words")
    said = save_tape(project_id, Tape(steps=(user_step("common words"),)))
    change(said, title="Another")

    assert listed(project_id, "common") == [said, *ids[::2][::-1]]
    assert listed(project_id, "common words -title:another") == ids[::2][::-1]
    assert listed(project_id, "-common") == ids[1::2][::-1]


def test_common_words_are_found_beside_other_conditions(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "_FIRST", 1)
    monkeypatch.setattr(search_module, "_RARE", 2)
    ids = [save_tape(project_id, Tape(steps=(user_step("common words"),))) for _ in range(4)]
    change(ids[1], outcome="fail")
    save_tape(project_id, make_tape(1))

    assert listed(project_id, "common") == ids[::-1]
    assert listed(project_id, "common outcome:fail") == [ids[1]]
    assert listed(project_id, "common -outcome:fail OR words steps>9") == [ids[3], ids[2], ids[0]]
    row = list_tapes(project_id, TapeFilter(query=parse_query("common"))).items[0]
    assert [part.text for part in row.snippet if part.is_hit] == ["common"]


def test_steps_that_follow_each_other_are_found(project_id: UUID) -> None:
    stuck = save_tape(project_id, Tape(steps=tuple(STUCK)))
    save_tape(project_id, Tape(steps=(STUCK[0], STUCK[1], failed(), calls("other"), STUCK[5])))

    for query in (
        "seq: tool_error -> same_call within 2 -> final_answer",
        "seq: tool:search -> error within 1 -> tool:search within 1",
        "seq: agent:bot/web node:n tool:search -> final_answer within 2",
        "seq: kind:user -> -error -> kind:tool -error",
        "kind:tool seq: same_call",
        "has:tool_error steps>5",
    ):
        assert listed(project_id, query) == [stuck], query
    assert listed(project_id, "seq: same_call -> tool_error") == []


def test_tapes_are_found_by_the_nodes_and_tools_of_their_steps(project_id: UUID) -> None:
    stuck = save_tape(project_id, Tape(steps=tuple(STUCK)))
    other = save_tape(project_id, Tape(steps=(STUCK[0], calls("search_web"), failed())))
    fork = fork_tape(stuck, at=1, project=project_id)

    for query, found in (
        ("tool:search", [stuck]),
        ("tool:search,search_web", [other, stuck]),
        ("-tool:search", [fork, other]),
        ("tool:search has:tool_error OR tool:nothing", [stuck]),
        ("tool:SEARCH OR tool:sear", []),
        ('tool:"" OR tool:"search search"', []),
        ("node:n", [other, stuck]),
        ("-node:n,m", [fork]),
        ("node:N", []),
    ):
        assert listed(project_id, query) == found, query
    StepRecord.objects.update(tools=None)
    assert listed(project_id, "tool:search") == [stuck]


def test_actions_from_before_the_columns_are_compared_by_their_bodies(project_id: UUID) -> None:
    stuck = save_tape(project_id, Tape(steps=tuple(STUCK)))
    StepRecord.objects.update(tools=None, call_digest=None)

    assert listed(project_id, "seq: tool:search -> same_call -> final_answer") == [stuck]


def test_a_fork_is_searched_by_the_steps_that_it_shows(project_id: UUID) -> None:
    stuck = save_tape(project_id, Tape(steps=tuple(STUCK)))
    early = fork_tape(stuck, at=2, project=project_id)
    late = fork_tape(stuck, at=4, project=project_id)
    append_steps(
        early, (UserStep(content="Go on"), answer("Well")), project=project_id, expected_count=2
    )
    append_steps(late, (answer("Done"),), project=project_id, expected_count=4)

    assert listed(project_id, "seq: tool_error -> same_call") == [late, stuck]
    assert listed(project_id, "has:tool_error") == [late, stuck]
    assert listed(project_id, "-has:tool_error") == [early]
    assert listed(project_id, "kind:tool seq: same_call -> final_answer within 1") == [late]


def test_a_search_that_takes_too_long_says_how_far_it_came_and_goes_on(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tape_scans, "_FIRST_WINDOW", 2)
    oldest = save_tape(project_id, Tape(steps=tuple(STUCK)))
    for _ in range(4):
        save_tape(project_id, make_tape(1))
    where = TapeFilter(query=parse_query("seq: same_call"))

    first = list_tapes(project_id, where, budget_seconds=0)
    second = list_tapes(project_id, where, budget_seconds=0, after=first.next)
    third = list_tapes(project_id, where, budget_seconds=0, after=second.next)

    assert (first.items, first.is_cut, first.searched_count) == ((), True, 2)
    assert (second.items, second.is_cut) == ((), True)
    assert [row.id for row in third.items] == [oldest]
    assert (third.next, third.is_cut, third.searched_count) == (None, False, 1)


def test_pages_of_a_search_hold_every_tape_once(project_id: UUID) -> None:
    ids = [save_tape(project_id, Tape(steps=tuple(STUCK))) for _ in range(5)]
    where = TapeFilter(query=parse_query("seq: same_call"))

    seen, after = [], None
    while True:
        page = list_tapes(project_id, where, after=after, limit=2)
        seen += [row.id for row in page.items]
        if page.next is None:
            break
        after = page.next

    assert seen == ids[::-1]


def test_facets_count_within_each_other_and_their_clicks_make_queries(project_id: UUID) -> None:
    batch = ensure_batch(project_id, "b")
    one = save_tape(project_id, Tape(steps=tuple(STUCK)), batch=batch.id)
    two = save_tape(project_id, make_tape(2))
    three = save_tape(project_id, make_tape(2))
    change(one, agent_name="x", outcome="fail")
    change(two, agent_name="x", outcome="pass")
    change(three, agent_name="y", outcome="pass")
    TapeTagRecord.objects.create(project_id=project_id, tape_id=one, name="bad")
    query = parse_query("agent:x")

    found = count_facets(project_id, TapeFilter(query=query))
    facets = {
        facet.name: {one.value: (one.count, one.is_on) for one in facet.values}
        for facet in found.facets
    }
    clicks = {(facet.name, one.value): one.query for facet in found.facets for one in facet.values}

    assert (found.tape_count, found.is_cut) == (2, False)
    assert facets["agent"] == {"x": (2, True), "y": (1, False)}
    assert facets["outcome"] == {"fail": (1, False), "pass": (1, False)}
    assert facets["errors"] == {"with": (1, False), "without": (1, False)}
    assert facets["batch"] == {"": (1, False), "b": (1, False)}
    assert facets["tag"] == {"bad": (1, False)}
    assert facets["steps"] == {"0..4": (1, False), "5..9": (1, False)}
    assert clicks["agent", "x"] == ""
    assert clicks["agent", "y"] == "agent:x,y"
    assert clicks["errors", "without"] == "agent:x -has:error"
    assert clicks["batch", ""] == 'agent:x batch:""'
    for (_, value), text in clicks.items():
        assert parse_query(text) is not None, value


def test_counts_that_are_cut_say_so(project_id: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape_samples, "MOST_COUNTED", 2)
    for _ in range(3):
        save_tape(project_id, make_tape(1))

    found = count_facets(project_id, TapeFilter())

    assert (found.tape_count, found.is_cut) == (2, True)
    assert all(facet.is_cut for facet in found.facets)


def test_facets_of_a_sequence_count_what_it_finds(project_id: UUID) -> None:
    save_tape(project_id, Tape(steps=tuple(STUCK)))
    save_tape(project_id, make_tape(2))

    found = count_facets(project_id, TapeFilter(query=parse_query("seq: same_call")))

    assert (found.tape_count, found.is_cut) == (1, False)


def test_other_projects_are_never_listed(project_id: UUID, other_project_id: UUID) -> None:
    secret = ensure_batch(other_project_id, "secret")
    save_tape(other_project_id, Tape(steps=tuple(STUCK)), batch=secret.id)

    for query in ("seq: same_call", "kind:tool", "Find", "batch:secret", "has:tool_error"):
        assert listed(project_id, query) == [], query


def test_a_list_is_counted_whole_and_a_search_of_steps_as_far_as_it_comes(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_tapes(project_id, [NewTape(make_tape(1)) for _ in range(5)])

    def count(query: str) -> ListLength:
        return count_quickly(
            project_id, plan_list(project_id, TapeFilter(query=parse_query(query)))
        )

    assert count("steps>0") == ListLength(5, is_cut=False)
    assert count("seq: user") == ListLength(5, is_cut=False)
    monkeypatch.setattr(tape_samples, "_MOST_SCANNED", 3)
    assert count("seq: user") == ListLength(3, is_cut=True)


def test_a_count_that_takes_too_long_says_that_there_may_be_more(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch, is_postgres: bool
) -> None:
    if is_postgres:
        pytest.skip("no statement on few tapes takes a millisecond there")
    save_tapes(project_id, [NewTape(make_tape(1)) for _ in range(5)])
    monkeypatch.setattr(time_limits, "_INSTRUCTIONS", 1)
    monkeypatch.setattr(tape_samples, "_COUNT_SECONDS", 0.0)

    plan = plan_list(project_id, TapeFilter())

    assert count_quickly(project_id, plan) == ListLength(0, is_cut=True)


PIECES = st.sampled_from(
    [
        *("agent:a", "-tag:b", "kind:tool", "title:x", "word", '"a phrase"', "OR", "(", ")", "-"),
        *("tool:x", "-node:y,z", 'tool:"\x00 %"'),
        *("steps:1..9", "cost<1e15", "tokens>1e15", "created>999999w", "created:9999-12-31"),
        *("lint:none", "has:tool_error,note", "is:running", "score:-1..", "\x00", "\ud800", "%"),
        *('batch:"\x00"', "seq: error -> same_call", "seq: kind:\x00 -tool:%", "within 3"),
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(pieces=st.lists(PIECES, max_size=6))
def test_no_query_breaks_the_store(project_id: UUID, pieces: list[str]) -> None:
    if not TapeRecord.objects.exists():
        save_tape(project_id, Tape(steps=tuple(STUCK)))
    try:
        query = parse_query(" ".join(pieces))
    except QueryError:
        return
    where = TapeFilter(query=query, is_archived=False)

    assert len(list_tapes(project_id, where).items) == count_facets(project_id, where).tape_count
