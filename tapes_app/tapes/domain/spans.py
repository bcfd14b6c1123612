"""Spans: a tape as a list of stretches of step logs. Pure arithmetic, no tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Span:
    """`count` steps of one log, from `start`."""

    log: UUID
    start: int
    count: int

    @property
    def end(self) -> int:
        return self.start + self.count


Spans = tuple[Span, ...]


def read_spans(stored: Iterable[Sequence[object]]) -> Spans:
    """Return spans from their stored form, `[[log, start, count], …]`."""
    return tuple(
        Span(UUID(str(log)), int(str(start)), int(str(count))) for log, start, count in stored
    )


def write_spans(spans: Spans) -> list[list[object]]:
    return [[str(span.log), span.start, span.count] for span in spans]


def join_spans(spans: Iterable[Span]) -> Spans:
    """Return spans with adjacent ones merged and empty ones dropped."""
    joined: list[Span] = []
    for span in spans:
        if not span.count:
            continue
        last = joined[-1] if joined else None
        if last is not None and last.log == span.log and last.end == span.start:
            joined[-1] = Span(last.log, last.start, last.count + span.count)
        else:
            joined.append(span)
    return tuple(joined)


def cut_spans(spans: Spans, start: int, count: int) -> Spans:
    """Return the spans of `count` steps of a tape, starting at its step `start`."""
    return tuple(_cut(spans, start, start + count))


def _cut(spans: Spans, start: int, end: int) -> Iterator[Span]:
    offset = 0
    for span in spans:
        low, high = max(start, offset), min(end, offset + span.count)
        if low < high:
            yield Span(span.log, span.start + low - offset, high - low)
        offset += span.count


def places(spans: Spans) -> Iterator[tuple[UUID, int]]:
    """Yield the log and position of each step of a tape in order."""
    for span in spans:
        for position in range(span.start, span.end):
            yield span.log, position


def find_place(spans: Spans, log: UUID, place: int) -> int | None:
    """Return where a tape shows the step at a place of a log; `None` if nowhere."""
    offset = 0
    for span in spans:
        if span.log == log and span.start <= place < span.end:
            return offset + place - span.start
        offset += span.count
    return None


def count_shared_start(one: Spans, other: Spans) -> int:
    """Return how many leading step rows two tapes share."""
    shared = 0
    for left, right in zip(one, other, strict=False):
        if (left.log, left.start) != (right.log, right.start):
            break
        shared += min(left.count, right.count)
        if left.count != right.count:
            break
    return shared
