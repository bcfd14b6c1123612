"""Serving over HTTP: the server is a job; its models are probed and then listed as LLM models."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from optimize_app.base_models import models_folder
from optimize_app.finetune.store.adapters import save_adapter
from optimize_app.finetune.store.runs import run_folder
from optimize_app.serving.request import ServerRequest
from optimize_app.serving.server.server_folder import ServerFolder
from optimize_app.serving.store.folders import prepare_server, server_folder
from optimize_app.training_sets.store import sets
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.job import Job
from tapes_app.models import JobRecord
from tapes_app.tapes.store.saving import save_tape
from tests.experiments.lab import ASKED, Lab
from tests.finetune.ending_programs import ending_program, wait_until_watched
from tests.finetune.folders import make_chats, write_lines
from tests.jobs.hosting import host_beside
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


@dataclass
class Desk:
    """A member's browser, base models and adapters on disk."""

    made: dict[str, Path]
    lab: Lab = field(default_factory=Lab)

    def ask(self, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        return self.lab.ask(method, path, body, expect=expect)

    def add_adapter(self, name: str, folder: Path, *held_out: UUID) -> str:
        """Return an adapter as a finetune leaves it behind."""
        job = uuid4()
        run_folder(job).path.mkdir(parents=True)
        shutil.copytree(folder, run_folder(job).path / "adapter")
        row = save_adapter(
            self.lab.project.id,
            owner=self.lab.owner.pk,
            job_id=job,
            name=name,
            training_set_id=self._add_set(held_out),
            base="minute",
            config={"method": "lora"},
            steps=1,
            loss=1.0,
            held_out_loss=None,
        )
        return str(row.id)

    def serve(self, expect: int = 202, **what: Any) -> Any:
        return self.ask("POST", "served-models", what, expect=expect)

    def look(self, served: Any) -> Any:
        return self.ask("GET", f"served-models/{served['id']}")

    def wait_for(self, served: Any, *states: str) -> Any:
        """Wait for a state; a server takes seconds to load its libraries."""

        def is_there() -> bool:
            seen = self.look(served)
            assert seen["state"] in {*states, "starting"}, seen
            return seen["state"] in states

        wait_until(is_there, " or ".join(states))
        return self.look(served)

    def list_models(self) -> dict[str, Any]:
        return {model["name"]: model for model in self.ask("GET", "models")}

    def _add_set(self, held_out: tuple[UUID, ...]) -> UUID:
        part = sets.sets_folder() / f".{uuid4()}"
        part.mkdir(parents=True)
        write_lines(part / sets.TRAIN_FILE, make_chats(4))
        write_lines(part / sets.HELD_OUT_FILE, make_chats(3, first=50))
        place = sets.folder_of(sets.hash_folder(part))
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)
        row = sets.save_set(
            self.lab.project.id,
            owner=self.lab.owner.pk,
            job_id=uuid4(),
            name=str(uuid4()),
            request={},
            counts={"train": 4, "held_out": 3},
            sources={tape: sets.SourceTape("held_out", 1) for tape in held_out},
            left_out=[],
            folder=place,
        )
        return row.id


@pytest.fixture
def desk(transactional_db: None, base: Path, adapters: dict[str, Path]) -> Desk:
    shutil.rmtree(models_folder(), ignore_errors=True)
    shutil.copytree(base, models_folder() / "minute")
    return Desk(adapters)


@contextmanager
def worker() -> Iterator[Callable[[], None]]:
    """Let a worker of the queue serve run beside the test; what is given shuts it down."""
    with host_beside("serve") as host:
        yield host.stopping.set
        host.stopping.set()


