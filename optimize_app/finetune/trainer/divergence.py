"""A loss that diverges: noticed before anything is learnt from it or called a result."""

from collections import deque
from collections.abc import Mapping
from math import isfinite, log

from optimize_app.finetune.trainer.checkpoints import find_newest_step
from optimize_app.finetune.trainer.encoding import Encoded
from optimize_app.finetune.trainer.errors import TrainingFailedError
from optimize_app.finetune.trainer.prepared_run import PreparedRun

_LAST_STEPS = 5
_MARGIN = 1.0
"""In nats above guessing. A base that is only bad at its examples, or was never trained, is at most
a little above."""


class DivergenceWatch:
    """Looks at the losses of one run."""

    def __init__(self, run: PreparedRun) -> None:
        self._run = run
        self._first: float | None = None
        self._last: deque[float] = deque(maxlen=_LAST_STEPS)

    def check_step(
        self, step: int, loss: float, norm: float, by_example: Mapping[str, float]
    ) -> None:
        """Note the loss of a step, before its gradients are applied.

        Raises:
            TrainingFailedError: the loss or the norm of its gradients is not finite.
        """
        if not isfinite(loss) or not isfinite(norm):
            broken = [name for name, value in by_example.items() if not isfinite(value)]
            raise self._failure(
                f"The loss of step {step} is not a number; nothing was learnt from it.",
                "not_finite",
                f" Check example {broken[0]}." if broken else "",
            )
        if self._first is None:
            self._first = loss
        self._last.append(loss)

    def check_held_out(self, step: int, loss: float) -> None:
        """Raise `TrainingFailedError` if a held-out loss is not finite."""
        if not isfinite(loss):
            raise self._failure(
                f"The held-out loss after step {step} is not a number.", "not_finite"
            )

    def check_end(self, step: int) -> None:
        """Raise `TrainingFailedError` if the model has become worse than guessing."""
        if not self._last or self._first is None:
            return
        loss, guessing = sum(self._last) / len(self._last), log(self._run.shape.vocabulary)
        if loss > max(self._first, guessing + _MARGIN) and self._is_comparable():
            raise self._failure(
                f"The loss diverged: at step {step} it is {loss:.1f}, and that of a model that "
                f"guesses is {guessing:.1f}.",
                "diverged",
            )

    def _is_comparable(self) -> bool:
        """Return whether the loss is that of tokens whose weights are at most 1."""
        items = self._run.training.items
        return all(
            isinstance(item, Encoded) and min(item.weights) >= 0 and max(item.weights) <= 1
            for item in items
        )

    def _failure(self, what: str, reason: str, where: str = "") -> TrainingFailedError:
        kept = find_newest_step(self._run.folder.checkpoints)
        return TrainingFailedError(
            f"{what} Lower the learning rate (now {self._run.plan.learning_rate:g}) or add warm-up "
            f"steps, and start again.{where}"
            + (f" The checkpoint of step {kept} is kept." if kept is not None else ""),
            reason=reason,
        )
