"""Finetunes over HTTP: a job that survives its worker, can be watched, stopped and gone on with."""

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from optimize_app.base_models import RECIPE_FILE, models_folder
from optimize_app.finetune.base_recipe import BaseRecipe, MadeBase
from optimize_app.finetune.command import trainer_command
from optimize_app.finetune.request import FinetuneRequest
from optimize_app.finetune.store.runs import prepare_run, run_folder
from optimize_app.finetune.trainer.run_folder import RunFolder, count_valid
from optimize_app.training_sets.store import sets
from tapes_app.models import JobRecord, MembershipRecord, ProjectRecord
from tests.finetune.ending_programs import ending_program, wait_until_watched
from tests.finetune.folders import make_chats, write_lines
from tests.http.asking import call
from tests.jobs.hosting import host_beside
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]
SMALL = {"max_length": 128, "tokens_per_pass": 256, "checkpoint_every": 10, "batch_size": 4}


@dataclass(frozen=True)
class Desk:
    """A member's browser, and a training set."""

    client: Client
    project: UUID
    training_set: str

    def start(self, *, name: str = "student", **options: Any) -> Any:
        body = {
            "name": name,
            "training_set_id": self.training_set,
            "base": "minute",
            "options": {**SMALL, **options},
        }
        return call(self.client, "POST", "finetunes", body, expect=202)["id"]

    def look(self, job: str) -> Any:
        return call(self.client, "GET", f"finetunes/{job}")

    def wait_for_steps(self, job: str, count: int) -> None:
        """Wait until a run has done some steps; a trainer takes seconds to load its libraries."""

        def are_done() -> bool:
            assert self.look(job)["state"] in ("queued", "running"), self.look(job)["message"]
            return len(self.steps(job)) >= count

        wait_until(are_done, f"{count} steps")

    def steps(self, job: str) -> list[Any]:
        events = call(self.client, "GET", f"finetunes/{job}/metrics")["events"]
        return [event for event in count_valid(events) if event["event"] == "step"]


@pytest.fixture
def desk(transactional_db: None, base: Path) -> Desk:
    member = User.objects.create_user("ada", password="x")
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=member, role="member")
    client = Client()
    client.force_login(member)
    shutil.rmtree(models_folder(), ignore_errors=True)
    shutil.copytree(base, models_folder() / "minute")
    part = sets.sets_folder() / f".{uuid4()}"
    part.mkdir(parents=True)
    write_lines(part / sets.TRAIN_FILE, make_chats(20))
    write_lines(part / sets.HELD_OUT_FILE, make_chats(4, first=50))
    place = sets.folder_of(sets.hash_folder(part))
    if place.is_dir():
        shutil.rmtree(part)
    else:
        part.rename(place)
    row = sets.save_set(
        project.id,
        owner=member.pk,
        job_id=uuid4(),
        name="sums",
        request={},
        counts={"train": 20, "held_out": 4},
        sources={},
        left_out=[],
        folder=place,
    )
    return Desk(client, project.id, str(row.id))


@contextmanager
def worker() -> Iterator[threading.Event]:
    """Let a worker of the train queue run beside the test; setting the event shuts it down."""
    with host_beside("train", concurrency=1) as host:
        yield host.stopping


def test_a_finetune_comes_to_an_adapter_with_its_lineage(desk: Desk) -> None:
    job = desk.start(steps=12, evaluate_every=6, generations=1, generation_tokens=4)

    with worker():
        pass

    seen = desk.look(job)
    assert (seen["state"], seen["step"], seen["steps"]) == ("succeeded", 12, 12)
    (adapter,) = call(desk.client, "GET", "adapters")["items"]
    assert adapter["id"] == seen["adapter_id"]
    assert adapter["training_set_name"] == "sums"
    assert (adapter["base"], adapter["method"], adapter["steps"]) == ("minute", "lora", 12)
    steps = desk.steps(job)
    assert adapter["loss"] == pytest.approx(steps[-1]["loss"])
    assert steps[-1]["loss"] < steps[0]["loss"]
    assert seen["loss"] == steps[-1]["loss"]
    config = call(desk.client, "GET", f"finetunes/{job}/config")
    assert (config["base"], config["steps"], config["batch_size"]) == ("minute", 12, 4)
    assert config["learning_rate"] is not None  # as the run resolved it
    metrics = call(desk.client, "GET", f"finetunes/{job}/metrics")
    assert {event["event"] for event in metrics["events"]} == {
        "plan", "step", "measured", "evaluation", "generation", "end",
    }  # fmt: skip
    middle = call(desk.client, "GET", f"finetunes/{job}/metrics?start={metrics['next'] - 3}")
    assert (middle["events"], middle["next"]) == ([], metrics["next"])  # begins in a line
    later = call(desk.client, "GET", f"finetunes/{job}/metrics?start={metrics['next']}")
    assert (later["events"], later["next"]) == ([], metrics["next"])
    assert [one["name"] for one in call(desk.client, "GET", "base-models")] == ["minute"]


