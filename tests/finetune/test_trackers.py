"""Curves as trackers have them: files of TensorBoard, runs of MLflow and W&B on this machine."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from studio.env import child_environment
from tests.finetune.folders import ROOT, make_chats, read_events, write_run

pytestmark = pytest.mark.slow


# What trackers wrote is read in processes of their own: at import they warn of themselves.
_READ_TENSORBOARD = """
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
read = EventAccumulator(sys.argv[1])
read.Reload()
curves = {tag: [[one.step, one.value] for one in read.Scalars(tag)]
          for tag in read.Tags()["scalars"]}
print(json.dumps(curves))
"""
_READ_MLFLOW = """
import json, sys
from mlflow import MlflowClient
client = MlflowClient(tracking_uri=sys.argv[1])
experiment = client.get_experiment_by_name("tape-studio")
(run,) = client.search_runs([experiment.experiment_id])
loss = [one.value for one in client.get_metric_history(run.info.run_id, "loss")]
print(json.dumps({"params": run.data.params, "loss": loss}))
"""


def read_elsewhere(script: str, place: str) -> Any:
    command = [sys.executable, "-c", script, place]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def train(run: Path, **variables: str) -> None:
    """Train as a worker does, with variables that trackers read."""
    ended = subprocess.run(
        [sys.executable, "-m", "optimize_app.finetune", str(run)],
        cwd=ROOT,
        env=child_environment(**variables),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def make_run(base: Path, tmp_path: Path, **options: Any) -> Path:
    options = {"steps": 4, "evaluate_every": 2, **options}
    return write_run(
        tmp_path / "student", base, make_chats(4), held_out=make_chats(2, first=9), **options
    )


def test_tensorboard_has_the_curves_unless_told_otherwise(base: Path, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    run = make_run(base, tmp_path)
    silent = make_run(base, tmp_path / "silent", trackers=[])

    train(run)
    train(silent)

    curves = read_elsewhere(_READ_TENSORBOARD, str(run / "tensorboard" / "tape-studio"))
    steps = read_events(run, "step")
    assert [step for step, _ in curves["loss"]] == [1, 2, 3, 4]
    assert [value for _, value in curves["loss"]] == pytest.approx([one["loss"] for one in steps])
    assert {"learning_rate", "gradient_norm", "tokens_per_second"} <= curves.keys()
    losses = [one["loss"] for one in read_events(run, "evaluation")]
    assert [value for _, value in curves["held_out_loss"]] == pytest.approx(losses)
    assert not (silent / "tensorboard").exists()


def test_mlflow_has_the_curves(base: Path, tmp_path: Path) -> None:
    pytest.importorskip("mlflow")
    run = make_run(base, tmp_path, trackers=["mlflow"])
    store = f"sqlite:///{tmp_path}/mlflow.db"

    train(run, MLFLOW_TRACKING_URI=store)

    told = read_elsewhere(_READ_MLFLOW, store)
    assert told["params"]["lora.rank"] == "16"
    assert told["loss"] == pytest.approx([one["loss"] for one in read_events(run, "step")])


def test_wandb_has_the_curves_without_a_network(base: Path, tmp_path: Path) -> None:
    pytest.importorskip("wandb")
    run = make_run(base, tmp_path, trackers=["wandb"])

    train(run, WANDB_MODE="offline")

    (recorded,) = run.glob("wandb/offline-run-*/run-student.wandb")
    assert recorded.stat().st_size > 0
