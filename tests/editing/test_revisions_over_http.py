"""From a failed tape to a child that is right: the improver's run, its revision, the resumed child.

What a revision says is data that anybody may have written: one that does not fit writes nothing.
"""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.improver.given import write_body
from tapes_app.gallery.improver.steps import RevisionObservation
from tapes_app.gallery.math.steps import ReasoningThought
from tapes_app.tapes.store.saving import save_tape
from tests.runs.browsers import RunBrowser, work

pytestmark = pytest.mark.django_db(transaction=True)

PROBLEM = "Ann has 3 apples. She buys 4 more apples. How many apples does she have?"
STEPS: tuple[Step, ...] = (
    UserStep(content=PROBLEM),
    ReasoningThought(sentence=1, operation="start"),
    ReasoningThought(sentence=2, operation="subtract"),
)
BAD = 2


class Improving(RunBrowser):
    """Has a wrong tape of `math` open, and improves it."""

    def __init__(self) -> None:
        super().__init__(say=PROBLEM, spec=gallery_agents.get("math")())
        self.wrong = str(self._save(Tape(steps=STEPS)))

    def _save(self, tape: Tape) -> UUID:
        version = UUID(self.version_id)
        project, owner = self.person.project_id, self.person.user_id
        return save_tape(project, tape, owner=owner, agent_name="math", agent_version=version)

    def save_revision(self, *, improves: Any = None, **values: Any) -> str:
        """Store an improver's tape as a person could import it; return its id."""
        was, now = write_body(STEPS[BAD]), {**write_body(STEPS[BAD]), "operation": "add"}
        usual: dict[str, Any] = {"position": BAD, "was": was, "steps": [now]}
        context = {"improves": self.wrong} if improves is None else improves
        steps = (UserStep(content="…"), RevisionObservation(**{**usual, **values}))
        return str(self._save(Tape(context=context, steps=steps)))

    def write(self, tape: str, position: int = 1, *, expect: int) -> Any:
        return self.ask("POST", f"tapes/{tape}/steps/{position}/revision", expect=expect)

    def children(self) -> list[Any]:
        items = self.ask("GET", f"tapes/{self.wrong}/family")["items"]
        return [one for one in items if one["parent_id"] == self.wrong]


def test_a_wrong_tape_is_improved_resumed_and_compared_with() -> None:
    browser = Improving()

    started = browser.ask("POST", f"tapes/{browser.wrong}/improve", {}, expect=201)
    work()
    improver = started["tape_id"]
    header = browser.ask("GET", f"tapes/{improver}")
    steps = browser.ask("GET", f"tapes/{improver}/steps")["items"]
    at = next(one["position"] for one in steps if one["body"]["kind"] == "improver_revision")
    browser.tape_id = UUID(browser.write(improver, at, expect=201)["tape_id"])
    (child,) = browser.children()
    browser.run(reuse_recorded=True)

    assert (header["agent_name"], header["title"]) == ("improver", f"Improve: {PROBLEM}")
    assert header["context"] == {"improves": browser.wrong}
    assert (child["id"], child["step_count"]) == (str(browser.tape_id), BAD + 1)
    assert child["edit_words"] == '#2 operation: "subtract" → "add"'
    *_, answer = browser.tape()
    assert answer.content_dict()["value"] == 7
    rows = browser.ask("GET", f"tapes/{browser.wrong}/diff/{browser.tape_id}")["rows"]
    assert [(row["op"], row["count"]) for row in rows[:2]] == [("equal", BAD), ("changed", 1)]


def test_the_same_revision_can_be_written_again_after_the_tape_has_grown() -> None:
    browser = Improving()
    revision = browser.save_revision()
    browser.write(revision, expect=201)
    browser.tape_id = UUID(browser.wrong)
    browser.run()

    browser.write(revision, expect=201)

    assert [child["step_count"] for child in browser.children()] == [BAD + 1, BAD + 1]


