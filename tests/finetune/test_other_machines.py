"""Finetunes on other machines: their workers share a database and a store with the web, no folder.

The other machine is a process with a data folder of its own, in whose eyes the web's is empty.
"""

import os
import shutil
import signal
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as studio
from django.core.management import call_command

from optimize_app.base_models import models_folder
from tapes_app.jobs.services.sweeper import sweep
from tests.artefacts.machines import MakeMachine, make_machine
from tests.finetune.test_finetunes_over_http import Desk, desk
from tests.http.asking import call
from tests.serving.test_served_models import worker as serving_worker
from tests.waiting import PATIENCE_SECONDS, wait_until

__all__ = ["desk", "make_machine"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def test_a_finetune_on_another_machine_comes_back_and_is_served(
    desk: Desk,
    make_machine: MakeMachine,
) -> None:
    refused = call(desk.client, "POST", "finetunes", desk_request(desk), expect=409)
    assert "minute is only on this machine. Run `manage.py share_base_model" in refused["message"]
    call_command("share_base_model", "minute")
    job = desk.start(steps=12, evaluate_every=6, generations=1, generation_tokens=4)
    machine = make_machine("other")

    assert machine.start_worker().wait(PATIENCE_SECONDS) == 0

    seen = desk.look(job)
    assert (seen["state"], seen["step"]) == ("succeeded", 12), seen["message"]
    assert len(desk.steps(job)) == 12
    assert seen["loss"] == desk.steps(job)[-1]["loss"]
    config = call(desk.client, "GET", f"finetunes/{job}/config")
    assert (config["base"], config["steps"]) == ("minute", 12)
    (adapter,) = call(desk.client, "GET", "adapters")["items"]
    here = studio.STUDIO_DATA_DIR / "finetunes" / job
    assert not (here / "adapter").exists()  # until somebody needs it
    served = call(desk.client, "POST", "served-models", {"adapter_id": adapter["id"]}, expect=202)
    with serving_worker():
        wait_until(lambda: look_at(desk, served)["state"] != "starting", "the server answers")
        assert look_at(desk, served)["state"] == "ready", look_at(desk, served)["message"]
    weights = "adapter/adapter_model.safetensors"
    assert (here / weights).read_bytes() == (machine.run_of(job).path / weights).read_bytes()


def test_a_machine_that_dies_is_replaced_by_another_one(
    desk: Desk,
    make_machine: MakeMachine,
    settings: Any,
) -> None:
    settings.STUDIO_LEASE_SECONDS = 2.0
    call_command("share_base_model", "minute")
    job = desk.start(steps=100_000, checkpoint_every=10)
    first, second = make_machine("first"), make_machine("second")

    lost = first.start_worker()
    desk.wait_for_steps(job, 11)  # told to the web while it trains
    os.kill(lost.pid, signal.SIGKILL)
    lost.wait(PATIENCE_SECONDS)
    first.run_of(job).kill()
    shutil.rmtree(first.folder)
    wait_until(lambda: sweep().taken_back_count == 1, "the job is queued again")
    other = second.start_worker()
    desk.wait_for_steps(job, len(desk.steps(job)) + 20)
    call(desk.client, "POST", f"jobs/{job}/cancel")

    assert other.wait(PATIENCE_SECONDS) == 0
    assert desk.look(job)["state"] == "cancelled"
    events = call(desk.client, "GET", f"finetunes/{job}/metrics")["events"]
    (resumed,) = (one["step"] for one in events if one["event"] == "resumed")
    assert resumed >= 10
    assert [one["step"] for one in desk.steps(job)] == [*range(1, len(desk.steps(job)) + 1)]
    kept = sorted(path.name for path in second.run_of(job).checkpoints.iterdir())
    assert kept[-1] == f"step-{len(desk.steps(job)):08d}"


def test_a_base_made_on_another_machine_is_listed_with_its_size(
    desk: Desk,
    make_machine: MakeMachine,
) -> None:
    call(
        desk.client,
        "POST",
        "base-models",
        {"name": "far", "steps": 2, "width": 32, "layers": 1},
        expect=202,
    )

    assert make_machine("other").start_worker().wait(PATIENCE_SECONDS) == 0

    far, minute = call(desk.client, "GET", "base-models")
    assert (far["name"], far["family"], far["width"]) == ("far", "llama", 32)
    assert far["size_bytes"] > 10_000
    assert minute["name"] == "minute"
    call(desk.client, "POST", "finetunes", {**desk_request(desk), "base": "far"}, expect=202)


def test_a_store_that_is_not_there_is_said_in_a_sentence(
    desk: Desk,
    settings: Any,
) -> None:
    settings.STUDIO_ARTEFACTS = "nowhere://at/all"

    answer = call(desk.client, "POST", "finetunes", desk_request(desk), expect=503)

    assert answer["code"] == "artefacts"
    assert "STUDIO_ARTEFACTS 'nowhere://at/all' cannot be used" in answer["message"]
    assert models_folder().is_dir()


def desk_request(desk: Desk) -> dict[str, Any]:
    return {"name": "student", "training_set_id": desk.training_set, "base": "minute"}


def look_at(desk: Desk, served: Any) -> Any:
    return call(desk.client, "GET", f"served-models/{UUID(served['id'])}")
