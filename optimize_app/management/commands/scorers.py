"""List the scorers of a dataset, and take graders of OpenAI Evals."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from optimize_app.evaluation.services.scoring import dataset_scorers
from optimize_app.evaluation.services.scoring.dataset_scorers import (
    DatasetScorer,
    EvalDefinition,
    read_definition,
)
from tapes_app.bulk.services.datasets import load_dataset_named
from tapes_app.engine.errors import InvalidInputError
from tapes_app.interchange.json_reader import parse_json_text
from tapes_app.interchange.refusals import FormatProblem
from tapes_app.management import named
from tapes_app.management.arguments import NAME, option, read_file, refusing_misfits
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(ActionCommand):
    help = (
        "List the scorers that can decide sweeps over a dataset, and take the graders of a "
        "definition of OpenAI Evals: those that have an equal become scorers, for the others the "
        "reason is printed."
    )

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the scorers of a dataset", NAME)
        definition = (
            option("file", metavar="FILE", type=Path, help="definition of an eval, as JSON"),
            option("--message", metavar="COLUMN", default="", help="column of the tasks"),
            option("--expected", metavar="COLUMN", default="", help="column of expected answers"),
            option("--judge", metavar="MODEL", help="model that judges in place of theirs"),
        )
        words = "take the graders of OpenAI Evals"
        self.add_action("take", self._take, words, NAME, *definition)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = load_dataset_named(person, options["name"])
        rows = dataset_scorers.list_scorers(person, dataset.id)
        return self.print_rows(rows, "scorer", _show, asdict)

    def _take(self, person: Person, options: dict[str, Any]) -> Answer:
        dataset = load_dataset_named(person, options["name"])
        judge = options["judge"]
        try:
            value = parse_json_text(read_file(options["file"]))
        except FormatProblem as problem:
            raise InvalidInputError(
                f"The definition cannot be read: {problem.reason}."
            ) from problem
        with refusing_misfits():
            asked = EvalDefinition(
                definition=dict(read_definition(value)) if isinstance(value, list | dict) else {},
                message=options["message"],
                expected=options["expected"],
                judge_id=None if judge is None else named.find_model(person, judge),
            )
        mapped = dataset_scorers.take_definition(person, dataset.id, asked)
        for grader in mapped.graders:
            self.print_line(f"{grader.name}: {grader.words or f'not taken, {grader.problem}'}")
        left = len(mapped.graders) - len(mapped.made)
        summary = f"{count_of(len(mapped.made), 'scorer')} made, {count_of(left, 'grader')} not."
        return Answer(summary, asdict(mapped))


def _show(row: DatasetScorer) -> str:
    return f"{row.name}  {row.words}"
