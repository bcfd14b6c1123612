"""Workers of the queue `train`: one for each GPU, on any machine."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from celery.signals import worker_init, worker_shutting_down

from studio.workers import list_training_workers
from tapes_app.tasks import stopping
from tests.studio.running_studio import ROOT, put_tables, studio_environment


@pytest.fixture
def gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose nvidia-smi lists four GPUs; returns its commands."""
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\nprintf '0\\n1\\n2\\n3\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return tmp_path


def list_workers() -> list[tuple[str, str]]:
    """Return the queues of each worker, and the GPUs that it sees."""
    listed = []
    for spec in list_training_workers(serves=True):
        (arguments,) = spec.arguments
        gpus = spec.variables.get("CUDA_VISIBLE_DEVICES", "")
        listed.append((arguments[arguments.index("-Q") + 1], gpus))
    return listed


def test_each_gpu_has_a_worker(gpus: Path, settings: Any) -> None:
    assert list_workers() == [("train,serve", "0"), ("train", "1"), ("train", "2"), ("train", "3")]
    settings.STUDIO_GPUS_PER_WORKER = 3
    assert list_workers() == [("train,serve", "0,1,2"), ("train", "3")]


def test_gpus_that_are_for_others_have_none(gpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,GPU-7f")
    assert list_workers() == [("train,serve", "2"), ("train", "GPU-7f")]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert list_workers() == [("train,serve", "")]


def test_a_machine_without_gpus_has_one_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert list_workers() == [("train,serve", "")]


def test_a_worker_that_stops_stops_no_other_that_was_forked_from_the_same_process() -> None:
    worker_init.send(None)
    process = os.fork()
    if process == 0:
        worker_init.send(None)
        worker_shutting_down.send(None)
        os._exit(stopping.is_set())
    _, status = os.waitpid(process, 0)

    assert os.waitstatus_to_exitcode(status) == 1
    assert not stopping.is_set()


def test_another_machine_has_workers_alone(gpus: Path, tmp_path: Path) -> None:
    variables = studio_environment(
        STUDIO_DATA_DIR=str(tmp_path / "data"), STUDIO_GPUS_PER_WORKER="2"
    )
    put_tables(tmp_path / "data")
    program = subprocess.Popen(
        [sys.executable, "manage.py", "work"],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    said = [program.stdout.readline() for _ in range(2)]
    program.send_signal(signal.SIGTERM)
    rest, _ = program.communicate()

    assert said == [
        "Starting worker train-0-1. Press Ctrl-C to stop.\n",
        "Starting worker train-2-3. Press Ctrl-C to stop.\n",
    ]
    assert "Stopping: trainers save first" in rest
    assert program.returncode == 0
