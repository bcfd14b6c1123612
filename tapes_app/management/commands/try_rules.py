"""Try the tool rules of an agent on recorded tapes."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tapes_app.agents.store.agents import load_version
from tapes_app.authoring.domain.spec_yaml import read_yaml_spec
from tapes_app.engine.environment.tool_rules import RuleAction, ToolRule
from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.domain.tape_query.tokens import quote
from tapes_app.library.services.rule_dry_runs import (
    MOST_TAPES,
    USUAL_TAPES,
    StoppedCall,
    dry_run_rules,
)
from tapes_app.management import named
from tapes_app.management.arguments import ANY_QUERY, option, read_file, refusing_misfits
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_DONE: Final[dict[RuleAction, str]] = {
    "allow": "allowed", "deny": "denied", "ask": "asked about", "replace": "replaced",
    "emulate": "emulated",
}  # fmt: skip


class Command(StudioCommand):
    help = (
        "List the calls on recorded tapes that an agent's tool rules would have denied, asked "
        "about, replaced or emulated. No model and no tool is called."
    )

    arguments = (
        option("agent", metavar="AGENT", help="agent, or a version such as NAME@3"),
        option(
            "--rules",
            metavar="FILE",
            type=Path,
            help="YAML file whose tool_rules to try instead, such as that of an agent",
        ),
        ANY_QUERY,
        option(
            "--limit",
            metavar="N",
            type=int,
            default=USUAL_TAPES,
            help="maximum number of tapes, the newest ones first; without a query, tapes of the "
            f"agent (default: {USUAL_TAPES})",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        limit = options["limit"]
        if not 1 <= limit <= MOST_TAPES:
            raise InvalidInputError(f"--limit must be 1 to {MOST_TAPES:,}.")
        version = load_version(named.read_version(person, options["agent"]), person.project_id)
        rules = version.spec.tool_rules
        if options["rules"] is not None:
            rules = _read_rules(options["rules"])
        query = options["query"] or f"agent:{quote(version.agent_name)}"
        found = dry_run_rules(person, rules, query, limit=limit)
        for call in found.calls:
            self.print_line(_show(call))
        if found.stopped_count > len(found.calls):
            self.print_line(f"and {found.stopped_count - len(found.calls)} more")
        for number, rule in enumerate(found.rules, start=1):
            self.print_line(f"rule {number}: {count_of(rule.count, 'call')}: {rule.sentence}")
        cut = ", the rest was too long" if found.is_cut else ""
        return Answer(
            f"{count_of(found.tape_count, 'tape')} read{cut}: "
            f"{count_of(found.stopped_count, 'call')} would have been stopped.",
            asdict(found),
        )


def _read_rules(path: Path) -> tuple[ToolRule, ...]:
    written = read_yaml_spec(read_file(path)).get("tool_rules")
    if not isinstance(written, list):
        raise InvalidInputError(f"{str(path)!r} has no list tool_rules.")
    with refusing_misfits():
        return tuple(map(ToolRule.model_validate, written))


def _show(call: StoppedCall) -> str:
    place = f"{call.tape_id} step {call.position}"
    return f"{place}: {_DONE[call.action]} by rule {call.rule + 1}: {call.tool} {call.arguments}"
