"""DAgger over HTTP: a student drives, a teacher labels its states, the labels join the set."""

from io import StringIO
from typing import Any, ClassVar

import pytest
from django.core.management import call_command

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from optimize_app.training_sets.store.sets import sets_folder
from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tests.experiments.lab import HINTED, Lab
from tests.jobs.builders import seem_killed

pytestmark = pytest.mark.django_db(transaction=True)


def answer_badly(prompt: Prompt) -> LLMOutput:
    if "6 * 7? Think" in prompt.messages[-1].text:
        raise LLMError("it knows no such question.")
    return LLMOutput(content="No idea.")


class School(Lab):
    """A lab with a student, whose tapes are relabeled."""

    def __init__(self) -> None:
        super().__init__()
        if "test-student" not in scripts:
            scripts.add("test-student", answer_badly)
        self.student = str(self.add_model("student", "script:test-student"))

    def drive(self, *tapes: Any, batch: str, model: str | None = None) -> list[Any]:
        """Let a model run tapes again, and return the new ones."""
        body = {
            "tape_ids": [str(tape) for tape in tapes],
            "agent_version_id": str(self.version),
            "model_id": model,
            "batch_name": batch,
        }
        self.ask("POST", "reruns", body, expect=202)
        self.work()
        return list(self.ask("GET", f'tapes?q=batch:"{batch}"')["items"])

    def make(self, name: str, expect: int = 202, **body: Any) -> Any:
        asked = {"name": name, "held_out_share": 0, **body}
        started = self.ask("POST", "training-sets", asked, expect=expect)
        if expect != 202:
            return started
        self.work()
        return self.ask("GET", f"jobs/{started['id']}")

    def answers(self, job: Any) -> list[str]:
        path = f"training-sets/{job['result']['training_set_id']}"
        rows = self.ask("GET", f"{path}/examples")["items"]
        found = [self.ask("GET", f"{path}/example?example={row['id']}") for row in rows]
        return [str(one["answer"]["content"]) for one in found]


@pytest.fixture
def school(transactional_db: None) -> School:
    return School()


def test_a_teacher_labels_the_states_of_its_student_and_the_labels_join_the_set(
    school: School,
) -> None:
    hinted = school.add_tape(HINTED)
    school.drive(hinted, batch="by the teacher")
    school.drive(school.tape, batch="by the student", model=school.student)

    first = school.make("first", q='batch:"by the teacher"')
    second = school.make(
        "second",
        q='batch:"by the student"',
        source="relabeled",
        joined=[first["result"]["training_set_id"]],
    )
    by_another = school.make(
        "third", q='batch:"by the teacher"', source="relabeled", teacher_id=school.student
    )

    assert school.answers(first) == ["It is 42."]
    assert school.answers(second) == ["It is 42.", "It is 24."]
    result = second["result"]
    assert (result["train_count"], result["tapes"], result["teacher_calls"]) == (2, 2, 1)
    assert result["teacher_tokens"] > 0
    assert by_another["state"] == "failed"  # this teacher has nothing to teach here
    assert "The teacher did not answer: it knows no such question" in by_another["message"]


class Dying:
    """A teacher that takes its worker with it at its second answer, once."""

    asked: ClassVar[list[str]] = []

    @classmethod
    def answer(cls, prompt: Prompt) -> LLMOutput:
        cls.asked.append(prompt.messages[-1].text)
        if len(cls.asked) == 2:
            raise RuntimeError("the worker dies")
        return LLMOutput(content=f"Answer {len(cls.asked)}.")


def test_labels_that_are_paid_for_outlive_the_worker_and_count_in_the_budget(
    school: School,
) -> None:
    Dying.asked.clear()
    if "test-dying" not in scripts:
        scripts.add("test-dying", Dying.answer)
    teacher = str(school.add_model("dying", "script:test-dying"))
    tapes = [school.tape, school.add_tape("What is 7 * 7?"), school.add_tape("What is 8 * 8?")]
    school.drive(*tapes, batch="driven")
    job = school.make(
        "labels", q="batch:driven", source="relabeled", teacher_id=teacher,
        teacher_budget={"labels": 3},
    )  # fmt: skip
    assert (job["state"], len(Dying.asked)) == ("failed", 2)

    seem_killed(job["id"])
    call_command("sweep", "--once", stdout=StringIO())
    school.work()

    done = school.ask("GET", f"jobs/{job['id']}")
    assert done["state"] == "succeeded", done["message"]
    assert len(Dying.asked) == 3  # the first answer is not asked for again
    assert done["result"]["teacher_calls"] == 2  # and the budget has no room for a third
    assert sorted(school.answers(done)) == ["Answer 1.", "Answer 3."]
    assert not list(sets_folder().glob(".labels-*"))


def test_sets_that_do_not_fit_are_not_joined(school: School) -> None:
    school.drive(school.tape, batch="taught")
    made = school.make("first", q="batch:taught")["result"]["training_set_id"]

    other = school.make("other", 422, q="batch:taught", joined=[made], seed=7)
    pairs = school.make("pairs", 422, q="batch:taught", joined=[made], source="edits")
    school.make("nobody", 404, q="batch:taught", source="relabeled", teacher_id=made)

    assert "was split by another share or seed" in other["message"]
    assert "examples of another kind (chat)" in pairs["message"]
