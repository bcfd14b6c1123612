"""What is reported of each step: in `metrics.jsonl`, and to trackers."""

import resource
import sys
from dataclasses import dataclass
from typing import Any

import torch
from accelerate import Accelerator

from optimize_app.finetune.trainer.checkpoints import Progress
from optimize_app.finetune.trainer.planning import (
    MEASURED_STEPS,
    count_flops,
    expect_memory,
    peak_flops,
    seconds_left,
)
from optimize_app.finetune.trainer.prepared_run import PreparedRun
from optimize_app.finetune.trainer.run_folder import MetricsLog


@dataclass(frozen=True)
class StepResult:
    """The result of one optimizer step."""

    loss: float
    gradient_norm: float
    tokens: int
    learnt: int
    by_example: dict[str, float]
    figures: dict[str, float]


class StepReporter:
    """Tracks how long steps take, and reports each one."""

    def __init__(self, run: PreparedRun, accelerator: Accelerator, log: MetricsLog) -> None:
        self._run = run
        self._config = run.config
        self._accelerator = accelerator
        self._log = log
        self._durations: list[float] = []

    def report(
        self, progress: Progress, result: StepResult, *, rate: float, seconds: float
    ) -> None:
        """Log a step that took `seconds` and led to `progress`."""
        self._durations.append(seconds)
        step = progress.step
        left = seconds_left(self._durations, self._run.plan.steps - step)
        values: dict[str, Any] = {
            "loss": result.loss,
            "learning_rate": rate,
            "gradient_norm": result.gradient_norm,
            "tokens_per_second": round(result.tokens / seconds, 1),
            "tokens": progress.tokens,
            "seconds": round(progress.seconds, 3),
            "seconds_left": round(left, 1),
            "memory": used_memory(self._accelerator.device),
            "peak_share": self._share_of_peak(result, seconds),
            **result.figures,
        }
        if self._config.trackers:
            numbers = {name: value for name, value in values.items() if value is not None}
            self._accelerator.log(numbers, step=step)
        if not self._accelerator.is_main_process:
            return
        self._log.append(
            "step",
            step,
            epoch=round(step / self._run.plan.steps_per_epoch, 4),
            **values,
            examples=result.by_example,
        )
        if len(self._durations) == MEASURED_STEPS:
            self._log.append(
                "measured",
                step,
                expected_memory=expect_memory(
                    self._run.shape,
                    self._config,
                    self._run.precision,
                    self._accelerator.device,
                ),
                memory=values["memory"],
                expected_seconds=self._run.plan.expected_seconds,
                seconds=round(progress.seconds + left, 1),
            )

    def _share_of_peak(self, result: StepResult, seconds: float) -> float | None:
        peak = peak_flops(self._accelerator.device)
        if peak is None:
            return None
        flops = count_flops(
            self._run.shape,
            self._config.method,
            result.tokens,
            result.learnt,
            recomputed=self._config.gradient_checkpointing,
        )
        return round(flops / seconds / peak / int(self._accelerator.num_processes), 4)


def used_memory(device: torch.device) -> int:
    """Return the peak number of bytes in use: on the GPU, or in this process."""
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
