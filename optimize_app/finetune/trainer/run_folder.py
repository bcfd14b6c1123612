"""The files of a run, each written completely or not at all, and the log that only grows."""

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.errors import ChangedRunError, RunFolderError
from optimize_app.programs import ProgramFolder
from optimize_app.training_sets.samples import hash_file
from tapes_app.engine.tape.steps import first_reason

_FINISHED = ("succeeded", "stopped_early")


@dataclass(frozen=True)
class RunFolder(ProgramFolder):
    """The paths of one run."""

    @property
    def config_file(self) -> Path:
        return self.path / "config.json"

    @property
    def samples_file(self) -> Path:
        return self.path / "samples.jsonl"

    @property
    def evaluation_file(self) -> Path:
        return self.path / "evaluation.jsonl"

    @property
    def metrics_file(self) -> Path:
        return self.path / "metrics.jsonl"

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    @property
    def waiting_file(self) -> Path:
        """What the run is waiting for before it starts; exists only while it waits."""
        return self.path / "waiting.txt"

    @property
    def result_file(self) -> Path:
        return self.path / "result.json"

    def read_config(self) -> FinetuneConfig:
        """Return the config.

        Raises:
            RunFolderError: it is missing or not valid; the message names the field.
        """
        try:
            return FinetuneConfig.model_validate_json(self.config_file.read_bytes())
        except FileNotFoundError as error:
            raise RunFolderError(
                f"{self.path} has no config.json. A run folder holds config.json and samples.jsonl."
            ) from error
        except ValidationError as error:
            raise RunFolderError(f"config.json: {first_reason(error)}.") from error

    def find_base(self, config: FinetuneConfig) -> str:
        """Return where the base is loaded from; `./` and `../` are relative to this folder."""
        if config.base.startswith("."):
            return str((self.path / config.base).resolve())
        return config.base

    def is_finished(self, config_hash: str, data_hash: str) -> bool:
        """Return whether the run ended with a result.

        Raises:
            ChangedRunError: it ended with a result, but from another config or other examples.
        """
        if not self.result_file.is_file():
            return False
        result = json.loads(self.result_file.read_bytes())
        if result["state"] not in _FINISHED:
            return False
        if (result["config_hash"], result["data_hash"]) != (config_hash, data_hash):
            raise ChangedRunError(
                "This run is finished, and its config or examples changed since. Start a new run "
                "folder."
            )
        return True

    def was_stopped(self) -> bool:
        """Return whether the last trainer here ended because it was asked to."""
        return self._read_state() == "cancelled"

    def forget_failure(self) -> None:
        """Delete the record of how an earlier attempt ended, unless that was with a result."""
        if self._read_state() not in ("", *_FINISHED):
            self.result_file.unlink()

    def _read_state(self) -> str:
        """Return how the last trainer here ended; an empty text if it did not record it."""
        if not self.result_file.is_file():
            return ""
        return str(json.loads(self.result_file.read_bytes())["state"])

    def hash_data(self) -> str:
        """Return one hash of all examples.

        Raises:
            RunFolderError: there is no samples.jsonl.
        """
        if not self.samples_file.is_file():
            raise RunFolderError(f"{self.path} has no samples.jsonl with examples to train on.")
        hashes = [hash_file(self.samples_file)]
        if self.evaluation_file.is_file():
            hashes.append(hash_file(self.evaluation_file))
        return "-".join(hashes)


def write_json(path: Path, value: Any) -> None:
    """Write a file atomically: anyone who reads it meanwhile sees the old one."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text atomically, as `write_json` does."""
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text)
    temporary.replace(path)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Provide a folder to fill; it appears under `path` once it is complete."""
    temporary = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    temporary.mkdir(parents=True)
    try:
        yield temporary
        temporary.replace(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)  # it may be what filled the disk
        raise


class MetricsLog:
    """`metrics.jsonl`: a line for each event, with its `event` and `step`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, event: str, step: int, **values: Any) -> None:
        line = json.dumps({"event": event, "step": step, **values}, ensure_ascii=False)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def mend(self) -> bool:
        """Remove a partial line left by a writer that died; return whether any lines are left.

        Complete lines stay, as somebody may have read them: a resumed run writes `resumed`, and
        what was logged after that step no longer counts (`count_valid`).
        """
        if not self._path.is_file():
            return False
        written = self._path.read_bytes()
        complete = written.rfind(b"\n") + 1
        if complete < len(written):
            os.truncate(self._path, complete)
        return complete > 0


def count_valid(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the events of a run that still count.

    A run that resumes from a checkpoint repeats the steps after it, so earlier events about those
    steps, and about an end, are void.
    """
    valid: list[Mapping[str, Any]] = []
    for event in events:
        if event["event"] == "resumed":
            step = event["step"]
            valid = [one for one in valid if one["step"] <= step and one["event"] != "end"]
        valid.append(event)
    return valid
