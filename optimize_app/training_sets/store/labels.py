"""The answers of a teacher, saved as they arrive: they cost money, and workers may die.

Each job that asks for labels has a file, with a line for each answer. The job's next attempt reads
it, and it is deleted once the set is made.
"""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from optimize_app.training_sets.store.sets import sets_folder
from tapes_app.engine.model.llm import LLMResult


class _Label(BaseModel):
    """The content of a line."""

    model_config = ConfigDict(frozen=True)

    call_id: UUID
    """The call of the student that it labels."""

    result: LLMResult


class KeptLabels:
    """The labels of one job."""

    def __init__(self, job_id: UUID) -> None:
        self._file = sets_folder() / f".labels-{job_id}.jsonl"

    def read(self) -> dict[UUID, LLMResult]:
        """Return the answers by the calls that they label."""
        if not self._file.exists():
            return {}
        found: dict[UUID, LLMResult] = {}
        for line in self._file.read_bytes().splitlines():
            label = _read_line(line)
            if label is not None:
                found[label.call_id] = label.result
        return found

    def add(self, call_id: UUID, result: LLMResult) -> None:
        label = _Label(call_id=call_id, result=result)
        with self._file.open("ab") as file:
            # Terminate a line that a worker left incomplete when it died.
            file.write(b"\n" + label.model_dump_json(exclude={"result": {"tokens"}}).encode())

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)


def _read_line(line: bytes) -> _Label | None:
    """Return the label in a line; `None` if the line is empty or was cut off."""
    try:
        return _Label.model_validate_json(line) if line else None
    except ValidationError:
        return None