def test_an_adapter_becomes_a_model_that_runs_can_choose(desk: Desk) -> None:
    tape = Tape(
        steps=(UserStep(content=ASKED), AssistantStep(content="24").with_metadata(node="act"))
    )
    recorded = save_tape(
        desk.lab.project.id, tape, owner=desk.lab.owner.pk, agent_version=desk.lab.version
    )
    adapter = desk.add_adapter("My student!", desk.made["two"], recorded)
    served = desk.serve(adapter_id=adapter)
    assert desk.serve(adapter_id=adapter)["id"] == served["id"]  # asked twice, started once
    assert (served["name"], served["state"]) == ("My-student", "starting")
    too_early = desk.ask("POST", f"served-models/{served['id']}/compare", {}, expect=409)
    assert "is starting; serve it first" in too_early["message"]

    with worker():
        ready = desk.wait_for(served, "ready")
        assert ready["parity"]["passed"]
        assert ready["parity"]["largest"] < 1e-4
        model = desk.list_models()["My-student"]
        assert (model["id"], model["is_served_here"]) == (ready["model_id"], True)
        answer = desk.ask("POST", f"models/{model['id']}/test")
        assert answer["is_ok"], answer
        moved = desk.ask(
            "PATCH",
            f"models/{model['id']}",
            {"base_url": "http://elsewhere.example/v1"},
            expect=409,
        )
        assert "sets its address and key itself" in moved["message"]

        # A base model is answered for by the same server.
        base = desk.serve(base="minute")
        assert base["server_id"] == served["server_id"]
        desk.wait_for(base, "ready")
        assert "Answering on" in desk.ask("GET", f"served-models/{base['id']}/log")

        rerun = desk.ask("POST", f"served-models/{served['id']}/compare", {}, expect=202)
        assert rerun["batch_name"].startswith("My-student ")

        desk.ask("POST", f"served-models/{base['id']}/stop")
        assert desk.look(served)["state"] == "ready"
        desk.ask("POST", f"served-models/{served['id']}/stop")
        assert {one["state"] for one in desk.ask("GET", "served-models")["items"]} == {"stopped"}
    assert not server_folder(UUID(served["server_id"])).is_at_work()


def test_a_server_outlives_its_worker_and_an_adapter_that_answers_otherwise_is_refused(
    desk: Desk,
) -> None:
    good = desk.serve(adapter_id=desk.add_adapter("good", desk.made["one.v1"]))
    broken = desk.made["two"].parent / f"broken-{uuid4()}"
    shutil.copytree(desk.made["two"], broken)
    (broken / "adapter_model.safetensors").rename(broken / "adapter_model.bin")
    bad = desk.serve(adapter_id=desk.add_adapter("bad", broken))

    with worker() as shut_down:
        desk.wait_for(good, "ready")
        refused = desk.wait_for(bad, "refused")
        assert "safetensors" in refused["message"]
        before = desk.list_models()["good"]
        shut_down()
    assert desk.look(good)["state"] == "starting"  # it waits for the next worker
    with worker():
        server = server_folder(UUID(desk.wait_for(good, "ready")["server_id"]))
        # Its model leads to wherever it answers now.
        wait_until(lambda: desk.list_models()["good"]["base_url"] == url_of(server), "its address")

    models = desk.list_models()
    assert models["good"]["id"] == before["id"]
    assert "bad" not in models


def test_a_server_is_started_again_after_one_that_the_worker_before_had_asked_to_end(
    desk: Desk,
) -> None:
    served = desk.serve(adapter_id=desk.add_adapter("good", desk.made["one.v1"]))
    job = JobRecord.objects.get(id=served["server_id"])
    request = ServerRequest.model_validate(job.request)
    server = prepare_server(Job.of(job), request.base, request.served_name)

    with ending_program(server) as end, worker():
        wait_until_watched(server)
        end()
        desk.wait_for(served, "ready")


def url_of(server: ServerFolder) -> str:
    address = server.read_address()
    return address.url if address else "nowhere"


def test_what_cannot_be_served_is_refused_in_a_sentence(desk: Desk) -> None:
    assert "Name either an adapter or a base" in desk.serve(422)["message"]
    assert "There is no base model 'giant'" in desk.serve(422, base="giant")["message"]
    assert desk.serve(404, adapter_id=str(uuid4()))["message"] == "Adapter not found."
    (models_folder() / "minute" / "model.safetensors").unlink()
    served = desk.serve(base="minute")

    with worker():
        failed = desk.wait_for(served, "failed")

    assert "holds no weights" in failed["message"]
