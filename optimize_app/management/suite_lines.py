"""What `evaluate --suite` does and prints: a line for each test, and files for CI."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from optimize_app.evaluation.services.reports.report_files import FORMATS, ReportFormat
from optimize_app.evaluation.services.suites.junit import write_junit
from optimize_app.evaluation.services.suites.pytest_module import write_pytest_module
from optimize_app.evaluation.services.suites.suite_runs import OutcomeOfTest, SuiteOutcome
from optimize_app.evaluation.services.suites.suites import SuiteReport
from optimize_app.evaluation.services.sweeps.sweeps import SweepRow
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management.command import Answer
from tapes_app.projects.domain.wording import count_of

_PASSED_ON = ("project", "agent", "model", "set", "seed", "repeats", "dollars", "calls", "tools")
"""Options of the command that an exported module passes on to it."""


def check_file(path: Path | None) -> None:
    """Reject a file that could not be written, before anything is run.

    Raises:
        InvalidInputError: its folder does not exist, or it is a folder.
    """
    if path is None:
        return
    if path.is_dir():
        raise InvalidInputError(f"{str(path)!r} is a folder; name a file in it.")
    if not path.absolute().parent.is_dir():
        raise InvalidInputError(f"There is no folder {str(path.parent)!r} to write a file in.")


def check_report_file(path: Path | None) -> None:
    """Reject a report file whose name has no known format, or that could not be written.

    Raises:
        InvalidInputError: the name has no known format, or the file could not be written.
    """
    if path is not None:
        read_format(path)
        check_file(path)


def read_format(path: Path) -> ReportFormat:
    """Return the format of a report file, by the suffix of its name.

    Raises:
        InvalidInputError: the suffix is not a known format.
    """
    for known in FORMATS:
        if path.suffix == f".{known}":
            return known
    raise InvalidInputError(f"{str(path)!r} should end with .csv, .json or .md.")


def write_file(path: Path, text: str) -> None:
    """Write a text.

    Raises:
        InvalidInputError: the file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"{str(path)!r} cannot be written: {error.strerror}.") from error


def export_junit(path: Path, outcome: SuiteOutcome) -> None:
    write_file(path, '<?xml version="1.0" encoding="utf-8"?>\n' + write_junit(outcome))


def export_pytest(path: Path, suite: SuiteReport, options: dict[str, Any]) -> Answer:
    """Write a module that runs the suite with the same options."""
    module = write_pytest_module(
        suite.suite.name,
        [(test.tape_id, test.name) for test in suite.tests],
        arguments=["--suite", suite.suite.name, *_write_options(options)],
        python=sys.executable,
        manage=str(Path(settings.BASE_DIR) / "manage.py"),
    )
    write_file(path, module)
    tests = count_of(len(suite.tests), "test")
    values = {"file": str(path), "tests": len(suite.tests)}
    return Answer(f"{tests} written to {path}; run it with pytest.", values)


def _write_options(options: dict[str, Any]) -> list[str]:
    written: list[str] = []
    for name in _PASSED_ON:
        value = options.get(name)
        values = value if isinstance(value, list) else [] if value in {None, ""} else [value]
        if name == "set":
            written += ["--set", *values] if values else []
        else:
            written += [part for each in values for part in (f"--{name}", str(each))]
    return written


def format_test(test: OutcomeOfTest, variants: Sequence[Any]) -> str:
    """Return the line of a test; the result comes first, so that lines can be sorted by it."""
    by = f" [{test.variant.label}]" if len(variants) > 1 else ""
    why = "" if test.result == "pass" else f": {test.reason} (tape {test.tape_id or 'none'})"
    return f"{test.result:8}{test.name}{by}{why}"


def summarize_outcome(outcome: SuiteOutcome, sweep: SweepRow) -> Answer:
    """Return the counts of passed, failed and missing tests; done only if all of them pass."""
    passed, failed = outcome.count("pass"), outcome.count("fail")
    missing = len(outcome.tests) - passed - failed
    parts = [f"{passed} of {count_of(len(outcome.tests), 'test')} passed"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{missing} missing, which is neither"] if missing else []
    budget = f" {sweep.message}" if missing and sweep.message else ""
    values = {
        "suite": outcome.suite,
        "job": str(sweep.job_id),
        "state": sweep.state,
        "message": sweep.message,
        "passed": passed,
        "failed": failed,
        "missing": missing,
        "tests": [_describe(test) for test in outcome.tests],
    }
    return Answer(f"{', '.join(parts)}.{budget}", values, is_done=outcome.passed)


def _describe(test: OutcomeOfTest) -> dict[str, Any]:
    tape: UUID | None = test.tape_id
    return {
        "test": str(test.test_id),
        "name": test.name,
        "variant": test.variant.label,
        "result": test.result,
        "reason": test.reason,
        "tape": str(tape) if tape else None,
        "seconds": round(test.seconds, 3),
    }
