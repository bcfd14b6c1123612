"""The tape of a run in progress: adding a step costs the same however long the tape is.

A tape is a tuple of steps, and a longer tuple is a copy. That is right for values that people keep,
but quadratic for a run that makes a new tape at every node. A growing tape shares one list with the
tapes that it grew from; `steps` is built on first access.
"""

from threading import Lock
from typing import Any, overload

from pydantic import PrivateAttr

from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

_GROWING = Lock()


class GrowingTape(Tape):
    """A tape that looks and behaves like any other; `settle` returns the plain one."""

    _log: list[Step] = PrivateAttr(default_factory=list)
    # How many steps of the shared list are this tape's; later ones belong to its successors.
    _count: int = PrivateAttr(default=0)

    @classmethod
    def of(cls, tape: Tape) -> "GrowingTape":
        """Return a tape that can grow; it keeps the view stack of the original."""
        if isinstance(tape, cls):
            return tape
        return cls._make(tape, tape.metadata, list(tape.steps), len(tape))

    @classmethod
    def _make(cls, source: Tape, metadata: Any, log: list[Step], count: int) -> "GrowingTape":
        made = cls.model_construct(metadata=metadata, context=source.context)
        del made.__dict__["steps"]  # so that access falls through to __getattr__
        made._log, made._count = log, count
        made._views, source._views = source._views, None
        return made

    def __getattr__(self, name: str) -> Any:
        if name == "steps":
            log, count = self._shared
            steps = tuple(log[:count])
            self.__dict__["steps"] = steps
            return steps
        return super().__getattr__(name)  # type: ignore[misc]  # pydantic hides it from checkers

    @property
    def _shared(self) -> tuple[list[Step], int]:
        """The shared list, and how many of its steps belong to this tape.

        Read directly from pydantic's storage: its own access to a private attribute takes ten times
        as long, and a run needs several at each step.
        """
        kept = self.__pydantic_private__
        assert kept is not None
        return kept["_log"], kept["_count"]

    def __len__(self) -> int:
        return self._shared[1]

    @overload
    def __getitem__(self, key: int) -> Step: ...
    @overload
    def __getitem__(self, key: slice) -> Tape: ...
    def __getitem__(self, key: int | slice) -> Step | Tape:
        if isinstance(key, slice):
            return super().__getitem__(key)
        log, count = self._shared
        index = key + count if key < 0 else key
        if not 0 <= index < count:
            raise IndexError(f"step {key} of a tape of {count} steps")
        return log[index]

    def append(self, *steps: Step, author: str | None = None) -> Tape:
        with _GROWING:
            # A sibling may have grown the shared list: then this tape continues on a copy.
            log, count = self._shared
            log = log if len(log) == count else log[:count]
            log.extend(steps)
        metadata = self._grown_metadata(len(steps), author)
        return self._make(self, metadata, log, count + len(steps))

    def settle(self) -> Tape:
        return self.with_metadata()

    def __eq__(self, other: object) -> bool:
        return self.settle() == (other.settle() if isinstance(other, GrowingTape) else other)

    __hash__ = Tape.__hash__

    def model_dump(self, **options: Any) -> dict[str, Any]:
        return self.settle().model_dump(**options)

    def model_dump_json(self, **options: Any) -> str:
        return self.settle().model_dump_json(**options)
