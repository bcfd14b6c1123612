"""Compare two tapes step by step."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import CommandParser

from tapes_app.management.command_line import Answer, StudioCommand, find_tape
from tapes_app.services.diff import ShownDiff, ShownRow, diff_tapes
from tapes_app.services.people import Person
from tapes_app.storage.rows import OutlineRow

_MARKS = {"equal": "  ", "changed": "~ ", "removed": "- ", "inserted": "+ "}


class Command(StudioCommand):
    help = "Align the steps of two tapes by content and show where they part."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("left", metavar="A", help="id of a tape")
        parser.add_argument("right", metavar="B", help="id of another tape")

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        ids = [find_tape(person, options[side]) for side in ("left", "right")]
        diff = diff_tapes(person, *ids)
        for row in diff.rows:
            self._show(row)
        counts = Counter[str]()
        for row in diff.rows:
            counts[row.op] += row.count
        values = {
            "left": str(diff.left.id),
            "right": str(diff.right.id),
            "first_divergence": diff.first_divergence,
            **{op: counts[op] for op in _MARKS},
            "rows": [_describe(row) for row in diff.rows],
        }
        return Answer(_summarize(diff, counts), values)

    def _show(self, row: ShownRow) -> None:
        if row.op == "equal":
            self.tell(f"{_MARKS['equal']}{row.count} equal")
            return
        line = row.left or row.right
        self.tell(f"{_MARKS[row.op]}{_position(row.left, row.right)} {_words(line)}")
        for field in row.fields:
            self.tell(f"      {field.path}: {str(field.old)[:80]!r} -> {str(field.new)[:80]!r}")


def _summarize(diff: ShownDiff, counts: Counter[str]) -> str:
    if diff.first_divergence is None:
        return f"Equal: {counts['equal']} steps."
    return (
        f"{counts['equal']} steps equal, {counts['changed']} changed, {counts['removed']} removed, "
        f"{counts['inserted']} inserted; they part at step {diff.first_divergence}."
    )


def _position(left: OutlineRow | None, right: OutlineRow | None) -> str:
    return f"{left.position if left else '-'}/{right.position if right else '-'}"


def _words(line: OutlineRow | None) -> str:
    return f"{line.kind}: {line.gist[:100]}" if line is not None else ""


def _describe(row: ShownRow) -> dict[str, Any]:
    return {
        "op": row.op,
        "count": row.count,
        "left": row.left.position if row.left else None,
        "right": row.right.position if row.right else None,
        "fields": [
            {"path": field.path, "old": field.old, "new": field.new} for field in row.fields
        ],
    }
