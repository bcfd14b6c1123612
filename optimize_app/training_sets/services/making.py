"""A training set being made: its files, and the counts kept while they are written."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO
from uuid import UUID

from optimize_app.training_sets.examples import learn_once
from optimize_app.training_sets.recorded_tokens import REBUILT
from optimize_app.training_sets.samples import Sample, TokenExample
from optimize_app.training_sets.splitting import Side
from optimize_app.training_sets.store.sets import RebuiltCalls, SetFacts, SetPart, SourceTape


@dataclass
class Making:
    """What has been written so far."""

    files: Mapping[Side, IO[str]]
    base: str
    """The base whose recorded tokens it contains; empty: none."""

    counts: dict[Side, int] = field(default_factory=lambda: {"train": 0, "held_out": 0})
    sources: dict[UUID, SourceTape] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    """Tapes, by reason."""
    examples_left_out: Counter[str] = field(default_factory=Counter)
    recorded_count: int = 0
    rebuilt: Counter[str] = field(default_factory=Counter)
    group_count: int = 0
    equal_group_count: int = 0
    none_held_out: str = ""
    """Why nothing is held out; empty if something is."""

    parts: list[SetPart] = field(default_factory=list)
    known: set[bytes] = field(default_factory=set)
    """Digests of what is learnt already."""

    def add(self, example: Sample, side: Side) -> bool:
        """Write an example, unless the set teaches it already; return whether it was new."""
        new = learn_once(example, self.known)
        if new is not None:
            self.write(new, side)
        return new is not None

    def write(self, example: Sample, side: Side) -> None:
        self.files[side].write(example.model_dump_json() + "\n")
        self.counts[side] += 1
        if isinstance(example, TokenExample):
            self.recorded_count += 1
        elif why := example.origin.get(REBUILT):
            self.rebuilt[why] += 1

    def count_source(self, tape_id: UUID, source: SourceTape) -> None:
        before = self.sources.get(tape_id)
        count = source.example_count + (before.example_count if before is not None else 0)
        self.sources[tape_id] = SourceTape(source.side, count)

    def take_over(self, facts: SetFacts) -> None:
        """Add the facts of a set whose examples are taken over."""
        self.base = self.base or facts.base
        self.group_count += facts.group_count
        self.equal_group_count += facts.equal_group_count

    @property
    def facts(self) -> SetFacts:
        return SetFacts(
            base=self.base,
            recorded_count=self.recorded_count,
            rebuilt=[RebuiltCalls(why, count) for why, count in self.rebuilt.most_common()],
            group_count=self.group_count,
            equal_group_count=self.equal_group_count,
            parts=self.parts,
            none_held_out="" if self.counts["held_out"] else self.none_held_out,
        )
