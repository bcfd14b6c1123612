"""The tasks of a dataset as a file, in the columns that an import of examples recognises."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from tapes_app.bulk.store.suites import SuiteTape, list_suite_tapes, load_suite
from tapes_app.engine.environment.planting import ATTACK
from tapes_app.engine.environment.state import read_state
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.prompts.chat_messages import message_of_step
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Observation, Step
from tapes_app.exchange.domain.example_mapping import EXAMPLE_KEY
from tapes_app.interchange.chat_lines import dump_line
from tapes_app.interchange.example_rows import MOST_ROWS
from tapes_app.interchange.folders import clean_name
from tapes_app.projects.services.downloads import Download, write_download
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.headers import load_header
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.regression_tests import RegressionTestRow, find_tests


def export_tasks(person: Person, dataset_id: UUID) -> Download:
    """Return the tasks of a dataset as JSON Lines, which an import of examples can read.

    Raises:
        NotFoundError: the project has no such dataset.
        InvalidInputError: a tape begins with steps that no row of such a file can contain.
    """
    dataset = load_suite(dataset_id, person.project_id)
    tapes = list_suite_tapes(dataset_id, limit=MOST_ROWS)
    name = clean_name(dataset.name).replace("/", " ") or "tasks"
    return write_download(name, ".jsonl", "application/jsonl", _write_rows(person, tapes))


def _write_rows(person: Person, tapes: list[SuiteTape]) -> Iterator[str]:
    tests = find_tests([tape.tape_id for tape in tapes])
    for tape in tapes:
        yield dump_line(_write_row(person, tape, tests.get(tape.tape_id)))


def _write_row(person: Person, row: SuiteTape, test: RegressionTestRow | None) -> dict[str, Any]:
    project = person.project_id
    header, tape = load_header(row.tape_id, project), load_tape(row.tape_id, project)
    steps = _cut_start(tape.steps, test)
    example = (tape.metadata.model_extra or {}).get(EXAMPLE_KEY)
    given = example.get("id") if isinstance(example, dict) else None
    cells = {
        "id": str(given or row.tape_id),
        "input": _write_input(row, steps),
        "expected": header.expected,
        "task": header.task,
        "split": header.split,
        "checkpoints": None if test is None else _write_check(test.pass_check),
        "environment_state": read_state(steps),
        "attack": steps[0].metadata.other.get(ATTACK) if steps else None,
    }
    return {name: value for name, value in cells.items() if value not in (None, "")}


def _cut_start(steps: tuple[Step, ...], test: RegressionTestRow | None) -> tuple[Step, ...]:
    """Return the steps that a run begins with: those a test froze, or all before the agent's."""
    if test is not None:
        return steps[: test.kept_count]
    count = next(
        (n for n, step in enumerate(steps) if not isinstance(step, Observation)), len(steps)
    )
    return steps[:count]


def _write_input(row: SuiteTape, steps: tuple[Step, ...]) -> str | list[dict[str, Any]]:
    first = steps[0] if len(steps) == 1 else None
    if isinstance(first, UserStep) and not first.attachments:
        return first.content
    messages = [message_of_step(step) for step in steps if isinstance(step, Observation)]
    rendered = [message for message in messages if message is not None]
    if not rendered or len(rendered) < len(steps):
        raise InvalidInputError(
            f"{row.title!r} does not begin with only a person's messages, which is all that a row "
            "can contain. Remove it from the dataset, or export the tapes.",
            tape_id=str(row.tape_id),
        )
    return rendered


def _write_check(check: dict[str, Any]) -> Any:
    return check["checkpoints"] if check.get("kind") == "checkpoints" else check
