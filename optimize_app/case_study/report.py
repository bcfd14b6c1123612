"""The report of a study: GREADTH by behaviour and arm, paired differences, tokens and cost."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from optimize_app.case_study.settings import StudySettings
from tapes_app.gallery.form_filler.greadth.scores import CRITERIA, TurnScore, tabulate
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.clustered_means import clustered_mean
from tapes_app.statistics.comparisons import compare
from tapes_app.statistics.rates import rate_interval

TEACHER = "teacher"


@dataclass(frozen=True)
class ArmReport:
    """What an arm did in all of its turns."""

    greadth: float
    low: float
    """Lower end of the 95 % interval, clustered by dialogue."""

    high: float
    count: int
    invalid_share: float
    error_count: int
    """Turns in which its model failed; they meet no criterion."""

    shares: Mapping[str, float]
    by_behaviour: Mapping[str, float]
    input_tokens: float
    """In a turn, on average."""

    output_tokens: float
    comparable_tokens: float
    """Of both, counted by one rule for all arms: four characters are a token."""

    dollars_per_million_turns: float


@dataclass(frozen=True)
class WholeReport:
    """How many of an arm's dialogues ended with the form that the user wanted."""

    success: float
    low: float
    high: float
    count: int
    ends: Mapping[str, int]
    """How they ended; empty: they did not, or their model failed."""


Lines = Mapping[str, Sequence[Mapping[str, Any]]]
"""What was written down of each arm."""


