"""The report of a sweep as a file: attempts as CSV, all numbers as JSON, or text as Markdown."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, assert_never, get_args
from uuid import UUID

from pydantic import TypeAdapter

from optimize_app.evaluation.services.reports.report import (
    SweepReport,
    VariantReport,
    load_report,
)
from optimize_app.evaluation.services.reports.task_reports import TaskReport
from optimize_app.evaluation.services.sweeps.decisions import By
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.table_files import write_csv_rows
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.downloads import Download, write_download
from tapes_app.projects.services.people import Person
from tapes_app.statistics.estimate import Estimate

ReportFormat = Literal["csv", "json", "md"]
FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)

_MICRO = 1_000_000
_SMALL_P = 0.001
_TIMES = " \u00d7 "
_TYPES = {"csv": "text/csv", "json": "application/json", "md": "text/markdown"}
_REPORT: TypeAdapter[SweepReport] = TypeAdapter(SweepReport)
_COLUMNS = (
    "task", "task_tape", "variant", "label", "attempt", "result", "tape", "score", "why", "answer",
    "chosen_by_vote",
)  # fmt: skip
ATTACK_COLUMNS = (
    "attacks", "variant", "tasks", "followed", "stopped", "refused", "not read", "share followed",
    "useful all the same",
)  # fmt: skip
_RESULTS = {True: "pass", False: "fail", None: "missing"}
_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+!|~&-])")
_BREAKS = re.compile(r"\s+")


def export_report(
    person: Person, job_id: UUID, file_format: ReportFormat, *, by: By | None = None
) -> Download:
    """Return the report of a sweep as a file, with all of its tasks.

    Raises:
        NotFoundError: the project has no such sweep, or it has no such scoring.
    """
    report = load_report(person, job_id, by=by, most_tasks=None)
    name = clean_name(report.sweep.name).replace("/", " ") or "sweep"
    content_type = f"{_TYPES[file_format]}; charset=utf-8"
    return write_download(name, f".{file_format}", content_type, write_report(report, file_format))


def write_report(report: SweepReport, file_format: ReportFormat) -> Iterator[str]:
    match file_format:
        case "csv":
            yield from _write_csv(report)
        case "json":
            yield _REPORT.dump_json(report, indent=2).decode()
        case "md":
            yield from _write_markdown(report)
        case _:
            assert_never(file_format)


def _write_csv(report: SweepReport) -> Iterator[str]:
    """Yield a line for each started attempt; one without a result is marked `missing`."""
    yield write_csv_rows([_COLUMNS])
    for task in report.tasks:
        yield write_csv_rows(_list_attempts(report, task))


def _list_attempts(report: SweepReport, task: TaskReport) -> Iterator[Sequence[Any]]:
    for variant, cell in zip(report.sweep.variants, task.cells, strict=True):
        for number, one in enumerate(cell, start=1):
            word = _RESULTS[one.passed]
            yield (
                task.title, task.start_id, variant.letter, variant.label, number, word, one.tape_id,
                one.value, one.why, one.answer, "yes" if one.is_chosen else "",
            )  # fmt: skip


def _write_markdown(report: SweepReport) -> Iterator[str]:
    sweep = report.sweep
    yield f"# {_plain(sweep.name)}\n\n"
    size = _TIMES.join([
        count_of(len(sweep.variants), "variant"),
        count_of(len(sweep.attempts), "attempt"),
        count_of(sweep.task_count, "task"),
    ])  # fmt: skip
    yield f"{size}; {sweep.state}. {_plain(sweep.message)}\n\n"
    if report.card:
        yield f"Card {report.card}, which names what the sweep was made of.\n\n"
    yield "## What is shown, and what is not\n\n"
    yield from (f"- {line}\n" for line in _explain(report))
    yield "\n## Variants\n\n"
    yield "| | variant | passed (95 % interval) | by vote | beside A | p | missing | cost |\n"
    yield "|---|---|---|---|---|---|---|---|\n"
    yield from map(_write_variant, report.variants)
    yield from _write_attacks(report)
    yield from _write_next_steps(report)
    yield from _write_tags(report)


def _write_attacks(report: SweepReport) -> Iterator[str]:
    if not report.attacks:
        return
    yield "\n## Planted instructions\n\n"
    yield f"| {' | '.join(ATTACK_COLUMNS)} |\n|{'---|' * len(ATTACK_COLUMNS)}\n"
    for cells in list_attack_rows(report):
        yield f"| {' | '.join(map(_plain, cells))} |\n"


def _write_next_steps(report: SweepReport) -> Iterator[str]:
    if not report.next_steps:
        return
    yield "\n## The next step at each place\n\n"
    yield "| | compared | kind | and tool | and arguments |\n|---|---|---|---|---|\n"
    for one in report.next_steps:
        letter = report.sweep.variants[one.variant].letter
        counts = (one.compared_count, one.kind_count, one.tool_count, one.argument_count)
        yield f"| {letter} | {' | '.join(f'{count:,}' for count in counts)} |\n"


def _write_tags(report: SweepReport) -> Iterator[str]:
    if not report.tags:
        return
    letters = [one.letter for one in report.sweep.variants]
    yield "\n## By tag of the task\n\n"
    yield f"| tag | tasks | {' | '.join(letters)} |\n"
    yield f"|---|---|{'---|' * len(letters)}\n"
    for row in report.tags:
        rates = [
            "" if cell.score is None else f"{_rate(cell.score.estimate)}, n = {cell.score.tasks}"
            for cell in row.cells
        ]
        yield f"| {_plain(row.tag)} | {row.task_count} | {' | '.join(rates)} |\n"


def _explain(report: SweepReport) -> Iterator[str]:
    """Yield sentences on what decides and compares, what is missing, and what remains open."""
    yield _plain(f"Decided by: {describe_decision(report)}")
    for one in report.variants:
        if one.sentence:
            yield _plain(one.sentence)
    if report.result_before:
        yield _plain(report.result_before)
    yield from map(_plain, describe_votes(report))
    yield from map(_plain, describe_steadiness(report))
    for one in report.variants:
        if one.missing_count:
            runs = f"{one.missing_count:,} of {count_of(one.run_count, 'run')}"
            yield (
                f"Of {one.variant.letter} {runs} are missing: not run, failed, out of the budget "
                "or judged by nobody. They count as nothing, so they are not shown to fail."
            )
        if one.score is None:
            yield f"Nothing is shown of {one.variant.letter}: none of its runs is judged."
    if len(report.variants) == 1:
        yield "Nothing is compared: there is one variant."
    yield from (_plain(one.sentence) for one in report.learnt)
    yield from map(_plain, describe_watched(report))
    if report.sweep.finished_at is None:
        yield "The sweep is not finished; these numbers will change."
    yield "Other tasks, other agents and later models are not shown by any of this."


def describe_watched(report: SweepReport) -> Iterator[str]:
    """Yield each variant's standing while the sweep runs, and why it is less certain."""
    yield from (one.watched.sentence for one in report.variants if one.watched)
    if report.watching:
        yield report.watching


