"""A tree on disk: a line of JSON for each branch, written once, in the order of their growth."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from optimize_app.tape_trees.branches import Branch
from tapes_app.engine.errors import ConflictError
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

SETTINGS_FILE, BRANCHES_FILE = "settings.json", "branches.jsonl"


def open_tree(folder: Path, settings: dict[str, Any]) -> Path:
    """Return the file of a tree's branches, in a folder that only this tree uses.

    Raises:
        ConflictError: the folder has a tree that was grown with other settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / SETTINGS_FILE
    text = json.dumps(settings, sort_keys=True, indent=1)
    if not place.exists():
        draft = place.with_suffix(".part")
        draft.write_text(text)
        draft.replace(place)
    elif place.read_text() != text:
        raise ConflictError(
            f"{folder} has a tree with other settings. Choose another folder, or the settings in "
            f"{SETTINGS_FILE}."
        )
    return folder / BRANCHES_FILE


def read_branches(file: Path) -> Iterator[Branch]:
    """Yield the branches of a tree; what a writer was killed at is not one."""
    if not file.exists():
        return
    with file.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield Branch.model_validate_json(line)


class BranchWriter:
    """Adds branches to a tree, after the last complete one."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("ab")
        complete = _count_complete(file)
        if complete != self._file.tell():
            self._file.truncate(complete)

    def add(self, branches: Sequence[Branch]) -> None:
        for branch in branches:
            self._file.write(branch.model_dump_json().encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _count_complete(file: Path) -> int:
    """Return the number of bytes up to the end of the last complete line."""
    with file.open("rb") as lines:
        return sum(len(line) for line in lines if line.endswith(b"\n"))


def dump_steps(steps: Sequence[Step], key: str) -> tuple[dict[str, Any], ...]:
    """Return steps without the ids that a run makes up, so that equal runs leave equal files."""
    runs: dict[str, str] = {"": ""}
    dumped = []
    for step in steps:
        meta = step.metadata
        run = runs.setdefault(meta.prompt_id, f"{key}-{len(runs)}")
        kept = {"agent": meta.agent, "node": meta.node, "prompt_id": run, "other": meta.other}
        data = {**step.to_json(), "metadata": {name: one for name, one in kept.items() if one}}
        dumped.append(data)
    return tuple(dumped)


def load_steps(branch: Branch) -> tuple[Step, ...]:
    return Tape.model_validate({"steps": branch.steps}).steps
