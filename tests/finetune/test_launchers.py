"""Finetunes through launchers: torchrun here, Slurm and SkyPilot by commands that only act so."""

import json
import os
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from optimize_app.finetune.store.runs import run_folder
from optimize_app.launchers.launcher import LauncherError
from optimize_app.launchers.sky import SkyLauncher
from optimize_app.launchers.slurm import SlurmLauncher
from tests.finetune.clusters import write_sky, write_slurm
from tests.finetune.test_finetunes_over_http import Desk, desk, worker
from tests.http.asking import call
from tests.waiting import wait_until

__all__ = ["desk"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


@pytest.fixture
def slurm(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    submitit = pytest.importorskip("submitit")
    submitit.SlurmJob.watcher.clear()  # it remembers the ends of jobs, and numbers begin again
    settings.STUDIO_LAUNCHER = "slurm"
    settings.STUDIO_SLURM_OPTIONS = ("partition=gpu", "time=60")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return write_slurm(tmp_path / "bin")


@pytest.fixture
def sky(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.STUDIO_LAUNCHER = "sky"
    settings.STUDIO_ARTEFACTS = f"file://{tmp_path}/store"
    settings.STUDIO_SKY_TASK = str(tmp_path / "task.yaml")
    (tmp_path / "task.yaml").write_text("resources: {accelerators: H100:1}\nsetup: make install\n")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return write_sky(tmp_path / "bin")


def list_asked(state: Path, command: str) -> list[list[str]]:
    """Return what a command was asked to do."""
    lines = (state / "asked.jsonl").read_text().splitlines()
    return [asked[1:] for asked in map(json.loads, lines) if asked[0] == command]


def test_several_processes_train_one_finetune(desk: Desk) -> None:
    job = desk.start(steps=6, processes=2, device="cpu")

    with worker():
        pass

    seen = desk.look(job)
    assert (seen["state"], seen["step"]) == ("succeeded", 6), seen["message"]
    assert call(desk.client, "GET", f"finetunes/{job}/config")["processes"] == 2


def test_several_processes_end_together(desk: Desk) -> None:
    job = desk.start(steps=100_000, processes=2, device="cpu")

    with worker():
        desk.wait_for_steps(job, 1)
        run_folder(UUID(job)).kill()

    seen = desk.look(job)
    assert seen["state"] == "failed"
    assert "most likely because its memory ran out" in seen["message"]
    assert not run_folder(UUID(job)).is_at_work()


def test_slurm_trains_a_finetune(desk: Desk, slurm: Path) -> None:
    job = desk.start(steps=12, device="cpu")

    with worker():
        pass

    seen = desk.look(job)
    assert (seen["state"], seen["step"]) == ("succeeded", 12), seen["message"]
    script = (slurm / "1.sh").read_text()
    assert "#SBATCH --partition=gpu" in script
    assert "#SBATCH --time=60" in script
    assert f"#SBATCH --job-name=studio-{job}-1" in script
    assert "--gpus-per-node" not in script  # it was asked to train without


def test_a_slurm_job_outlives_its_worker_and_ends_when_it_is_cancelled(
    desk: Desk,
    slurm: Path,
) -> None:
    job = desk.start(steps=100_000)

    with worker() as stopping:
        desk.wait_for_steps(job, 5)
        stopping.set()
    assert desk.look(job)["state"] == "queued"
    assert run_folder(UUID(job)).is_at_work()
    seen = len(desk.steps(job))
    with worker():
        desk.wait_for_steps(job, seen + 20)
        call(desk.client, "POST", f"jobs/{job}/cancel")

    assert desk.look(job)["state"] == "cancelled"
    assert len(list_asked(slurm, "sbatch")) == 1
    assert not run_folder(UUID(job)).is_at_work()
    assert "#SBATCH --gpus-per-node=1" in (slurm / "1.sh").read_text()
    events = call(desk.client, "GET", f"finetunes/{job}/metrics")["events"]
    assert not [one for one in events if one["event"] == "resumed"]
    assert events[-1]["event"] == "end"  # it had the time to save


def test_a_full_slurm_is_waited_for_and_left(desk: Desk, slurm: Path) -> None:
    (slurm / "is_full").touch()
    job = desk.start(steps=12)

    with worker():
        wait_until(lambda: "Waiting in the queue of Slurm (job 1)" in desk.look(job)["message"])
        call(desk.client, "POST", f"jobs/{job}/cancel")

    assert desk.look(job)["state"] == "cancelled"
    assert ["1"] in list_asked(slurm, "scancel")


def test_what_slurm_says_is_passed_on(desk: Desk, slurm: Path, settings: Any) -> None:
    (slurm / "refuses").touch()
    refused = desk.start(steps=12)
    with worker():
        pass
    settings.STUDIO_SLURM_OPTIONS = ("partitoin=gpu",)
    misspelt = desk.start(steps=12)
    with worker():
        pass
    settings.STUDIO_SLURM_OPTIONS = ("gpu",)
    nothing = desk.start(steps=12)
    with worker():
        pass

    assert "Slurm refused the job" in desk.look(refused)["message"]
    assert "invalid partition specified: moon" in desk.look(refused)["message"]
    assert "Unavailable parameter(s): ['partitoin']" in desk.look(misspelt)["message"]
    assert "are written as name=value" in desk.look(nothing)["message"]


def test_a_cloud_trains_a_finetune_from_the_store(desk: Desk, sky: Path) -> None:
    call_command("share_base_model", "minute")
    job = desk.start(steps=12)

    with worker():
        pass

    seen = desk.look(job)
    assert (seen["state"], seen["step"]) == ("succeeded", 12), seen["message"]
    (adapter,) = call(desk.client, "GET", "adapters")["items"]
    assert adapter["job_id"] == job
    task = json.loads((sky / f"studio-{job}-1.json").read_text())
    assert task["resources"] == {"accelerators": "H100:1"}
    assert task["setup"] == "make install"
    far = sky / "cloud" / "tape-studio-runs" / "finetunes" / job
    weights = "adapter/adapter_model.safetensors"
    assert (run_folder(UUID(job)).path / weights).read_bytes() == (far / weights).read_bytes()


def test_a_cloud_is_left_when_the_finetune_is_cancelled(desk: Desk, sky: Path) -> None:
    call_command("share_base_model", "minute")
    job = desk.start(steps=100_000, checkpoint_every=10)

    with worker():
        desk.wait_for_steps(job, 11)
        call(desk.client, "POST", f"jobs/{job}/cancel")

    seen = desk.look(job)
    assert (seen["state"], seen["message"]) == ("cancelled", "Cancelled by ada.")
    assert ["jobs", "cancel", "--yes", "--name", f"studio-{job}-1"] in list_asked(sky, "sky")
    assert list(run_folder(UUID(job)).checkpoints.iterdir())  # it can go on, here or there


def test_what_a_launcher_lacks_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "submitit", None)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(LauncherError, match="needs the package submitit: pip install submitit"):
        SlurmLauncher({})
    with pytest.raises(LauncherError, match="needs the program sky: pip install skypilot"):
        SkyLauncher("task.yaml", "file:///store")
    write_sky(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(LauncherError, match="Set STUDIO_ARTEFACTS"):
        SkyLauncher("task.yaml", "")
    with pytest.raises(LauncherError, match=r"'nothing.yaml' cannot be read"):
        SkyLauncher("nothing.yaml", "file:///store")
