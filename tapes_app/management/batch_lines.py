"""A comparison of two batches as lines for a terminal and as a JSON object."""

from collections.abc import Iterator
from typing import Any

from tapes_app.batches.services.comparison import BatchDiff, TapePair
from tapes_app.projects.domain.wording import count_of

_WORDS = {"pass": "pass", "fail": "fail", "": "unjudged"}
_WHY = {
    "alone": "no tape with its key in the other batch",
    "no_key": "no key",
    "duplicate": "several tapes share its key",
}
_UNITS = {"cost": " $", "duration": " s"}


def describe_diff(diff: BatchDiff) -> Iterator[str]:
    """Yield the table of a comparison, line by line."""
    for pair in diff.pairs:
        yield _pair_line(pair)
    for one in diff.left_out:
        name = one.tape.task or one.tape.title
        yield f"{'<' if one.side == 'left' else '>'} {name[:100]}: {_WHY[one.why]}"
    for change in diff.transitions:
        if change.count:
            yield f"{_WORDS[change.left]} -> {_WORDS[change.right]}: {change.count}"
    for metric in diff.metrics:
        unit = _UNITS.get(metric.metric, "")
        yield (
            f"{metric.metric}: {metric.left:.4g} -> {metric.right:.4g}{unit} "
            f"({metric.difference.value:+.4g})"
        )
    for parting in diff.partings:
        place = ".".join(filter(None, (parting.agent, parting.node)))
        yield f"diverge at {parting.kind or 'the end'} {place}: {parting.count}"


def _pair_line(pair: TapePair) -> str:
    name = (pair.left.task or pair.left.title)[:100]
    change = f"{_WORDS[pair.left.outcome]} -> {_WORDS[pair.right.outcome]}"
    if pair.match is None:
        return f"? {name}: {change}; too many steps to compare"
    if pair.match.first_left is None:
        return f"= {name}: {change}; {count_of(pair.match.equal, 'step')} equal"
    return f"~ {name}: {change}; diverge at step {pair.match.first_left}"


def summarize_diff(diff: BatchDiff) -> str:
    """Return one line that sums up a comparison."""
    if diff.is_equal:
        return f"Equal: {count_of(len(diff.pairs), 'pair')}."
    counts = {(one.left, one.right): one.count for one in diff.transitions}
    parts = [
        count_of(len(diff.pairs), "pair"),
        f"{diff.equal_count} equal",
        f"{len(diff.left_out)} unpaired",
        f"{counts['pass', 'fail']} pass to fail",
        f"{counts['fail', 'pass']} fail to pass",
    ]
    if diff.p_value is not None:
        parts.append(f"p = {diff.p_value:.3g}")
    if diff.left.is_cut or diff.right.is_cut:
        parts.append("only the first tapes of each batch were compared")
    return ", ".join(parts) + "."


def diff_values(diff: BatchDiff) -> dict[str, Any]:
    """Return what `--json` prints."""
    return {
        "by": diff.by,
        "left": diff.left.name,
        "right": diff.right.name,
        "is_equal": diff.is_equal,
        "is_cut": diff.left.is_cut or diff.right.is_cut,
        "pairs": [_pair_values(pair) for pair in diff.pairs],
        "left_out": [
            {"side": one.side, "why": one.why, "tape": str(one.tape.id), "task": one.tape.task}
            for one in diff.left_out
        ],
        "transitions": [
            {"left": one.left, "right": one.right, "count": one.count} for one in diff.transitions
        ],
        "p_value": diff.p_value,
        "metrics": {
            one.metric: {
                "left": one.left,
                "right": one.right,
                "difference": one.difference.value,
                "low": one.difference.low,
                "high": one.difference.high,
                "pairs": one.difference.count,
            }
            for one in diff.metrics
        },
    }


def _pair_values(pair: TapePair) -> dict[str, Any]:
    return {
        "left": str(pair.left.id),
        "right": str(pair.right.id),
        "task": pair.left.task,
        "outcomes": [pair.left.outcome, pair.right.outcome],
        "first_divergence": pair.match.first_left if pair.match else None,
        "is_equal": pair.match is not None and pair.match.first_left is None,
    }
