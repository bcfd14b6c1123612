"""Linting stored tapes: one on demand, or many with findings stored for lists and trends."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

from tapes_app.agents.services.agents import list_tools
from tapes_app.agents.store import agents
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.tape.dialog_steps import ToolCalls
from tapes_app.lint.domain.findings import Finding, LintContext, Severity
from tapes_app.lint.domain.linter import (
    LINTER_VERSION,
    Detector,
    lint_tape,
    run_detectors,
    title_of,
)
from tapes_app.lint.domain.reading import Reading
from tapes_app.lint.services.rules import compile_rule, find_breaks, rule_detector
from tapes_app.lint.store import marks, sources
from tapes_app.lint.store import rules as lint_rules
from tapes_app.lint.store.marks import LintedTape, VersionTrend
from tapes_app.lint.store.rules import LintRuleRow
from tapes_app.lint.store.sources import LintSource
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import headers

_AT_ONCE = 50
"""Tapes per transaction when findings are written: a long transaction blocks runs from writing."""

MOST_PREVIEWED = 100
"""How many of the newest tapes a rule is tried on while somebody writes it."""

MOST_MATCHES = 10

Commit = Callable[[Callable[[], None]], None]
"""Runs a function in one transaction."""

Report = Callable[[int, int], None]
"""Called with the number of tapes done and the total."""


@dataclass(frozen=True)
class TapeLint:
    """The findings on a tape."""

    tape_id: UUID
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class TitledFinding:
    """A finding with the title of its detector."""

    detector: str
    title: str
    severity: Severity
    position: int
    field: str
    message: str


@dataclass(frozen=True)
class RuleMatch:
    """A tape on which a rule finds something, and the first step."""

    tape_id: UUID
    title: str
    position: int


@dataclass(frozen=True)
class RulePreview:
    """A rule's matches on the newest tapes."""

    looked_at: int
    match_count: int
    matches: tuple[RuleMatch, ...]


class Linter:
    """Lints tapes of one project; what it looks up for one tape is reused for the next."""

    def __init__(self, project: UUID, *, step_budget: int | None = None) -> None:
        self.project = project
        self._step_budget = step_budget
        rules = [rule for rule in lint_rules.list_rules(project) if rule.is_enabled]
        self._rules: tuple[Detector, ...] = tuple(
            rule_detector(rule.name, rule.text, rule.severity) for rule in rules
        )
        self._off = lint_rules.list_off(project)
        self.stamp = _stamp_of(rules, self._off)
        self._agents: dict[UUID, _KnownAgent] = {}

    def lint(self, tape_id: UUID) -> LintedTape:
        """Return the findings on a tape.

        Raises:
            NotFoundError: no such tape in this project.
        """
        source = sources.load_lint_source(tape_id, self.project)
        findings = lint_tape(source.tape, self._context_of(source), self._rules, self._off)
        return LintedTape(tape_id, source.version, findings)

    def find(self, tape_id: UUID, detector: Detector) -> list[Finding]:
        """Return what one detector finds on a tape, even if the project has turned it off.

        Raises:
            NotFoundError: no such tape in this project.
        """
        source = sources.load_lint_source(tape_id, self.project)
        return run_detectors([detector], source.tape, self._context_of(source))

    def keep(self, linted: Sequence[LintedTape]) -> None:
        """Store the findings for the lists."""
        marks.save_lint(self.project, linted, stamp=self.stamp)

    def _context_of(self, source: LintSource) -> LintContext:
        known = self._known_agent(source.agent_version_id)
        return LintContext(
            agent=known.spec if known else None,
            tools=_tools_of(source, known),
            step_budget=self._step_budget,
            calls=source.calls,
        )

    def _known_agent(self, version_id: UUID | None) -> "_KnownAgent | None":
        if version_id is None:
            return None
        if version_id not in self._agents:
            try:
                version = agents.load_version(version_id, self.project)
            except NotFoundError:
                return None
            tools = {tool.name: tool.parameters for tool in list_tools(version.spec)}
            self._agents[version_id] = _KnownAgent(version.spec, tools)
        return self._agents[version_id]


@dataclass(frozen=True)
class _KnownAgent:
    spec: AgentSpec
    tools: Mapping[str, dict[str, Any]]


