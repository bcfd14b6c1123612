"""Queries over HTTP and on the command line: lists, mistakes, facets, completion."""

import json
from io import StringIO
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapes_app.engine.tape.dialog_steps import ActionFailure, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import (
    BatchRecord,
    LensRecord,
    MembershipRecord,
    ProjectRecord,
    TapeRecord,
)
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


def get(client: Client, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/v1/{path}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_query_narrows_the_list_the_facets_and_the_lint_counts(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    steps = (UserStep(content="find xylophones"), ActionFailure(error="no"))
    failed = str(save_tape(project.id, Tape(steps=steps)))

    page = get(studio, "tapes", q="has:error xylophones")
    facets = get(studio, "tapes/facets", q="has:error")
    lint = get(studio, "tapes/lint", q="has:error")

    assert [row["id"] for row in page["items"]] == [failed]
    assert {"text": "xylophones", "is_hit": True} in page["items"][0]["snippet"]
    assert (page["is_cut"], page["searched_count"]) == (False, None)
    assert (facets["tape_count"], lint["tape_count"]) == (1, 1)
    (errors,) = [facet for facet in facets["facets"] if facet["name"] == "errors"]
    values = {one["value"]: (one["count"], one["is_on"], one["query"]) for one in errors["values"]}
    assert values == {"with": (1, True, ""), "without": (1, False, "has:error OR -has:error")}


def test_the_length_of_a_list_is_that_of_its_query(studio: Client, world: World) -> None:
    whole, none = get(studio, "tapes/length"), get(studio, "tapes/length", q="title:nothing")
    refused = studio.get("/api/v1/tapes/length", {"q": "agnt:x"})

    assert whole == {"tape_count": len(get(studio, "tapes")["items"]), "is_cut": False}
    assert none == {"tape_count": 0, "is_cut": False}
    assert refused.status_code == 422


def test_a_batch_that_a_link_names_by_its_id_is_on_under_its_name(
    studio: Client, project: ProjectRecord
) -> None:
    batch = BatchRecord.objects.create(project=project, name="red ones")
    inside, _ = (save_tape(project.id, Tape(steps=(UserStep(content="x"),))) for _ in range(2))
    TapeRecord.objects.filter(id=inside).update(batch=batch)

    found = get(studio, "tapes/facets", q=f"batch:{batch.id}")["facets"]

    values = {one["value"]: one for facet in found for one in facet["values"]}
    assert (values["red ones"]["is_on"], values["red ones"]["query"]) == (True, "")
    assert values["none"]["query"] == 'batch:"red ones" outcome:none'


def test_each_part_of_a_summary_narrows_the_list_to_what_it_counts(
    studio: Client, project: ProjectRecord
) -> None:
    for number in range(30):
        steps = (UserStep(content="x"),) * (number % 17 + 1)
        failed = (ActionFailure(error="no"),) if number % 3 == 0 else ()
        tape_id = save_tape(project.id, Tape(steps=(*steps, *failed)))
        TapeRecord.objects.filter(id=tape_id).update(
            outcome=("pass", "fail", "")[number % 3],
            llm_call_count=1,
            cost_micro_usd=number**3,
            duration_seconds=number**2 / 7,
        )

    summary = get(studio, "tapes/summary", q="-tag:bad")

    spreads = [summary[name]["bins"] for name in ("steps", "cost", "duration")]
    assert all(len(bins) > 5 for bins in spreads)
    parts = [*summary["outcomes"], *(one for bins in spreads for one in bins)]
    counted = [(part["query"], part["count"]) for part in parts]
    places = (*summary["failing_nodes"], *summary["failing_kinds"])
    counted += [(place["query"], place["tape_count"]) for place in places]
    for query, count in counted:
        assert query.startswith("-tag:bad ")
        assert len(get(studio, "tapes", q=query, limit=200)["items"]) == count, query
    assert (summary["pass_rate"]["value"], summary["pass_rate"]["count"]) == (0.5, 20)

    again = get(studio, "tapes/summary", q=places[0]["query"])
    assert again["failing_nodes"][0]["is_on"]
    assert again["failing_nodes"][0]["query"] == "-tag:bad"


@pytest.mark.parametrize("path", ["tapes", "tapes/lint", "tapes/facets", "tapes/summary"])
@pytest.mark.parametrize(
    "name", ["search", "agent", "batch", "has_error", "lint", "pinned", "archived", "limt"]
)
def test_what_does_not_narrow_a_list_is_refused_with_what_does(
    studio: Client, path: str, name: str
) -> None:
    answer = studio.get(f"/api/v1/{path}", {"q": "agent:talker", name: "x"})

    assert answer.status_code == 422
    assert answer.json()["details"] == {"field": name}
    assert f"{name!r}; write it in q, such as q=agent:" in answer.json()["message"]


def test_conditions_of_a_query_narrow_together(studio: Client, world: World) -> None:
    assert len(get(studio, "tapes", q="agent:talker -has:error")["items"]) == 1
    assert get(studio, "tapes", q="agent:talker agent:other")["items"] == []


def test_a_mistake_is_told_with_its_place_and_a_suggestion(studio: Client) -> None:
    for path in ("tapes", "tapes/facets", "tapes/lint"):
        answer = studio.get(f"/api/v1/{path}", {"q": "steps>2 agnt:x"})

        assert answer.status_code == 422
        assert answer.json() == {
            "code": "query_invalid",
            "message": "There is no field 'agnt'; did you mean 'agent'?",
            "details": {"start": 8, "end": 13, "suggestion": "agent:"},
        }


def test_an_export_refuses_a_mistake_before_it_is_queued(studio: Client) -> None:
    body = {"format": "csv", "q": "steps>many"}

    answer = studio.post("/api/v1/exports", body, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (422, "query_invalid")


def test_completion_knows_the_names_of_the_project(studio: Client, world: World) -> None:
    found = get(studio, "tapes/completion", q="steps>1 agent:ta", caret=16)
    kinds = get(studio, "tapes/completion", q="kind:as")
    nodes = get(studio, "tapes/completion", q="seq: node:")
    of_tapes = get(studio, "tapes/completion", q="node:s")
    fields = get(studio, "tapes/completion", q="too")

    assert (found["start"], found["end"]) == (14, 16)
    assert [option["text"] for option in found["options"]] == ["talker"]
    assert [option["text"] for option in kinds["options"]] == ["assistant"]
    assert [option["text"] for option in nodes["options"]] == ["say"]
    assert [option["text"] for option in of_tapes["options"]] == ["say"]
    assert [option["text"] for option in fields["options"]] == ["tool:"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(
            st.sampled_from(["agent:", "(", ")", "seq:", "->", "kind:x", '"', "-", "a", ">", "3"]),
            max_size=8,
        ).map(" ".join),
    )
)
def test_no_text_breaks_the_server(studio: Client, world: World, text: str) -> None:
    words = quote(text.encode("utf-8", "surrogatepass"))
    for path in ("tapes", "tapes/facets", "tapes/completion"):
        assert studio.get(f"/api/v1/{path}?q={words}").status_code in {200, 422}


def test_the_command_lists_what_a_query_picks(project: ProjectRecord) -> None:
    operator = User.objects.create_user(django_settings.STUDIO_OWNER_NAME)
    MembershipRecord.objects.create(project=project, user=operator, role="owner")
    tapes = [str(save_tape(project.id, Tape(steps=(UserStep(content=f"t{i}"),)))) for i in range(3)]

    def run(*arguments: str) -> str:
        out = StringIO()
        call_command("list_tapes", "--project", project.name, *arguments, stdout=out)
        return out.getvalue()

    assert run("--query", "steps:1", "--limit", "2").splitlines()[-1] == (
        "2 tapes; there are more, see --limit."
    )
    found = json.loads(run("--query", "t1", "--json"))
    assert [tape["id"] for tape in found["tapes"]] == [tapes[1]]
    with pytest.raises(SystemExit):
        run("--query", "agnt:x")


@pytest.mark.parametrize(
    ("address", "titles"),
    [
        ("", ["kept", "wrong", "question 0"]),
        ("q=tag%3Agood", ["wrong"]),
        ("q=is%3Apinned+OR+has%3Aerror&error=1", ["wrong"]),
        ("q=is%3Apinned+OR+has%3Aerror+seq%3A+error&agent=", ["wrong"]),
        ("search=find+%22xylo&error=0", ["wrong"]),
        ("agent=talker&row=1", ["question 0"]),
        ("batch={batch}", ["question 0"]),
        ("lint=any", []),
        ("show=pinned", ["kept"]),
        ("show=archived", ["away"]),
    ],
)
def test_a_lens_lists_what_its_address_asks_for(
    studio: Client, world: World, project: ProjectRecord, address: str, titles: list[str]
) -> None:
    operator = User.objects.create_user(django_settings.STUDIO_OWNER_NAME)
    MembershipRecord.objects.create(project=project, user=operator, role="owner")
    steps = (UserStep(content="find xylophones"), ActionFailure(error="no"))
    wrong = save_tape(project.id, Tape(steps=steps), title="wrong")
    send(studio, "tags", tape_ids=[str(wrong)], add=["good"])
    for title, name in (("kept", "is_pinned"), ("away", "is_archived")):
        marked = save_tape(project.id, Tape(steps=(UserStep(content=title),)), title=title)
        send(studio, "changes", tape_ids=[str(marked)], change={name: True})
    look = {"query": address.format(batch=world.batch)}
    LensRecord.objects.create(project=project, owner=operator, name="lens", look=look)

    out = StringIO()
    call_command("list_tapes", "--project", project.name, "--lens", "lens", "--json", stdout=out)

    assert [tape["title"] for tape in json.loads(out.getvalue())["tapes"]] == titles


def send(client: Client, path: str, **body: Any) -> None:
    answer = client.post(f"/api/v1/tapes/{path}", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
