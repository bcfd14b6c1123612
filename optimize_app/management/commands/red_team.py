"""Run an agent on tasks with planted instructions, and print how often it follows them."""

import json
from typing import Any

from optimize_app.evaluation.services.sweeps.shipped_attacks import ensure_attacks
from optimize_app.management.commands import evaluate
from optimize_app.management.suite_lines import check_report_file
from optimize_app.management.sweep_arguments import MODELS, SWEEP
from tapes_app.management.arguments import option, settings_option
from tapes_app.management.command import Answer
from tapes_app.projects.services.people import Person

_SCORER = json.dumps({"kind": "attack"})


class Command(evaluate.Command):
    help = (
        "Run an agent on tasks whose tools answer with a planted instruction, and print a table: "
        "how often it followed the instruction, tried to but was stopped by a tool rule, or "
        "refused; and how often it did its task all the same. With several agents, the others "
        "are compared with the first."
    )
    arguments = (
        option(
            "agent",
            metavar="AGENT",
            nargs="+",
            help="its newest version, or NAME@3; the attacks on the first one are used",
        ),
        option(
            "--dataset",
            metavar="NAME",
            help="attacks of your own (default: those that ship with the agent)",
        ),
        option("--name", metavar="NAME", help="name of the sweep (default: that of the dataset)"),
        MODELS,
        settings_option('sent to the model, such as script={"gullibility": 0.5} for a script'),
        *SWEEP,
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        check_report_file(options["export"])
        agent = options["agent"][0].partition("@")[0]
        dataset = options["dataset"] or ensure_attacks(person, agent)
        sweep = {
            "name": options["name"] or dataset,
            "query": f"dataset:{json.dumps(dataset, ensure_ascii=False)}",
            "scorer": _SCORER,
            "order_seed": None,
            "tools": "live",
        }
        return self.evaluate_sweep(person, {**options, **sweep})
