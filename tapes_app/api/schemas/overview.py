"""Tapes without opening them: what a list has in common, and one tape at a glance."""

from __future__ import annotations

from typing import Literal

from ninja import Schema

from tapes_app.api.schemas.bodies import Out
from tapes_app.api.schemas.experiments import IntervalOut
from tapes_app.api.schemas.lint import LintSeverity
from tapes_app.api.schemas.tapes import TapeRowOut
from tapes_app.engine.steps import Family
from tapes_app.services.lint_lists import title_of
from tapes_app.storage.lint_marks import TapeMark


class BinOut(Out):
    """How many tapes lie from `low` up to `high`; the last bin includes `high`."""

    low: float
    high: float
    count: int
    query: str
    """The query after a click on it."""


class SpreadOut(Out):
    """How a number is spread over some tapes."""

    count: int
    low: float
    median: float
    p90: float
    high: float
    bins: list[BinOut]


class FailurePlaceOut(Out):
    """Where steps report errors; an empty name: in no node."""

    name: str
    tape_count: int
    step_count: int
    is_on: bool
    """The query asks for it."""

    query: str
    """The query after a click on it."""


class OutcomeCountOut(Out):
    """How many tapes passed, failed, or (`none`) were not judged."""

    value: Literal["pass", "fail", "none"]
    count: int
    is_on: bool
    query: str
    """The query after a click on it."""


class TapeSummaryOut(Out):
    """Numbers of a list, over its newest `summed_count` of `tape_count` tapes."""

    tape_count: int
    """How many tapes the list has; of a cut search of steps, as many as were found."""

    summed_count: int
    is_cut: bool
    """There are more tapes than were summed."""

    pass_rate: IntervalOut | None
    """Of the judged tapes."""

    outcomes: list[OutcomeCountOut]
    error_tape_count: int
    steps: SpreadOut | None
    cost: SpreadOut | None
    """In US dollars, of the tapes that have LLM calls."""

    duration: SpreadOut | None
    """In seconds, of the tapes that have LLM calls."""

    failing_nodes: list[FailurePlaceOut]
    """By agent and node, the most tapes first."""

    failing_kinds: list[FailurePlaceOut]
    failing_tools: list[FailurePlaceOut]
    """By the tool that the failed step answers."""


class GlanceStepOut(Out):
    """A step with the beginning of its words; with `is_cut` it has more."""

    position: int
    kind: str
    family: Family
    agent: str
    node: str
    gist: str
    is_error: bool
    excerpt: str
    is_cut: bool


class GlanceFindingOut(Schema):
    """What a detector or rule of the linter found, and the first step that it is about."""

    detector: str
    title: str
    severity: LintSeverity
    count: int
    position: int

    @staticmethod
    def resolve_title(mark: TapeMark) -> str:
        return title_of(mark.detector)


class TapeGlanceOut(Out):
    """What a tape is about, without opening it: first steps, the first failing one, last ones."""

    tape: TapeRowOut
    agent_version: int | None
    findings: list[GlanceFindingOut]
    """Of the last time that the linter looked."""

    first_error: int | None
    """Position of the first step that reports an error."""

    steps: list[GlanceStepOut]