START = {"kind": "math_thought", "sentence": 2, "operation": "start"}


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"position": 9}, "There is no step 9: the tape has 3 steps."),
        ({"position": 0, "was": write_body(STEPS[0])}, "not a thought or an action"),
        ({"position": 1}, "Step 1 of the tape is not the step that this revision rewrites"),
        ({"steps": [{**START, "kind": "assistant"}]}, "not the step that this revision rewrites"),
        ({"steps": [{**START, "operation": "plus"}]}, "Step 2 cannot be that: operation: "),
        ({"steps": [{**START, "sentence": "one"}]}, "Step 2 cannot be that: sentence: "),
        ({"steps": [{**START, "command": "true"}]}, "Step 2 cannot be that: command: "),
        ({"steps": [write_body(STEPS[BAD])]}, "Step 2 says that already."),
        ({"steps": []}, "This step is not a revision of a tape"),
        ({"improves": "me"}, "This tape does not name the tape that it improves"),
        ({"improves": {"improves": 3}}, "This tape does not name the tape that it improves"),
        ({"improves": {"improves": "../../x"}}, "does not name the tape that it improves"),
    ],
)
def test_a_revision_that_does_not_fit_writes_nothing(values: dict[str, Any], reason: str) -> None:
    browser = Improving()
    revision = browser.save_revision(**values)

    answer = browser.write(revision, expect=422)

    assert answer["code"] == "edit_invalid"
    assert reason in answer["message"]
    assert browser.children() == []


def test_a_step_that_is_no_revision_or_not_there_is_refused() -> None:
    browser = Improving()
    revision = browser.save_revision()

    for position in (0, 5):
        answer = browser.write(revision, position, expect=422)
        assert answer["message"].startswith("This step is not a revision")


def test_a_tape_of_another_project_is_neither_improved_nor_written_to() -> None:
    browser, other = Improving(), Improving()
    revision = browser.save_revision(improves={"improves": other.wrong})

    browser.write(revision, expect=404)
    browser.write(browser.save_revision(improves={"improves": str(uuid4())}), expect=404)
    browser.ask("POST", f"tapes/{other.wrong}/improve", {}, expect=404)

    assert other.children() == []


def test_an_archived_tape_keeps_what_it_has() -> None:
    browser = Improving()
    revision = browser.save_revision()
    browser.ask("PATCH", f"tapes/{browser.wrong}", {"is_archived": True})

    answer = browser.write(revision, expect=409)

    assert "archived" in answer["message"]
    assert browser.children() == []


def test_a_tape_without_anything_to_rewrite_starts_nothing() -> None:
    browser = Improving()

    answer = browser.ask("POST", f"tapes/{browser.tape_id}/improve", {}, expect=422)

    assert "nothing to rewrite" in answer["message"]
    assert browser.ask("GET", "jobs")["items"] == []


def test_a_tape_too_long_for_a_model_says_what_to_do() -> None:
    browser = Improving()
    long = browser._save(Tape(steps=(*STEPS, AssistantStep(content="x" * 1_000_001))))

    answer = browser.ask("POST", f"tapes/{long}/improve", {}, expect=422)

    assert "Fork it after the step that you suspect" in answer["message"]
    assert browser.ask("GET", "jobs")["items"] == []


def test_the_script_of_the_improver_errs_as_it_is_asked_to() -> None:
    browser = Improving()

    choices = {"parameters": {"script": {"error_rate": 1.0}}}
    started = browser.ask("POST", f"tapes/{browser.wrong}/improve", choices, expect=201)
    work()

    steps = browser.ask("GET", f"tapes/{started['tape_id']}/steps")["items"]
    (named,) = [one["body"] for one in steps if one["body"]["kind"] == "improver_bad_step"]
    assert named["position"] == BAD
    rewritten = [one["body"] for one in steps if one["body"]["kind"] == "improver_rewrite"]
    assert all(one["fields"]["operation"] != "add" for one in rewritten)
