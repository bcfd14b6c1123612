"""Word problems with known answers: a dataset of start tapes for the agent that solves them."""

from pydantic import BaseModel, ConfigDict, Field

from tapes_app.agents.store.agents import ensure_version
from tapes_app.bulk.services.start_tapes import StartTape, make_start_tapes
from tapes_app.bulk.store.datasets import DatasetRow
from tapes_app.engine.registry import gallery_agents
from tapes_app.gallery.math.agent import NAME as SOLVER
from tapes_app.gallery.math.problems import make_problems
from tapes_app.gallery.math.sentences import ProblemSplit
from tapes_app.library.services.selection import MOST_CHOSEN
from tapes_app.projects.services.people import Person


class WordProblems(BaseModel):
    """Which problems; the same ones for the same values."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    split: ProblemSplit = "train"
    """A student learns from train problems, is chosen by validation problems, and is measured on
    test problems. No form of a sentence is in two of them, and no name or number list of a test
    problem in another one."""

    count: int = Field(default=300, ge=1, le=MOST_CHOSEN)
    seed: int = 0
    """Other problems for another seed."""

    dataset: str = Field(default="", max_length=200)
    """Empty: math-train, math-validation or math-test."""


def make_word_problems(person: Person, asked: WordProblems) -> DatasetRow:
    """Make a start tape for each problem in a new dataset, and have their solver in the project.

    Raises:
        ConflictError: the project has a dataset of that name; nothing is made.
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
