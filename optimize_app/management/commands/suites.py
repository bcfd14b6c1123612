"""List suites, make regression tests from failing tapes, and change what passes them."""

from dataclasses import asdict
from typing import Any

from pydantic import ValidationError

from optimize_app.evaluation.services.suites import next_step_tests, regression_tests, suites
from optimize_app.evaluation.services.suites.next_step_tests import NextStepTestsRequest
from optimize_app.evaluation.services.suites.regression_tests import (
    CHECKS,
    DEFAULT_SUITE,
    RegressionTestChange,
    RegressionTestRequest,
)
from optimize_app.evaluation.services.suites.suites import SuiteRow, SuiteTest
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.experiments.domain.check_kinds import Check
from tapes_app.management import named
from tapes_app.management.arguments import TAPE, one_of, option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.rows import read_all
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_PAGE = 200
_KINDS = {
    "equals": ("equals", "text", "the final text is this"),
    "contains": ("contains", "text", "the final text contains this"),
    "number": ("number", "value", "the last number of the final text is this"),
    "matches": ("regex", "pattern", "a regular expression that the final text matches"),
    "jmespath": ("jmespath", "expression", "an expression that is true"),
}
"""The options of a check: its kind, and the field that holds its value."""


def _check_options(*, is_required: bool) -> Any:
    return one_of(
        *(
            option(f"--{name}", metavar="VALUE", help=words)
            for name, (_, _, words) in _KINDS.items()
        ),
        option("--no-error", action="store_true", help="no new step reports an error"),
        option("--check", metavar="JSON", help="any check, as the API accepts it"),
        is_required=is_required,
    )


class Command(ActionCommand):
    help = (
        "A suite is a dataset of regression tests: frozen beginnings of tapes, each with a check. "
        "Run one with evaluate --suite NAME."
    )

    def add_actions(self) -> None:
        name = option("name", metavar="SUITE", help=f"such as {DEFAULT_SUITE!r}")
        within = option("--within", metavar="N", type=float, help="with --number: how far off")
        self.add_action("list", self._list, "list suites with their newest run, newest first")
        self.add_action("show", self._show, "show the tests of a suite", name)
        self.add_action(
            "add",
            self._add,
            "make a test from a tape; without a check, its expected answer passes",
            name,
            option("--tape", metavar="ID", required=True, help="the tape, such as one that fails"),
            option("--at", metavar="K", type=int, help="leading steps to freeze; default: those "
                   "before the answer, or just the task"),
            option("--name", metavar="NAME", dest="test_name", default="", help="of the test"),
            _check_options(is_required=False),
            within,
        )  # fmt: skip
        self.add_action(
            "add-steps",
            self._add_steps,
            "make a test of every action of a good tape: is it what comes next?",
            name,
            option("--tape", metavar="ID", required=True, help="a tape as it should go"),
        )
        self.add_action(
            "change",
            self._change,
            "change what passes a test; finished runs keep their verdict",
            TAPE,
            _check_options(is_required=True),
            within,
        )

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        rows = read_all(lambda after: suites.list_suites(person, after=after, limit=_PAGE))
        return self.print_rows(rows, "suite", _describe_suite, asdict)

    def _show(self, person: Person, options: dict[str, Any]) -> Answer:
        suite = suites.find_suite(person, options["name"])
        report = suites.load_suite(person, suite.id)
        return self.print_rows(report.tests, "test", _describe_test, _describe)

    def _add(self, person: Person, options: dict[str, Any]) -> Answer:
        try:
            request = RegressionTestRequest(
                suite=options["name"],
                at=options["at"],
                check=_read_check(options),
                name=options["test_name"],
            )
        except ValidationError as error:
            raise InvalidInputError(f"{first_reason(error)}.") from error
        tape = named.find_tape(person, options["tape"])
        made = regression_tests.make_test(person, tape, request)
        steps = count_of(made.kept_count, "step")
        summary = f"Test {made.name!r} of {made.suite!r} keeps {steps}. {made.words}"
        return Answer(
            summary, {**asdict(made), "check": CHECKS.dump_python(made.check, mode="json")}
        )

    def _add_steps(self, person: Person, options: dict[str, Any]) -> Answer:
        try:
            request = NextStepTestsRequest(suite=options["name"])
        except ValidationError as error:
            raise InvalidInputError(f"{first_reason(error)}.") from error
        tape = named.find_tape(person, options["tape"])
        made = next_step_tests.make_next_step_tests(person, tape, request)
        left = sum(one.place_count for one in made.left_out)
        words = f" At {count_of(left, 'place')} its agent cannot start." if left else ""
        summary = f"{count_of(made.made_count, 'test')} in {made.suite!r}.{words}"
        return Answer(summary, asdict(made))

    def _change(self, person: Person, options: dict[str, Any]) -> Answer:
        tape = named.find_tape(person, options["tape"])
        check = _read_check(options)
        assert check is not None, "the parser requires one"
        regression_tests.change_check(person, tape, RegressionTestChange(check=check))
        return Answer("Changed; run the suite to see the result.", {"tape_id": str(tape)})


def _read_check(options: dict[str, Any]) -> Check | None:
    """Return the check that the options describe; `None` if they describe none."""
    try:
        if options["check"] is not None:
            return CHECKS.validate_json(options["check"])
        if options["no_error"]:
            return CHECKS.validate_python({"kind": "no_error"})
        for name, (kind, field, _) in _KINDS.items():
            if options[name] is not None:
                near = {"within": options["within"]} if options["within"] is not None else {}
                return CHECKS.validate_python({"kind": kind, field: options[name], **near})
    except ValidationError as error:
        raise InvalidInputError(f"{first_reason(error)}.") from error
    return None


def _describe_suite(row: SuiteRow) -> str:
    last = row.last_run
    run = f"{last.passed_count} passed, {last.failed_count} failed" if last else "not run yet"
    missing = f", {last.missing_count} missing" if last and last.missing_count else ""
    return f"{row.name}  {count_of(row.test_count, 'test')}: {run}{missing}"


def _describe_test(test: SuiteTest) -> str:
    newest = test.results[0].result if test.results else "not run"
    return f"{newest:8}{test.name}: {test.words}"


def _describe(test: SuiteTest) -> dict[str, Any]:
    check = None if test.check is None else CHECKS.dump_python(test.check, mode="json")
    return {**asdict(test), "check": check}
