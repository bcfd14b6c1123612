"""Accelerate's own trackers: TensorBoard, Weights & Biases, MLflow, as the config asks."""

from importlib.util import find_spec

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.errors import DeviceError

_PACKAGES = {"tensorboard": "tensorboard", "wandb": "wandb", "mlflow": "mlflow"}


def check_trackers(config: FinetuneConfig) -> None:
    """Raise `DeviceError` where a tracker's package is not installed."""
    for name in config.trackers:
        if find_spec(_PACKAGES[name]) is None:
            raise DeviceError(
                f"The tracker {name} needs the package {_PACKAGES[name]}. Install it, or take "
                f"{name} out of trackers; metrics.jsonl is written in any case."
            )
