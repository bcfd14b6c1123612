"""Find what is wrong on tapes."""

from collections import Counter
from typing import Any
from uuid import UUID

from tapes_app.engine.errors import InvalidInputError
from tapes_app.lint.domain.findings import SEVERITIES
from tapes_app.lint.services.linting import TapeLint, lint_and_keep, list_stale_tapes
from tapes_app.management import named
from tapes_app.management.arguments import TAPE_IDS, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.batches import list_tape_ids

_WORDS = {"error": "error", "warning": "warning", "info": "hint"}


class Command(StudioCommand):
    help = (
        "Lint tapes with the built-in detectors and the project's rules. The exit status is 1 "
        "if there are findings, else 0."
    )

    arguments = (
        TAPE_IDS,
        option("--batch", metavar="NAME", default="", help="all tapes of a batch"),
        option(
            "--stale",
            action="store_true",
            help="all tapes that changed since they were last linted",
        ),
        option("--step-budget", metavar="N", type=int, help="maximum number of steps per tape"),
        option(
            "--severity",
            choices=SEVERITIES,
            default="info",
            help="lowest severity to show; info shows all",
        ),
        option(
            "--format", choices=("text", "json"), default="text", help="json is the same as --json"
        ),
    )

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **{**options, "json": options["json"] or options["format"] == "json"})

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        budget = options["step_budget"]
        if budget is not None and budget < 1:
            raise InvalidInputError("--step-budget must be at least 1.")
        wanted = SEVERITIES[: SEVERITIES.index(options["severity"]) + 1]
        tapes = []
        counts = Counter[str]()
        linted = lint_and_keep(person.project_id, _find_tapes(person, options), step_budget=budget)
        for item in linted:
            shown = TapeLint(
                item.tape_id, tuple(found for found in item.findings if found.severity in wanted)
            )
            counts.update(found.severity for found in shown.findings)
            tapes.append(self._show(shown))
        total = sum(counts.values())
        severities = ", ".join(
            count_of(counts[name], _WORDS[name]) for name in SEVERITIES if counts[name]
        )
        summary = f"{count_of(len(tapes), 'tape')} linted: {severities or 'no findings'}."
        values = {"linted": len(tapes), "found": total, "tapes": tapes}
        return Answer(summary, values, is_done=not total)

    def _show(self, item: TapeLint) -> dict[str, Any]:
        for found in item.findings:
            place = f"{item.tape_id} step {found.position}{found.field}"
            self.print_line(f"{place}: {found.severity}: {found.message} ({found.detector})")
        findings = [found.model_dump(mode="json") for found in item.findings]
        return {"tape": str(item.tape_id), "findings": findings}


def _find_tapes(person: Person, options: dict[str, Any]) -> list[UUID]:
    if sum(map(bool, (options["ids"], options["batch"], options["stale"]))) != 1:
        raise InvalidInputError("Give tape ids, --batch NAME or --stale.")
    if options["ids"]:
        return [named.find_tape(person, text) for text in options["ids"]]
    if options["stale"]:
        return list_stale_tapes(person.project_id)
    return list_tape_ids(named.find_batch(person, options["batch"]), person.project_id)
