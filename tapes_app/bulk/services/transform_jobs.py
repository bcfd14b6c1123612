"""The transform job: children of many tapes in a new batch, all of them or none, and undoing it."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tapes_app.bulk.services.transform_request import (
    TRANSFORM_KIND,
    TransformRequest,
    check_transforms,
)
from tapes_app.bulk.services.transforming import Transformed, transform_tape
from tapes_app.bulk.store.made_batches import (
    Discarded,
    check_new_name,
    discard_batch,
    ensure_made_batch,
    list_parents,
    save_child,
)
from tapes_app.engine.errors import ArchivedError, ConflictError, EditError, NotFoundError
from tapes_app.jobs.protocol import FINAL_STATES, Event
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.job import Job, create_job, load_job
from tapes_app.library.services.selection import count_selection
from tapes_app.library.store.lists import list_all_ids
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of

_PAGE = 20
"""Tapes whose children are written in one transaction."""


@dataclass
class _Count:
    made: int = 0
    steps: int = 0
    unchanged: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def start_transform(person: Person, request: TransformRequest) -> Job:
    """Queue the job that makes the children.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        InvalidInputError: the transform makes no sense, or the batch has no name.
        ConflictError: there is a batch of this name already.
    """
    check_transforms(request)
    name = check_new_name(person.project_id, request.batch_name)
    count = count_selection(person, request)
    stored = request.model_copy(update={"batch_name": name})
    return create_job(
        person.project_id,
        TRANSFORM_KIND,
        request=stored.model_dump(mode="json", exclude_unset=True),
        title=f"Transform {count_of(count, 'tape')}",
        owner_id=person.user_id,
    )


@job_kind(TRANSFORM_KIND)
async def execute_transform(context: JobContext) -> Outcome:
    """Make the children of a job; when a person cancels it, none of them stays.

    What an attempt that died has made is kept: the next one makes the others.
    """
    return await run_until_stopped(context, _transform, discard_batch)


def undo_transform(person: Person, job_id: UUID) -> Discarded:
    """Take the children of a transform out of the lists, and their batch away.

    Those that somebody branched off or runs stay.

    Raises:
        NotFoundError: there is no such transform here.
        ConflictError: it is not over yet.
    """
    job = _load(person, job_id)
    if job.state not in FINAL_STATES:
        raise ConflictError(f"This transform is {job.state}; cancel it first.", state=job.state)
    return discard_batch(job.id, person.project_id)


def load_transform_result(person: Person, job_id: UUID) -> dict[str, Any]:
    """Return the result of a transform.

    Raises:
        ConflictError: it is not over yet, or it failed.
    """
    job = _load(person, job_id)
    if job.result is None:
        raise ConflictError(f"This transform has no result: it is {job.state}.", state=job.state)
    return job.result


def _load(person: Person, job_id: UUID) -> Job:
    job = load_job(person.project_id, job_id)
    if job.kind != TRANSFORM_KIND:
        raise NotFoundError("Transform not found.", job_id=str(job_id))
    return job


def _transform(context: JobContext, stopped: threading.Event) -> Outcome:
    job = context.job
    request = TransformRequest.model_validate(job.request)
    check_transforms(request)  # a plugin may be gone since
    ensure_made_batch(job.id, job.project_id, request.batch_name, owner=job.owner_id)
    made = list_parents(job.id, job.project_id)  # by an attempt that died
    done = {*made, *made.values()}
    chosen = list_all_ids(job.project_id, request.to_filter())
    count = _Count()
    for start in range(0, len(chosen), _PAGE):
        if stopped.is_set():
            return Outcome("cancelled")
        context.report_progress(start, len(chosen), "Transforming")
        page = [tape_id for tape_id in chosen[start : start + _PAGE] if tape_id not in done]
        _write(context, _plan(context, request, page, count), count)
    return _finish(context, request, count, made_before=len(made))


def _plan(
    context: JobContext, request: TransformRequest, page: Sequence[UUID], count: _Count
) -> list[Transformed]:
    planned = []
    for tape_id in page:
        try:
            made = transform_tape(
                context.job.project_id, tape_id, request.transforms, author="transform"
            )
        except NotFoundError:
            count.left_out["deleted in the meantime"] += 1
        except EditError as error:
            count.left_out[error.message] += 1
        else:
            count.unchanged += made is None
            planned += [made] if made is not None else []
    return planned


def _write(context: JobContext, planned: Sequence[Transformed], count: _Count) -> None:
    """Store the children of a page in one transaction, fenced like all that a job writes."""
    written = _Count()

    def write() -> list[Event]:
        for made in planned:
            try:
                save_child(
                    made.child,
                    context.job.project_id,
                    batch_id=context.job.id,
                    owner=context.job.owner_id,
                )
            except ArchivedError:
                written.left_out["archived"] += 1
            except NotFoundError:
                written.left_out["deleted in the meantime"] += 1
            else:
                written.made += 1
                written.steps += len(made.changes)
        return []

    if planned:
        context.commit_in_thread(write)
    count.made += written.made
    count.steps += written.steps
    count.left_out += written.left_out


def _finish(
    context: JobContext, request: TransformRequest, count: _Count, *, made_before: int
) -> Outcome:
    made = count.made + made_before
    if not made:
        discard_batch(context.job.id, context.job.project_id)
    result = {
        "batch_id": str(context.job.id) if made else None,
        "batch_name": request.batch_name,
        "tapes": made,
        "steps": count.steps,
        "unchanged": count.unchanged,
        "left_out": [
            {"why": why, "tape_count": number} for why, number in count.left_out.most_common()
        ],
    }
    return Outcome(message=f"{count_of(made, 'tape')} created.", result=result)
