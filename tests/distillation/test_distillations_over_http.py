"""DAgger over HTTP: rounds that drive, label and learn, on the jobs that there are."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from optimize_app.base_models import models_folder
from optimize_app.finetune.store.adapters import save_adapter
from optimize_app.finetune.store.runs import run_folder
from optimize_app.training_sets.store import sets
from tapes_app import job_kinds as tape_job_kinds  # noqa: F401 - the same, of tapes
from tapes_app.jobs.store.claims import requeue_lost_jobs
from tapes_app.management.named import find_operator
from tapes_app.models import JobRecord
from tests.commands.running import fail, run_json
from tests.finetune.folders import make_chats, write_lines
from tests.http.asking import call
from tests.jobs.builders import seem_killed
from tests.jobs.hosting import workers_beside
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]
OPTIONS = {
    "steps": 2,
    "max_length": 512,
    "tokens_per_pass": 512,
    "too_long": "cut_start",
    "generations": 0,
}


@dataclass
class School:
    """An owner's browser, word problems, the agent that solves them, and a tiny base."""

    project: UUID
    client: Client = field(default_factory=Client)

    def ask(self, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        return call(self.client, method, path, body, expect=expect)

    def describe(self, **changes: Any) -> Any:
        (agent,) = (one for one in self.ask("GET", "agents") if one["name"] == "math")
        return {
            "name": "student",
            "q": "dataset:math-train",
            "agent_version_id": agent["latest_version_id"],
            "base": "minute",
            "rounds": 2,
            "max_turns": 2,
            "held_out_share": 0.3,
            "options": OPTIONS,
            "parameters": {"max_tokens": 24},
            **changes,
        }

    def start(self, **changes: Any) -> str:
        started = self.ask("POST", "distillations", self.describe(**changes), expect=202)
        return str(started["id"])

    def look(self, job: str) -> Any:
        return self.ask("GET", f"distillations/{job}")

    def wait_for(self, job: str, is_so: Callable[[Any], bool]) -> Any:
        """Wait until something is so of a distillation that goes on."""

        seen = self.look(job)

        def has_come() -> bool:
            nonlocal seen
            seen = self.look(job)
            assert is_so(seen) or seen["state"] in ("queued", "running"), seen["message"]
            return is_so(seen)

        # Several programs are started one after the other, and each takes long on a busy machine.
        wait_until(has_come, progress=lambda: (seen["message"], seen["rounds"]), pause_seconds=0.1)
        return seen

    def finish(self, job: str) -> Any:
        with workers_beside():
            return self.wait_for(job, lambda seen: seen["finished_at"] is not None)

    def cancel_while_it_learns(self, job: str) -> Any:
        """Cancel a distillation in its finetune, and wait until both have ended."""
        seen = self.wait_for(job, lambda seen: "the student learns" in seen["message"])
        finetune = f"finetunes/{seen['rounds'][0]['finetune_id']}"
        self.ask("POST", f"jobs/{job}/cancel")

        def have_ended() -> bool:
            paths = (finetune, f"distillations/{job}")
            return all(self.ask("GET", path)["finished_at"] for path in paths)

        wait_until(have_ended, "both to end")
        assert self.ask("GET", finetune)["state"] == "cancelled"
        return self.look(job)

    def list_examples(self, training_set: str) -> list[Any]:
        rows = self.ask("GET", f"training-sets/{training_set}/examples?limit=200")["items"]
        return list(rows)

    def add_adapter(self, folder: Path) -> str:
        """Return a student as a finetune leaves it behind."""
        part = sets.sets_folder() / f".{uuid4()}"
        part.mkdir(parents=True)
        write_lines(part / sets.TRAIN_FILE, make_chats(2))
        write_lines(part / sets.HELD_OUT_FILE, [])
        place = sets.folder_of(sets.hash_folder(part))
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)
        learnt = sets.save_set(
            self.project,
            owner=None,
            job_id=uuid4(),
            name="before",
            request={"held_out_share": 0.3},
            counts={"train": 2, "held_out": 0},
            sources={},
            left_out=[],
            folder=place,
        )
        job = uuid4()
        shutil.copytree(folder, run_folder(job).path / "adapter")
        row = save_adapter(
            self.project,
            owner=None,
            job_id=job,
            name="before",
            training_set_id=learnt.id,
            base="minute",
            config={"method": "lora"},
            steps=1,
            loss=1.0,
            held_out_loss=None,
        )
        return str(row.id)

    def count_jobs(self) -> dict[str, int]:
        kinds = JobRecord.objects.exclude(kind="run").values_list("kind", flat=True)
        return {kind: list(kinds).count(kind) for kind in sorted(set(kinds))}


