"""Grow trees of form-filling dialogues in a folder, or go on where that was stopped."""

import resource
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from optimize_app.case_study.services.growing import describe_tree, grow_trees
from optimize_app.case_study.settings import TRAIN_COMPANIES, TreeRequest
from tapes_app.management.arguments import option, refusing_misfits
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Grow a tree of partial dialogues for each company: form_teacher and simulated users take "
        "turns, and dialogues share their beginnings. The same seed gives the same trees. Repeat "
        "the command to go on after it was stopped."
    )

    arguments = (
        option("folder", metavar="FOLDER", type=Path, help="where the trees are kept"),
        option("--company", metavar="NAME", nargs="+", default=[], help="default: those to train"),
        option("--phrases", choices=("train", "held_out"), default="train"),
        option("--width", metavar="N", type=int, default=500, help="dialogues at each depth"),
        option("--depth", metavar="N", type=int, default=9, help="turns of users (default 9)"),
        option("--seed", metavar="N", type=int, default=0),
        option("--teacher", metavar="MODEL", default="", help="else the script, without a key"),
        option(
            "--error-rate",
            metavar="SHARE",
            type=float,
            default=0.0,
            help="share of the script's answers that have a mistake",
        ),
        option("--at-once", metavar="N", type=int, default=8, help="continuations at a time"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        with refusing_misfits():
            request = TreeRequest(
                companies=tuple(options["company"]) or TRAIN_COMPANIES,
                phrases=options["phrases"],
                width=options["width"],
                depth=options["depth"],
                seed=options["seed"],
                teacher=options["teacher"],
                error_rate=options["error_rate"],
                at_once=options["at_once"],
            )
        start = time.monotonic()
        new = grow_trees(person, request, options["folder"])
        seconds = time.monotonic() - start
        trees = {name: describe_tree(options["folder"], name) for name in request.companies}
        count = sum(tree.count for tree in trees.values())
        size = sum(tree.size_bytes for tree in trees.values())
        values = {
            "continuations": count,
            "new": new,
            "seconds": round(seconds, 1),
            "new_per_second": round(new / seconds, 1),
            "bytes_per_continuation": size // max(1, count),
            "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "trees": {name: asdict(tree) for name, tree in trees.items()},
        }
        for name, tree in trees.items():
            self.print_line(f"{name}: {count_of(tree.count, 'continuation')}")
        return Answer(
            f"{count_of(count, 'continuation')}, {new:,} of them new: {values['new_per_second']} a "
            f"second, {values['bytes_per_continuation']:,} bytes each, at most "
            f"{values['peak_megabytes']} MB of memory.",
            values,
        )
