"""What is written into a training set: examples of tapes or joined sets, or a mixture."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import UUID

from optimize_app.base_models import require_tokenizer
from optimize_app.training_sets.rewards import WeighedGroups
from optimize_app.training_sets.samples import read_samples
from optimize_app.training_sets.services.attempts import list_attempt, weigh_tapes
from optimize_app.training_sets.services.kept_steps import KeptSteps
from optimize_app.training_sets.services.making import Making
from optimize_app.training_sets.services.mixtures import mix
from optimize_app.training_sets.services.relabeling import Teacher
from optimize_app.training_sets.services.request import TrainingSetRequest
from optimize_app.training_sets.services.tape_examples import Found, find_task, list_examples
from optimize_app.training_sets.splitting import (
    Candidate,
    Place,
    Side,
    explain_none_held_out,
    place_tapes,
)
from optimize_app.training_sets.store import sets
from optimize_app.training_sets.store.example_index import FILES
from optimize_app.training_sets.store.labels import KeptLabels
from optimize_app.training_sets.store.sets import SourceTape, TrainingSetRow
from optimize_app.training_sets.token_reader import TokenReader
from tapes_app.engine.errors import StudioError, TrainingTextError
from tapes_app.exchange.services.export_writing import read_pages
from tapes_app.jobs.services.context import JobContext

_TAPES_PER_REPORT = 20
NOTHING = "It has no LLM call to learn from."
_NOTHING_BY_PERSON = "It has no answer that a person wrote."
_SEEN = "All its examples are in the set already, from another tape."


def open_reader(base: str, project_id: UUID) -> TokenReader | None:
    """Return a reader for the tokens of a base; `None` if no base is asked for.

    Raises:
        InvalidInputError: there is no such base, or its tokenizer is not here.
    """
    return TokenReader(base, require_tokenizer(base, project_id)) if base else None


@dataclass(frozen=True)
class _Sources:
    """What the examples of tapes are made with."""

    teacher: Teacher
    """Asked if a student's tapes are relabeled."""

    reader: TokenReader | None
    """For the base, if recorded tokens are used."""

    groups: WeighedGroups | None
    """Groups of attempts with rewards; `None`: every example has the same weight."""

    kept: KeptSteps
    """The steps that are not learnt."""


@dataclass(frozen=True)
class Written:
    """What was written, and what the teacher cost."""

    making: Making
    spending: Mapping[str, int]


def write_set(context: JobContext, request: TrainingSetRequest, folder: Path) -> Written:
    """Write the examples of a request into a folder.

    Raises:
        InvalidInputError: the base no longer exists, or a set has nothing for a mixture.
    """
    project = context.job.project_id
    kept = KeptLabels(context.job.id)
    teacher = Teacher(context, request.teacher_id, request.teacher_budget, kept)
    with (
        (folder / FILES["train"]).open("w") as train,
        (folder / FILES["held_out"]).open("w") as held_out,
    ):
        making = Making({"train": train, "held_out": held_out}, request.base)
        if request.source == "mixture":
            mix(making, project, request)
        else:
            _write_tapes(context, request, making, teacher)
    return Written(making, teacher.spending_of() if request.source == "relabeled" else {})


def _write_tapes(
    context: JobContext, request: TrainingSetRequest, making: Making, teacher: Teacher
) -> None:
    project = context.job.project_id
    chosen = _choose_tapes(context, request)
    making.none_held_out = chosen.none_held_out
    sources = _Sources(
        teacher, open_reader(request.base, project), chosen.groups, KeptSteps(project, request)
    )
    if chosen.groups is not None:
        making.group_count = chosen.groups.group_count
        making.equal_group_count = chosen.groups.equal_count
    for set_id in request.joined:
        _join(sets.load_set(set_id, project), making)
    for done, (tape_id, place) in enumerate(chosen.places.items()):
        if done % _TAPES_PER_REPORT == 0:
            context.report_or_stop(done, len(chosen.places), "Reading tapes")
        if place.side is None:
            making.left_out[place.why] += 1
            continue
        try:
            read = _read_tape(sources, project, tape_id, request)
            found = list(_choose(read, request))
        except StudioError as error:
            making.left_out[error.message] += 1
        else:
            _write_tape(making, tape_id, place.side, found, request)


def _write_tape(
    making: Making, tape_id: UUID, side: Side, found: list[Found], request: TrainingSetRequest
) -> None:
    written = 0
    for example in found:
        if isinstance(example, str):
            making.examples_left_out[example] += 1
        else:
            written += making.add(example, side)
    if written:
        making.count_source(tape_id, SourceTape(side, written))
    else:
        making.left_out[_why_nothing(found, request)] += 1


def _read_tape(
    sources: _Sources, project: UUID, tape_id: UUID, request: TrainingSetRequest
) -> Iterator[Found]:
    """Yield what a tape teaches.

    Raises:
        StudioError: it teaches nothing; the message has the reason.
    """
    kept = sources.kept.find(tape_id)
    if sources.groups is not None:
        if why := sources.groups.left_out.get(tape_id):
            raise TrainingTextError(why)
        advantage = sources.groups.advantages[tape_id]
        return list_attempt(project, tape_id, advantage, sources.reader, kept)
    return list_examples(project, tape_id, request.source, sources.teacher, sources.reader, kept)


def _join(row: TrainingSetRow, making: Making) -> None:
    """Add the examples of an earlier set that are not included yet, and its tapes."""
    for side, name in FILES.items():
        for example in read_samples(sets.open_folder(row.content_hash) / name):
            making.add(example, side)
    for tape_id, source in sets.load_sources(row.id).items():
        making.count_source(tape_id, source)
    making.take_over(row.facts)


def _choose(found: Iterable[Found], request: TrainingSetRequest) -> Iterator[Found]:
    """Yield the examples whose answers have the kind of writer that the request asks for."""
    for example in found:
        if (
            isinstance(example, str)
            or request.writer == "anyone"
            or example.origin.get("writer") == request.writer
        ):
            yield example


def _why_nothing(found: list[Found], request: TrainingSetRequest) -> str:
    """Return why a tape gives no example that is not in the set already."""
    reasons = [one for one in found if isinstance(one, str)]
    if len(reasons) < len(found):
        return _SEEN
    if reasons:
        return reasons[0]
    by_person = request.writer == "person" or request.source == "edits"
    return _NOTHING_BY_PERSON if by_person else NOTHING


@dataclass(frozen=True)
class _Chosen:
    """The tapes of a request: the side of each, and how much better than its group it is."""

    places: Mapping[UUID, Place]
    groups: WeighedGroups | None
    none_held_out: str
    """Why nothing is held out; empty if something is."""


def _choose_tapes(context: JobContext, request: TrainingSetRequest) -> _Chosen:
    project = context.job.project_id
    on_progress = partial(context.report_or_stop, message="Choosing tapes")
    rows = [row for page in read_pages(project, request.to_filter(), on_progress) for row in page]
    tasks = {row.id: find_task(project, row) for row in rows}
    candidates = [
        Candidate(row.id, tasks[row.id], row.split, row.is_kept_from_training) for row in rows
    ]
    share, seed = request.held_out_share, request.seed
    places = place_tapes(candidates, held_out_share=share, seed=seed)
    none_held_out = explain_none_held_out(candidates, places, held_out_share=share)
    if request.source != "groups":
        return _Chosen(places, None, none_held_out)
    taken = [row for row in rows if places[row.id].side is not None]
    return _Chosen(places, weigh_tapes(project, taken, tasks, request), none_held_out)