def test_a_base_model_belongs_to_each_project_that_made_it(desk: Desk) -> None:
    recipe = BaseRecipe(name="same", steps=1)
    made = MadeBase(**recipe.model_dump(), projects=(uuid4(),))
    folder = models_folder() / "same"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "llama"}')
    (folder / RECIPE_FILE).write_text(made.model_dump_json())
    before = [one["name"] for one in call(desk.client, "GET", "base-models")]

    job = call(desk.client, "POST", "base-models", {"name": "same", "steps": 1}, expect=202)["id"]
    with worker():
        pass
    JobRecord.objects.filter(id=job).delete()
    after = [one["name"] for one in call(desk.client, "GET", "base-models")]

    assert (before, after) == (["minute"], ["minute", "same"])


def test_a_base_model_is_cancelled_while_its_corpus_is_written(desk: Desk) -> None:
    recipe = {"name": "long", "steps": 1_000_000, "width": 32, "layers": 1}
    job = call(desk.client, "POST", "base-models", recipe, expect=202)["id"]
    folder = run_folder(UUID(job))

    with worker():
        wait_until(folder.samples_file.exists, "the corpus to be begun")
        call(desk.client, "POST", f"jobs/{job}/cancel")
        wait_until(lambda: call(desk.client, "GET", f"jobs/{job}")["state"] == "cancelled")

    assert not folder.path.exists()
    assert not (models_folder() / "long").exists()


def test_a_run_goes_on_after_its_worker_and_keeps_its_place_when_it_is_cancelled(
    desk: Desk,
) -> None:
    job = desk.start(steps=100_000)

    with worker() as stopping:
        desk.wait_for_steps(job, 5)
        stopping.set()
    assert desk.look(job)["state"] == "queued"
    assert not run_folder(UUID(job)).is_at_work()
    done = len(desk.steps(job))
    with worker():
        desk.wait_for_steps(job, done + 1)
        call(desk.client, "POST", f"jobs/{job}/cancel")

    assert desk.look(job)["state"] == "cancelled"
    assert not run_folder(UUID(job)).is_at_work()
    events = call(desk.client, "GET", f"finetunes/{job}/metrics")["events"]
    assert [one["step"] for one in events if one["event"] == "resumed"] == [done]
    call(desk.client, "POST", f"finetunes/{job}/resume", expect=202)
    assert desk.look(job)["state"] == "queued"


def test_a_trainer_that_dies_ends_the_job_with_the_cause(desk: Desk) -> None:
    job = desk.start(steps=100_000)

    with worker():
        desk.wait_for_steps(job, 1)
        run_folder(UUID(job)).kill()

    seen = desk.look(job)
    assert seen["state"] == "failed"
    assert "most likely because its memory ran out" in seen["message"]


def test_a_run_that_cannot_begin_says_why_and_the_next_one_is_trained(desk: Desk) -> None:
    job = desk.start(lora={"target_modules": ["query"]})
    after = desk.start(name="after it", steps=1)

    with worker():
        pass

    seen = desk.look(job)
    assert seen["state"] == "failed"
    assert seen["message"].startswith("The base model has no layer query. Its linear layers are")
    assert desk.look(after)["state"] == "succeeded"


def test_a_worker_watches_the_trainer_of_one_that_died(desk: Desk) -> None:
    # What a killed worker leaves behind: the folder of its job, and a trainer that works on it.
    job = desk.start(steps=100)
    run = prepare(desk, job, steps=100)
    orphan = run.start(trainer_command(run))
    desk.wait_for_steps(job, 1)

    with worker():
        assert orphan.wait(PATIENCE_SECONDS) == 0

    assert desk.look(job)["state"] == "succeeded"
    assert len(desk.steps(job)) == 100
    events = call(desk.client, "GET", f"finetunes/{job}/metrics")["events"]
    assert not [one for one in events if one["event"] == "resumed"]  # no second trainer was there


