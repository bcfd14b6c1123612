"""Rerun the tapes that match a query with another agent version, into a new batch."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from tapes_app.batches.services.rerun_preview import preview_rerun
from tapes_app.batches.services.rerun_request import RerunRequest, RerunSpec
from tapes_app.batches.services.reruns import Rerun, load_rerun, start_rerun, undo_rerun
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management import jobs, named, output
from tapes_app.management.arguments import (
    ANY_QUERY,
    NEW_BATCH,
    one_of,
    option,
    read_settings,
    settings_option,
    to_micro_usd,
)
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import Budget

_MICRO = 1_000_000
_NO_ESTIMATE = "no estimate, as this agent has not run with this model yet"


class Command(StudioCommand):
    help = (
        "Rerun the tapes that match a query with another agent version, each from its first "
        "steps by a person or the environment; the new tapes form a new batch. Compare with: "
        "diff_tapes --batch OLD --batch NEW"
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Replaces Django's own --version: here it is the version of the agent.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    arguments = (
        ANY_QUERY,
        one_of(
            option("--agent", metavar="NAME"),
            option("--undo", metavar="ID", help="remove the tapes of a re-run"),
            is_required=True,
        ),
        option(
            "--version",
            metavar="N",
            type=int,
            dest="number",
            help="version of the agent (default: the newest)",
        ),
        option("--model", metavar="NAME", help="model name, as the agent uses it"),
        settings_option("sent to the model, overriding the agent, such as temperature=0"),
        NEW_BATCH,
        option("--tokens", metavar="COUNT", type=int, help="budget of all runs"),
        option("--dollars", metavar="AMOUNT", type=float, help="budget of all runs"),
        option("--concurrency", metavar="N", type=int, help="number of parallel runs"),
        option("--preview", action="store_true", help="show what it would run and cost"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            return output.describe_discarded(
                undo_rerun(person, named.find_id(person, options["undo"], "job"))
            )
        spec: dict[str, Any] = {
            "q": options["query"],
            "agent_version_id": named.find_version(person, options["agent"], options["number"]),
            "model_id": named.find_model(person, options["model"]) if options["model"] else None,
            "parameters": read_settings(options["set"]),
        }
        if options["preview"]:
            return self._preview(person, RerunSpec(**spec))
        if not options["batch"]:
            raise InvalidInputError("Name the new batch with --batch, or use --preview.")
        money = to_micro_usd(options["dollars"])
        started = start_rerun(
            person,
            RerunRequest(
                **spec,
                batch_name=options["batch"],
                budget=Budget(
                    tokens=options["tokens"], micro_usd=None if money is None else max(1, money)
                ),
                concurrency=options["concurrency"],
            ),
        )
        jobs.work_until(lambda: not load_rerun(person, started.id).is_going_on)
        return self._answer(load_rerun(person, started.id))

    def _preview(self, person: Person, spec: RerunSpec) -> Answer:
        found = preview_rerun(person, spec)
        self.print_skipped(found.left_out.most_common())
        cost = found.estimate.cost_micro_usd if found.estimate else None
        tokens = found.estimate.tokens if found.estimate else None
        parts = [f"{found.fitting} of {count_of(found.looked_at, 'tape')} can be rerun"]
        parts += [f"about {tokens.likely:,.0f} tokens" if tokens else _NO_ESTIMATE]
        parts += [f"${cost.likely / _MICRO:,.4f}"] if cost else []
        values = {
            "tapes": found.tape_count,
            "looked_at": found.looked_at,
            "fitting": found.fitting,
            "left_out": dict(found.left_out),
            "tokens": tokens.likely if tokens else None,
            "cost_micro_usd": cost.likely if cost else None,
        }
        return Answer(", ".join(parts) + ".", values)

    def _answer(self, shown: Rerun) -> Answer:
        self.print_skipped((one.why, one.tape_count) for one in shown.left_out)
        for batch in shown.sources:
            batches = f"--batch {batch.name!r} --batch {shown.batch_name!r}"
            self.print_line(f"Compare: diff_tapes {batches} --by {shown.pair_key}")
        states = {state: count for state, count in sorted(asdict(shown.states).items()) if count}
        outcomes = ", ".join(f"{count} {state}" for state, count in states.items())
        values = {
            "batch": str(shown.batch_id) if shown.batch_id else None,
            "batch_name": shown.batch_name,
            "tapes": shown.tape_count,
            "states": states,
            "tokens": shown.spent.tokens,
            **output.cost_values(shown.spent.micro_usd, is_known=shown.unpriced_call_count == 0),
            "stopped": shown.stopped_reason,
            "left_out": [asdict(reason) for reason in shown.left_out],
            "undo": str(shown.id),
        }
        summary = (
            f"{count_of(shown.tape_count, 'tape')} rerun into {shown.batch_name!r}: "
            f"{outcomes or 'no tapes matched'}; undo with --undo {shown.id}. "
            f"{shown.stopped_reason}".rstrip()
        )
        return Answer(summary, values, is_done=set(states) <= {"succeeded", "waiting"})