def describe_votes(report: SweepReport) -> Iterator[str]:
    """Yield what a vote of the attempts at each task scores, for each variant that has one."""
    for one in report.variants:
        if one.vote:
            yield f"{one.variant.letter}: {one.vote.sentence}"


def list_attack_rows(report: SweepReport) -> Iterator[Sequence[str]]:
    """Yield the cells of a table of planted instructions: `ATTACK_COLUMNS`, a row per variant."""
    for row in report.attacks:
        for variant, cell in zip(report.sweep.variants, row.cells, strict=True):
            followed, useful = cell.followed, cell.useful
            yield (
                row.tag or "all", variant.letter, f"{row.task_count:,}",
                f"{cell.followed_count:,}", f"{cell.stopped_count:,}", f"{cell.refused_count:,}",
                f"{cell.unread_count:,}", "" if followed is None else _rate(followed.estimate),
                "" if useful is None else _rate(useful.estimate),
            )  # fmt: skip


def describe_steadiness(report: SweepReport) -> Iterator[str]:
    """Yield how the best variant does on other attempts, and how much of each score is luck."""
    if report.best:
        yield report.best.sentence
    for one in report.variants:
        if one.steadiness:
            yield f"{one.variant.letter}: {one.steadiness.sentence}"


def describe_decision(report: SweepReport) -> str:
    """Return what decides a report, and which dataset versions it is based on."""
    by = report.decided_by
    words = by.words
    if by.judge:
        words = f"{words} The judge is {by.judge}."
    if by.expected == "now":
        words += " Expected answers are as they are now."
    if by.not_scored_count:
        words += f" It could not decide {count_of(by.not_scored_count, 'attempt')}."
    datasets = ", ".join(f"{one.dataset}@{one.version}" for one in report.sweep.stands_on)
    return f"{words} Tasks are of {datasets}." if datasets else words


def _write_variant(one: VariantReport) -> str:
    cells = (
        one.variant.letter,
        _plain(one.variant.label),
        "nothing judged" if one.score is None else _rate(one.score.estimate),
        "" if one.vote is None else _rate(one.vote.vote.estimate),
        "" if one.difference is None else _points(one.difference),
        "" if one.p_value is None else _p_value(one.p_value),
        f"{one.missing_count:,}" if one.missing_count else "",
        _cost(one),
    )
    return f"| {' | '.join(cells)} |\n"


def _rate(rate: Estimate) -> str:
    return f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%})".replace("%", " %")


def _points(difference: Estimate) -> str:
    value, low, high = (
        f"{100 * each:+.0f}" for each in (difference.value, difference.low, difference.high)
    )
    return f"{value} points ({low} to {high})"


def _p_value(value: float) -> str:
    return f"< {_SMALL_P}" if value < _SMALL_P else f"{value:.3f}"


def _cost(one: VariantReport) -> str:
    known = f"${one.cost_micro_usd / _MICRO:,.4f}"
    if not one.unpriced_call_count:
        return known
    return f"at least {known}" if one.cost_micro_usd else "unknown"


def _plain(text: str) -> str:
    """Escape a text for Markdown: names come from people, and answers from models."""
    return _MARKUP.sub(r"\\\1", _BREAKS.sub(" ", text)).strip()
