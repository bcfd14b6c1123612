"""How far a run is over all its attempts: what it spent and where it paused; stored in the job."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from tapes_app.engine.model.llm import LLMCall


class Spent(BaseModel):
    """Sums over the calls of a run, and its time worked."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    tokens: int = 0
    """Input and output tokens together: what a budget counts."""

    input_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0
    micro_usd: int = 0
    seconds: float = 0.0
    call_count: int = 0
    cached_call_count: int = 0
    """Calls answered from the record, which cost nothing."""

    unpriced_count: int = 0
    """How many calls have an unknown price."""

    uncounted_count: int = 0
    """How many calls have an unknown number of tokens."""

    def plus(self, call: LLMCall) -> "Spent":
        if call.is_cached:
            return self._grown(call_count=1, cached_call_count=1)
        usage = call.usage
        is_cut_off = bool(call.error)  # no provider reports usage for a call it did not finish
        is_counted = usage.input_tokens is not None and usage.output_tokens is not None
        return self._grown(
            tokens=(usage.input_tokens or 0) + (usage.output_tokens or 0),
            input_tokens=usage.input_tokens or 0,
            cache_read_tokens=usage.cache_read_tokens or 0,
            output_tokens=usage.output_tokens or 0,
            micro_usd=call.cost_micro_usd or 0,
            call_count=1,
            unpriced_count=int(call.cost_micro_usd is None and not is_cut_off),
            uncounted_count=int(not is_counted and not is_cut_off),
        )

    def _grown(self, **added: int) -> "Spent":
        values = {name: getattr(self, name) + count for name, count in added.items()}
        return self.model_copy(update=values)


class RunProgress(BaseModel):
    """The value of `JobRecord.checkpoint` for a run."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    first_step_count: int = 0
    """How many steps the tape had when the run began."""

    spent: Spent = Spent()
    passed: tuple[str, str] | None = None
    """The place where it paused; no breakpoint stops it there a second time."""

    begun: tuple[str, ...] = ()
    """Actions that a person allowed and that were started."""

    began_at: datetime | None = None
    """When the current work began; `None` at rest. It survives the loss of a worker."""

    seconds_before: float = 0.0
    """Seconds worked before that."""

    def begin(self, now: datetime) -> Self:
        """Return the progress with work started; if a worker was lost, the work never stopped."""
        if self.began_at is not None:
            return self
        return self.model_copy(update={"began_at": now, "seconds_before": self.spent.seconds})

    def rest(self) -> Self:
        """Return the progress with the work at rest."""
        return self.model_copy(update={"began_at": None})

    def to_json(self) -> Any:
        """Return the progress as the job's row stores it."""
        return self.model_dump(mode="json")

    @classmethod
    def read(cls, checkpoint: Any, *, step_count: int) -> Self:
        """Return the progress of a job; new progress for its first attempt."""
        try:
            return cls.model_validate(checkpoint)
        except ValidationError:  # none yet
            return cls(first_step_count=step_count)
