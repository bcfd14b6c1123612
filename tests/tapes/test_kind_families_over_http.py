"""The family that a person tells for a kind which the studio does not know."""

from typing import Any

import pytest
from django.test import Client

from tapes_app.engine.environment.actions import is_finished
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Step, StepMetadata, UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord, StepRecord
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.http.asking import call, put_draft

pytestmark = pytest.mark.django_db

FAMILIES = "step-kinds/families"


def by_agent(kind: str, **fields: Any) -> Step:
    metadata = StepMetadata(agent="browser", id=kind)
    return UnknownStep.model_validate({"kind": kind, "metadata": metadata, **fields})


def page_tape() -> Tape:
    """An agent's tape: both kinds are taken for thoughts, by their names and their agent."""
    return Tape().append(
        UserStep(content="go"), by_agent("glide", x=1), by_agent("screen", html="<p>")
    )


def tell(client: Client, kind: str, family: str | None, expect: int = 200) -> Any:
    return call(client, "PUT", FAMILIES, {"kind": kind, "family": family}, expect)


def outlined(client: Client, tape: Any) -> list[str]:
    page = call(client, "GET", f"tapes/{tape}/outline")
    return [page["families"][at] for at in page["family"]]


def test_a_told_family_is_on_stored_steps_and_in_what_is_made_of_them(
    studio: Client, project: ProjectRecord
) -> None:
    tape = save_tape(project.id, page_tape())
    fork = fork_tape(tape, project=project.id, at=2)
    before = [outlined(studio, at) for at in (tape, fork)]
    tag = studio.get(f"/api/v1/tapes/{tape}/outline")["ETag"]

    change = tell(studio, "glide", "action")

    assert before == [["observation", "thought", "thought"], ["observation", "thought"]]
    assert change == {"kind": "glide", "family": "action", "before": None, "changed_count": 1}
    assert outlined(studio, tape) == ["observation", "action", "thought"]
    assert outlined(studio, fork) == ["observation", "action"]
    again = studio.get(f"/api/v1/tapes/{tape}/outline", headers={"If-None-Match": tag})
    assert again.status_code == 200
    assert call(studio, "GET", f"tapes/{tape}/steps/1")["family"] == "action"
    assert call(studio, "GET", f"tapes/{tape}/steps/1/schema")["family"] == "action"
    assert StepRecord.objects.get(log=tape, kind="glide").call_digest != ""


def test_lists_are_asked_by_a_told_family(studio: Client, project: ProjectRecord) -> None:
    tape = str(save_tape(project.id, page_tape()))
    query = "tapes?q=seq:+action"
    before = call(studio, "GET", query)["items"]

    tell(studio, "glide", "action")

    assert before == []
    assert [row["id"] for row in call(studio, "GET", query)["items"]] == [tape]


def test_what_stands_before_a_told_observation_is_an_action(
    studio: Client, project: ProjectRecord
) -> None:
    tape = save_tape(project.id, page_tape())

    told = tell(studio, "screen", "observation")
    after = outlined(studio, tape)
    back = tell(studio, "screen", None)

    assert (told["changed_count"], back["changed_count"]) == (2, 2)
    assert after == ["observation", "action", "observation"]
    assert back["before"] == "observation"
    assert outlined(studio, tape) == ["observation", "thought", "thought"]


def test_the_linter_reads_a_tape_again_by_told_families(
    studio: Client, project: ProjectRecord
) -> None:
    steps = [*page_tape().steps, by_agent("glide", x=2)]
    tape = save_tape(project.id, Tape().append(*steps))
    before = call(studio, "GET", f"tapes/{tape}/lint")["items"]

    tell(studio, "glide", "action")
    tell(studio, "screen", "observation")

    found = call(studio, "GET", f"tapes/{tape}/lint")["items"]
    assert "unfulfilled_action" not in {item["detector"] for item in before}
    assert ("unfulfilled_action", 3) in {(item["detector"], item["position"]) for item in found}


def test_what_is_written_later_has_the_told_family(studio: Client, project: ProjectRecord) -> None:
    tell(studio, "glide", "control")

    tape = save_tape(project.id, page_tape())
    append_steps(tape, [by_agent("glide", x=2)], project=project.id, expected_count=3)

    assert outlined(studio, tape) == ["observation", "control", "thought", "control"]


def test_a_draft_shows_the_told_family(studio: Client, project: ProjectRecord) -> None:
    tape = save_tape(project.id, page_tape())
    tell(studio, "glide", "observation")
    step = {"kind": "glide", "metadata": {"agent": "browser"}, "x": 5}

    put_draft(studio, tape, {"op": "insert", "position": 3, "step": step})

    preview = call(studio, "GET", f"tapes/{tape}/draft/preview")
    assert [step["family"] for step in preview["items"]] == [
        "observation", "observation", "thought", "observation",
    ]  # fmt: skip


def test_a_tape_with_told_kinds_is_loaded_as_it_came(
    project: ProjectRecord, studio: Client
) -> None:
    tape = save_tape(project.id, page_tape())
    before = load_tape(tape, project.id)

    tell(studio, "glide", "observation")

    after = load_tape(tape, project.id)
    assert [step.to_json() for step in after.steps] == [step.to_json() for step in before.steps]


def test_unknown_kinds_are_listed_with_their_families(
    studio: Client, project: ProjectRecord
) -> None:
    save_tape(project.id, page_tape())
    tell(studio, "glide", "action")
    tell(studio, "never_seen", "control")

    rows = call(studio, "GET", FAMILIES)["items"]

    assert rows == [
        {"kind": "glide", "family": "action", "is_told": True, "step_count": 1},
        {"kind": "never_seen", "family": "control", "is_told": True, "step_count": 0},
        {"kind": "screen", "family": "thought", "is_told": False, "step_count": 1},
    ]


def test_a_project_tells_which_kinds_end_a_tape(studio: Client, project: ProjectRecord) -> None:
    steps = [UserStep(content="go"), by_agent("finish")]
    tape = save_tape(project.id, Tape().append(*steps))
    before = call(studio, "GET", FAMILIES)["items"]

    removed = tell(studio, "finish", "action")
    finished = is_finished(load_tape(tape, project.id))
    added = tell(studio, "finish", "stop")

    assert before == [{"kind": "finish", "family": "stop", "is_told": False, "step_count": 1}]
    assert (removed["before"], added["before"]) == (None, "action")
    assert not finished
    assert is_finished(load_tape(tape, project.id))
    assert outlined(studio, tape) == ["observation", "action"]


def test_a_kind_that_the_studio_knows_keeps_its_family(studio: Client) -> None:
    problem = tell(studio, "user", "thought", expect=422)

    assert problem["message"].startswith("The studio knows 'user': its family is 'observation'")
    assert call(studio, "GET", FAMILIES)["items"] == []


def test_other_projects_keep_their_guess(studio: Client, project: ProjectRecord) -> None:
    tape = save_tape(ProjectRecord.objects.create(name="apart").id, page_tape())

    tell(studio, "glide", "action")

    assert StepRecord.objects.get(log=tape, kind="glide").family == "thought"
