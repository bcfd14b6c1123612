"""The job that makes a training set: read tapes, write examples, freeze them under their hash."""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO
from uuid import UUID

from optimize_app.training_sets.examples import digest_example
from optimize_app.training_sets.samples import ChatExample, PreferencePair, read_samples
from optimize_app.training_sets.services.relabeling import Teacher
from optimize_app.training_sets.services.request import NAME_LENGTH, SET_KIND, TrainingSetRequest
from optimize_app.training_sets.services.tape_examples import Found, find_task, list_examples
from optimize_app.training_sets.splitting import Candidate, Place, Side, place_tapes
from optimize_app.training_sets.store import sets
from optimize_app.training_sets.store.example_index import FILES
from optimize_app.training_sets.store.sets import (
    HELD_OUT_FILE,
    TRAIN_FILE,
    SourceTape,
    TrainingSetRow,
)
from tapes_app.agents.store.llm_models import load_model
from tapes_app.engine.errors import ConflictError, InvalidInputError, StudioError
from tapes_app.exchange.services.export_writing import read_pages
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import start_bulk_job
from tapes_app.library.services.selection import count_selection
from tapes_app.projects.columns import check_name
from tapes_app.projects.left_out import write_left_out
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of

_TAPES_PER_REPORT = 20
_NOTHING = "It has no LLM call to learn from."
_NOTHING_BY_PERSON = "It has no answer that a person wrote."
_SEEN = "All its examples are in the set already, from another tape."


def start_training_set(person: Person, request: TrainingSetRequest) -> Job:
    """Queue the job that makes a set.

    Raises:
        ConflictError: the project has a set of that name.
        NotFoundError, QueryError: the tapes, the teacher or a joined set cannot be found.
        InvalidInputError: no tape is chosen, a joined set is of another kind or another split, or
            the name holds what no database takes.
    """
    check_name(request.name, NAME_LENGTH, "The name")
    if sets.is_name_taken(person.project_id, request.name):
        raise ConflictError(
            f"There is a training set {request.name!r} already. Choose another name."
        )
    _check_joined(person, request)
    if request.teacher_id is not None:
        load_model(request.teacher_id, person.project_id)
    if not count_selection(person, request):
        raise InvalidInputError("No tape matches. Choose tapes to learn from.")
    return start_bulk_job(person, SET_KIND, request, title=f"Training set {request.name}")


@job_kind(SET_KIND)
async def execute_training_set(context: JobContext) -> Outcome:
    """Make the set of a job; what an attempt that died had written is written again."""
    return await context.run_in_thread(_make, context)


@dataclass
class _Making:
    """What is written so far."""

    counts: dict[Side, int] = field(default_factory=lambda: {"train": 0, "held_out": 0})
    sources: dict[UUID, SourceTape] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    """Tapes, by reason."""
    examples_left_out: Counter[str] = field(default_factory=Counter)
    seen: set[bytes] = field(default_factory=set)
    teacher: Teacher | None = None


def _make(context: JobContext) -> Outcome:
    job = context.job
    request = TrainingSetRequest.model_validate(job.request)
    # A worker that was taken for dead may still write: each attempt has a folder of its own.
    part = sets.sets_folder() / f".part-{job.id}-{job.attempt}"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700, parents=True)
    try:
        making = _write(context, request, part)
        if not making.counts["train"]:
            raise InvalidInputError(
                "The tapes have no example to learn: "
                + ("; ".join(why for why, _ in making.left_out.most_common(3)) or _NOTHING)
            )
        made = _freeze(context, request, part, making)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    teacher = making.teacher
    result = {
        "training_set_id": str(made.id),
        "train_count": made.train_count,
        "held_out_count": made.held_out_count,
        "tapes": made.tape_count,
        "left_out": write_left_out(making.left_out),
        "examples_left_out": dict(making.examples_left_out),
        **(
            {
                "teacher_calls": teacher.call_count,
                "teacher_tokens": teacher.token_count,
                "teacher_micro_usd": teacher.cost_micro_usd,
            }
            if teacher is not None
            else {}
        ),
    }
    message = f"{count_of(made.train_count, 'example')} from {count_of(made.tape_count, 'tape')}."
    return Outcome(message=message, result=result)


