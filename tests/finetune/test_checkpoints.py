"""Which checkpoint a run continues from: the newest that is not damaged."""

from pathlib import Path

import pytest
import torch

from optimize_app.finetune.trainer.checkpoints import (
    Learnt,
    Progress,
    checkpoint_of,
    find_checkpoint,
    save_checkpoint,
)

_FILES = ("progress.json", "weights.safetensors", "optimizer.pt")


@pytest.fixture
def newest(tmp_path: Path) -> Path:
    """The newer of two checkpoints in a folder."""
    learnt = Learnt({"weight": torch.ones(64)}, [{"state": {0: torch.ones(64)}}])
    for step in (1, 2):
        progress = Progress(config_hash="", data_hash="", step=step, tokens_per_pass=8)
        save_checkpoint(tmp_path, progress, learnt, keep=2)
    return checkpoint_of(tmp_path, 2)


@pytest.mark.parametrize("name", _FILES)
@pytest.mark.parametrize("cut", [0, 1, 40, -2])
def test_a_damaged_checkpoint_is_removed(newest: Path, name: str, cut: int) -> None:
    file = newest / name
    file.write_bytes(file.read_bytes()[:cut])

    found, damaged = find_checkpoint(newest.parent)

    assert (found, damaged) == (checkpoint_of(newest.parent, 1), (newest.name,))
    assert not newest.exists()


def test_one_that_lacks_a_file_is_removed(newest: Path) -> None:
    (newest / "optimizer.pt").unlink()

    assert find_checkpoint(newest.parent)[1] == (newest.name,)


def test_one_that_cannot_be_read_for_another_reason_stays(newest: Path) -> None:
    file = newest / "optimizer.pt"
    file.unlink()
    file.mkdir()

    with pytest.raises(IsADirectoryError):
        find_checkpoint(newest.parent)
    assert newest.is_dir()
