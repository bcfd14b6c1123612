"""The suspected step of a tape, worked out when somebody opens it."""

from uuid import UUID

from tapes_app.library.store import attempts
from tapes_app.library.store.attempts import Attempt
from tapes_app.library.suspicion import Suspect, find_parting, gravest_finding
from tapes_app.lint.findings import Finding
from tapes_app.lint.linter import title_of
from tapes_app.lint.services.linting import lint_one
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.access import get_tape


def find_suspect(person: Person, tape_id: UUID) -> Suspect | None:
    """Return the step at which to look first.

    It is the first step that reports an error; without one, that of the first of the gravest
    findings; without any, the step where it leaves the tapes of its task that passed. Findings
    that only inform come last: most tapes have some. `None`: the tape passed, or nothing speaks
    against any of its steps.

    The linter is asked only where no step reports an error: a long tape takes it seconds.

    Raises:
        NotFoundError: no such tape in the project.
    """
    attempt = attempts.read_attempt(get_tape(tape_id, person.project_id))
    if attempt.outcome == "pass":
        return None
    error = _first_error(attempt)
    if error is not None:
        return error
    finding = gravest_finding(lint_one(person, attempt.id).findings)
    if finding is not None and finding.severity != "info":
        return _of_finding(finding)
    return _parting(attempt) or (None if finding is None else _of_finding(finding))


def _first_error(attempt: Attempt) -> Suspect | None:
    step = attempts.find_first_error(attempt.spans, attempt.error_count)
    return None if step is None else Suspect(step.position, "error", step.gist)


def _of_finding(finding: Finding) -> Suspect:
    return Suspect(finding.position, "finding", title_of(finding.detector))


def _parting(attempt: Attempt) -> Suspect | None:
    passed = attempts.list_passed(attempt)
    if not passed:
        return None
    paths = [attempts.load_path(spans) for spans in passed]
    at = find_parting(attempts.load_path(attempt.spans), paths)
    if at is None:
        return None
    return Suspect(at, "parting", attempts.load_gist(attempt.spans, at), len(passed))
