"""The result of an import of files or of examples: as an object, as a job's result, as one line."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from tapes_app.exchange.domain.row_counts import RowCount
from tapes_app.projects.domain.wording import count_of

MOST_UNMAPPED = 50


@dataclass(frozen=True)
class RefusedFile:
    """A file from which nothing was imported."""

    file: str
    position: str
    reason: str
    is_mistake: bool
    """False for a valid file that was found among files of tapes but is not one."""


@dataclass
class ImportReport:
    """The result of an import."""

    batch_name: str
    batch_id: UUID | None = None
    imported: int = 0
    already_there: int = 0
    llm_calls: int = 0
    llm_calls_already_there: int = 0
    refused: list[RefusedFile] = field(default_factory=list)
    unmapped: Counter[str] = field(default_factory=Counter)
    """What of imported tapes was kept but is in no step, with the number of tapes."""

    attacks_left_out: int = 0
    """Tapes whose task had an attack in the file."""

    @property
    def is_complete(self) -> bool:
        """Return whether every file was imported or already there."""
        found = self.imported + self.already_there + self.llm_calls + self.llm_calls_already_there
        return bool(found) and not any(refused.is_mistake for refused in self.refused)


def describe_report(report: ImportReport) -> dict[str, Any]:
    """Return a report as a job's result stores it."""
    return {
        "batch_id": str(report.batch_id) if report.batch_id else None,
        "batch_name": report.batch_name,
        "imported": report.imported,
        "already_there": report.already_there,
        "llm_calls": report.llm_calls,
        "llm_calls_already_there": report.llm_calls_already_there,
        "refused": [
            {"file": refused.file, "position": refused.position, "reason": refused.reason}
            for refused in report.refused
        ],
        "attacks_left_out": report.attacks_left_out,
        "unmapped": [
            {"what": what, "tape_count": count}
            for what, count in report.unmapped.most_common(MOST_UNMAPPED)
        ],
    }


def summarize(report: ImportReport) -> str:
    """Return one line that reports the result of an import."""
    parts = [
        f"{count_of(report.imported, 'tape')} and {count_of(report.llm_calls, 'LLM call')} imported"
        f" into {report.batch_name!r}"
    ]
    there = [
        count_of(count, noun)
        for count, noun in (
            (report.already_there, "tape"),
            (report.llm_calls_already_there, "LLM call"),
        )
        if count
    ]
    if there:
        parts.append(f"{' and '.join(there)} already in the project")
    mistakes = sum(refused.is_mistake for refused in report.refused)
    if mistakes:
        parts.append(f"{count_of(mistakes, 'file')} rejected")
    others = len(report.refused) - mistakes
    if others:
        parts.append(f"{count_of(others, 'file')} without tapes skipped")
    if report.attacks_left_out:
        parts.append(f"the attack of {count_of(report.attacks_left_out, 'tape')} left out")
    return "; ".join(parts) + "."


@dataclass
class ImportedExamples:
    """The result of an import of examples."""

    dataset: str
    batch: str
    dataset_id: UUID | None = None
    batch_id: UUID | None = None
    """`None` if no tape is new."""

    change_id: UUID | None = None
    """Id that undoes adding the tapes to the dataset; `None` if all of them were already in it."""

    count: RowCount = field(default_factory=RowCount)
    made: int = 0
    already_there: int = 0

    def describe(self) -> dict[str, Any]:
        """Return the report as a job's result stores it."""
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
