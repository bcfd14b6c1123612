"""The aligned difference of two tapes: equal runs, changed pairs, and steps moved, removed, added.

Equal steps are found by content hash (longest matching blocks). Between them, steps of one kind are
paired as changed when their words are similar, or when the same node wrote both and there is no
better pair; so are the observations that directly follow a pair. A step removed in one place and
added in another has moved. Steps are never paired by index.

Steps of agents that were called together are compared lane by lane: the order in which lanes
finished is no difference. Rows are in the order of the right tape.
"""

import difflib
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from tapes_app.engine.model.messages import canonical_json, digest_json
from tapes_app.engine.tape.field_diff import FieldDiff, diff_fields, diff_sets
from tapes_app.engine.tape.lanes import order_by_lane
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.tape import Tape

DiffOp = Literal["equal", "changed", "moved", "removed", "inserted"]

MAX_PAIRING_CELLS = 300_000
"""With more pairs than this in one gap, steps are shown as removed and inserted instead."""

LEAST_MOVED = 20
"""How many letters and digits a step needs to count as moved: short content recurs by chance."""

MIN_LIKENESS = 0.3
SAME_RUN_GAIN = 1.0
SAME_NODE_GAIN = 0.001
"""Small enough that a gap full of such pairs never costs a pair with similar words."""

_WORD = re.compile(r"\w+")


class DiffRow(BaseModel):
    """One line of the diff: a run of equal steps, or one step that differs.

    A moved step has its row at its position on the right; `left` is where it was.
    """

    model_config = ConfigDict(frozen=True)

    op: DiffOp
    left: int | None
    """Position on the left tape; `None` for an inserted step."""

    right: int | None
    count: int = 1
    fields: tuple[FieldDiff, ...] = ()


class TapeDiff(BaseModel):
    """All rows in order."""

    model_config = ConfigDict(frozen=True)

    rows: tuple[DiffRow, ...]

    @property
    def is_equal(self) -> bool:
        return all(row.op == "equal" for row in self.rows)

    @property
    def first_divergence(self) -> int | None:
        """Position on the left tape where the two diverge; `None` when they are equal."""
        if self.is_equal:
            return None
        found = [row.left for row in self.rows if row.op != "equal" and row.left is not None]
        for before, row in pairwise((None, *self.rows)):
            if row is not None and row.op in ("inserted", "moved"):
                found.append(0 if before is None else (before.left or 0) + before.count)
                break
        return min(found)


def diff_tapes(left: Tape, right: Tape) -> TapeDiff:
    """Return the aligned diff of two tapes by content; of the metadata, only lanes count."""
    return diff_steps(left.steps, right.steps)


def diff_steps(left: Sequence[Step], right: Sequence[Step], *, shared: int = 0) -> TapeDiff:
    """Return the aligned diff of two lists of steps.

    Both tapes start with `shared` steps known to be equal, which are not among the given ones.
    """
    rows = _diff_rest(left, right)
    if shared:
        rows = [_shifted(row, shared) for row in rows]
        goes_on = bool(rows) and rows[0].op == "equal" and rows[0].left == rows[0].right == shared
        shared_rows = rows[0].count if goes_on else 0
        rows[: int(shared_rows > 0)] = [
            DiffRow(op="equal", left=0, right=0, count=shared + shared_rows)
        ]
    return TapeDiff(rows=tuple(rows))


def _shifted(row: DiffRow, by: int) -> DiffRow:
    left, right = (None if at is None else at + by for at in (row.left, row.right))
    return row.model_copy(update={"left": left, "right": right})


def _diff_rest(left: Sequence[Step], right: Sequence[Step]) -> list[DiffRow]:
    if not any(step.metadata.lane for step in (*left, *right)):
        return _align_steps(left, right)
    lefts, rights = order_by_lane(left), order_by_lane(right)
    rows = _align_steps([left[at] for at in lefts], [right[at] for at in rights])
    return _in_recorded_order(rows, lefts, rights)


