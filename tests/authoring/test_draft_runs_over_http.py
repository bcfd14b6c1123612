"""A draft is run from a step of a tape before it is saved: a trial, which no list offers."""

from typing import Any

import pytest

from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.models import AgentVersionRecord, TapeRecord
from tests.http.worlds import spec as echo
from tests.runs.browsers import RunBrowser, work

pytestmark = pytest.mark.django_db(transaction=True)


def build(system: str = "Be polite.") -> AgentSpec:
    return AgentSpec(
        name=echo().name,  # which registers the script
        llms={"default": LLMSpec(model="script:echo")},
        templates={"system": system, "end": f"Remember: {system}"},
        nodes=(NodeSpec(type="engine.TalkNode", settings={"name": "talk", "guidance": "end"}),),
    )


class Editor(RunBrowser):
    """Has an agent's page and one of its tapes open."""

    def __init__(self) -> None:
        super().__init__("Why?", spec=build())
        self.run()
        version = AgentVersionRecord.objects.get(id=self.version_id)
        self.agent = f"agents/{version.agent_id}"

    def put(self, spec: AgentSpec, revision: int = 0) -> Any:
        body = {"spec": spec.model_dump(mode="json"), "revision": revision}
        return self.ask("PUT", f"{self.agent}/draft", body)

    def run_draft(self, revision: int, *, expect: int = 201, **request: Any) -> Any:
        body = {
            "revision": revision, "tape_id": str(self.tape_id), "position": 2, "request": request,
        }  # fmt: skip
        return self.ask("POST", f"{self.agent}/draft/run", body, expect=expect)


def test_a_draft_runs_from_a_step_on_a_child() -> None:
    editor = Editor()
    editor.put(build("Be blunt."))

    started = editor.run_draft(1)
    work()

    steps = editor.ask("GET", f"tapes/{started['tape_id']}/steps")["items"]
    header = editor.ask("GET", f"tapes/{started['tape_id']}")
    assert [step["kind"] for step in steps] == ["user", "set_next_node", "assistant"]
    assert steps[-1]["body"]["content"] == "You said: Remember: Be blunt."
    assert header["parent_id"] == str(editor.tape_id)
    assert header["agent_version_id"] != editor.version_id
    assert (header["agent_name"], header["agent_version"]) == (build().name, None)


def test_a_trial_is_offered_nowhere() -> None:
    editor = Editor()
    editor.put(build("Be blunt."))
    before = editor.ask("GET", editor.agent)

    editor.run_draft(1)
    again = editor.run_draft(1)

    after = editor.ask("GET", editor.agent)
    assert again["tape_id"]
    assert {**before, "tools": []} == {**after, "tools": []}
    assert [one.number for one in AgentVersionRecord.objects.filter(is_trial=True)] == [0]
    assert editor.ask("GET", f"{editor.agent}/draft")["base"]["number"] == 1


def test_a_trial_is_not_published() -> None:
    editor = Editor()
    editor.put(build("Be blunt."))
    editor.run_draft(1)
    trial = AgentVersionRecord.objects.get(is_trial=True)

    editor.ask("POST", f"{editor.agent}/publications", {"version_id": str(trial.id)}, expect=404)


def test_a_trial_becomes_the_version_when_its_spec_is_saved() -> None:
    editor = Editor()
    editor.put(build("Be blunt."))
    started = editor.run_draft(1)
    work()

    version = editor.ask(
        "POST", f"{editor.agent}/draft/save", {"revision": 1, "note": "Blunt."}, expect=201
    )

    header = editor.ask("GET", f"tapes/{started['tape_id']}")
    assert (version["number"], version["is_trial"], version["note"]) == (2, False, "Blunt.")
    assert header["agent_version_id"] == version["id"]
    assert editor.ask("GET", editor.agent)["latest_version_id"] == version["id"]


def test_an_unchanged_draft_runs_the_version_itself() -> None:
    editor = Editor()

    editor.run_draft(0)

    assert not AgentVersionRecord.objects.filter(is_trial=True).exists()


@pytest.mark.parametrize(
    ("wrong", "revision", "status", "code"),
    [
        ({"nodes": (NodeSpec(type="os.system"),)}, 1, 422, "draft_invalid"),
        ({}, 0, 409, "draft_changed"),
        ({"llms": {"default": LLMSpec(model="gone")}}, 1, 422, "draft_invalid"),
    ],
)
def test_a_draft_that_cannot_run_makes_nothing(
    wrong: dict[str, Any], revision: int, status: int, code: str
) -> None:
    editor = Editor()
    editor.put(build("Be blunt.").model_copy(update=wrong))
    tapes = TapeRecord.objects.count()

    refused = editor.run_draft(revision, expect=status)

    assert refused["code"] == code
    assert TapeRecord.objects.count() == tapes
    assert not AgentVersionRecord.objects.filter(is_trial=True).exists()


def test_what_a_run_cannot_be_asked_for_makes_nothing() -> None:
    editor = Editor()
    editor.put(build("Be blunt."))
    unknown = "00000000-0000-4000-8000-000000000000"

    editor.run_draft(1, model_id=unknown, expect=404)
    editor.run_draft(1, agent_version_id=editor.version_id, expect=422)
    editor.run_draft(1, parameters={"temperature": 9}, expect=422)

    assert not AgentVersionRecord.objects.filter(is_trial=True).exists()
