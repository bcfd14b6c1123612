"""What a run needs is held against what there is: memory before it begins, room on the disk."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from optimize_app.finetune.__main__ import FINISHED, REFUSED, STOPPED, main
from optimize_app.finetune.store.runs import run_folder
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.errors import DeviceError
from optimize_app.finetune.trainer.memory import Memory, check_memory, wait_for_memory
from optimize_app.finetune.trainer.models import examine_base
from optimize_app.finetune.trainer.room import count_trainable
from tests.finetune.folders import ROOT, make_chats, write_run
from tests.finetune.test_finetunes_over_http import Desk, desk, worker
from tests.http.asking import call

__all__ = ["desk"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]

# In a namespace of its own, the run is on a small disk, which something else fills.
_ON_A_SMALL_DISK = """
mount -t tmpfs -o size=16m none "{disk}" && cp -r "{run}" "{disk}/run"
{python} -m optimize_app.finetune "{disk}/run" &
until ls -d "{disk}/run/checkpoints"/step-* >/dev/null 2>&1; do
  kill -0 $! || exit 1; sleep 0.05
done
left=$(df --output=avail -k "{disk}" | tail -1)
dd if=/dev/zero of="{disk}/other" bs=1k count=$((left - 100)) status=none
wait $!; echo $? > "{run}/status"
ls -A "{disk}/run/checkpoints" > "{run}/checkpoints.txt"; cp "{disk}/run/result.json" "{run}"
rm "{disk}/other"; {python} -m optimize_app.finetune "{disk}/run" &
until grep -q resumed "{disk}/run/metrics.jsonl"; do kill -0 $! || exit 1; sleep 0.05; done
touch "{disk}/run/stop"; wait $!; echo $? >> "{run}/status"
"""


def test_a_run_that_never_fits_is_refused(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run", base, make_chats(4))

    assert main([str(run), "--dry-run", "--memory-limit", "100000000"]) == REFUSED
    said = capsys.readouterr().err
    assert "GB of memory, and 0.1 GB there are. Choose fewer tokens_per_pass" in said
    write_run(run, base, make_chats(4), too_little_memory="try", steps=1)
    assert main([str(run), "--memory-limit", "100000000"]) == FINISHED


def test_a_run_that_does_not_fit_now_waits_or_is_refused_as_it_asks() -> None:
    full = Memory(free=2_000_000_000, total=10_000_000_000)
    check_memory(5_000_000_000, full, FinetuneConfig(base="x"))
    with pytest.raises(DeviceError, match=r"about 5.0 GB of memory, and 2.0 GB are free"):
        check_memory(5_000_000_000, full, FinetuneConfig(base="x", too_little_memory="refuse"))

    readings = [full, full, Memory(6_000_000_000, 10_000_000_000)]
    told: list[str] = []
    fits = wait_for_memory(
        5_000_000_000,
        lambda: readings.pop(0),
        must_stop=lambda: False,
        report=told.append,
        pause_seconds=0,
    )
    assert (fits, len(told)) == (True, 2)
    assert told[0] == "Waiting for memory: about 5.0 GB are needed, 2.0 GB are free"
    assert not wait_for_memory(
        5_000_000_000, lambda: full, must_stop=lambda: True, report=told.append, pause_seconds=0
    )


def test_a_limit_of_the_studio_is_held_against_every_finetune(
    desk: Desk,
    settings: Any,
) -> None:
    settings.STUDIO_TRAIN_MEMORY_BYTES = 100_000_000
    job = desk.start(steps=2)

    with worker():
        pass

    seen = desk.look(job)
    assert seen["state"] == "failed"
    assert seen["message"].startswith("The run needs about 0.")


def test_a_run_is_refused_before_it_is_queued_where_its_checkpoints_have_no_room(
    desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 1000))
    body = {"name": "student", "training_set_id": desk.training_set, "base": "minute"}

    answer = call(desk.client, "POST", "finetunes", body, expect=422)

    assert "GB for checkpoints, and the disk of" in answer["message"]
    assert call(desk.client, "GET", "finetunes")["items"] == []


@pytest.mark.parametrize(
    "options",
    [{}, {"lora": {"rank": 4, "target_modules": ["q_proj", "down_proj"]}}, {"method": "full"}],
)
def test_what_is_trained_is_known_without_loading_anything(
    base: Path, options: dict[str, Any]
) -> None:
    config = FinetuneConfig(base=str(base), **options)

    assert count_trainable(base, config) == examine_base(config).trainable


def test_a_full_disk_ends_a_run_with_a_sentence_and_keeps_the_last_checkpoint(
    base: Path, tmp_path: Path, own_processes: None
) -> None:
    around = ["unshare", "--map-root-user", "--mount"]
    if subprocess.run([*around, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine gives nobody a disk of their own")
    options: dict[str, Any] = {"steps": 100_000, "checkpoint_every": 2, "keep_checkpoints": 1}
    run = write_run(tmp_path / "run", base, make_chats(4), method="full", **options)
    (tmp_path / "disk").mkdir()
    script = _ON_A_SMALL_DISK.format(disk=tmp_path / "disk", run=run, python=sys.executable)

    subprocess.run([*around, "sh", "-c", script], cwd=ROOT, check=True)

    assert (run / "status").read_text().split() == [str(REFUSED), str(STOPPED)]
    result = json.loads((run / "result.json").read_text())
    assert (result["state"], result["details"]) == ("failed", {"reason": "no_space"})
    assert "is full. The last checkpoint is kept: make room, then resume" in result["message"]
    (kept,) = (run / "checkpoints.txt").read_text().split()
    assert kept.startswith("step-")


def test_a_trainer_that_does_not_end_is_killed_and_that_is_said(
    desk: Desk,
    settings: Any,
) -> None:
    settings.STUDIO_STOP_GRACE_SECONDS = 1.0
    job = desk.start(steps=100_000, checkpoint_every=5)

    with worker():
        desk.wait_for_steps(job, 6)
        os.kill(int(run_folder(UUID(job)).lock_file.read_text()), signal.SIGSTOP)
        call(desk.client, "POST", f"jobs/{job}/cancel")

    assert desk.look(job)["message"] == (
        "Cancelled by ada. The trainer did not end within 1 seconds, so it was killed; the last "
        "checkpoint is kept."
    )
    assert not run_folder(UUID(job)).is_at_work()
    assert list(run_folder(UUID(job)).checkpoints.iterdir())
