"""Mixtures: some examples of several sets, split by task across all of them."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from optimize_app.training_sets.examples import learn_once
from optimize_app.training_sets.mixing import count_shares, draw
from optimize_app.training_sets.samples import Sample, read_samples
from optimize_app.training_sets.services.making import Making
from optimize_app.training_sets.services.request import TrainingSetRequest
from optimize_app.training_sets.services.tape_examples import find_task
from optimize_app.training_sets.splitting import Candidate, Side, place_tapes
from optimize_app.training_sets.store import sets
from optimize_app.training_sets.store.example_index import FILES
from optimize_app.training_sets.store.sets import SetPart, TrainingSetRow
from tapes_app.engine.errors import InvalidInputError
from tapes_app.exchange.services.export_writing import read_pages
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.services.people import Person

HELD_OUT_ELSEWHERE = "Its task is held out in another of the sets, so it is not learnt."
_FEWEST = 2


def check_mixture(person: Person, request: TrainingSetRequest) -> None:
    """Reject sets that cannot be mixed.

    Raises:
        NotFoundError: one of them is not in the project.
        InvalidInputError: there are fewer than two, one is named twice, or they do not suit the
            same trainer: pairs and calls, or recorded tokens of two bases.
    """
    ids = [part.training_set_id for part in request.mixture]
    if len(set(ids)) < max(_FEWEST, len(ids)):
        raise InvalidInputError(
            "Give at least two training sets to mix, each of them once.", field="mixture"
        )
    rows = [sets.load_set(set_id, person.project_id) for set_id in ids]
    if len({row.kind for row in rows}) > 1:
        raise InvalidInputError(
            "Preference pairs and LLM calls are learnt in different ways, so they cannot be mixed.",
            field="mixture",
        )
    if len(bases := sorted({row.facts.base for row in rows} - {""})) > 1:
        raise InvalidInputError(
            f"The sets hold recorded tokens of different bases: {', '.join(bases)}. Mix sets of "
            "one base.",
            field="mixture",
        )


def mix(making: Making, project: UUID, request: TrainingSetRequest) -> None:
    """Write a mixture.

    Raises:
        InvalidInputError: a set has no example that can be learnt in the mixture.
    """
    rows = [sets.load_set(part.training_set_id, project) for part in request.mixture]
    read = [_read(row) for row in rows]
    tasks = _Tasks(project, read)
    sources = {tape for row in rows for tape in sets.load_sources(row.id)}
    learnt = [_choose(making, tasks, part["train"], "train") for part in read]
    for row, found in zip(rows, learnt, strict=True):
        if not found:
            raise InvalidInputError(f"Training set {row.name!r} has no example left to learn.")
        making.take_over(row.facts)
    weights = [part.weight for part in request.mixture]
    counts = count_shares([len(found) for found in learnt], weights, request.size)
    for row, found, count, weight in zip(rows, learnt, counts, weights, strict=True):
        for one in draw([example.id for example in found], count, request.seed):
            _write(making, _repeat(found[one.place], one.turn), "train", sources)
        making.parts.append(SetPart(row.id, row.name, row.kind, weight, len(found), count))
    for part in read:
        for example in _choose(making, tasks, part["held_out"], "held_out"):
            _write(making, example, "held_out", sources)


def _read(row: TrainingSetRow) -> dict[Side, list[Sample]]:
    folder = sets.open_folder(row.content_hash)
    return {side: read_samples(folder / name) for side, name in FILES.items()}


class _Tasks:
    """The side that each task's examples are on, across all sets."""

    def __init__(self, project: UUID, read: Sequence[Mapping[Side, list[Sample]]]) -> None:
        tapes = {_tape_of(one) for part in read for side in part.values() for one in side}
        wanted = TapeFilter(ids=tuple(tape for tape in tapes if tape is not None))
        rows = [row for page in read_pages(project, wanted) for row in page]
        self._tasks = {row.id: find_task(project, row) for row in rows}
        # Nothing more is held out at random, as the sets have held out their share.
        self._places = place_tapes(
            (
                Candidate(row.id, self._tasks[row.id], row.split, row.is_kept_from_training)
                for row in rows
            ),
            held_out_share=0,
            seed=0,
        )
        held_out = {_tape_of(one) for part in read for one in part["held_out"]}
        held_out |= {tape for tape, place in self._places.items() if place.side == "held_out"}
        self._held_out = {self._task_of(tape) for tape in held_out if tape is not None}

    def why_not(self, example: Sample, side: Side) -> str:
        """Return why an example of a side is not used; empty if it is."""
        tape = _tape_of(example)
        if tape is None:
            return ""
        place = self._places.get(tape)
        if place is not None and place.side is None:
            return place.why
        is_held_out = self._task_of(tape) in self._held_out
        return HELD_OUT_ELSEWHERE if side == "train" and is_held_out else ""

    def _task_of(self, tape: UUID) -> str:
        return self._tasks.get(tape, f"tape {tape}")  # the tape may have been deleted


def _choose(making: Making, tasks: _Tasks, examples: list[Sample], side: Side) -> list[Sample]:
    """Return the examples used from one set and side, each once across all sets."""
    chosen = []
    for example in examples:
        if why := tasks.why_not(example, side):
            making.examples_left_out[why] += 1
        elif (new := learn_once(example, making.known)) is not None:
            chosen.append(new)
    return chosen


def _repeat(example: Sample, turn: int) -> Sample:
    """Return an example with a distinct id for each time that it is used."""
    return example if turn == 1 else example.model_copy(update={"id": f"{example.id}#{turn}"})


def _write(making: Making, example: Sample, side: Side, sources: Collection[UUID]) -> None:
    """Write an example, and record its tape if that still exists."""
    making.write(example, side)
    if (tape := _tape_of(example)) is not None and tape in sources:
        making.count_source(tape, sets.SourceTape(side, 1))


def _tape_of(example: Sample) -> UUID | None:
    try:
        return UUID(str(example.origin.get("tape")))
    except ValueError:
        return None