def _write(context: JobContext, request: TrainingSetRequest, folder: Path) -> _Making:
    project = context.job.project_id
    places = _place(context, request)
    making = _Making()
    if request.source == "relabeled":
        making.teacher = Teacher(project, request.teacher_id)
    with (folder / TRAIN_FILE).open("w") as train, (folder / HELD_OUT_FILE).open("w") as held_out:
        files: dict[Side, IO[str]] = {"train": train, "held_out": held_out}
        for set_id in request.joined:
            _join(sets.load_set(set_id, project), files, making)
        for done, (tape_id, place) in enumerate(places.items()):
            if done % _TAPES_PER_REPORT == 0:
                context.report_or_stop(done, len(places), "Reading tapes")
            if place.side is None:
                making.left_out[place.why] += 1
                continue
            try:
                found = list(_choose(_read(project, tape_id, request, making), request))
            except StudioError as error:
                making.left_out[error.message] += 1
                continue
            written = 0
            for example in _fresh(found, making):
                files[place.side].write(example.model_dump_json() + "\n")
                written += 1
            if written:
                _count_source(making, tape_id, SourceTape(place.side, written))
                making.counts[place.side] += written
            else:
                making.left_out[_why_nothing(found, request)] += 1
    return making


def _read(
    project: UUID, tape_id: UUID, request: TrainingSetRequest, making: _Making
) -> Iterator[Found]:
    if making.teacher is not None:
        return making.teacher.label(tape_id)
    return list_examples(project, tape_id, request.source)


def _join(row: TrainingSetRow, files: Mapping[Side, IO[str]], making: _Making) -> None:
    """Take over the examples of an earlier set that are not there yet, and its tapes."""
    for side, name in FILES.items():
        for example in read_samples(sets.folder_of(row.content_hash) / name):
            if not isinstance(example, (ChatExample, PreferencePair)):
                continue  # sets have no others
            if (digest := digest_example(example)) not in making.seen:
                making.seen.add(digest)
                files[side].write(example.model_dump_json() + "\n")
                making.counts[side] += 1
    for tape_id, source in sets.load_sources(row.id).items():
        _count_source(making, tape_id, source)


def _count_source(making: _Making, tape_id: UUID, source: SourceTape) -> None:
    before = making.sources.get(tape_id)
    count = source.example_count + (before.example_count if before is not None else 0)
    making.sources[tape_id] = SourceTape(source.side, count)


def _check_joined(person: Person, request: TrainingSetRequest) -> None:
    kind = "preference" if request.source == "edits" else "chat"
    for set_id in request.joined:
        row = sets.load_set(set_id, person.project_id)
        if row.kind != kind:
            raise InvalidInputError(
                f"Training set {row.name!r} holds examples of another kind ({row.kind}), so it "
                "cannot be joined.",
                field="joined",
            )
        if sets.load_split(set_id, person.project_id) != (request.held_out_share, request.seed):
            raise InvalidInputError(
                f"Training set {row.name!r} was split by another share or seed, so a task could "
                "be learnt and held out at once. Give the same ones.",
                field="joined",
            )


def _choose(found: Iterable[Found], request: TrainingSetRequest) -> Iterator[Found]:
    """Give the examples whose answers were written by whom the request asks for."""
    for example in found:
        if (
            isinstance(example, str)
            or request.writer == "anyone"
            or example.origin.get("writer") == request.writer
        ):
            yield example


def _fresh(found: list[Found], making: _Making) -> Iterator[ChatExample | PreferencePair]:
    """Give the examples that the set does not hold yet."""
    for example in found:
        if isinstance(example, str):
            making.examples_left_out[example] += 1
        elif (digest := digest_example(example)) not in making.seen:
            making.seen.add(digest)
            yield example


def _why_nothing(found: list[Found], request: TrainingSetRequest) -> str:
    """Return why a tape gives no example that is not in the set already."""
    reasons = [one for one in found if isinstance(one, str)]
    if len(reasons) < len(found):
        return _SEEN
    if reasons:
        return reasons[0]
    by_person = request.writer == "person" or request.source == "edits"
    return _NOTHING_BY_PERSON if by_person else _NOTHING


def _place(context: JobContext, request: TrainingSetRequest) -> dict[UUID, Place]:
    project = context.job.project_id
    tell = partial(context.report_or_stop, message="Choosing tapes")
    candidates = [
        Candidate(row.id, find_task(project, row), row.split, row.is_kept_from_training)
        for page in read_pages(project, request.to_filter(), tell)
        for row in page
    ]
    return place_tapes(candidates, held_out_share=request.held_out_share, seed=request.seed)


def _freeze(
    context: JobContext, request: TrainingSetRequest, part: Path, making: _Making
) -> TrainingSetRow:
    """Put the files under their hash, then the set into the database."""
    place = sets.folder_of(sets.hash_folder(part))
    if not place.is_dir():
        part.replace(place)
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
                folder=place,
            )
        )
    )
    return made[-1]
