"""The job that makes a training set: read tapes, write examples, freeze them under their hash."""

import shutil
from pathlib import Path

from optimize_app.training_sets.services.making import Making
from optimize_app.training_sets.services.mixtures import check_mixture
from optimize_app.training_sets.services.request import NAME_LENGTH, SET_KIND, TrainingSetRequest
from optimize_app.training_sets.services.set_writing import NOTHING, open_reader, write_set
from optimize_app.training_sets.store import sets
from optimize_app.training_sets.store.labels import KeptLabels
from optimize_app.training_sets.store.sets import TrainingSetRow, write_facts
from tapes_app.agents.store.llm_models import load_model
from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.bulk.services.version_freezing import freeze_named_versions
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import start_bulk_job
from tapes_app.library.services.selection import count_selection
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.domain.left_out import write_left_out
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person, identify_owner


def start_training_set(person: Person, request: TrainingSetRequest) -> Job:
    """Queue the job that makes a set.

    Raises:
        ConflictError: the project already has a set of that name.
        NotFoundError, QueryError: the tapes, the teacher or a joined set cannot be found.
        InvalidInputError: no tape is chosen, a joined set is of another kind, base or split, sets
            cannot be mixed, the base is not here, or the name contains characters that the database
            does not accept.
    """
    check_name(request.name, NAME_LENGTH, "The name")
    if sets.is_name_taken(person.project_id, request.name):
        raise ConflictError(
            f"There is a training set {request.name!r} already. Choose another name."
        )
    _check_base(person, request)
    if request.source == "mixture":
        check_mixture(person, request)
    else:
        _check_tapes(person, request)
    return start_bulk_job(person, SET_KIND, request, title=f"Training set {request.name}")


@job_kind(SET_KIND)
async def execute_training_set(context: JobContext) -> Outcome:
    """Make the set of a job; what an earlier attempt had written is written again."""
    return await context.run_in_thread(_make, context)


def _make(context: JobContext) -> Outcome:
    job = context.job
    request = TrainingSetRequest.model_validate(job.request)
    # A worker presumed dead may still be writing, so each attempt has its own folder.
    part = sets.sets_folder() / f".part-{job.id}-{job.attempt}"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700, parents=True)
    try:
        stands_on = _stand(context, request)
        written = write_set(context, request, part)
        making = written.making
        if not making.counts["train"]:
            raise InvalidInputError(
                "The tapes have no example to learn: "
                + ("; ".join(why for why, _ in making.left_out.most_common(3)) or NOTHING)
            )
        made = _freeze(context, request, part, making, stands_on)
        KeptLabels(job.id).forget()
    finally:
        shutil.rmtree(part, ignore_errors=True)
    result = {
        "training_set_id": str(made.id),
        "train_count": made.train_count,
        "held_out_count": made.held_out_count,
        "tapes": made.tape_count,
        "left_out": write_left_out(making.left_out),
        "examples_left_out": dict(making.examples_left_out),
        "facts": write_facts(making.facts),
    }
    result |= written.spending
    message = f"{count_of(made.train_count, 'example')} from {count_of(made.tape_count, 'tape')}."
    return Outcome(message=message, result=result)


def _check_tapes(person: Person, request: TrainingSetRequest) -> None:
    check_joined(person, request)
    if request.teacher_id is not None:
        load_model(request.teacher_id, person.project_id)
    if not count_selection(person, request):
        raise InvalidInputError("No tape matches. Choose tapes to learn from.")


def _check_base(person: Person, request: TrainingSetRequest) -> None:
    if request.base and request.source not in ("recorded", "groups"):
        raise InvalidInputError(
            "Only recorded calls have recorded tokens. Leave the base out, or use recorded calls.",
            field="base",
        )
    open_reader(request.base, person.project_id)


def check_joined(person: Person, request: TrainingSetRequest) -> None:
    """Reject sets that cannot be joined by the requested set.

    Raises:
        NotFoundError: one of them is not in the project.
        InvalidInputError: one is of another kind, base or split, or a mixture.
    """
    kind = sets.kind_of(request.source)
    for set_id in request.joined:
        row = sets.load_set(set_id, person.project_id)
        if row.kind != kind:
            raise InvalidInputError(
                f"Training set {row.name!r} holds examples of another kind ({row.kind}), so it "
                "cannot be joined.",
                field="joined",
            )
        if row.facts.parts:
            raise InvalidInputError(
                f"Training set {row.name!r} is a mixture, which is split as its parts were. Join "
                "those, or mix it with another set.",
                field="joined",
            )
        if row.facts.base not in ("", request.base):
            raise InvalidInputError(
                f"Training set {row.name!r} holds recorded tokens of {row.facts.base}, so it can "
                "be joined only by a set of that base. Give that base.",
                field="joined",
            )
        if sets.load_split(set_id, person.project_id) != (request.held_out_share, request.seed):
            raise InvalidInputError(
                f"Training set {row.name!r} was split by another share or seed, so a task could "
                "be both learnt and held out. Give the same ones.",
                field="joined",
            )


def _stand(context: JobContext, request: TrainingSetRequest) -> tuple[DatasetVersionRef, ...]:
    """Freeze the datasets that the tapes are chosen from; a mixture chooses none."""
    if request.source == "mixture":
        return ()
    found: list[tuple[DatasetVersionRef, ...]] = []
    person = identify_owner(context.job.owner_id, context.job.project_id)
    context.write_in_thread(lambda: found.append(freeze_named_versions(person, request)))
    return found[-1]


def _freeze(
    context: JobContext,
    request: TrainingSetRequest,
    part: Path,
    making: Making,
    stands_on: tuple[DatasetVersionRef, ...],
) -> TrainingSetRow:
    """Store the files under their hash, then the set in the database."""
    place = sets.folder_of(sets.hash_folder(part))
    if not place.is_dir():
        part.replace(place)
    sets.share_folder(place.name)
    made: list[TrainingSetRow] = []
    context.write_in_thread(
        lambda: made.append(
            sets.save_set(
                context.job.project_id,
                owner=context.job.owner_id,
                job_id=context.job.id,
                name=request.name,
                request=context.job.request,
                counts=making.counts,
                sources=making.sources,
                left_out=write_left_out(making.left_out),
                facts=making.facts,
                stands_on=stands_on,
                folder=place,
            )
        )
    )
    return made[-1]
