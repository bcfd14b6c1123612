"""Training sets over HTTP: which examples of which tapes, split by task, frozen."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from optimize_app.training_sets.store.sets import folder_of
from tapes_app.agents.store.agents import ensure_version
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import MembershipRecord, ProjectRecord, TapeRecord
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call
from tests.runs.browsers import work

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Desk:
    """A member's browser, and the project's tapes."""

    client: Client
    project: UUID

    def store(self, question: str, answer: str = "", **columns: Any) -> UUID:
        """Store a tape of one question with the call that answered it."""
        answer = answer or f"answer to {question}"
        recorded = LLMCall(
            prompt=Prompt(id=f"p-{question}-{answer}", messages=(user_message(question),)),
            output=LLMOutput(content=answer),
        )
        said = AssistantStep(content=answer).with_metadata(
            agent="talker", node="say", prompt_id=recorded.prompt.id
        )
        tape = Tape().append(UserStep(content=question), said)
        tape_id = save_tape(self.project, tape, calls=[recorded], owner=None)
        if columns:
            TapeRecord.objects.filter(id=tape_id).update(**columns)
        return tape_id

    def make(self, **body: Any) -> Any:
        """Make a set and return its job when a worker is through with it."""
        started = call(self.client, "POST", "training-sets", {"name": "ours", **body}, expect=202)
        work()
        return call(self.client, "GET", f"jobs/{started['id']}")

    def rows(self, job: Any, **wanted: Any) -> list[Any]:
        query = urlencode({"limit": 200, **wanted}, doseq=True)
        path = f"training-sets/{job['result']['training_set_id']}/examples?{query}"
        items: list[Any] = call(self.client, "GET", path)["items"]
        return items

    def example(self, job: Any, example_id: str, *, expect: int = 200) -> Any:
        path = f"training-sets/{job['result']['training_set_id']}/example"
        query = urlencode({"example": example_id})
        return call(self.client, "GET", f"{path}?{query}", expect=expect)

    def examples(self, job: Any, side: str = "train") -> list[Any]:
        return [self.example(job, row["id"]) for row in self.rows(job, side=side)]

    def chat(self, question: str) -> str:
        """Return a tape of what the sample agent answers to a question."""
        version = ensure_version(self.project, gallery_agents.get("chat")(), owner=None)
        body = {"agent_version_id": str(version.id), "message": question}
        started = call(self.client, "POST", "tapes", body, expect=201)
        work()
        return str(started["tape_id"])

    def answer_position(self, tape_id: str) -> int:
        steps = call(self.client, "GET", f"tapes/{tape_id}/steps")["items"]
        *_, answered = [step["position"] for step in steps if step["kind"] == "assistant"]
        return int(answered)

    def edit(self, tape_id: str, position: int, step: dict[str, Any]) -> str:
        """Return a child in which a person wrote one step."""
        operation = {"op": "replace", "position": position, "step": step}
        body = {"version": 0, "operations": [operation], "applied_count": 1}
        call(self.client, "PUT", f"tapes/{tape_id}/draft", body)
        return str(call(self.client, "POST", f"tapes/{tape_id}/save", expect=201)["tape_id"])


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    member = User.objects.create_user("ada", password="x")
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=member, role="member")
    client = Client()
    client.force_login(member)
    return Desk(client, project.id)


def test_each_recorded_call_is_an_example_with_the_way_back(desk: Desk) -> None:
    tape_id = desk.store("one plus one?", "two")

    job = desk.make(held_out_share=0)

    (example,) = desk.examples(job)
    assert example["messages"] == [{"role": "user", "content": "one plus one?"}]
    assert example["answer"] == {"role": "assistant", "content": "two"}
    assert example["origin"] == {"tape": str(tape_id), "step": 1, "writer": "model"}
    (row,) = call(desk.client, "GET", "training-sets")["items"]
    assert (row["name"], row["train_count"], row["held_out_count"]) == ("ours", 1, 0)
    assert row["facts"]["none_held_out"] == "Nothing is held out: the share to hold out is 0 %."
    lines = (folder_of(row["content_hash"]) / "samples.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["kind"] == "chat"


def test_no_task_is_learnt_and_held_out_and_the_seed_decides(desk: Desk) -> None:
    for number in range(40):
        desk.store(f"question {number}", "a")
        desk.store(f"question {number}", "b")

    first, again = desk.make(held_out_share=0.3), desk.make(name="again", held_out_share=0.3)
    other = desk.make(name="other", held_out_share=0.3, seed=1)

    def tasks(job: Any, side: str) -> set[str]:
        return {one["messages"][0]["content"] for one in desk.examples(job, side)}

    assert not tasks(first, "train") & tasks(first, "held_out")
    assert len(tasks(first, "train") | tasks(first, "held_out")) == 40
    assert 4 <= len(tasks(first, "held_out")) <= 20
    assert tasks(first, "held_out") == tasks(again, "held_out")
    assert tasks(first, "held_out") != tasks(other, "held_out")
    rows = {row["name"]: row for row in call(desk.client, "GET", "training-sets")["items"]}
    assert rows["ours"]["content_hash"] == rows["again"]["content_hash"]


def test_splits_by_hand_count_and_evaluation_tapes_are_never_learnt(desk: Desk) -> None:
    desk.store("learn", split="train")
    desk.store("measure", split="validation")
    desk.store("measure", "the same task")
    desk.store("examine", split="test")
    desk.store("examine", "the same task")
    desk.store("keep", is_kept_from_training=True)

    job = desk.make(held_out_share=0)

    assert [one["messages"][0]["content"] for one in desk.examples(job)] == ["learn"]
    assert {one["answer"]["content"] for one in desk.examples(job, "held_out")} == {
        "answer to measure",
        "the same task",
    }
    reasons = {one["why"]: one["tape_count"] for one in job["result"]["left_out"]}
    assert reasons == {
        "It is of the test split, which is for evaluation alone.": 1,
        "Another tape of its task is of the test split, so its task is not trained on.": 1,
        "It is excluded from training.": 1,
    }


def test_equal_examples_are_learnt_once_and_failed_calls_never(desk: Desk) -> None:
    desk.store("twice", "same")
    desk.store("twice", "same")
    bare = Tape().append(UserStep(content="nobody answered"))
    save_tape(desk.project, bare, calls=[], owner=None)

    job = desk.make(held_out_share=0)

    assert len(desk.examples(job)) == 1
    assert {one["why"] for one in job["result"]["left_out"]} == {
        "All its examples are in the set already, from another tape.",
        "It has no LLM call to learn from.",
    }


def test_what_a_person_wrote_is_learnt_when_calls_are_rebuilt(desk: Desk) -> None:
    tape = desk.chat("What is 12 * 12?")
    answered = desk.answer_position(tape)
    child = desk.edit(tape, answered, {"kind": "assistant", "content": "A gross."})

    recorded = desk.make(held_out_share=0, tape_ids=[child])
    rebuilt = desk.make(name="rebuilt", held_out_share=0, tape_ids=[child], source="rebuilt")

    (called,) = desk.examples(recorded)
    assert "tool_calls" in called["answer"]
    again, written = desk.examples(rebuilt)
    assert again["messages"] == called["messages"]
    assert again["tools"] == called["tools"]
    assert written["answer"]["content"] == "A gross."
    begun = answered - 1  # where its node run begins
    assert written["origin"] == {"tape": child, "step": begun, "writer": "person"}
    assert again["origin"]["writer"] == "model"


def test_an_edit_is_preferred_to_what_the_model_had_answered(desk: Desk) -> None:
    tape = desk.chat("What is 12 * 12?")
    answered = desk.answer_position(tape)
    child = desk.edit(tape, answered, {"kind": "assistant", "content": "A gross."})

    job = desk.make(held_out_share=0, tape_ids=[child, tape], source="edits")

    (pair,) = desk.examples(job)
    assert pair["answer"]["content"] == "A gross."
    assert "144" in pair["rejected"]["content"]
    assert pair["messages"][-1]["role"] == "tool"
    assert pair["origin"] == {"tape": child, "step": answered - 1, "writer": "person"}
    (row,) = call(desk.client, "GET", "training-sets")["items"]
    assert row["kind"] == "preference"
    line = (folder_of(row["content_hash"]) / "samples.jsonl").read_text()
    assert json.loads(line)["kind"] == "preference"
    assert job["result"]["left_out"] == [
        {"why": "It is not an edit of another tape, so there is no original.", "tape_count": 1}
    ]


def test_an_edit_of_what_no_model_wrote_teaches_nothing(desk: Desk) -> None:
    tape = desk.chat("What is 12 * 12?")
    child = desk.edit(tape, 0, {"kind": "user", "content": "What is 3 * 3?"})

    pairs = desk.make(name="pairs", held_out_share=0, tape_ids=[child], source="edits")
    own = desk.make(
        name="own", held_out_share=0, tape_ids=[child], source="rebuilt", writer="person"
    )

    for job in (pairs, own):
        assert job["state"] == "failed"
        assert "It has no answer that a person wrote." in job["message"]


def test_only_what_a_person_wrote_can_be_taken(desk: Desk) -> None:
    tape = desk.chat("What is 12 * 12?")
    answered = desk.answer_position(tape)
    child = desk.edit(tape, answered, {"kind": "assistant", "content": "A gross."})

    own = desk.make(held_out_share=0, tape_ids=[child], source="rebuilt", writer="person")

    (written,) = desk.examples(own)
    assert written["answer"]["content"] == "A gross."


def test_examples_are_found_by_id_tape_words_writer_and_length(desk: Desk) -> None:
    tapes = [desk.store(f"question {'long ' * number}", "yes") for number in range(3)]
    desk.store("measure", split="validation")
    job = desk.make(held_out_share=0)

    rows = desk.rows(job, side="train")

    assert [row["number"] for row in rows] == [0, 1, 2]
    by_tape = {row["tape"]: row for row in rows}
    long = by_tape[str(tapes[2])]
    assert long["asked"] == "question long long"
    assert (long["answered"], long["step"], long["writer"]) == ("yes", 1, "model")
    assert long["length"] == len("question long long ") + len("yes")
    assert desk.rows(job, text=str(tapes[1])[:13]) == [by_tape[str(tapes[1])]]
    assert desk.rows(job, example=long["id"]) == [long]
    assert desk.rows(job, text="LONG long") == [long]
    assert desk.rows(job, shortest=long["length"], side="train") == [long]
    assert len(desk.rows(job, longest=long["length"] - 1, side="train")) == 2
    assert desk.rows(job, writer="person") == []
    assert [row["side"] for row in desk.rows(job, text="measure")] == ["held_out"]
    assert len(desk.rows(job)) == 4
    assert desk.rows(job, start=3, side="train") == []
    missing = desk.example(job, "nothing", expect=404)
    assert missing["message"] == "There is no such example in this training set."


def test_a_name_is_given_once_and_nothing_is_not_trained_on(desk: Desk) -> None:
    desk.store("a")
    desk.make()

    taken = call(desk.client, "POST", "training-sets", {"name": "ours"}, expect=409)
    empty = call(
        desk.client, "POST", "training-sets", {"name": "none", "q": "task:nothing"}, expect=422
    )
    broken = call(
        desk.client, "POST", "training-sets", {"name": "x", "held_out_share": 2}, expect=422
    )

    hostile = call(desk.client, "POST", "training-sets", {"name": "a\0b"}, expect=422)
    assert hostile["message"] == "The name contains characters that are not allowed; remove them."
    assert taken["message"] == "There is a training set 'ours' already. Choose another name."
    assert empty["message"] == "No tape matches. Choose tapes to learn from."
    assert "held_out_share" in json.dumps(broken)
