"""Start tapes: tasks that agents are run on, such as word problems, collected in a dataset."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field

from tapes_app.agents.store.agents import ensure_version
from tapes_app.bulk.services import datasets
from tapes_app.bulk.store import tape_changes
from tapes_app.bulk.store.datasets import DatasetRow
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Split, Tape, TapeMetadata
from tapes_app.gallery.math.agent import NAME as SOLVER
from tapes_app.gallery.math.problems import make_problems
from tapes_app.gallery.math.sentences import ProblemSplit
from tapes_app.library.services.selection import MOST_CHOSEN, TapeSelection
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.saving import NewTape, save_tapes


@dataclass(frozen=True)
class StartTape:
    """What a tape begins with, and what its end is compared with."""

    text: str
    """The message to the agent; nothing else of this goes into a prompt."""

    task: str
    """Name of the task; attempts of the same task are compared with each other."""

    expected: str
    """The right answer, which determines the outcome of an attempt."""


@transaction.atomic
def make_start_tapes(
    person: Person,
    starts: Sequence[StartTape],
    *,
    dataset: str,
    description: str = "",
    split: Split = "",
) -> DatasetRow:
    """Create a tape for each start, and a new dataset of them.

    Raises:
        ConflictError: the project already has a dataset of that name; nothing is created.
        InvalidInputError: the name is empty.
    """
    row = datasets.create_dataset(person, name=dataset, description=description)
    if not starts:
        return row
    made = save_tapes(
        person.project_id,
        [NewTape(_write(start, person.name)) for start in starts],
        owner=person.user_id,
        writer="person",
    )
    chosen = TapeSelection(tape_ids=tuple(made))
    if split:
        tape_changes.change_tapes(
            person.project_id, chosen.to_filter(), "split", split, owner=person.user_id
        )
    datasets.add_tapes(person, row.id, chosen)
    return datasets.load_dataset_named(person, row.name)


class WordProblems(BaseModel):
    """Which problems to generate; the same values give the same problems."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    split: ProblemSplit = "train"
    """A student learns from train problems, is chosen by validation problems, and is measured on
    test problems. No form of a sentence is in two of them, and no name or number list of a test
    problem in another one."""

    count: int = Field(default=300, ge=1, le=MOST_CHOSEN)
    seed: int = 0
    """Another seed gives other problems."""

    dataset: str = Field(default="", max_length=200)
    """Name of the dataset; empty: math-train, math-validation or math-test."""


def make_word_problems(person: Person, asked: WordProblems) -> DatasetRow:
    """Create a dataset with a start tape for each problem, and add their solver to the project.

    Raises:
        ConflictError: the project already has a dataset of that name; nothing is created.
    """
    starts = [
        StartTape(problem.text, f"math {asked.split} {asked.seed}-{number}", str(problem.answer))
        for number, problem in enumerate(make_problems(asked.split, asked.count, asked.seed))
    ]
    made = make_start_tapes(
        person,
        starts,
        dataset=asked.dataset or f"math-{asked.split}",
        description=f"Word problems, {asked.split}, seed {asked.seed}.",
        split=asked.split,
    )
    ensure_version(person.project_id, gallery_agents.get(SOLVER)(), owner=person.user_id)
    return made


def _write(start: StartTape, author: str) -> Tape:
    metadata = {"author": author, "task": start.task, "expected": start.expected}
    return Tape(
        metadata=TapeMetadata.model_validate(metadata),
        steps=(UserStep(content=start.text).with_metadata(id=new_id()),),
    )
