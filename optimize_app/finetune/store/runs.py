"""Run folders of finetunes, and the base models beside them."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.run_folder import RunFolder, count_valid, write_json
from optimize_app.training_sets.store.sets import HELD_OUT_FILE, TRAIN_FILE, folder_of

MOST_BYTES = 1_000_000
"""Of metrics that are read at once."""

_TAIL_BYTES = 65_536


class MetricsPage(NamedTuple):
    """Events of a run, and the byte of its log that the next ones begin at."""

    events: list[dict[str, Any]]
    next: int


def models_folder() -> Path:
    """Return where base models lie."""
    return Path(settings.STUDIO_DATA_DIR) / "models"


def run_folder(job_id: UUID) -> RunFolder:
    """Return the folder of a finetune."""
    return RunFolder(Path(settings.STUDIO_DATA_DIR) / "finetunes" / str(job_id))


def prepare_run(job_id: UUID, config: FinetuneConfig, content_hash: str) -> RunFolder:
    """Make the folder of a run, unless it is there: an earlier attempt has begun with it."""
    run = run_folder(job_id)
    if run.config_file.is_file():
        return run
    run.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    examples = folder_of(content_hash)
    _share(examples / TRAIN_FILE, run.samples_file)
    if (examples / HELD_OUT_FILE).stat().st_size:
        _share(examples / HELD_OUT_FILE, run.evaluation_file)
    write_json(run.config_file, config.model_dump(mode="json"))  # last: it says all is there
    return run


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
