"""The request for an export: which tapes, in which format, for which split."""

from typing import Literal

from pydantic import Field

from tapes_app.engine.tape.tape import Split
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
    """The request that the job of an export stores: which tapes, in which format."""

    format: ExportFormat
    """`project` exports the entire project, regardless of the selected tapes."""

    split: Literal["train", "validation", "test"] = "train"
    """For training formats: `train` includes tapes of that split and those without a split."""

    with_annotations: bool = False
    """Whether each line contains the annotations of its tape."""

    columns: tuple[CsvColumn, ...] | None = Field(default=None, min_length=1)
    """Columns of CSV and Parquet, in order; `None`: all."""

    @property
    def is_for_training(self) -> bool:
        return self.format in TRAINING_FORMATS
