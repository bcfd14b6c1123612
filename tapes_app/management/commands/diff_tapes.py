"""Compare two tapes step by step, or two batches pair by pair."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from tapes_app.batches.services.comparison import diff_batches
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management import named
from tapes_app.management.arguments import option
from tapes_app.management.batch_lines import describe_diff, diff_values, summarize_diff
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.rows import OutlineRow
from tapes_app.tapes.services.diff import DiffLine, TapeComparison, diff_tapes

_MARKS = {"equal": "  ", "changed": "~ ", "moved": "> ", "removed": "- ", "inserted": "+ "}


class Command(StudioCommand):
    help = (
        "Align the steps of two tapes by content and show where they diverge, or pair the tapes "
        "of two batches and show which outcomes changed. The exit status is 0 if they are "
        "equal, else 1."
    )

    arguments = (
        option("ids", metavar="ID", nargs="*", help="ids of the two tapes"),
        option(
            "--batch",
            metavar="NAME",
            action="append",
            default=[],
            help="name of a batch or a lens; give it twice",
        ),
        option(
            "--by",
            metavar="KEY",
            default="task",
            help="how to pair the tapes: task, start, title, source_id, expected, or a JSON "
            "pointer into /metadata or /context",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        ids, batches = options["ids"], options["batch"]
        if sorted((len(ids), len(batches))) != [0, 2]:
            raise InvalidInputError(
                "Give the ids of the two tapes, or --batch twice with its name."
            )
        if ids:
            return self._diff_tapes(person, [named.find_tape(person, text) for text in ids])
        return self._diff_batches(person, batches, by=options["by"])

    def _diff_batches(self, person: Person, names: Sequence[str], *, by: str) -> Answer:
        left, right = (named.find_side(person, name) for name in names)
        diff = diff_batches(person, left, right, by=by)
        for line in describe_diff(diff):
            self.print_line(line)
        return Answer(summarize_diff(diff), diff_values(diff), is_done=diff.is_equal)

    def _diff_tapes(self, person: Person, ids: Sequence[UUID]) -> Answer:
        diff = diff_tapes(person, *ids)
        for row in diff.rows:
            self._show(row)
        counts = Counter[str]()
        for row in diff.rows:
            counts[row.op] += row.count
        values = {
            "left": str(diff.left.id),
            "right": str(diff.right.id),
            "outcomes": [diff.left.outcome, diff.right.outcome],
            "scores": [diff.left.score, diff.right.score],
            "first_divergence": diff.first_divergence,
            **{op: counts[op] for op in _MARKS},
            "rows": [_describe(row) for row in diff.rows],
        }
        is_equal = diff.first_divergence is None
        return Answer(_summarize(diff, counts), values, is_done=is_equal)

    def _show(self, row: DiffLine) -> None:
        if row.op == "equal":
            self.print_line(f"{_MARKS['equal']}{row.count} equal")
            return
        line = row.left or row.right
        self.print_line(f"{_MARKS[row.op]}{_position(row.left, row.right)} {_words(line)}")
        for field in row.fields:
            self.print_line(
                f"      {field.path}: {str(field.old)[:80]!r} -> {str(field.new)[:80]!r}"
            )


def _summarize(diff: TapeComparison, counts: Counter[str]) -> str:
    if diff.first_divergence is None:
        order = ", in another order of those called together" if len(diff.rows) > 1 else ""
        return f"Equal: {counts['equal']} steps{order}."
    return (
        f"{counts['equal']} steps equal, {counts['changed']} changed, {counts['moved']} moved, "
        f"{counts['removed']} removed, {counts['inserted']} inserted; first difference at step "
        f"{diff.first_divergence}."
    )


def _position(left: OutlineRow | None, right: OutlineRow | None) -> str:
    return f"{left.position if left else '-'}/{right.position if right else '-'}"


def _words(line: OutlineRow | None) -> str:
    return f"{line.kind}: {line.gist[:100]}" if line is not None else ""


def _describe(row: DiffLine) -> dict[str, Any]:
    return {
        "op": row.op,
        "count": row.count,
        "left": row.left.position if row.left else None,
        "right": row.right.position if row.right else None,
        "fields": [
            {"path": field.path, "op": field.op, "old": field.old, "new": field.new}
            for field in row.fields
        ],
    }
