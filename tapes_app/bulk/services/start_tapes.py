"""Start tapes: tasks that agents are run on, made at once and collected in a dataset."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from tapes_app.bulk.services import datasets
from tapes_app.bulk.store import tape_changes
from tapes_app.bulk.store.datasets import DatasetRow
from tapes_app.engine.dialog_steps import UserStep
from tapes_app.engine.steps import new_id
from tapes_app.engine.tape import Split, Tape, TapeMetadata
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.saving import NewTape, save_tapes


@dataclass(frozen=True)
class StartTape:
    """What a tape begins with, and what its end is compared with."""

    text: str
    """What the agent is told; nothing else of this is in a prompt."""

    task: str
    """Its name: attempts of the same task are compared with each other."""

    expected: str
    """The right answer; the outcome of an attempt follows from it."""


@transaction.atomic
def make_start_tapes(
    person: Person,
    starts: Sequence[StartTape],
    *,
    dataset: str,
    description: str = "",
    split: Split = "",
) -> DatasetRow:
    """Make a tape for each start, and a new dataset of them.

    Raises:
        ConflictError: the project has a dataset of that name; nothing is made.
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


def _write(start: StartTape, author: str) -> Tape:
    said = UserStep(content=start.text).with_metadata(id=new_id())
    told = {"task": start.task, "expected": start.expected}
    return Tape(metadata=TapeMetadata.model_validate({"author": author, **told}), steps=(said,))
