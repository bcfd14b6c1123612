"""Importing examples: each row of a file a start tape, all of them in a batch and a dataset.

The file is read to its end before anything of it is stored. Tapes are stored page by page, fenced
like all that a job writes; the dataset gets them at the end, all at once. An equal example that the
project has already is put into the dataset and not stored again, so that an attempt that died is
gone on with.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated
from uuid import UUID, uuid4

from django.db import transaction
from pydantic import StringConstraints

from tapes_app.bulk.store import dataset_tapes, datasets
from tapes_app.bulk.store.made_batches import check_new_name, discard_batch, ensure_made_batch
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape import Split
from tapes_app.exchange.example_mapping import Example, ExampleMapping
from tapes_app.exchange.row_counts import RowCount, map_rows
from tapes_app.exchange.services.example_files import (
    LOOKED_AT,
    KeptFile,
    find_kept,
    read_first_rows,
    refusing,
    require_columns,
)
from tapes_app.exchange.services.example_report import ImportedExamples
from tapes_app.exchange.store.example_tapes import set_splits
from tapes_app.interchange.example_rows import Row, read_rows
from tapes_app.interchange.limits import MEBIBYTE
from tapes_app.interchange.refusals import FormatProblem
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.events import FencedError
from tapes_app.jobs.store.job import Job, create_job
from tapes_app.projects.columns import check_name, fit_line
from tapes_app.projects.services.people import Person, identify_owner
from tapes_app.tapes.store.batches import NAME_LENGTH, find_batch
from tapes_app.tapes.store.regression_tests import RegressionTestRow, set_tests
from tapes_app.tapes.store.saving import NewTape, find_tapes_by_digest, save_tapes

EXAMPLES_KIND = "examples"
_PAGE = 200
_LARGEST_PAGE = 8 * MEBIBYTE

Commit = Callable[[Callable[[], None]], None]
Report = Callable[[int, int, str], None]
Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=datasets.NAME_LENGTH),
]


class ExampleImport(FrozenModel):
    """Into which dataset the examples of a file come, and which column says what."""

    dataset: Name
    """It is made where the project has none of this name."""

    mapping: ExampleMapping


class StoredImport(ExampleImport):
    """What the job holds."""

    file_id: UUID
    batch: str


def start_import(person: Person, file_id: UUID, request: ExampleImport) -> Job:
    """Queue the job that makes the examples.

    Raises:
        NotFoundError: the project has no such file.
        InvalidInputError: the file has not all of the columns.
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
    """Make the examples of a job; when it fails or a person cancels it, none of them stays."""
    return await run_until_stopped(context, _work, discard_batch)


class _InterruptedError(Exception):
    """The worker shuts down: the next attempt goes on with what was made."""


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    job = context.job
    request = StoredImport.model_validate(job.request)

    def report(done: int, total: int, message: str) -> None:
        if stopped.is_set():
            raise _InterruptedError
        context.report_or_stop(done, total, message)

    try:
        came = import_examples(
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
    return Outcome(message=came.summarize(), result=came.describe())


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
    commit: Commit | None = None,
    report: Report = lambda *_: None,
) -> ImportedExamples:
    """Make a start tape of each row, and put all of them into a dataset.

    Raises:
        InvalidInputError: the file has not all of the columns.
        ImportRefusedError: it cannot be read, or none of its rows becomes an example; then
            nothing is written.
    """
    batch = batch or (uuid4(), name_batch(person.project_id, file))
    work = _Import(person, file, request, batch, commit or _commit_here)
    work.read(report)
    work.write(report)
    work.finish()
    return work.came


def _commit_here(work: Callable[[], None]) -> None:
    with transaction.atomic():
        work()


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
    """One import, first read to its end, then written."""

    def __init__(
        self,
        person: Person,
        file: KeptFile,
        request: ExampleImport,
        batch: tuple[UUID, str],
        commit: Commit,
    ) -> None:
        self.came = ImportedExamples(request.dataset, batch[1])
        self._person = person
        self._file = file
        self._mapping = request.mapping
        self._batch_id = batch[0]
        self._commit = commit
        self._tapes: list[UUID] = []

    def read(self, report: Report) -> None:
        with refusing(self._file):
            require_columns(self._mapping, read_first_rows(self._file))
            for _ in self._examples(self.came.count):
                if not self.came.count.rows % LOOKED_AT:
                    report(0, self.came.count.rows, "Reading")
            if not self.came.count.examples:
                why = ", ".join(rows.why for rows in self.came.count.list_left_out())
                raise FormatProblem(f"no row of it becomes an example: {why or 'it has none'}")

    def write(self, report: Report) -> None:
        examples = self._examples(RowCount())
        done, total = 0, self.came.count.examples
        while page := _take_page(examples):
            report(done, total, "Writing")
            self._write_page(page)
            done += len(page)

    def finish(self) -> None:
        """Put all tapes into the dataset at once; it is made where there is none."""
        project = self._person.project_id

        def work() -> None:
            found = datasets.find_dataset(self.came.dataset, project)
            dataset = found or datasets.create_dataset(
                project, owner=self._person.user_id, name=self.came.dataset
            )
            owner = self._person.user_id
            change = dataset_tapes.put_in(dataset.id, project, self._tapes, owner=owner)
            self.came.dataset_id, self.came.change_id = dataset.id, change.id

        self._commit(work)

    def _examples(self, count: RowCount) -> Iterator[tuple[Row, Example]]:
        rows = read_rows(self._file.path, self._file.name)
        return map_rows(rows, self._mapping, count)

    def _write_page(self, page: Sequence[Example]) -> None:
        project, made = self._person.project_id, list[UUID]()
        digests = [example.digest for example in page]
        known: dict[str, UUID] = {}

        def work() -> None:
            made.clear()
            known.clear()
            known.update(find_tapes_by_digest(project, digests))
            fresh = [one for one in zip(page, digests, strict=True) if one[1] not in known]
            made.extend(self._save(fresh))

        self._commit(work)
        self._tapes += [*known.values(), *made]
        self.came.made += len(made)
        self.came.already_there += len(known)

    def _save(self, fresh: Sequence[tuple[Example, str]]) -> list[UUID]:
        if not fresh:
            return []
        person, batch_id = self._person, self._batch_id
        ensure_made_batch(batch_id, person.project_id, self.came.batch, owner=person.user_id)
        self.came.batch_id = batch_id
        new = [NewTape(one.write(person.name), digest=digest) for one, digest in fresh]
        made = save_tapes(
            person.project_id, new, owner=person.user_id, batch=batch_id, writer="person"
        )
        splits: dict[Split, list[UUID]] = {}
        for tape_id, (example, _) in zip(made, fresh, strict=True):
            splits.setdefault(example.split, []).append(tape_id)
        set_splits(splits)
        set_tests(
            RegressionTestRow(tape_id, len(example.steps), example.check)
            for tape_id, (example, _) in zip(made, fresh, strict=True)
            if example.check is not None
        )
        return made
