"""Run folders of finetunes: made by workers, shared with the other machines, looked at."""

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
"""Of metrics that are read at once."""

_TAIL_BYTES = 65_536
_FRESH_SECONDS = 2.0
_LOOKED_AT = frozenset({"config.json", "resolved.json", "metrics.jsonl"})


class MetricsPage(NamedTuple):
    """Events of a run, and the byte of its log that the next ones begin at."""

    events: list[dict[str, Any]]
    next: int


def run_folder(job_id: UUID) -> RunFolder:
    """Return the folder of a finetune."""
    return RunFolder(Path(settings.STUDIO_DATA_DIR) / "finetunes" / str(job_id))


def artefact_of(job_id: UUID) -> str:
    """Return the name of a run among the artefacts."""
    return f"finetunes/{job_id}"


def find_run(job_id: UUID) -> RunFolder | None:
    """Return the folder that an earlier attempt began with, on this machine or another one.

    Raises:
        ArtefactError: it cannot be fetched.
    """
    run = run_folder(job_id)
    if not run.is_at_work():
        artefacts().fetch(artefact_of(job_id))
    return run if run.config_file.is_file() else None


def check_room_for(config: FinetuneConfig) -> None:
    """Refuse a run whose checkpoints this disk cannot hold, where it is the worker's one too.

    Raises:
        DeviceError: with what would make it fit.
    """
    if not settings.STUDIO_ARTEFACTS and Path(config.base).is_absolute():
        trainable = count_trainable(Path(config.base), config)
        check_room(Path(settings.STUDIO_DATA_DIR), trainable, config)


def publish_run(job_id: UUID, attempt: int) -> None:
    """Have other machines find a run as it is now.

    Raises:
        ConflictError: another worker goes on with it.
        ArtefactError: the store of artefacts cannot be reached.
    """
    artefacts().publish(artefact_of(job_id), attempt=attempt)


def refresh_run(job_id: UUID, ended_at: datetime | None) -> None:
    """Take over what another machine says of a run, for people who look at it.

    What has ended is asked for once, the rest every few seconds.

    Raises:
        ArtefactError: the store of artefacts cannot be reached.
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
    """Return the folder of what a run came to, `adapter` or `model`; it may be missing.

    Raises:
        ArtefactError: it cannot be fetched.
    """
    artefacts().fetch(artefact_of(job_id), lambda path, _size: path.startswith(f"{name}/"))
    return run_folder(job_id).path / name


def prepare_run(job_id: UUID, config: FinetuneConfig, content_hash: str) -> RunFolder:
    """Make the folder of a run, unless it is there: an earlier attempt has begun with it.

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
    write_config(run, config)  # last: it says all is there
    return run


def write_config(run: RunFolder, config: FinetuneConfig) -> None:
    """Write the config of a run; a base in the data folder is told by its way from there.

    So the folder can be gone on with on a machine whose data folder lies elsewhere.
    """
    base = config.base
    if Path(base).is_absolute():
        base = os.path.relpath(base, run.path)
        base = base if base.startswith("..") else f"./{base}"
    write_json(run.config_file, {**config.model_dump(mode="json"), "base": base})


def read_metrics(job_id: UUID, start: int) -> MetricsPage:
    """Return the whole lines of a run's log from the first one that begins at or after `start`."""
    file = run_folder(job_id).metrics_file
    if not file.is_file():
        return MetricsPage([], 0)
    with file.open("rb") as metrics:
        if start > 0:
            metrics.seek(min(start, file.stat().st_size) - 1)
            metrics.readline()  # what is left of the line before
        begin = metrics.tell()
        lines = metrics.read(MOST_BYTES)
    whole = lines[: lines.rfind(b"\n") + 1]
    return MetricsPage([json.loads(line) for line in whole.splitlines()], begin + len(whole))


def find_last_loss(job_id: UUID) -> float | None:
    """Return the loss of a run's last step, from the end of its log; `None` before the first."""
    file = run_folder(job_id).metrics_file
    if not file.is_file():
        return None
    events = read_metrics(job_id, max(0, file.stat().st_size - _TAIL_BYTES)).events
    losses = [event["loss"] for event in count_valid(events) if event["event"] == "step"]
    return losses[-1] if losses else None


def load_config(job_id: UUID) -> dict[str, Any] | None:
    """Return the config of a run, with nothing left open once it trains; `None`: none is made."""
    run = run_folder(job_id)
    config: dict[str, Any] | None = None
    with suppress(FileNotFoundError):
        config = json.loads(run.config_file.read_bytes())
        config = json.loads((run.path / "resolved.json").read_bytes())["config"]
    return config


def iterate_metrics(job_id: UUID) -> Iterator[dict[str, Any]]:
    """Give all events of a run."""
    start = 0
    while True:
        page = read_metrics(job_id, start)
        if not page.events:
            return
        yield from page.events
        start = page.next


def _share(source: Path, target: Path) -> None:
    """Link a file that never changes; where links are not possible, copy it."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
