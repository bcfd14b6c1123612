"""The result of an import: as an object, as the result of a job, as one line."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tapes_app.projects.wording import count_of

MOST_UNMAPPED = 50


@dataclass(frozen=True)
class RefusedFile:
    """A file of which nothing was imported."""

    file: str
    position: str
    reason: str
    is_mistake: bool
    """False for a sound file that was found among tapes and is none."""


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
    """What of imported tapes was kept and is in no step, and on how many tapes."""

    @property
    def is_complete(self) -> bool:
        """Tell whether every file was imported or was there already."""
        found = self.imported + self.already_there + self.llm_calls + self.llm_calls_already_there
        return bool(found) and not any(refused.is_mistake for refused in self.refused)


def describe_report(report: ImportReport) -> dict[str, Any]:
    """Return a report as the result of a job holds it."""
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
    return "; ".join(parts) + "."
