"""The suspected step of a tape, computed when somebody opens the tape."""

from uuid import UUID

from tapes_app.library.domain.suspicion import Suspect, find_divergence_from_passed, gravest_finding
from tapes_app.library.store import attempts
from tapes_app.library.store.attempts import Attempt
from tapes_app.lint.domain.findings import Finding
from tapes_app.lint.domain.linter import title_of
from tapes_app.lint.services.linting import lint_one
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.access import get_tape


def find_suspect(person: Person, tape_id: UUID) -> Suspect | None:
    """Return the step to check first.

    This is the first step that reports an error; without one, the first step with the gravest
    finding; without any finding, the step where the tape diverges from the tapes of its task that
    passed. Findings of the lowest severity (info) come last, because most tapes have some. `None`
    if the tape passed, or if nothing points to any of its steps.

    The linter is asked only if no step reports an error, because it takes seconds on a long tape.

    Raises:
        NotFoundError: no such tape in the project.
    """
    attempt = attempts.read_attempt(get_tape(tape_id, person.project_id))
    if attempt.outcome == "pass":
        return None
    error = attempts.find_first_error(attempt.spans, attempt.error_count)
    if error is not None:
        return Suspect(error.position, "error", error.gist)
    finding = gravest_finding(lint_one(person, attempt.id).findings)
    if finding is not None and finding.severity != "info":
        return _of_finding(finding)
    return _parting(attempt) or (None if finding is None else _of_finding(finding))


def _of_finding(finding: Finding) -> Suspect:
    return Suspect(finding.position, "finding", title_of(finding.detector))


def _parting(attempt: Attempt) -> Suspect | None:
    passed = attempts.list_passed(attempt)
    if not passed:
        return None
    paths = [attempts.load_path(spans) for spans in passed]
    at = find_divergence_from_passed(attempts.load_path(attempt.spans), paths)
    if at is None:
        return None
    return Suspect(at, "parting", attempts.load_gist(attempt.spans, at), len(passed))