def test_a_finetune_goes_on_after_a_trainer_that_the_worker_before_had_asked_to_end(
    desk: Desk,
) -> None:
    job = desk.start(steps=4)
    run = prepare(desk, job, steps=4)
    stopped = {"state": "cancelled", "message": "Stopped after step 0; it can be resumed."}

    with ending_program(run, stopped) as end, worker():
        wait_until_watched(run)
        end()

    seen = desk.look(job)
    assert (seen["state"], seen["step"]) == ("succeeded", 4), seen["message"]


def prepare(desk: Desk, job: str, *, steps: int) -> RunFolder:
    """Make the folder of a finetune, as an earlier worker did."""
    request = FinetuneRequest(
        name="student",
        training_set_id=UUID(desk.training_set),
        base="minute",
        options={**SMALL, "steps": steps},
    )
    content_hash = sets.load_set(UUID(desk.training_set), desk.project).content_hash
    config = request.configure(str(models_folder() / "minute"))
    return prepare_run(UUID(job), config, content_hash)


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"base": "nothing"}, 422, "There is no base model 'nothing'. Choose one that the"),
        ({"name": "a\0b"}, 422, "The name contains characters that are not allowed"),
        ({"base": "/etc"}, 422, "There is no base model '/etc'"),
        ({"base": "../models/minute"}, 422, "There is no base model"),
        ({"options": {"rank": 3}}, 422, "Option rank: Extra inputs are not permitted"),
        ({"options": {"epochs": -1}}, 422, "Option epochs: Input should be greater than 0"),
        ({"options": {"base": "/etc"}}, 422, "base cannot be set as an option"),
        ({"options": {"allow_pickled_weights": True}}, 422, "cannot be set as an option"),
        ({"preset": "preference"}, 422, "The training set holds no preference pairs."),
        ({"training_set_id": str(uuid4())}, 404, "Training set not found."),
    ],
)
def test_what_cannot_be_trained_is_refused_before_it_is_queued(
    desk: Desk, change: dict[str, Any], status: int, sentence: str
) -> None:
    body = {"name": "student", "training_set_id": desk.training_set, "base": "minute"}

    checked = call(desk.client, "POST", "finetunes/check", {**body, **change}, expect=status)
    answer = call(desk.client, "POST", "finetunes", {**body, **change}, expect=status)

    assert sentence in answer["message"]
    assert checked == answer
    assert call(desk.client, "GET", "finetunes") == {"items": [], "next": None}


def test_a_finetune_is_checked_before_it_is_started(desk: Desk) -> None:
    body = {"name": "student", "training_set_id": desk.training_set, "base": "minute"}
    wrong: dict[str, dict[str, Any]] = {
        "base": {"base": "nothing"},
        "options.epochs": {"options": {"epochs": -1}},
        "preset": {"preset": "preference"},
    }

    checked = call(desk.client, "POST", "finetunes/check", body)

    assert checked == {"train_count": 20, "held_out_count": 4}
    for field, change in wrong.items():
        refused = call(desk.client, "POST", "finetunes/check", {**body, **change}, expect=422)
        assert refused["details"]["field"] == field
    assert call(desk.client, "GET", "finetunes")["items"] == []


def test_finetunes_are_listed_page_by_page_and_tell_their_options_before_they_begin(
    desk: Desk,
) -> None:
    jobs = [desk.start(steps=steps) for steps in (1, 2, 3)]

    first = call(desk.client, "GET", "finetunes?limit=2")
    second = call(desk.client, "GET", f"finetunes?{urlencode({'after': first['next']})}")

    assert [row["job_id"] for row in first["items"] + second["items"]] == jobs[::-1]
    assert second["next"] is None
    assert {row["loss"] for row in first["items"]} == {None}
    config = call(desk.client, "GET", f"finetunes/{jobs[1]}/config")
    assert (config["base"], config["steps"], config["lora"]["rank"]) == ("minute", 2, 32)


def test_the_options_are_described_for_a_form(desk: Desk) -> None:
    told = call(desk.client, "GET", "finetunes/options")

    assert "learning_rate" in told["schema"]["properties"]
    assert told["presets"]["tiny"]["lora"]["rank"] == 32
    json.dumps(told)