@pytest.fixture
def school(transactional_db: None, base: Path) -> School:
    shutil.rmtree(models_folder(), ignore_errors=True)
    shutil.copytree(base, models_folder() / "minute")
    call_command("make_problems", "--count", "6", "--seed", "1")
    owner = find_operator("")
    school = School(owner.project_id)
    school.client.force_login(User.objects.get(pk=owner.user_id))
    return school


def test_the_student_drives_the_teacher_labels_and_the_base_learns_anew(school: School) -> None:
    job = school.start()

    seen = school.finish(job)

    assert (seen["state"], seen["task_count"]) == ("succeeded", 6), seen["message"]
    first, second = seen["rounds"]
    assert (first["teacher_share"], second["teacher_share"]) == (1, 0)
    assert [one["driver"] for row in (first, second) for one in row["batches"]] == [
        "teacher", "student",
    ]  # fmt: skip
    batches = {one["name"]: one for one in school.ask("GET", "batches")}
    assert batches["student-round-1"]["id"] == first["batches"][0]["id"]
    assert batches["student-round-2"]["tape_count"] == 6
    adapters = {one["name"]: one for one in school.ask("GET", "adapters")["items"]}
    assert adapters["student-round-2"]["id"] == second["adapter_id"]
    assert adapters["student-round-2"]["training_set_name"] == "student-round-2"
    taught = school.list_examples(first["training_set_id"])
    joined = school.list_examples(second["training_set_id"])
    assert {one["id"] for one in taught} < {one["id"] for one in joined}
    assert seen["labels"] == first["labels"] + second["labels"] >= len(joined)
    assert seen["unpriced_labels"] == 0  # a script costs nothing, which is known
    driven = school.ask("GET", "tapes?q=batch:student-round-2")["items"]
    tape = school.ask("GET", f"tapes/{driven[0]['id']}/steps")["items"]
    call_id = next(one["call_id"] for one in tape if one["call_id"])
    made = school.ask("GET", f"tapes/{driven[0]['id']}/calls/{call_id}")
    assert made["model_name"].endswith("/student-round-1")
    assert [one["state"] for one in school.ask("GET", "served-models")["items"]] == ["stopped"]
    assert "student-round-2 is the student after 2 rounds" in seen["message"]
    assert school.count_jobs() == {
        "distillation": 1, "finetune": 2, "rerun": 2, "serve": 1, "training_set": 2,
    }  # fmt: skip
    assert [one["name"] for one in school.ask("GET", "distillations")["items"]] == ["student"]


def test_both_drive_a_mixed_round_that_begins_with_a_student(school: School, student: Path) -> None:
    adapter = school.add_adapter(student)

    seen = school.finish(school.start(adapter_id=adapter, rounds=1, mixing=0.5))

    assert seen["state"] == "succeeded", seen["message"]
    (row,) = seen["rounds"]
    assert row["teacher_share"] == 0.5
    assert {one["name"]: one["driver"] for one in row["batches"]} == {
        "student-round-1": "student", "student-round-1-teacher": "teacher",
    }  # fmt: skip
    counts = {one["name"]: one["tape_count"] for one in school.ask("GET", "batches")}
    assert counts["student-round-1"] + counts["student-round-1-teacher"] == 6
    assert min(counts.values()) > 0
    learnt = {one["id"] for one in school.list_examples(row["training_set_id"])}
    assert {"sum-0", "sum-1"} < learnt  # what the first student had learnt is joined


