"""Run folders of finetunes: making them, sharing them with other machines, reading them."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.room import check_room, count_trainable
from optimize_app.finetune.trainer.run_folder import RunFolder, count_valid, write_json
from optimize_app.training_sets.store.sets import HELD_OUT_FILE, TRAIN_FILE, open_folder
from tapes_app.artefacts.opening import artefacts

MOST_BYTES = 1_000_000
"""Limit of metrics that are read in one go."""

_TAIL_BYTES = 65_536
_FRESH_SECONDS = 2.0
_LOOKED_AT = frozenset({"config.json", "resolved.json", "metrics.jsonl"})


class MetricsPage(NamedTuple):
    """Events of a run, and the byte of its log at which the next ones start."""

    events: list[dict[str, Any]]
    next: int


def run_folder(job_id: UUID) -> RunFolder:
    """Return the folder of a finetune."""
    return RunFolder(Path(settings.STUDIO_DATA_DIR) / "finetunes" / str(job_id))


def artefact_of(job_id: UUID) -> str:
    """Return the name of a run among the artefacts."""
    return f"finetunes/{job_id}"


def find_run(job_id: UUID) -> RunFolder | None:
    """Return the folder that an earlier attempt started with, on this machine or another.

    Raises:
        ArtefactError: it cannot be fetched.
    """
    run = run_folder(job_id)
    if not run.is_at_work():
        artefacts().fetch(artefact_of(job_id))
    return run if run.config_file.is_file() else None


def check_room_for(config: FinetuneConfig) -> None:
    """Reject a run whose checkpoints this disk cannot hold, if workers use this disk too.

    Raises:
        DeviceError: there is not enough room; the message states what would make it fit.
    """
    if not settings.STUDIO_ARTEFACTS and Path(config.base).is_absolute():
        trainable = count_trainable(Path(config.base), config)
        check_room(Path(settings.STUDIO_DATA_DIR), trainable, config)


def publish_run(job_id: UUID, attempt: int) -> None:
    """Publish a run's current state, so that other machines find it.

    Raises:
        ConflictError: another worker has taken over the run.
        ArtefactError: the artefact store cannot be reached.
    """
    artefacts().publish(artefact_of(job_id), attempt=attempt)


def refresh_run(job_id: UUID, ended_at: datetime | None) -> None:
    """Fetch another machine's progress on a run, for people who are viewing it.

    A run that has ended is fetched once, others every few seconds.

    Raises:
        ArtefactError: the artefact store cannot be reached.
    """
    run = run_folder(job_id)
    if not settings.STUDIO_ARTEFACTS or run.is_at_work():
        return
    stamp = run.path / ".seen"
    seen_at = stamp.stat().st_mtime if stamp.exists() else 0.0
    if seen_at < (time.time() - _FRESH_SECONDS if ended_at is None else ended_at.timestamp()):
        artefacts().fetch(artefact_of(job_id), lambda path, _size: path in _LOOKED_AT)
        if run.path.is_dir():
            stamp.touch()


def open_result(job_id: UUID, name: str) -> Path:
    """Return the folder of a run's result, `adapter` or `model`; it may be missing.

    Raises:
        ArtefactError: it cannot be fetched.
    """
    artefacts().fetch(artefact_of(job_id), lambda path, _size: path.startswith(f"{name}/"))
    return run_folder(job_id).path / name


def prepare_run(job_id: UUID, config: FinetuneConfig, content_hash: str) -> RunFolder:
    """Make the folder of a run, unless an earlier attempt has already made it.

    Raises:
        ArtefactError: its examples, or the folder that another machine made, cannot be fetched.
    """
    found = find_run(job_id)
    if found is not None:
        return found
    run = run_folder(job_id)
    run.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    examples = open_folder(content_hash)
    _share(examples / TRAIN_FILE, run.samples_file)
    if (examples / HELD_OUT_FILE).stat().st_size:
        _share(examples / HELD_OUT_FILE, run.evaluation_file)
    write_config(run, config)  # written last, as it marks the folder as complete
    return run


def write_config(run: RunFolder, config: FinetuneConfig) -> None:
    """Write the config of a run; a base in the data folder is recorded relative to that folder.

    So the run can continue on a machine whose data folder is somewhere else.
    """
    base = config.base
    if Path(base).is_absolute():
        base = os.path.relpath(base, run.path)
        base = base if base.startswith("..") else f"./{base}"
    write_json(run.config_file, {**config.model_dump(mode="json"), "base": base})


def read_metrics(job_id: UUID, start: int) -> MetricsPage:
    """Return the complete lines of a run's log, from the first that starts at or after `start`."""
    file = run_folder(job_id).metrics_file
    if not file.is_file():
        return MetricsPage([], 0)
    with file.open("rb") as metrics:
        if start > 0:
            metrics.seek(min(start, file.stat().st_size) - 1)
            metrics.readline()  # the rest of the previous line
        begin = metrics.tell()
        lines = metrics.read(MOST_BYTES)
    complete = lines[: lines.rfind(b"\n") + 1]
    return MetricsPage([json.loads(line) for line in complete.splitlines()], begin + len(complete))


def find_last_loss(job_id: UUID) -> float | None:
    """Return the loss of a run's last step, from the end of its log; `None` before the first."""
    file = run_folder(job_id).metrics_file
    if not file.is_file():
        return None
    events = read_metrics(job_id, max(0, file.stat().st_size - _TAIL_BYTES)).events
    losses = [event["loss"] for event in count_valid(events) if event["event"] == "step"]
    return losses[-1] if losses else None


def load_config(job_id: UUID) -> dict[str, Any] | None:
    """Return a run's config; once it trains, all options have values. `None`: there is none yet."""
    run = run_folder(job_id)
    config: dict[str, Any] | None = None
    with suppress(FileNotFoundError):
        config = json.loads(run.config_file.read_bytes())
        config = json.loads((run.path / "resolved.json").read_bytes())["config"]
    return config


def iterate_metrics(job_id: UUID) -> Iterator[dict[str, Any]]:
    """Yield all events of a run."""
    start = 0
    while True:
        page = read_metrics(job_id, start)
        if not page.events:
            return
        yield from page.events
        start = page.next


def _share(source: Path, target: Path) -> None:
    """Hard-link a file that never changes; copy it where that is not possible."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
