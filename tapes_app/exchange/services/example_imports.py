"""Importing examples: each row of a file becomes a start tape, all in one batch and one dataset.

The file is read to its end before anything of it is stored. Tapes are stored page by page, fenced
like everything that a job writes; they are added to the dataset at the end, all in one go. An equal
example that the project already has is added to the dataset and not stored again, so that an
attempt can continue where an earlier one died.
"""

import threading
from collections.abc import Iterator, Sequence
from typing import Annotated
from uuid import UUID, uuid4

from pydantic import StringConstraints

from tapes_app.bulk.store import dataset_tapes, datasets
from tapes_app.bulk.store.made_batches import check_new_name, discard_batch, ensure_made_batch
from tapes_app.bulk.store.tags import put_on
from tapes_app.engine.environment.planting import KIND_TITLES
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.tape import Split
from tapes_app.exchange.domain.example_mapping import Example, ExampleMapping
from tapes_app.exchange.domain.row_counts import RowCount, map_rows
from tapes_app.exchange.services.example_files import (
    LOOKED_AT,
    KeptFile,
    find_kept,
    read_first_rows,
    refusing,
    require_columns,
)
from tapes_app.exchange.services.import_files import Report, commit_here
from tapes_app.exchange.services.import_report import ImportedExamples
from tapes_app.exchange.services.import_writer import Commit
from tapes_app.exchange.store.imports import list_tapes_of_part, set_splits
from tapes_app.interchange.example_rows import Row, read_rows
from tapes_app.interchange.refusals import MEBIBYTE, FormatProblem
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.events import FencedError
from tapes_app.jobs.store.job import Job, create_job
from tapes_app.projects.domain.columns import check_name, fit_line
from tapes_app.projects.services.people import Person, identify_owner
from tapes_app.tapes.store.batches import NAME_LENGTH, find_batch
from tapes_app.tapes.store.regression_tests import RegressionTestRow, set_tests
from tapes_app.tapes.store.saving import NewTape, find_tapes_by_digest, save_tapes

EXAMPLES_KIND = "examples"
_PAGE = 200
_LARGEST_PAGE = 8 * MEBIBYTE

Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=datasets.NAME_LENGTH),
]


class ExampleImport(FrozenModel):
    """Which dataset the examples of a file are added to, and which column provides what."""

    dataset: Name
    """Created if the project has no dataset of this name."""

    mapping: ExampleMapping


class StoredImport(ExampleImport):
    """The request that the job stores."""

    file_id: UUID
    batch: str


def start_import(person: Person, file_id: UUID, request: ExampleImport) -> Job:
    """Queue the job that creates the examples.

    Raises:
        NotFoundError: the project has no such file.
        InvalidInputError: the file lacks some of the columns.
        ImportRefusedError: it cannot be read.
    """
    kept = find_kept(person.project_id, file_id)
    check_name(request.dataset, datasets.NAME_LENGTH, "The dataset's name")
    with refusing(kept):
        require_columns(request.mapping, read_first_rows(kept))
    stored = StoredImport(
        dataset=request.dataset,
        mapping=request.mapping,
        file_id=file_id,
        batch=name_batch(person.project_id, kept),
    )
    return create_job(
        person.project_id,
        EXAMPLES_KIND,
        request=stored.model_dump(mode="json"),
        title=f"Examples of {kept.name} into {request.dataset}",
        owner_id=person.user_id,
    )


@job_kind(EXAMPLES_KIND)
async def execute_import(context: JobContext) -> Outcome:
    """Create the examples of a job; if it fails or a person cancels it, all are discarded."""
    return await run_until_stopped(context, _work, discard_batch)


class _InterruptedError(Exception):
    """The worker shuts down; the next attempt continues from what was made."""


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    job = context.job
    request = StoredImport.model_validate(job.request)

    def report(done: int, total: int, message: str) -> None:
        if stopped.is_set():
            raise _InterruptedError
        context.report_or_stop(done, total, message)

    try:
        imported = import_examples(
            identify_owner(job.owner_id, job.project_id),
            find_kept(job.project_id, request.file_id),
            request,
            batch=(job.id, request.batch),
            commit=context.write_in_thread,
            report=report,
        )
    except (FencedError, _InterruptedError):
        raise
    except BaseException:
        discard_batch(job.id, job.project_id)
        raise
    return Outcome(message=imported.summarize(), result=imported.describe())


def name_batch(project: UUID, file: KeptFile) -> str:
    """Return a name that no batch of the project has."""
    name, number = fit_line(file.name, NAME_LENGTH - 10), 2
    wanted = name
    while find_batch(wanted, project) is not None:
        wanted, number = f"{name} ({number})", number + 1
    return check_new_name(project, wanted)


