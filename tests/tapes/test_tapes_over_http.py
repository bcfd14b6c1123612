"""Tapes over HTTP: lists, headers, steps, calls, views, deleting; in a fixed number of queries."""

import gzip
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.job import create_job
from tapes_app.models import BatchRecord, ProjectRecord, TapeRecord
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World, fill_project, talk

pytestmark = pytest.mark.django_db


def get(client: Client, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/v1/{path}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_list_shows_the_newest_first_and_pages_by_key(
    studio: Client, project: ProjectRecord
) -> None:
    made = [
        str(save_tape(project.id, Tape().append(UserStep(content=f"tape {number}"))))
        for number in range(5)
    ]

    first = get(studio, "tapes", limit=3)
    second = get(studio, "tapes", limit=3, after=first["next"])

    assert [row["id"] for row in first["items"] + second["items"]] == made[::-1]
    assert second["next"] is None


@pytest.mark.parametrize("sort", ["batch", "-batch", "expected", "-actual"])
def test_a_list_by_words_of_any_length_goes_on_page_by_page(
    studio: Client, project: ProjectRecord, sort: str
) -> None:
    said = "\U0001f98a~&#%" * 5_000
    for number in range(4):
        tape_id = save_tape(project.id, Tape().append(UserStep(content="x")))
        batch = BatchRecord.objects.create(project=project, name=f"~&{number}")
        TapeRecord.objects.filter(id=tape_id).update(batch=batch, expected=said, actual=said)
    save_tape(project.id, Tape().append(UserStep(content="without any of it")))

    whole = get(studio, "tapes", sort=sort)["items"]
    pages: list[Any] = []
    after: str | None = ""
    while after is not None:
        page = get(studio, "tapes", sort=sort, limit=2, after=after)
        pages += page["items"]
        after = page["next"]

    assert [row["id"] for row in pages] == [row["id"] for row in whole]
    assert [bool(row["batch_name"]) for row in whole] == [True] * 4 + [False]


def test_the_agents_that_tapes_are_by_can_be_chosen_from(studio: Client, world: World) -> None:
    named = {row["agent_name"] for row in get(studio, "tapes")["items"]} - {""}

    assert get(studio, "tapes/agent-names") == sorted(named)


def test_a_list_is_narrowed_by_words_agent_batch_and_error(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    broken = UnknownStep.model_validate({"kind": "search_failure", "error": "no network"})
    failed = save_tape(project.id, Tape().append(UserStep(content="find xylophones"), broken))

    def ids(query: str) -> list[str]:
        return [row["id"] for row in get(studio, "tapes", q=query)["items"]]

    assert ids("xylophones") == [str(failed)]
    assert ids("agent:talker") == [str(world.tape)]
    assert ids(f"batch:{world.batch}") == [str(world.tape)]
    assert ids("has:error") == [str(failed)]
    assert ids("-has:error") == [str(world.tape)]
    assert ids(f"batch:{uuid4()}") == []


def test_a_header_tells_lineage_totals_run_and_draft(studio: Client, world: World) -> None:
    header = get(studio, f"tapes/{world.tape}")

    assert header["title"] == "question 0"
    assert header["batch_id"] == str(world.batch)
    assert header["agent_version_id"] == str(world.version)
    assert header["agent_version"] == 1
    assert header["step_count"] == 6
    assert header["totals"]["llm_call_count"] == 2
    assert header["totals"]["cost_micro_usd"] == 24
    assert header["job"]["id"] == header["active_job_id"] == str(world.job)
    assert header["draft"] is None


def test_an_outline_has_a_place_for_each_step_with_its_tokens(studio: Client, world: World) -> None:
    outline = get(studio, f"tapes/{world.tape}/outline")

    kinds = [outline["kinds"][number] for number in outline["kind"]]
    assert kinds == ["user", "assistant", "set_next_node"] * 2
    assert (outline["start"], outline["step_count"]) == (0, 6)
    assert outline["gist"][1] == "answer 0"
    assert outline["call"] == [-1, 0, 0, -1, 1, 1]
    assert outline["calls"]["id"][0] == str(world.call)
    assert outline["calls"]["input_tokens"] == [100, 101]
    assert outline["is_own"] == [1] * 6


def test_a_page_of_an_outline_says_which_steps_it_holds(studio: Client, world: World) -> None:
    page = get(studio, f"tapes/{world.tape}/outline", start=4, count=50)

    assert (page["start"], page["step_count"], len(page["kind"])) == (4, 6, 2)
    assert page["calls"]["input_tokens"] == [101]


def test_an_outline_that_the_browser_has_is_not_sent_again(
    studio: Client, viewer: Client, world: World, elsewhere: World
) -> None:
    address = f"/api/v1/tapes/{world.tape}/outline"
    tag = studio.get(address)["ETag"]

    again = studio.get(address, headers={"If-None-Match": tag})
    hidden = f"/api/v1/tapes/{elsewhere.tape}/outline"
    of_a_stranger = viewer.get(hidden, headers={"If-None-Match": tag})

    assert (again.status_code, again.content) == (304, b"")
    assert of_a_stranger.status_code == 404


def test_long_answers_are_squeezed_for_a_browser_that_can_read_that(
    studio: Client, project: ProjectRecord
) -> None:
    tape, calls = talk(60)
    address = f"/api/v1/tapes/{save_tape(project.id, tape, calls=calls)}"

    for path in ("/outline", "/steps"):
        plain = studio.get(address + path)
        squeezed = studio.get(address + path, headers={"Accept-Encoding": "gzip, br"})
        assert "Content-Encoding" not in plain
        assert squeezed["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in squeezed["Vary"]
        assert len(squeezed.content) < len(plain.content) / 3
        assert gzip.decompress(squeezed.content) == plain.content


def test_steps_come_in_pages_with_their_bodies(studio: Client, world: World) -> None:
    page = get(studio, f"tapes/{world.tape}/steps", start=4, count=10)

    assert page["step_count"] == 6
    assert [step["position"] for step in page["items"]] == [4, 5]
    assert page["items"][0]["body"]["content"] == "answer 1"
    assert get(studio, f"tapes/{world.tape}/steps", start=100)["items"] == []


def test_one_step_is_what_the_page_shows_of_it(studio: Client, world: World) -> None:
    page = get(studio, f"tapes/{world.tape}/steps", start=1, count=1)

    assert get(studio, f"tapes/{world.tape}/steps/1") == page["items"][0]


def test_a_call_is_shown_with_what_is_new_in_it_and_what_each_token_class_cost(
    studio: Client, world: World
) -> None:
    call = get(studio, f"tapes/{world.tape}/steps/4/call")

    assert [message["content"] for message in call["messages"]] == [
        "question 0",
        "answer 0",
        "question 1",
    ]
    assert call["previous_call_id"] == str(world.call)
    assert call["shared_message_count"] == 1
    assert call["output"]["content"] == "answer 1"
    assert call["usage"]["input_tokens"] == 101
    lines = [(line["name"], line["tokens"], line["cost_micro_usd"]) for line in call["price_lines"]]
    assert lines == [
        ("Input", 61, 61),
        ("Cache read", 40, 4),
        ("Cache write", None, None),
        ("Reasoning", None, None),
        ("Output", 7, 14),
    ]
    assert get(studio, f"tapes/{world.tape}/calls/{call['id']}") == call


def test_a_step_without_a_call_says_so(studio: Client, world: World) -> None:
    answer = studio.get(f"/api/v1/tapes/{world.tape}/steps/0/call")

    assert answer.status_code == 404
    assert "No recorded LLM call" in answer.json()["message"]


def test_a_call_of_another_tape_is_not_found_on_this_one(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    other = save_tape(project.id, Tape().append(UserStep(content="alone")))

    assert studio.get(f"/api/v1/tapes/{other}/calls/{world.call}").status_code == 404


def test_views_show_which_steps_an_agent_sees(studio: Client, world: World) -> None:
    stack = get(studio, f"tapes/{world.tape}/steps/2/views")

    assert stack["error"] == ""
    assert stack["views"] == [
        {
            "agent": "talker",
            "called_at": None,
            "next_node": "say",
            "last_node": "say",
            "step_count": 3,
            "positions": [0, 1, 2],
        }
    ]


def test_a_form_is_made_from_the_steps_schema(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    odd = UnknownStep.model_validate({"kind": "gaia_question", "content": "?", "level": 1})
    tape = save_tape(project.id, Tape().append(odd))

    known = get(studio, f"tapes/{world.tape}/steps/0/schema")
    unknown = get(studio, f"tapes/{tape}/steps/0/schema")

    assert known["is_known"]
    assert known["data_schema"]["required"] == ["content"]
    assert not unknown["is_known"]
    assert set(unknown["data_schema"]["properties"]) == {"content", "level"}
    assert get(studio, f"tapes/{tape}/step-schemas/gaia_question") == unknown
    assert get(studio, f"tapes/{tape}/step-schemas/user") == known
    assert studio.get(f"/api/v1/tapes/{tape}/step-schemas/nonsense").status_code == 404


def test_kinds_to_insert_are_listed_with_their_schemas(
    studio: Client, project: ProjectRecord
) -> None:
    kinds = {kind["kind"]: kind for kind in get(studio, "step-kinds")}

    assert kinds["user"]["family"] == "observation"
    assert get(studio, "step-kinds/user/schema")["data_schema"]["required"] == ["content"]


@pytest.mark.parametrize(
    "path",
    [
        "tapes/{0}/steps/6",
        "tapes/{0}/steps/6/views",
        "tapes/{0}/steps/6/form",
        "tapes/{0}/steps/6/call",
        "tapes/{1}",
    ],
)
def test_what_is_not_there_is_not_found(studio: Client, world: World, path: str) -> None:
    answer = studio.get(f"/api/v1/{path.format(world.tape, uuid4())}")

    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    "path",
    [
        "tapes?limit=0",
        "tapes?limit=100000",
        "tapes?after=nonsense",
        "tapes?batch=1",
        "tapes/not-an-id",
        "tapes/{0}/steps?start=-1",
        "tapes/{0}/steps?count=501",
        "tapes/{0}/steps/-1",
        "tapes/{0}/steps/99999999999999999999",
    ],
)
def test_bad_questions_are_refused_in_a_sentence(studio: Client, world: World, path: str) -> None:
    answer = studio.get(f"/api/v1/{path.format(world.tape)}")

    assert answer.status_code == 422, answer.content
    assert set(answer.json()) == {"code", "message", "details"}
    assert answer.json()["message"].endswith(".")


def test_a_deleted_tape_leaves_the_list_and_comes_back(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    request_cancel(project.id, world.job, person="ada")

    gone = studio.delete(f"/api/v1/tapes/{world.tape}")
    missing = studio.get(f"/api/v1/tapes/{world.tape}")
    back = studio.post(f"/api/v1/tapes/{world.tape}/restore")

    assert (gone.status_code, missing.status_code, back.status_code) == (204, 404, 204)
    assert get(studio, f"tapes/{world.tape}")["step_count"] == 6


def test_a_tape_that_others_share_steps_with_is_not_deleted(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    request_cancel(project.id, world.job, person="ada")
    fork_tape(world.tape, project=project.id, at=2)

    answer = studio.delete(f"/api/v1/tapes/{world.tape}")

    assert answer.status_code == 409
    assert "branched off" in answer.json()["message"]


QUERIES = {
    "tapes/{0}": 9,
    "tapes/{0}/outline": 5,
    "tapes/{0}/steps": 8,
    "tapes/{0}/steps/1/call": 13,
    "tapes/{0}/steps/{1}/views": 5,
    "tapes/{0}/steps/{1}/form": 5,
    "tapes/{0}/steps/1/schema": 5,
    "tapes/{0}/draft/preview": 7,
    "tapes/{0}/diff/{0}": 17,
}


@pytest.mark.parametrize("path", QUERIES)
@pytest.mark.parametrize("rounds", [1, 30])
def test_opening_a_tape_takes_a_fixed_number_of_queries(
    studio: Client,
    project: ProjectRecord,
    owner: User,
    path: str,
    rounds: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    tape, calls = talk(rounds)
    tape_id = save_tape(project.id, tape, calls=calls)
    address = f"/api/v1/{path.format(tape_id, rounds * 3 - 1)}"
    studio.get(address)

    with django_assert_num_queries(QUERIES[path]):
        assert studio.get(address).status_code == 200


def test_the_list_takes_a_fixed_number_of_queries(
    studio: Client,
    project: ProjectRecord,
    is_postgres: bool,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(20):
        tape_id = save_tape(project.id, Tape().append(UserStep(content=f"tape {number}")))
        create_job(project.id, "run", request={}, tape_id=tape_id)

    # PostgreSQL is told how long it may take, in a transaction of the list's own.
    with django_assert_num_queries(10 if is_postgres else 6):
        get(studio, "tapes", limit=20)


def test_a_fork_shares_the_first_steps_with_its_parent(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    made = studio.post(
        f"/api/v1/tapes/{world.tape}/fork", {"at": 2}, content_type="application/json"
    )
    child = get(studio, f"tapes/{made.json()['tape_id']}")

    assert made.status_code == 201
    assert (child["parent_id"], child["forked_at"], child["step_count"]) == (str(world.tape), 2, 2)
    assert child["author"] == "ada"
    assert not any(get(studio, f"tapes/{child['id']}/outline")["is_own"])


def test_the_world_can_be_made_twice(project: ProjectRecord, owner: User) -> None:
    other = ProjectRecord.objects.create(name="Another")

    worlds = fill_project(project.id, owner.pk), fill_project(other.id, owner.pk)

    assert UUID(str(worlds[0].tape)) != worlds[1].tape