def _in_recorded_order(
    rows: Sequence[DiffRow], lefts: Sequence[int], rights: Sequence[int]
) -> list[DiffRow]:
    """Return rows of steps in other orders with their recorded places, as the right tape goes on.

    `lefts` and `rights` have the recorded places. A removed step stays behind the one before it.
    """
    placed: list[tuple[tuple[int, int], DiffRow]] = []
    last = -1
    for row in rows:
        for offset in range(row.count):
            left = None if row.left is None else lefts[row.left + offset]
            right = None if row.right is None else rights[row.right + offset]
            last = last if right is None else right
            single = row.model_copy(update={"left": left, "right": right, "count": 1})
            placed.append(((last, int(right is None)), single))
    found: list[DiffRow] = []
    for _, row in sorted(placed, key=lambda one: one[0]):
        before = found[-1] if found else None
        if before is not None and _continues(before, row):
            found[-1] = before.model_copy(update={"count": before.count + 1})
        else:
            found.append(row)
    return found


def _continues(before: DiffRow, row: DiffRow) -> bool:
    if before.op != "equal" or row.op != "equal" or before.left is None or before.right is None:
        return False
    return (row.left, row.right) == (before.left + before.count, before.right + before.count)


def _align_steps(left: Sequence[Step], right: Sequence[Step]) -> list[DiffRow]:
    lefts, rights = ([_item(step) for step in steps] for steps in (left, right))
    rows: list[DiffRow] = []
    lefts, rights = _mark_kept(lefts, rights), _mark_kept(rights, lefts)
    matcher = difflib.SequenceMatcher(
        a=[(item.lane, item.digest) for item in lefts],
        b=[(item.lane, item.digest) for item in rights],
        autojunk=False,
    )
    for op, start, stop, other_start, other_stop in matcher.get_opcodes():
        if op == "equal":
            rows.append(DiffRow(op="equal", left=start, right=other_start, count=stop - start))
        else:
            rows.extend(_pair_gap(lefts, rights, (start, stop), (other_start, other_stop)))
    return _join_moved(rows, lefts, rights)


class _Item(NamedTuple):
    """The parts of a step that the alignment uses."""

    step: Step
    content: dict[str, Any]
    digest: bytes
    is_kept: bool = False
    """The other tape also has its content somewhere: then it was not rewritten."""

    @property
    def prompt_id(self) -> str:
        return self.step.metadata.prompt_id

    @property
    def lane(self) -> str:
        return self.step.metadata.lane

    @property
    def node(self) -> str:
        return self.step.metadata.node


def _item(step: Step) -> _Item:
    content = step.content_dict()
    return _Item(step, content, digest_json(content))


def _mark_kept(items: Sequence[_Item], others: Sequence[_Item]) -> list[_Item]:
    known = {other.digest for other in others}
    return [item._replace(is_kept=item.digest in known) for item in items]


def _pair_gap(
    lefts: Sequence[_Item],
    rights: Sequence[_Item],
    left_span: tuple[int, int],
    right_span: tuple[int, int],
) -> list[DiffRow]:
    rows: list[DiffRow] = []
    next_left, next_right = left_span[0], right_span[0]

    def flush(left_stop: int, right_stop: int) -> None:
        rows.extend(DiffRow(op="removed", left=i, right=None) for i in range(next_left, left_stop))
        rows.extend(
            DiffRow(op="inserted", left=None, right=j) for j in range(next_right, right_stop)
        )

    some, others = lefts[slice(*left_span)], rights[slice(*right_span)]
    for i, j in _add_answers(_align(some, others), some, others):
        left, right = left_span[0] + i, right_span[0] + j
        flush(left, right)
        fields = diff_content(lefts[left].step, rights[right].step)
        rows.append(DiffRow(op="changed", left=left, right=right, fields=fields))
        next_left, next_right = left + 1, right + 1
    flush(left_span[1], right_span[1])
    return rows


def _join_moved(
    rows: Sequence[DiffRow], lefts: Sequence[_Item], rights: Sequence[_Item]
) -> list[DiffRow]:
    """Combine a step removed in one place and added, alone, in another into one row."""
    taken_out = _single(lefts, [row.left for row in rows if row.op == "removed"])
    put_in = _single(rights, [row.right for row in rows if row.op == "inserted"])
    moved = {put_in[digest]: at for digest, at in taken_out.items() if digest in put_in}
    moved_positions = {*moved.values()}
    joined = []
    for row in rows:
        if row.op == "removed" and row.left in moved_positions:
            continue
        if row.op == "inserted" and row.right in moved:
            joined.append(DiffRow(op="moved", left=moved[row.right], right=row.right))
        else:
            joined.append(row)
    return joined


