"""What an export is asked for: which tapes, in which format, for which split."""

from typing import Literal

from pydantic import Field

from tapes_app.engine.tape import Split
from tapes_app.library.services.selection import TapeSelection

EXPORT_KIND = "export"
ExportFormat = Literal[
    "tapeagents", "openai", "sharegpt", "preferences", "csv", "parquet", "project"
]
TRAINING_FORMATS: frozenset[ExportFormat] = frozenset({"openai", "sharegpt", "preferences"})
TABLE_FORMATS: frozenset[ExportFormat] = frozenset({"csv", "parquet"})
ENDINGS: dict[ExportFormat, tuple[str, str]] = {
    "tapeagents": (".zip", "application/zip"),
    "openai": (".jsonl", "application/jsonl"),
    "sharegpt": (".jsonl", "application/jsonl"),
    "preferences": (".jsonl", "application/jsonl"),
    "csv": (".csv", "text/csv; charset=utf-8"),
    "parquet": (".parquet", "application/vnd.apache.parquet"),
    "project": (".zip", "application/zip"),
}

SPLITS: dict[Literal["train", "validation", "test"], tuple[Split, ...]] = {
    "train": ("train", ""),
    "validation": ("validation",),
    "test": ("test",),
}

CsvColumn = Literal[
    "id", "title", "agent", "batch", "author", "parent_id", "steps", "errors", "has_error",
    "llm_calls", "input_tokens", "cache_read_tokens", "output_tokens", "cost_usd", "created_at",
    "updated_at", "is_pinned", "is_archived", "is_kept_from_training", "split",
    "task", "expected", "actual", "outcome", "score", "duration_seconds", "tags",
]  # fmt: skip


class ExportRequest(TapeSelection):
    """What the job of an export holds: which tapes, in which format."""

    format: ExportFormat
    """`project` is all of the project, whichever tapes are chosen."""

    split: Literal["train", "validation", "test"] = "train"
    """Of training formats: `train` takes tapes of that split and those of none."""

    with_annotations: bool = False
    """Each line has what people, judges and checkers said of its tape."""

    columns: tuple[CsvColumn, ...] | None = Field(default=None, min_length=1)
    """Of CSV and Parquet, in their order; `None`: all."""

    @property
    def is_table(self) -> bool:
        return self.format in TABLE_FORMATS

    @property
    def is_for_training(self) -> bool:
        return self.format in TRAINING_FORMATS
