"""The trainer and the server compute with the cores they may use, and their threads sleep."""

import os
from pathlib import Path

import pytest

from optimize_app.finetune.trainer.threads import count_cores
from tests.finetune.folders import finish, make_chats, start_trainer, write_run


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, 8),
        ({"cpu.max": "max 100000\n"}, 8),
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "20000 100000\n"}, 1),
        ({"cpu.max": "6400000 100000\n"}, 8),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 8),
        ({"cpu.max": "?"}, 8),
    ],
)
def test_cores_are_those_of_the_process_and_of_its_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    assert count_cores(tmp_path) == cores


@pytest.mark.slow
def test_a_trainer_says_its_threads_and_lets_them_sleep(
    base: Path, tmp_path: Path, own_processes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OMP_NUM_THREADS", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_DISPLAY_ENV", "TRUE")  # OpenMP prints what it goes by
    run = write_run(tmp_path / "run", base, make_chats(4), steps=1)

    output, problems = finish(start_trainer(run))

    assert output.startswith("Computing with ")
    assert "OMP_WAIT_POLICY = 'PASSIVE'" in problems
