"""Scoring attempts without a model: by pure scorers, by the linter, or by a function."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from uuid import UUID

from django.conf import settings

from optimize_app.evaluation.scoring.function_runs import FunctionRuns
from optimize_app.evaluation.scoring.functions import describe_value
from optimize_app.evaluation.scoring.plain_scores import Score, score_attempt
from optimize_app.evaluation.scoring.scorers import (
    FunctionScorer,
    LintScorer,
    UnjudgedScorer,
    has_passed,
)
from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.errors import StudioError
from tapes_app.experiments.domain.checks import Ended
from tapes_app.lint.domain.linter import RULE_PREFIX, Detector
from tapes_app.lint.services.linting import Linter
from tapes_app.lint.services.rules import (
    compile_rule,
    load_detector,
    load_rule_named,
    rule_detector,
)
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

NOTHING_DONE = "The agent had nothing to do from this step."

Measure = Callable[[UUID, Ended, str], StoredScore]
"""Takes the id of a tape, its end, and what is expected."""

_Measure = Callable[[UUID, Ended, str], Score]


def freeze_rule(person: Person, scorer: LintScorer) -> LintScorer:
    """Return a scorer with its rule's text, so that later changes of the rule change no score.

    Raises:
        NotFoundError: there is no such detector, or the project has no such rule.
        RuleError: the text of the rule cannot be read.
    """
    if not scorer.detector.startswith(RULE_PREFIX):
        load_detector(scorer.detector)
        return scorer.model_copy(update={"rule": ""})
    name = scorer.detector.removeprefix(RULE_PREFIX)
    text = scorer.rule or load_rule_named(person, name).text
    compile_rule(text)
    return scorer.model_copy(update={"rule": text})


@contextmanager
def open_measure(scorer: UnjudgedScorer, project: UUID) -> Iterator[Measure]:
    """Provide what scores attempts one by one; whatever it holds open is closed on exit."""
    match scorer:
        case LintScorer():
            yield _storing(scorer, _by_linter(scorer, project))
        case FunctionScorer():
            with walled_runs(scorer.name) as runs:
                yield _storing(scorer, _by_function(runs))
        case _:
            plain = scorer
            yield _storing(scorer, lambda _, ended, wanted: score_attempt(plain, ended, wanted))


def walled_runs(name: str) -> FunctionRuns:
    """Return a scorer function that cannot see the data folder, to be closed after use."""
    return FunctionRuns(
        name,
        hidden=(settings.STUDIO_DATA_DIR,),
        may_be_unwalled=settings.STUDIO_UNWALLED_FUNCTIONS,
    )


def _storing(scorer: UnjudgedScorer, measure: _Measure) -> Measure:
    def score(tape_id: UUID, ended: Ended, expected: str) -> StoredScore:
        if not ended.new_steps:
            return StoredScore(None, None, NOTHING_DONE)
        try:
            measured = measure(tape_id, ended, expected)
        except StudioError as error:
            return StoredScore(None, None, error.message)
        passed = None if measured.value is None else has_passed(scorer, measured.value)
        return StoredScore(measured.value, passed, measured.explanation)

    return score


def _by_linter(scorer: LintScorer, project: UUID) -> _Measure:
    linter = cache(lambda: Linter(project))  # it reads tables, which only the job's thread may do

    def measure(tape_id: UUID, ended: Ended, _: str) -> Score:
        detector = _detector_of(scorer)
        findings = linter().find(tape_id, detector)
        found = [one for one in findings if one.position >= ended.kept_count]
        if not found:
            return Score(1.0, f"The linter finds nothing by {detector.title!r}.")
        first, more = found[0], len(found) - 1
        others = f" And {count_of(more, 'more finding')}." if more else ""
        return Score(0.0, f"Step {first.position}: {first.message}{others}")

    return measure


def _detector_of(scorer: LintScorer) -> Detector:
    if scorer.rule:
        compile_rule(scorer.rule)  # a rule that cannot be read would find nothing
        return rule_detector(scorer.detector.removeprefix(RULE_PREFIX), scorer.rule)
    return load_detector(scorer.detector)


def _by_function(runs: FunctionRuns) -> _Measure:
    def measure(_: UUID, ended: Ended, expected: str) -> Score:
        value, explanation = runs.ask(ended.tape, expected)
        return Score(value, explanation or describe_value(value))

    return measure