def test_what_is_under_way_survives_its_workers_and_is_not_begun_twice(school: School) -> None:
    job = school.start(rounds=1)
    with workers_beside("serve"):  # it starts the runs, and nobody does them
        school.wait_for(job, lambda seen: seen["rounds"] and seen["rounds"][0]["batches"])
    run = school.look(job)["rounds"][0]["batches"][0]["id"]

    # A worker that was killed leaves its job behind as running, until the lease is over.
    JobRecord.objects.filter(id=job).update(
        state="running", attempt=7, lease_expires_at="2001-01-01T00:00Z"
    )
    assert [str(one.id) for one in requeue_lost_jobs()] == [job]
    with workers_beside():
        school.wait_for(job, lambda seen: seen["rounds"][0]["finetune_id"] is not None)
    with workers_beside("agents", "train"):  # those who learn go on while nobody watches
        pass
    seen = school.finish(job)

    assert seen["state"] == "succeeded", seen["message"]
    assert seen["rounds"][0]["batches"][0]["id"] == run
    counted = school.count_jobs()
    assert (counted["rerun"], counted["training_set"], counted["finetune"]) == (1, 1, 1)
    assert [one["tape_count"] for one in school.ask("GET", "batches")] == [6]


def test_a_budget_of_labels_is_a_hard_stop_and_its_round_the_last_one(
    school: School, student: Path
) -> None:
    adapter = school.add_adapter(student)
    job = school.start(adapter_id=adapter, rounds=5, budget={"labels": 3})

    seen = school.finish(job)

    assert seen["state"] == "succeeded", seen["message"]
    (row,) = seen["rounds"]
    assert (row["teacher_share"], row["labels"], seen["labels"]) == (0, 3, 3)
    assert "The budget of 3 LLM calls is used up." in seen["message"]
    assert row["adapter_id"] is not None  # what was paid for is learnt


def test_cancelling_ends_what_is_under_way_and_it_can_be_gone_on_with(school: School) -> None:
    job = school.start(rounds=1, options={**OPTIONS, "steps": 100_000})

    with workers_beside():
        first = school.cancel_while_it_learns(job)
    school.ask("POST", f"jobs/{job}/requeue")
    with workers_beside():
        again = school.cancel_while_it_learns(job)

    assert (first["state"], again["state"]) == ("cancelled", "cancelled")
    assert again["rounds"] == first["rounds"]  # the same finetune, gone on with
    assert school.count_jobs() == {
        "distillation": 1, "finetune": 1, "rerun": 1, "training_set": 1,
    }  # fmt: skip


@pytest.mark.parametrize("was_killed", [False, True])
def test_cancelling_ends_what_was_started_while_nobody_works_on_it(
    school: School, was_killed: bool
) -> None:
    job = school.start(rounds=1, options={**OPTIONS, "steps": 100_000})
    with workers_beside():
        school.wait_for(job, lambda seen: "the student learns" in seen["message"])
    if was_killed:
        seem_killed(job)

    school.ask("POST", f"jobs/{job}/cancel")
    call_command("sweep", "--once", stdout=StringIO())

    seen = school.look(job)
    finetune = school.ask("GET", f"finetunes/{seen['rounds'][0]['finetune_id']}")
    assert (seen["state"], finetune["state"]) == ("cancelled", "cancelled")


