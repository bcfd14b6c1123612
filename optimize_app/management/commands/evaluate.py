"""Run variants over tasks, or a suite, wait for the end, and print the results."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.evaluation.card import SweepCard
from optimize_app.evaluation.plan import SweepBudget, Variant
from optimize_app.evaluation.request import SweepRequest
from optimize_app.evaluation.services.reports.cards import start_from_card
from optimize_app.evaluation.services.reports.report import SweepReport, VariantReport, load_report
from optimize_app.evaluation.services.reports.report_files import (
    ATTACK_COLUMNS,
    describe_decision,
    describe_steadiness,
    describe_votes,
    list_attack_rows,
    write_report,
)
from optimize_app.evaluation.services.suites.suite_runs import (
    SuiteRunRequest,
    load_outcome,
    start_suite,
)
from optimize_app.evaluation.services.suites.suites import find_suite, load_suite
from optimize_app.evaluation.services.sweeps.forecast import forecast_sweep
from optimize_app.evaluation.services.sweeps.starting import start_sweep
from optimize_app.evaluation.services.sweeps.sweeps import load_sweep
from optimize_app.management import suite_lines
from optimize_app.management.scorer_arguments import read_scoring
from optimize_app.management.suite_lines import check_report_file, read_format
from optimize_app.management.sweep_arguments import MODELS, SWEEP, print_forecast, read_budget
from optimize_app.serving.request import SERVE_QUEUE
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.store.job import Job
from tapes_app.management import jobs, named
from tapes_app.management.arguments import (
    QUERY,
    Part,
    option,
    read_file,
    read_settings,
    refusing_misfits,
    settings_option,
)
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.management.output import align
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import ToolPolicies
from tapes_app.statistics.estimate import Estimate


class Command(StudioCommand):
    help = (
        "Run every agent with every model on every task, and print which is better, by how much "
        "and how certain that is. The first agent with the first model is the baseline. A run "
        "passes if its answer is the expected one. With --suite the tests of a suite are run "
        "instead, by the newest version of their agent; the exit status is 0 if all pass, 1 "
        "if some fail or are missing, and 2 if nothing could be run."
    )
    arguments: Sequence[Part] = (
        option("name", metavar="NAME", nargs="?", help="name of the sweep"),
        QUERY,
        option("--suite", metavar="NAME", help="run the tests of this dataset"),
        option(
            "--agent",
            metavar="NAME",
            action="append",
            help="its newest version, NAME@3 or NAME@published; several to compare them",
        ),
        MODELS,
        settings_option("sent to the model on top of what the agents set, such as temperature=0"),
        *SWEEP,
        option("--order-seed", metavar="N", type=int, help="seed of the random order of the tasks"),
        option(
            "--card",
            metavar="FILE",
            type=Path,
            help="run the sweep of this card again; NAME may be given, but no other option",
        ),
        option(
            "--tools",
            choices=("live", "replay"),
            default="live",
            help="with replay, tools answer as on the tapes that the tests were made of",
        ),
        option(
            "--scorer",
            metavar="JSON",
            help='what decides in place of the outcome, such as {"kind": "contains"}',
        ),
        option("--junit", metavar="FILE", type=Path, help="with --suite: JUnit XML of the results"),
        option(
            "--export-pytest",
            metavar="FILE",
            type=Path,
            help="with --suite: write a test module for pytest, and run nothing",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        check_report_file(options["export"])
        if options["suite"]:
            return self._evaluate_suite(person, options)
        if options["card"]:
            if options["query"] or options["agent"] or options["preview"]:
                raise CommandError(
                    "A card sets all but the name; leave out --query, --agent and --preview.",
                    returncode=2,
                )
            return self._finish_sweep(person, _start_from_card(person, options), options)
        if not (options["name"] and options["query"] and options["agent"]):
            raise CommandError(
                "Give NAME, --query and --agent; or --suite; or --card.", returncode=2
            )
        if options["junit"] or options["export_pytest"]:
            raise CommandError("--junit and --export-pytest are for --suite.", returncode=2)
        return self.evaluate_sweep(person, options)

    def _evaluate_suite(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["name"] or options["query"] or options["preview"]:
            raise CommandError(
                "A suite has its name and its tests; leave out NAME, --query and --preview.",
                returncode=2,
            )
        suite = find_suite(person, options["suite"])
        for path in (options["junit"], options["export_pytest"]):
            suite_lines.check_file(path)
        if options["export_pytest"]:
            report = load_suite(person, suite.id)
            return suite_lines.export_pytest(options["export_pytest"], report, options)
        job = start_suite(person, suite.id, _read_suite_request(person, options))
        _finish(person, job.id)
        outcome = load_outcome(person, suite.id, job.id)
        _export(person, job.id, options["export"])
        for test in outcome.tests:
            self.print_line(suite_lines.format_test(test, outcome.variants))
        if options["junit"]:
            suite_lines.export_junit(options["junit"], outcome)
        return suite_lines.summarize_outcome(outcome, load_sweep(person, job.id))

    def evaluate_sweep(self, person: Person, options: dict[str, Any]) -> Answer:
        """Run the sweep that the options describe, or print what it would take."""
        request = _read_request(person, options)
        if options["preview"]:
            return print_forecast(self.print_line, forecast_sweep(person, request))
        return self._finish_sweep(person, start_sweep(person, request), options)

    def _finish_sweep(self, person: Person, job: Job, options: dict[str, Any]) -> Answer:
        _finish(person, job.id)
        _export(person, job.id, options["export"])
        report = load_report(person, job.id)
        for one in report.variants:
            self.print_line(describe_variant(one))
        sentences = [one.sentence for one in report.variants if one.sentence]
        for line in (*describe_votes(report), *describe_steadiness(report)):
            self.print_line(line)
        if report.attacks:
            for line in align([ATTACK_COLUMNS, *list_attack_rows(report)]):
                self.print_line(line)
        self.print_line(f"Decided by: {describe_decision(report)}")
        answer = " ".join(sentences) or report.sweep.message
        return Answer(answer, report_values(report), is_done=report.sweep.state == "succeeded")


def _start_from_card(person: Person, options: dict[str, Any]) -> Job:
    text = read_file(options["card"])
    with refusing_misfits():
        card = SweepCard.model_validate_json(text)
    return start_from_card(person, card, name=options["name"])


def _export(person: Person, job_id: UUID, path: Path | None) -> None:
    if path is not None:
        report = load_report(person, job_id, most_tasks=None)
        suite_lines.write_file(path, "".join(write_report(report, read_format(path))))


def _finish(person: Person, job_id: UUID) -> None:
    with jobs.working_on(SERVE_QUEUE):
        jobs.work_until(lambda: load_sweep(person, job_id).state in FINAL_STATES)


def _read_suite_request(person: Person, options: dict[str, Any]) -> SuiteRunRequest:
    with refusing_misfits():
        return SuiteRunRequest(
            agent_version_ids=tuple(_find_versions(person, options)),
            model_ids=tuple(_find_models(person, options)),
            parameters=read_settings(options["set"]),
            **_read_attempts(options),
        )


def _read_request(person: Person, options: dict[str, Any]) -> SweepRequest:
    variants = product(_find_versions(person, options), _find_models(person, options))
    parameters = read_settings(options["set"])
    with refusing_misfits():
        return SweepRequest(
            name=options["name"],
            q=options["query"],
            variants=tuple(
                Variant(agent_version_id=version, model_id=model, parameters=parameters)
                for version, model in variants
            ),
            scoring=read_scoring(options["scorer"]),
            order_seed=options["order_seed"],
            **_read_attempts(options),
        )


def _read_attempts(options: dict[str, Any]) -> dict[str, Any]:
    """Return how often and how far everything is run."""
    turns = options["max_turns"]
    return {
        "seeds": tuple(options["seed"] or ()),
        "repeats": options["repeats"],
        "budget": SweepBudget(**read_budget(options)),
        "tools": ToolPolicies(default=options["tools"]),
        **({} if turns is None else {"max_turns": turns}),
    }


def _find_versions(person: Person, options: dict[str, Any]) -> list[UUID]:
    return [named.read_version(person, name) for name in options["agent"] or ()]


def _find_models(person: Person, options: dict[str, Any]) -> list[UUID | None]:
    names = options["model"] or [None]
    return [None if name is None else named.find_model(person, name) for name in names]


def describe_variant(one: VariantReport) -> str:
    """Describe a variant with its score in one line."""
    score = _format_rate(one.score.estimate) if one.score else "nothing judged"
    missing = f", {one.missing_count} missing" if one.missing_count else ""
    return f"{one.variant.name}: {score}{missing}"


def _format_rate(rate: Estimate) -> str:
    return f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%})".replace("%", " %")


def report_values(report: SweepReport) -> dict[str, Any]:
    """Return a report as `--json` prints it."""
    return {
        "job": str(report.sweep.job_id),
        "state": report.sweep.state,
        "decided_by": report.decided_by.words,
        "stands_on": [one.model_dump(mode="json") for one in report.sweep.stands_on],
        "message": report.sweep.message,
        "variants": [
            {
                "variant": one.variant.letter,
                "label": one.variant.label,
                "passed": one.passed_count,
                "failed": one.failed_count,
                "missing": one.missing_count,
                "score": asdict(one.score.estimate) if one.score else None,
                "difference": asdict(one.difference) if one.difference else None,
                "p_value": one.p_value,
                "sentence": one.sentence,
                "steadiness": asdict(one.steadiness) if one.steadiness else None,
                "vote": asdict(one.vote) if one.vote else None,
                "tokens": one.tokens,
                "cost_micro_usd": one.cost_micro_usd,
                "unpriced_calls": one.unpriced_call_count,
                "batches": {batch.key: str(batch.batch_id) for batch in one.batches},
            }
            for one in report.variants
        ],
        "attacks": [asdict(row) for row in report.attacks],
    }