def import_examples(
    person: Person,
    file: KeptFile,
    request: ExampleImport,
    *,
    batch: tuple[UUID, str] | None = None,
    commit: Commit = commit_here,
    report: Report = lambda *_: None,
) -> ImportedExamples:
    """Create a start tape from each row, and add all of them to a dataset.

    Raises:
        InvalidInputError: the file lacks some of the columns.
        ImportRefusedError: it cannot be read, or none of its rows becomes an example; nothing
            is written then.
    """
    batch = batch or (uuid4(), name_batch(person.project_id, file))
    work = _Import(person, file, request, batch, commit)
    work.read(report)
    work.write(report)
    work.finish()
    return work.imported


def _take_page(examples: Iterator[tuple[Row, Example]]) -> list[Example]:
    """Return the next examples, as many as are written in one transaction."""
    page: list[Example] = []
    size = 0
    for row, example in examples:
        page.append(example)
        size += row.size
        if len(page) == _PAGE or size > _LARGEST_PAGE:
            break
    return page


class _Import:
    """One import: first reads the file to its end, then writes."""

    def __init__(
        self,
        person: Person,
        file: KeptFile,
        request: ExampleImport,
        batch: tuple[UUID, str],
        commit: Commit,
    ) -> None:
        self.imported = ImportedExamples(request.dataset, batch[1])
        self._person = person
        self._file = file
        self._mapping = request.mapping
        self._batch_id = batch[0]
        self._commit = commit
        self._tapes: list[UUID] = []

    def read(self, report: Report) -> None:
        with refusing(self._file):
            require_columns(self._mapping, read_first_rows(self._file))
            for _ in self._examples(self.imported.count):
                if not self.imported.count.rows % LOOKED_AT:
                    report(0, self.imported.count.rows, "Reading")
            if not self.imported.count.examples:
                why = ", ".join(rows.why for rows in self.imported.count.list_left_out())
                raise FormatProblem(f"no row of it becomes an example: {why or 'it has none'}")

    def write(self, report: Report) -> None:
        examples = self._examples(RowCount())
        done, total = 0, self.imported.count.examples
        while page := _take_page(examples):
            report(done, total, "Writing")
            self._write_page(page)
            done += len(page)

    def finish(self) -> None:
        """Add all tapes to the dataset in one go, creating it if necessary."""
        project = self._person.project_id

        def work() -> None:
            found = datasets.find_dataset(self.imported.dataset, project)
            dataset = found or datasets.create_dataset(
                project, owner=self._person.user_id, name=self.imported.dataset
            )
            owner = self._person.user_id
            change = dataset_tapes.put_in(dataset.id, project, self._tapes, owner=owner)
            self.imported.dataset_id, self.imported.change_id = dataset.id, change.id

        self._commit(work)

    def _examples(self, count: RowCount) -> Iterator[tuple[Row, Example]]:
        rows = read_rows(self._file.path, self._file.name)
        return map_rows(rows, self._mapping, count)

    def _write_page(self, page: Sequence[Example]) -> None:
        project, made = self._person.project_id, list[UUID]()
        digests = [example.digest for example in page]
        known: dict[str, UUID] = {}
        own: set[UUID] = set()
        """What an attempt of this import has made whose worker was lost."""

        def work() -> None:
            made.clear()
            known.clear()
            own.clear()
            known.update(find_tapes_by_digest(project, digests))
            fresh = [one for one in zip(page, digests, strict=True) if one[1] not in known]
            made.extend(self._save(fresh))
            if known:
                own.update(list_tapes_of_part(known.values(), self._batch_id))

        self._commit(work)
        self._tapes += [*known.values(), *made]
        if own:
            self.imported.batch_id = self._batch_id
        self.imported.made += len(made) + len(own)
        self.imported.already_there += len(known) - len(own)

    def _save(self, fresh: Sequence[tuple[Example, str]]) -> list[UUID]:
        if not fresh:
            return []
        person, batch_id = self._person, self._batch_id
        ensure_made_batch(batch_id, person.project_id, self.imported.batch, owner=person.user_id)
        self.imported.batch_id = batch_id
        new = [
            NewTape(one.write(person.name), digest=digest, import_part=batch_id)
            for one, digest in fresh
        ]
        made = save_tapes(
            person.project_id, new, owner=person.user_id, batch=batch_id, writer="person"
        )
        splits: dict[Split, list[UUID]] = {}
        tags: dict[str, list[UUID]] = {}
        for tape_id, (example, _) in zip(made, fresh, strict=True):
            splits.setdefault(example.split, []).append(tape_id)
            if example.attack is not None:
                tags.setdefault(KIND_TITLES[example.attack.kind], []).append(tape_id)
        set_splits(splits)
        put_on(person.project_id, tags)
        set_tests(
            RegressionTestRow(tape_id, len(example.steps), example.check)
            for tape_id, (example, _) in zip(made, fresh, strict=True)
            if example.check is not None
        )
        return made
