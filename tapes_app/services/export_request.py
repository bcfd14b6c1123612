"""What an export is asked for: which tapes, in which format, for which split."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from tapes_app.engine.tape import Split
from tapes_app.storage.tapes import TapeFilter

EXPORT_KIND = "export"
MOST_CHOSEN = 10_000
ExportFormat = Literal["openai", "sharegpt", "preferences", "csv"]
TRAINING_FORMATS: frozenset[ExportFormat] = frozenset({"openai", "sharegpt", "preferences"})
ENDINGS: dict[ExportFormat, tuple[str, str]] = {
    "openai": (".jsonl", "application/jsonl"),
    "sharegpt": (".jsonl", "application/jsonl"),
    "preferences": (".jsonl", "application/jsonl"),
    "csv": (".csv", "text/csv; charset=utf-8"),
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
]  # fmt: skip


class ExportRequest(BaseModel):
    """What the job of an export holds. With `tape_ids` the other conditions do not count."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: ExportFormat
    tape_ids: tuple[UUID, ...] | None = Field(default=None, min_length=1, max_length=MOST_CHOSEN)
    """These tapes; `None`: all that the conditions of the list leave."""

    search: str = Field(default="", max_length=500)
    agent: str = Field(default="", max_length=200)
    batch: UUID | None = None
    has_error: bool | None = None
    lint: str = Field(default="", max_length=200)
    pinned: bool | None = None
    archived: bool | None = False
    """`None`: archived ones too."""

    split: Literal["train", "validation", "test"] = "train"
    """Of training formats: `train` takes tapes of that split and those of none."""

    with_annotations: bool = False
    """Each line has what people, judges and checkers said of its tape."""

    columns: tuple[CsvColumn, ...] | None = Field(default=None, min_length=1)
    """Of CSV, in their order; `None`: all."""

    @property
    def is_for_training(self) -> bool:
        return self.format in TRAINING_FORMATS

    def to_filter(self) -> TapeFilter:
        if self.tape_ids is not None:
            return TapeFilter(ids=self.tape_ids)
        found = TapeFilter(
            text=self.search,
            agent_name=self.agent,
            batch_id=self.batch,
            has_error=self.has_error,
            lint=self.lint,
            is_pinned=self.pinned,
        )
        return replace(found, is_archived=self.archived)