def write_report(
    settings: StudySettings, lines: Lines, whole: Lines, pieces: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the report of what each arm answered, turn by turn and in whole dialogues."""
    scores = _read_scores(settings, lines)
    arms = {arm: _summarize(settings, scores, arm, lines[arm]) for arm in lines}
    return {
        "settings": settings.model_dump(mode="json"),
        "pieces": dict(pieces),
        "arms": {name: asdict(arm) for name, arm in arms.items()},
        "whole": {arm: asdict(_count_ends(played)) for arm, played in whole.items()},
        "against_the_teacher": {arm: _compare(scores, arm) for arm in arms if arm != TEACHER},
        "times_cheaper": {
            name: _divide(arms[TEACHER].dollars_per_million_turns, arm.dollars_per_million_turns)
            for name, arm in arms.items()
            if name != TEACHER
        },
    }


def _count_ends(played: Sequence[Mapping[str, Any]]) -> WholeReport:
    successes, count = sum(line["succeeds"] for line in played), len(played)
    low, high = rate_interval(successes / count, count)
    ends = Counter(line["end"] for line in played)
    return WholeReport(successes / count, low, high, count, dict(ends))


def _read_scores(settings: StudySettings, lines: Lines) -> Scores:
    return Scores.of(
        Attempt(
            task=f"{line['company']} {line['key']}",
            variant=arm,
            seed=settings.seed,
            score=float(TurnScore(**line["score"]).passes),
            cluster=f"{line['company']} {line['root']}",
        )
        for arm, answered in lines.items()
        for line in answered
    )


def _summarize(
    settings: StudySettings, scores: Scores, arm: str, lines: Sequence[Mapping[str, Any]]
) -> ArmReport:
    of_arm = scores.of_variant(arm)
    estimate = clustered_mean(of_arm.mean, of_arm.cluster).rate_interval(len(of_arm.mean))
    table = tabulate((line["behaviour"], TurnScore(**line["score"])) for line in lines)
    everything = table.pop("ALL")
    count = len(lines)
    read = sum(line["input_tokens"] for line in lines) / count
    written = sum(line["output_tokens"] for line in lines) / count
    alike = sum(line["comparable_tokens"] for line in lines) / count
    price = settings.teacher_price if arm == TEACHER else settings.student_price
    return ArmReport(
        greadth=everything.greadth,
        low=estimate.low,
        high=estimate.high,
        count=count,
        invalid_share=sum(not line["is_valid"] for line in lines) / count,
        error_count=sum(bool(line["error"]) for line in lines),
        shares=everything.shares,
        by_behaviour={name: row.greadth for name, row in table.items()},
        input_tokens=read,
        output_tokens=written,
        comparable_tokens=alike,
        dollars_per_million_turns=alike * price,
    )


def _compare(scores: Scores, arm: str) -> dict[str, Any]:
    found = compare(scores, TEACHER, arm)
    if found is None:
        return {}
    return {
        "difference": found.difference.value,
        "low": found.difference.low,
        "high": found.difference.high,
        "p_value": found.p_value,
        "turns": found.difference.count,
        "dialogues": found.clusters,
    }


def _divide(first: float, second: float) -> float | None:
    return first / second if second else None


def write_markdown(report: Mapping[str, Any]) -> str:
    """Return the report to read."""
    arms = report["arms"]
    behaviours = sorted({name for arm in arms.values() for name in arm["by_behaviour"]})
    return "\n".join(
        [
            "# GREADTH of the form filler",
            "",
            *_write_table(
                ("arm", "turns", "GREADTH", "95 % interval", *CRITERIA, "invalid"),
                (
                    (
                        name,
                        arm["count"],
                        _percent(arm["greadth"]),
                        f"{_percent(arm['low'])} to {_percent(arm['high'])}",
                        *(_percent(arm["shares"][one]) for one in CRITERIA),
                        _percent(arm["invalid_share"]),
                    )
                    for name, arm in arms.items()
                ),
            ),
            "",
            "Intervals are clustered by dialogue: turns of one user are not independent.",
            "",
            *_write_table(
                ("against the teacher", "difference", "95 % interval", "p", "turns"),
                (
                    (
                        name,
                        _percent(one["difference"]),
                        f"{_percent(one['low'])} to {_percent(one['high'])}",
                        "" if one["p_value"] is None else f"{one['p_value']:.2g}",
                        one["turns"],
                    )
                    for name, one in report["against_the_teacher"].items()
                    if one
                ),
            ),
            "",
            *_write_whole(report["whole"]),
            *_write_table(
                (
                    "arm",
                    "input tokens",
                    "output tokens",
                    "comparable",
                    "$ per million turns",
                    "times cheaper",
                ),
                (
                    (
                        name,
                        f"{arm['input_tokens']:,.0f}",
                        f"{arm['output_tokens']:,.0f}",
                        f"{arm['comparable_tokens']:,.0f}",
                        f"{arm['dollars_per_million_turns']:,.0f}",
                        _times(report["times_cheaper"].get(name)),
                    )
                    for name, arm in arms.items()
                ),
            ),
            "",
            "Input and output tokens are those of each model's own tokenizer. The cost is that of "
            "comparable tokens: four characters each, for all arms.",
            "",
            *_write_table(
                ("behaviour", *arms),
                (
                    (name, *(_percent(arm["by_behaviour"].get(name)) for arm in arms.values()))
                    for name in behaviours
                ),
            ),
            "",
            *_write_batches(report["pieces"].get("batches", {})),
        ]
    )


def _write_batches(batches: Mapping[str, str]) -> Iterator[str]:
    if batches:
        names = ", ".join(f"`{name}`" for name in batches.values())
        yield (
            f"Every answer is a tape of the studio, in the batches {names}, with the behaviour of "
            "the user and each criterion that was missed as tags. Compare two of them on the page "
            "*Batches*."
        )
        yield ""


def _write_whole(whole: Mapping[str, Any]) -> Iterator[str]:
    if not whole:
        return
    yield from _write_table(
        ("arm", "whole dialogues", "success", "95 % interval", "ended invalid"),
        (
            (
                name,
                one["count"],
                _percent(one["success"]),
                f"{_percent(one['low'])} to {_percent(one['high'])}",
                one["ends"].get("invalid", 0),
            )
            for name, one in whole.items()
        ),
    )
    yield ""
    yield (
        "A whole dialogue succeeds if the form that was submitted is the one that its user wanted, "
        "with all values."
    )
    yield ""


def _write_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share * 100:.1f} %"


def _times(factor: float | None) -> str:
    return "" if factor is None else f"{factor:,.0f}"
