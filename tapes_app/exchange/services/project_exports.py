"""An entire project written to one zip, which `project_imports` imports elsewhere.

Its tapes and LLM calls are written batch by batch, like an export of tapes; nothing contains keys
of models.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TextIO
from uuid import UUID

from pydantic import BaseModel

from tapes_app.agents.store.agents import list_agents, list_versions
from tapes_app.bulk.store.dataset_versions import list_versions as list_dataset_versions
from tapes_app.bulk.store.dataset_versions import read_members, read_version
from tapes_app.bulk.store.datasets import list_names, load_dataset
from tapes_app.exchange.services.export_targets import ZipTarget
from tapes_app.exchange.services.exports import (
    ANNOTATIONS_NAME,
    TAPES_AT_ONCE,
    export_pages,
    split_into_pages,
)
from tapes_app.exchange.services.project_queues import list_queue_parts, list_rubric_parts
from tapes_app.exchange.store import exports as stored
from tapes_app.interchange import project_file
from tapes_app.interchange.project_file import BatchPart, DatasetPart, ProjectManifest, VersionPart
from tapes_app.projects.domain.rows import read_all
from tapes_app.projects.store.projects import load_name
from tapes_app.tapes.store.batches import list_batches, list_tape_ids

_BATCHES_AT_ONCE = 200

ReportProgress = Callable[[int, int], None]
"""Called with the number of tapes done and the total; may raise to stop."""


def write_project(project: UUID, path: Path, on_progress: ReportProgress) -> tuple[int, int]:
    """Write a project's tapes, calls, agents, datasets and annotations to a file.

    Returns how many tapes and how many files it contains.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        target = ZipTarget(archive)
        progress = _Progress(on_progress, stored.count_tapes(project))
        parts: list[BatchPart] = []
        files = 0
        name = load_name(project)
        for batch_id, batch_name in _list_parts(project, name):
            parts.append(BatchPart(name=batch_name))
            report = export_pages(
                project,
                progress.count(_pages_of(project, batch_id)),
                _PartTarget(target, len(parts)),
                batch=batch_id,
                with_annotations=True,
                scratch=path.parent,
            )
            files += len(report.files)
        _write_lines(target, project_file.AGENTS_NAME, _list_specs(project))
        _write_lines(target, project_file.DATASETS_NAME, _list_datasets(project))
        _write_lines(target, project_file.MARKS_NAME, stored.list_marks(project))
        _write_lines(target, project_file.RUBRICS_NAME, list_rubric_parts(project))
        _write_lines(target, project_file.QUEUES_NAME, list_queue_parts(project))
        manifest = ProjectManifest(name=name, batches=tuple(parts))
        _write_lines(target, project_file.MANIFEST_NAME, [manifest])
        return progress.done, files


class _Progress:
    """Counts the tapes that were passed on to be written."""

    def __init__(self, on_progress: ReportProgress, total: int) -> None:
        self._on_progress = on_progress
        self._total = total
        self.done = 0

    def count(self, pages: Iterable[Sequence[UUID]]) -> Iterator[Sequence[UUID]]:
        for page in pages:
            self._on_progress(self.done, max(self._total, self.done))
            yield page
            self.done += len(page)
        self._on_progress(self.done, max(self._total, self.done))


class _PartTarget:
    """Puts the files of one batch into its folder, and its annotations next to the folder."""

    def __init__(self, target: ZipTarget, number: int) -> None:
        self._target = target
        self._number = number

    def open_text(self, name: str) -> AbstractContextManager[TextIO]:
        return self._target.open_text(f"{project_file.batch_folder(self._number)}/{name}")

    def add(self, path: Path, name: str) -> None:
        is_annotations = name == ANNOTATIONS_NAME
        folder = project_file.batch_folder(self._number)
        self._target.add(
            path,
            project_file.annotations_name(self._number) if is_annotations else f"{folder}/{name}",
        )


def _list_parts(project: UUID, name: str) -> Iterator[tuple[UUID | None, str]]:
    """Yield the batches, oldest first, then the tapes without a batch, as one named `name`."""
    batches = read_all(lambda after: list_batches(project, after=after, limit=_BATCHES_AT_ONCE))
    for batch in reversed(batches):
        yield batch.id, batch.name
    if stored.has_batchless_tapes(project):
        is_taken = any(name == batch.name for batch in batches)
        yield None, f"{name} (no batch)" if is_taken else name


def _pages_of(project: UUID, batch_id: UUID | None) -> Iterator[Sequence[UUID]]:
    if batch_id is None:
        return stored.list_batchless_tapes(project, TAPES_AT_ONCE)
    return split_into_pages(list_tape_ids(batch_id, project))


def _list_specs(project: UUID) -> Iterator[BaseModel]:
    for agent in list_agents(project):
        for version in reversed(list_versions(agent.id, project)):
            yield version.spec


def _list_datasets(project: UUID) -> Iterator[BaseModel]:
    for one in list_names(project):
        row = load_dataset(one.id, project)
        tapes = stored.list_file_ids(project, list(read_members(one.id))).values()
        yield DatasetPart(
            name=row.name,
            description=row.description,
            tapes=tuple(sorted(tapes)),
            versions=tuple(_list_dataset_versions(project, one.id)),
        )


def _list_dataset_versions(project: UUID, dataset: UUID) -> Iterator[VersionPart]:
    """Yield the versions of a dataset without deleted tapes, the oldest first."""
    for version in reversed(list_dataset_versions(dataset, project)):
        members = read_version(dataset, version.number)
        names = stored.list_file_ids(project, list(members))
        if len(names) == len(members):
            yield VersionPart(
                number=version.number,
                created_at=version.created_at,
                expected=dict(sorted((names[one], answer) for one, answer in members.items())),
            )


def _write_lines(target: ZipTarget, name: str, values: Iterable[BaseModel]) -> None:
    with target.open_text(name) as file:
        for value in values:
            file.write(value.model_dump_json() + "\n")
