"""All detectors, and the function that runs them over a tape."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from tapes_app.engine.tape.tape import Tape
from tapes_app.lint.domain import acting, contents, naming, spending
from tapes_app.lint.domain.findings import SEVERITIES, Finding, Found, LintContext, Severity
from tapes_app.lint.domain.reading import Reading

LINTER_VERSION = 1
"""Incremented when detectors would find something different; stored with the findings."""


@dataclass(frozen=True)
class Detector:
    """Something to look for. It may be run on any tape, and changes nothing."""

    name: str
    severity: Severity
    title: str
    """A short title for lists."""

    find: Callable[[Reading], Iterable[Found]]


DETECTORS: tuple[Detector, ...] = (
    Detector("repeated_action", "warning", "Repeated action", acting.find_repeated_actions),
    Detector(
        "unfulfilled_action", "warning", "Action without observation",
        acting.find_unfulfilled_actions,
    ),
    Detector("unused_observation", "info", "Unused observation", acting.find_unused_observations),
    Detector("unhandled_error", "error", "Unhandled error", acting.find_unhandled_errors),
    Detector("unknown_tool", "error", "Unknown tool", naming.find_unknown_tools),
    Detector("unknown_agent", "error", "Unknown agent", naming.find_unknown_agents),
    Detector(
        "invalid_step", "error", "Step does not match its schema", contents.find_invalid_steps),
    Detector("open_call", "error", "Call without Respond", naming.find_open_calls),
    Detector("bad_node_pointer", "error", "Node out of range", naming.find_bad_node_pointers),
    Detector("step_budget", "warning", "Step budget exceeded", spending.find_passed_budgets),
    Detector("parse_failure", "warning", "Unreadable answer", contents.find_parse_failures),
    Detector("full_prompt", "warning", "Prompt near the context limit", spending.find_full_prompts),
    Detector(
        "uneven_spending", "info", "One agent uses most tokens", spending.find_uneven_spending
    ),
    Detector(
        "unseen_answer", "info", "Answer not in the observations", contents.find_unseen_answers
    ),
)  # fmt: skip

RULE_PREFIX = "rule:"
"""Prefix of the detector's name in the findings of a rule."""

_TITLES = {detector.name: detector.title for detector in DETECTORS}
_NO_CONTEXT = LintContext()


def title_of(detector: str) -> str:
    """Return the title of a detector or a rule."""
    return _TITLES.get(detector) or detector.removeprefix(RULE_PREFIX)


def lint_tape(
    tape: Tape,
    context: LintContext = _NO_CONTEXT,
    extra: Sequence[Detector] = (),
    off: Collection[str] = (),
) -> list[Finding]:
    """Return the findings on a tape, by position, the gravest first.

    `extra` are rules; detectors whose names are in `off` are skipped.
    """
    asked = [one for one in (*DETECTORS, *extra) if one.name not in off]
    return run_detectors(asked, tape, context)


def run_detectors(
    detectors: Iterable[Detector], tape: Tape, context: LintContext = _NO_CONTEXT
) -> list[Finding]:
    """Return the findings of the given detectors on a tape, by position, the gravest first."""
    reading = Reading(tape, context)
    found = [
        Finding(detector=detector.name, severity=detector.severity, **item._asdict())
        for detector in detectors
        for item in detector.find(reading)
    ]
    return sorted(
        found,
        key=lambda item: (
            item.position, SEVERITIES.index(item.severity), item.detector, item.field, item.message,
        ),
    )  # fmt: skip
