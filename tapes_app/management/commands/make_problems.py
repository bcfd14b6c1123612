"""Create word problems as start tapes in a dataset, for the agent that solves them."""

from dataclasses import asdict
from typing import Any, get_args

from tapes_app.bulk.services.start_tapes import WordProblems, make_word_problems
from tapes_app.engine.errors import InvalidInputError
from tapes_app.gallery.math.agent import NAME as SOLVER
from tapes_app.gallery.math.sentences import ProblemSplit
from tapes_app.library.services.selection import MOST_CHOSEN
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Make word problems with known answers: a start tape for each, in a new dataset. No form "
        "of a sentence is in two splits, and no name or number list of a test problem in another "
        "one. Solve them with: "
        f"rerun_tapes --agent {SOLVER} --query dataset:NAME --batch NEW"
    )

    arguments = (
        option("--split", choices=get_args(ProblemSplit), default="train"),
        option("--count", metavar="N", type=int, default=300, help="default 300"),
        option(
            "--seed", metavar="N", type=int, default=0, help="a different seed gives other problems"
        ),
        option("--dataset", metavar="NAME", help="default math-SPLIT"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        split, count, seed = options["split"], options["count"], options["seed"]
        if not 1 <= count <= MOST_CHOSEN:
            raise InvalidInputError(f"--count is a number from 1 to {MOST_CHOSEN:,}, not {count}.")
        asked = WordProblems(split=split, count=count, seed=seed, dataset=options["dataset"] or "")
        made = make_word_problems(person, asked)
        summary = f"Dataset {made.name!r} created with {count_of(made.tape_count, 'problem')}."
        return Answer(summary, asdict(made))
