"""What an import of examples came to: as an object, as the result of a job, as one line."""

from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from tapes_app.exchange.row_counts import RowCount
from tapes_app.projects.wording import count_of


@dataclass
class ImportedExamples:
    """What an import came to."""

    dataset: str
    batch: str
    dataset_id: UUID | None = None
    batch_id: UUID | None = None
    """`None`: no tape is new."""

    change_id: UUID | None = None
    """What takes the tapes out of the dataset again; `None`: all of them were in it."""

    count: RowCount = field(default_factory=RowCount)
    made: int = 0
    already_there: int = 0

    def describe(self) -> dict[str, Any]:
        """Return it as the result of a job holds it."""
        ids = {"dataset_id": self.dataset_id, "batch_id": self.batch_id, "undo": self.change_id}
        return {
            "dataset": self.dataset,
            "batch": self.batch,
            **{name: str(id) if id else None for name, id in ids.items()},
            "rows": self.count.rows,
            "made": self.made,
            "already_there": self.already_there,
            "left_out": [asdict(rows) for rows in self.count.list_left_out()],
            "lost": [asdict(rows) for rows in self.count.list_lost()],
        }

    def summarize(self) -> str:
        words = f"{count_of(self.made, 'example')} made in dataset {self.dataset!r}"
        if self.already_there:
            words += f"; {self.already_there} already in the project"
        left_out = sum(self.count.left_out.values())
        return f"{words}; {count_of(left_out, 'row')} left out." if left_out else f"{words}."