def _single(items: Sequence[_Item], places: Sequence[int | None]) -> dict[bytes, int]:
    """Return the positions of steps with enough content that occur exactly once among these."""
    found = [at for at in places if at is not None]
    counts = Counter(items[at].digest for at in found)
    return {
        items[at].digest: at
        for at in found
        if counts[items[at].digest] == 1 and sum(map(len, _words(items[at].content))) >= LEAST_MOVED
    }


def diff_content(old: Step, new: Step) -> tuple[FieldDiff, ...]:
    """Return the fields that differ between two steps; sets are compared regardless of order."""
    sets = old.set_fields & new.set_fields
    olds, news = old.content_dict(), new.content_dict()
    found = diff_fields(_without(olds, sets), _without(news, sets))
    for name in sorted(sets):
        found += diff_sets(olds.get(name) or [], news.get(name) or [], name)
    return found


def _without(content: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name not in names}


def _align(lefts: Sequence[_Item], rights: Sequence[_Item]) -> list[tuple[int, int]]:
    """Return the order-preserving pairs of similar steps with the greatest total similarity."""
    if not lefts or not rights or len(lefts) * len(rights) > MAX_PAIRING_CELLS:
        return []
    right_words = [_words(item.content) for item in rights]
    best = [[0.0] * (len(rights) + 1) for _ in range(len(lefts) + 1)]
    for i, left in enumerate(lefts):
        words, row, above = _words(left.content), best[i + 1], best[i]
        for j, right in enumerate(rights):
            gain = _gain(left, right, words, right_words[j])
            row[j + 1] = max(above[j + 1], row[j], above[j] + gain)
    return _trace_back(best)


def _add_answers(
    pairs: Sequence[tuple[int, int]], lefts: Sequence[_Item], rights: Sequence[_Item]
) -> list[tuple[int, int]]:
    """Return the pairs with the observations after each added: they answer the same, differently.

    The start of a gap also follows a pair: of equal steps, or the starts of the tapes.
    """
    taken_lefts, taken_rights = {i for i, _ in pairs}, {j for _, j in pairs}
    found = list(pairs)
    for at, other_at in [(-1, -1), *pairs]:
        i, j = at + 1, other_at + 1
        while i < len(lefts) and j < len(rights) and i not in taken_lefts and j not in taken_rights:
            if not _answer_alike(lefts[i], rights[j]):
                break
            found.append((i, j))
            i, j = i + 1, j + 1
    return sorted(found)


def _answer_alike(left: _Item, right: _Item) -> bool:
    return (
        left.content["kind"] == right.content["kind"]
        and left.lane == right.lane
        and family_of(left.step) == family_of(right.step) == "observation"
        and not (left.is_kept or right.is_kept)
    )


def _trace_back(best: list[list[float]]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    i, j = len(best) - 1, len(best[0]) - 1
    while i and j:
        # Of equally good pairs, the first ones on both tapes are taken.
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def _gain(
    left: _Item, right: _Item, left_words: frozenset[str], right_words: frozenset[str]
) -> float:
    """Return how well two steps match; 0 when they do not.

    Steps of one kind from the same node run are an edit, whatever their words: a person who
    rewrites a step keeps its prompt id. Otherwise the share of common words counts (Jaccard index),
    and last that the same node wrote both.
    """
    if left.content["kind"] != right.content["kind"] or left.lane != right.lane:
        return 0.0
    union = len(left_words | right_words)
    likeness = len(left_words & right_words) / union if union else 1.0
    if left.prompt_id and left.prompt_id == right.prompt_id:
        return SAME_RUN_GAIN + likeness
    if likeness >= MIN_LIKENESS:
        return likeness
    if left.node and left.node == right.node and not (left.is_kept or right.is_kept):
        return SAME_NODE_GAIN * (1 + likeness)
    return 0.0


def _words(content: dict[str, Any]) -> frozenset[str]:
    """Return the words of a step's data; its kind and field names do not count as similar."""
    values = [canonical_json(value) for key, value in content.items() if key != "kind"]
    return frozenset(_WORD.findall(" ".join(values)))
