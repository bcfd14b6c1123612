"""A tape whose agent is not here is continued as that agent was asked, by a model over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tapes_app.agents.services.agents import ensure_continuation
from tapes_app.agents.store import llm_models
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call
from tests.interchange.builders import build_row, build_tape_fields, store_json, store_rows
from tests.interchange.chats import WEATHER_TOOL
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.recordings import SHARED
from tests.runs.browsers import work
from tests.runs.test_continuation_over_http import continuation, place

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["place"]

DONE = {"kind": "gaia_answer_action", "success": True, "answer": "212"}


def build_recording(folder: Path) -> Path:
    """Store a tape with its calls, each asked with rules before the steps and advice behind."""
    kinds = ("question", "reasoning_thought", "search_action", "page_observation", "gaia_answer")
    fields = build_tape_fields(*kinds)
    steps = fields["steps"]
    for at in (0, 3):
        steps[at]["metadata"] = {"id": f"s{at}"}
    steps[1] = {**steps[1], "reasoning": steps[1].pop("content")}
    folder.mkdir()
    store_json(folder / "tape.json", fields)
    told = {"role": "system", "content": "You are a researcher."}, {
        "role": "user", "content": "Answer with steps in JSON only."
    }  # fmt: skip
    said = [
        {
            "role": "assistant" if step["metadata"].get("agent") else "user",
            "content": json.dumps({name: step[name] for name in step if name != "metadata"}),
        }
        for step in steps
    ]
    advice = {"role": "user", "content": "Write the next step."}
    rows = [
        build_row(
            prompt_id=f"p{at}",
            prompt={
                "id": f"p{at}",
                "tools": [WEATHER_TOOL],
                "messages": [*told, *said[:at], advice],
            },
            output={"role": "assistant", "content": said[at]["content"]},
        )
        for at in (1, 2, 4)
    ]
    store_rows(folder / "tapedata.sqlite", *rows)
    return folder


@pytest.fixture(params=["made", *(["shared"] if SHARED.is_dir() else [])])
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "shared":
        return SHARED / "gaia_agent"
    return build_recording(tmp_path / "made")


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


class Continued:
    """A project with the continuation agent and a model that a test plans."""

    def __init__(self, place: tuple[Client, ProjectRecord], server: OpenAIServer) -> None:
        self.studio, self.project = place
        ensure_continuation(self.project.id)
        self.version = str(continuation(self.project))
        self.server = server

    def import_folder(self, folder: Path) -> list[Any]:
        assert import_files(self.project.id, collect_files(folder), batch_name="theirs").imported
        rows: list[Any] = call(self.studio, "GET", "tapes?limit=200")["items"]
        return rows

    def resume(self, tape: Any, *answers: Any, model: str = "test-model", **options: Any) -> Any:
        """Resume a tape with planned answers; return its run when nothing is left to do."""
        written = [one if isinstance(one, str) else json.dumps(one) for one in answers]
        self.server.plan(*(Behaviour(text=text) for text in written))
        llm = llm_models.create_model(
            self.project.id,
            name=f"model {uuid4()}",
            litellm_model=f"openai/{model}",
            base_url=self.server.base_url,
            api_key_env="",
            parameters={},
        )
        body = {"agent_version_id": self.version, "model_id": str(llm.id), **options}
        started = call(self.studio, "POST", f"tapes/{tape}/resume", body, expect=201)
        work()
        job = call(self.studio, "GET", f"jobs/{started['job_id']}")
        return {**job, "tape_id": started["tape_id"]}

    def steps(self, tape: Any) -> list[Any]:
        rows: list[Any] = call(self.studio, "GET", f"tapes/{tape}/steps")["items"]
        return rows


@pytest.fixture
def lab(
    transactional_db: None, place: tuple[Client, ProjectRecord], server: OpenAIServer
) -> Continued:
    return Continued(place, server)


def test_a_tape_is_continued_with_what_its_last_call_said_and_then_finished(
    lab: Continued, recorded: Path
) -> None:
    row = lab.import_folder(recorded)[0]
    recording = load_tape(UUID(row["id"]), lab.project.id)
    asked = call(lab.studio, "GET", f"tapes/{row['id']}/steps/{len(recording) - 1}/call")

    run = lab.resume(row["id"], DONE, at=len(recording) - 1)
    again = lab.resume(run["tape_id"])

    (request,) = lab.server.requests
    theirs, ours = asked["messages"], request["messages"]
    assert [one["role"] for one in ours] == [one["role"] for one in theirs]
    assert (ours[:2], ours[-1]) == (theirs[:2], theirs[-1])
    assert request.get("tools", []) == (asked["tools"] or [])
    last = lab.steps(run["tape_id"])[-1]
    assert (last["kind"], last["family"]) == ("gaia_answer_action", "action")
    assert {name: last["body"][name] for name in DONE} == DONE
    assert (run["state"], run["run"]["status"]) == ("succeeded", "finished")
    assert again["run"]["status"] == "finished"
    assert again["message"].startswith("The tape is already finished, so no agent was asked")


def test_what_was_left_out_of_a_prompt_is_said_on_its_call(lab: Continued) -> None:
    page = UnknownStep.model_validate({"kind": "page_observation", "text": "x" * 30_000})
    tape = save_tape(lab.project.id, Tape(steps=(UserStep(content="Read it"), page)))

    run = lab.resume(tape, {"kind": "read_thought", "text": "Hm."}, DONE, model="gpt-4")

    said = call(lab.studio, "GET", f"tapes/{run['tape_id']}/steps/2/call")
    assert said["left_out"] == (
        "1 old observation shortened by 28,046 characters, so that the prompt fits the model."
    )
    assert all(len(request["messages"][2]["content"]) < 2_200 for request in lab.server.requests)
    whole = lab.resume(tape, DONE, model="gpt-4o", at=2)
    said = call(lab.studio, "GET", f"tapes/{whole['tape_id']}/steps/2/call")
    assert said["left_out"] == ""


def test_a_told_family_holds_inside_the_run_too(lab: Continued) -> None:
    body = {"kind": "glide", "family": "action"}
    call(lab.studio, "PUT", "step-kinds/families", body)
    task = UnknownStep.model_validate({"kind": "task", "task": "Fly"})
    tape = save_tape(lab.project.id, Tape(steps=(task,)))

    run = lab.resume(tape, {"kind": "glide", "to": "north"})

    assert (run["state"], run["run"]["asks"]["kind"]) == ("waiting", "glide")
    assert [step["family"] for step in lab.steps(tape)] == ["observation", "action"]


def test_a_kind_that_was_answered_before_is_an_action_inside_the_run_too(lab: Continued) -> None:
    by = {"agent": "bird", "node": "fly", "prompt_id": "p"}
    glide = UnknownStep.model_validate({"kind": "glide", "metadata": by})
    wind = UnknownStep.model_validate({"kind": "wind_observation"})
    tape = save_tape(lab.project.id, Tape(steps=(UserStep(content="Fly"), glide, wind)))

    run = lab.resume(tape, {"kind": "glide", "to": "north"})

    assert (run["state"], run["run"]["asks"]["kind"]) == ("waiting", "glide")
    assert [step["family"] for step in lab.steps(tape)][1::2] == ["action", "action"]


def test_a_told_stop_kind_ends_the_run_and_an_untold_one_does_not(lab: Continued) -> None:
    for kind, family in (("landed", "stop"), ("finish", "action")):
        call(lab.studio, "PUT", "step-kinds/families", {"kind": kind, "family": family})
    task = UnknownStep.model_validate({"kind": "task", "task": "Fly"})
    first, second = (save_tape(lab.project.id, Tape(steps=(task,))) for _ in range(2))

    landed = lab.resume(first, {"kind": "landed"})
    waiting = lab.resume(second, {"kind": "finish"})

    assert landed["run"]["status"] == "finished"
    assert waiting["run"]["asks"]["kind"] == "finish"


def test_from_the_first_step_on_it_is_asked_as_the_agent_was_and_replayed_so(
    lab: Continued, recorded: Path
) -> None:
    row = lab.import_folder(recorded)[0]
    first = call(lab.studio, "GET", f"tapes/{row['id']}/steps/1/call")

    run = lab.resume(row["id"], {"kind": "reasoning_thought", "reasoning": "Hm."}, DONE, at=1)

    request = lab.server.requests[0]
    ours, theirs = request["messages"], first["messages"]
    assert (len(ours), ours[0], ours[-1]) == (len(theirs), theirs[0], theirs[-1])
    body = {"agent_version_id": lab.version}
    replayed = call(lab.studio, "POST", f"tapes/{run['tape_id']}/replay", body)
    assert (replayed["is_identical"], replayed["step_count"]) == (True, 3)