def _tools_of(source: LintSource, known: _KnownAgent | None) -> dict[str, dict[str, Any]] | None:
    """Return the schemas of all offered tools; `None` if the list may be incomplete."""
    offered: dict[str, dict[str, Any]] = dict(known.tools) if known else {}
    for tool in source.offered_tools:
        function = tool.get("function")
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            return None  # a provider's built-in tool, which may be called by any name
        schema = function.get("parameters")
        offered[function["name"]] = schema if isinstance(schema, dict) else {}
    calling = [step for step in source.tape.steps if isinstance(step, ToolCalls)]
    if known is None and any(step.metadata.prompt_id not in source.calls for step in calling):
        return None
    return offered or None


def lint_one(person: Person, tape_id: UUID) -> TapeLint:
    """Return the findings on a tape in its current state.

    Raises:
        NotFoundError: no such tape in the project.
    """
    project = person.project_id
    state = sources.load_tape_state(tape_id, project)
    return TapeLint(tape_id, _findings_of(project, tape_id, state, current_stamp(project)))


@lru_cache(maxsize=256)
def _findings_of(
    project: UUID, tape_id: UUID, _state: tuple[int, int], _stamp: str
) -> tuple[Finding, ...]:
    """Lint a tape once per state of it and the rules, because a long tape takes long."""
    return tuple(Linter(project).lint(tape_id).findings)


def lint_and_keep(
    project: UUID,
    tape_ids: Sequence[UUID],
    *,
    step_budget: int | None = None,
    commit: Commit | None = None,
    report: Report | None = None,
) -> Iterator[TapeLint]:
    """Lint tapes and store the findings for the lists, a few tapes at a time.

    Tapes that no longer exist are skipped. With a custom step budget nothing is stored, because the
    lists show findings made in the same way on every tape.
    """
    linter = Linter(project, step_budget=step_budget)
    done = 0
    for start in range(0, len(tape_ids), _AT_ONCE):
        chunk = tape_ids[start : start + _AT_ONCE]
        linted = [item for tape_id in chunk if (item := _find(linter, tape_id)) is not None]
        if step_budget is None:
            if commit is None:
                linter.keep(linted)
            else:
                commit(partial(linter.keep, linted))
        done += len(chunk)
        if report is not None:
            report(done, len(tape_ids))
        for item in linted:
            yield TapeLint(item.tape_id, tuple(item.findings))


def list_stale_tapes(project: UUID, *, batch_id: UUID | None = None) -> list[UUID]:
    """Return the tapes whose stored findings are older than their newest steps or rules."""
    return marks.list_stale(project, current_stamp(project), batch_id=batch_id)


def current_stamp(project: UUID) -> str:
    """Return the stamp for findings of this linter with the project's current rules."""
    return Linter(project).stamp


def describe_findings(findings: Iterable[Finding]) -> list[TitledFinding]:
    return [
        TitledFinding(title=title_of(finding.detector), **finding.model_dump())
        for finding in findings
    ]


def list_trend(person: Person, agent_id: UUID) -> list[VersionTrend]:
    """Return the findings on the tapes of each version of an agent, by number.

    Raises:
        NotFoundError: no such agent in the project.
    """
    agents.load_agent(agent_id, person.project_id)
    return marks.list_trend(person.project_id, agent_id)


def preview_rule(person: Person, text: str) -> RulePreview:
    """Parse a rule and return on which of the newest tapes it finds something.

    Raises:
        RuleError: it cannot be parsed; its details show where.
    """
    rule = compile_rule(text)
    rows = headers.list_newest(person.project_id, MOST_PREVIEWED)
    matches = []
    for row in rows:
        source = sources.load_lint_source(row.id, person.project_id)
        broken = next(iter(find_breaks(rule, Reading(source.tape, LintContext()))), None)
        if broken is not None:
            matches.append(RuleMatch(row.id, row.title, broken.position))
    return RulePreview(len(rows), len(matches), tuple(matches[:MOST_MATCHES]))


def _stamp_of(rules: Sequence[LintRuleRow], off: Collection[str]) -> str:
    parts = [[rule.name, rule.text, rule.severity] for rule in rules]
    if off:  # else the stamp stays as it was when all detectors were always on
        parts.append(sorted(off))
    return digest_json([LINTER_VERSION, *parts]).hex()


def _find(linter: Linter, tape_id: UUID) -> LintedTape | None:
    try:
        return linter.lint(tape_id)
    except NotFoundError:
        return None