def test_a_command_distils_and_waits(school: School) -> None:
    said = run_json(
        "distill", "student", "--agent", "math", "-q", "dataset:math-train", "--base", "minute",
        "--rounds", "1", "--max-turns", "2", "--labels", "4",
        "--set", *(f"{name}={value}" for name, value in OPTIONS.items()),
    )  # fmt: skip

    assert said["state"] == "succeeded"
    assert 4 <= said["labels"] <= 4 + 6  # what was under way still comes
    assert fail("distill", "x", "--agent", "math", "-q", "is:pinned", "--base", "minute").endswith(
        "No tape matches. Choose tasks, such as those of a dataset."
    )


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"agent_version_id": str(uuid4())}, 404, "Agent version not found."),
        ({"q": "dataset:nothing"}, 422, "No tape matches."),
        ({"tape_ids": [str(uuid4())]}, 404, "are in this project"),
        ({"base": "nothing"}, 422, "There is no base model 'nothing'."),
        ({"teacher_id": str(uuid4())}, 404, "not found"),
        ({"adapter_id": str(uuid4())}, 404, "Adapter not found."),
        ({"rounds": 0}, 422, "rounds"),
        ({"rounds": 21}, 422, "rounds"),
        ({"mixing": 1.5}, 422, "mixing"),
        ({"mixing": -0.1}, 422, "mixing"),
        ({"budget": {"labels": 0}}, 422, "labels"),
        ({"budget": {"micro_usd": 0}}, 422, "micro_usd"),
        ({"preset": "preference"}, 422, "learns answers, not preferences"),
        ({"options": {"rank": 3}}, 422, "Option rank: Extra inputs are not permitted"),
        ({"name": " "}, 422, "name"),
        ({"name": "a\0b"}, 422, "characters that are not allowed"),
    ],
)
def test_what_cannot_be_distilled_is_refused_before_anything_is_queued(
    school: School, change: dict[str, Any], status: int, sentence: str
) -> None:
    answer = school.ask("POST", "distillations", school.describe(**change), expect=status)

    assert sentence in str(answer)
    assert school.ask("GET", "distillations") == {"items": [], "next": None}


def test_tasks_for_evaluation_are_refused_before_the_teacher_is_paid(school: School) -> None:
    for split in ("test", "validation"):
        call_command("make_problems", "--split", split, "--count", "2", "--seed", "1")
    wanted = school.describe(q="dataset:math-train OR dataset:math-test")

    refused = school.ask("POST", "distillations", wanted, expect=422)
    assert school.ask("POST", "distillations/check", wanted, expect=422) == refused
    held_out = school.describe(q="dataset:math-validation")
    nothing_left = school.ask("POST", "distillations", held_out, expect=422)

    assert refused["message"].startswith(
        "2 of the 8 tasks cannot be learnt from: It is of the test split"
    )
    assert refused["details"] == {"field": "q"}
    assert "nothing is left to learn from" in nothing_left["message"]
    assert school.count_jobs() == {}
    learnt = {**wanted, "q": f"({wanted['q']}) -split:test"}
    assert school.ask("POST", "distillations/check", learnt) == {"task_count": 6}
    assert school.count_jobs() == {}


def test_a_budget_in_dollars_needs_the_price_of_the_teacher(school: School) -> None:
    body = {"name": "own", "litellm_model": "openai/own", "base_url": "http://127.0.0.1:9/v1"}
    teacher = school.ask("POST", "models", {**body, "api_key": "k"}, expect=201)["id"]
    described = school.describe(teacher_id=teacher, budget={"micro_usd": 1_000_000})

    refused = school.ask("POST", "distillations", described, expect=422)
    prices = {"input_price": 1_000_000, "output_price": 2_000_000}
    school.ask("PATCH", f"models/{teacher}", prices)
    school.ask("POST", "distillations", described, expect=202)

    assert refused["message"] == (
        "The price of the model 'own' is unknown, so a budget in dollars cannot be kept. Enter "
        "its prices under Models, or limit labels instead."
    )


def test_names_that_are_taken_are_refused(school: School) -> None:
    school.start()

    again = school.ask("POST", "distillations", school.describe(), expect=409)
    run_json("rerun_tapes", "--agent", "math", "-q", "dataset:math-train", "--batch", "b-round-2")
    taken = school.ask("POST", "distillations", school.describe(name="b"), expect=409)

    assert "A distillation 'student' is under way." in again["message"]
    assert "A batch 'b-round-2' already exists" in taken["message"]
