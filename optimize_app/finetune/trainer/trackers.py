"""Accelerate's own trackers: TensorBoard, Weights & Biases, MLflow, as the config asks."""

from importlib.util import find_spec
from typing import Any

from accelerate import Accelerator
from accelerate.utils import ProjectConfiguration

from optimize_app.finetune.trainer.config import FinetuneConfig, TrackerName
from optimize_app.finetune.trainer.errors import DeviceError
from optimize_app.finetune.trainer.run_folder import RunFolder

_PROJECT = "tape-studio"


def choose_trackers(config: FinetuneConfig) -> tuple[TrackerName, ...]:
    """Return the trackers of a run: those it asks for, or TensorBoard if it is installed.

    Raises:
        DeviceError: the package of a requested tracker is not installed.
    """
    if config.trackers is None:
        return ("tensorboard",) if find_spec("tensorboard") is not None else ()
    for name in config.trackers:
        if find_spec(name) is None:
            raise DeviceError(
                f"The tracker {name} needs the package {name}. Install it, or take {name} out of "
                "trackers; metrics.jsonl is written in any case."
            )
    return config.trackers


def place_of(folder: RunFolder) -> ProjectConfiguration:
    """Return where trackers write on this machine: into the run folder."""
    return ProjectConfiguration(
        project_dir=str(folder.path), logging_dir=str(folder.path / "tensorboard")
    )


def begin_tracking(accelerator: Accelerator, folder: RunFolder, config: FinetuneConfig) -> None:
    """Announce to the trackers that a run starts or resumes, and with which options."""
    name = folder.path.name
    accelerator.init_trackers(
        _PROJECT,  # TensorBoard uses it as a folder; the others group runs by it
        config=flatten(config.model_dump(mode="json")),
        init_kwargs={
            "wandb": {"name": name, "id": name, "resume": "allow", "dir": str(folder.path)},
            "mlflow": {"run_name": name},
        },
    )


def flatten(values: dict[str, Any], prefix: str = "") -> dict[str, int | float | str | bool]:
    """Return options as trackers accept them: dotted names and plain values."""
    flat: dict[str, int | float | str | bool] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{name}.")
        elif value is not None:
            flat[f"{prefix}{name}"] = value if isinstance(value, (int, float)) else str(value)
    return flat
