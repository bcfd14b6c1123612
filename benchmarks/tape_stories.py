"""Synthetic agent tapes as JSON data: many, plausible, and the same for one seed.

An agent is asked something, calls tools twice, continues to another node and answers. Some tools
fail, and some agents then repeat the very same call. Word frequencies follow those of a language
(Zipf), and every tape has a reference that no other tape has.
"""

import random
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from uuid import UUID

STEPS = 10
BATCH_SIZE = 1_000
FORK_SHARE = 0.03
TASKS = 400

COMMON = (
    "the", "search", "report", "revenue", "page", "result", "company", "find", "total", "market",
    "table", "year", "value", "price", "answer", "question", "data", "growth", "quarter", "river",
    "city", "user", "order", "number", "source", "change", "list", "share", "check", "time",
)  # fmt: skip
"""The most common words, in order: the first is in most steps."""

TAGS = ("gold", "review", "odd", "keep", "bad answer", "demo")
_AGENTS = (
    "analyst", "web_agent", "form_filler", "researcher", "coder", "planner", "tutor", "scout",
)  # fmt: skip
TOOLS = (
    ("search", "query"),
    ("read_page", "url"),
    ("calculate", "expression"),
    ("query_table", "sql"),
)
_ERRORS = ("timeout", "page not found", "rate limit reached", "no such column")
_SYLLABLES = (
    "ka", "ro", "mi", "ten", "sal", "vo", "dri", "per", "lan", "qui", "zor", "bel", "thu", "nem",
    "gra", "os", "fi", "lum", "cay", "ind",
)  # fmt: skip
_VOCABULARY = 40_000
_STREAM = 300_000
_ERROR_SHARE = 0.2
_REPEAT_SHARE = 0.5
_TASK_SHARE = 0.8
_PASS_SHARE = 0.6
_TAG_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Story:
    """A tape as a TapeAgents file would hold it, plus what such a file does not contain."""

    id: UUID
    number: int
    agent: str
    metadata: dict[str, Any]
    steps: list[dict[str, Any]]
    kept: int
    """How many leading steps it shares with the previous tape; 0: it is not a fork."""

    tags: tuple[str, ...]
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int
    duration_seconds: float

    @property
    def batch(self) -> str:
        return f"run {self.number // BATCH_SIZE + 1:04}"

    @property
    def reference(self) -> str:
        return reference_of(self.id)

    def to_file(self) -> dict[str, Any]:
        return {"metadata": self.metadata, "context": None, "steps": self.steps}


def reference_of(tape_id: UUID) -> str:
    """Return the word that only this tape and its forks contain."""
    return f"ref{tape_id.hex[:12]}"


def make_stories(count: int, seed: int) -> Iterator[Story]:
    """Yield tapes in the order in which they were recorded."""
    teller = _Teller(seed)
    before: Story | None = None
    for number in range(count):
        story = teller.tell(number)
        # A fork of a fork would have to share the steps of three tapes.
        if before is not None and not before.kept and teller.chance(FORK_SHARE):
            story = teller.fork(before, story)
        yield story
        before = story


class _Teller:
    """Draws everything that differs between tapes from one seeded source."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        words = [*COMMON, *self._invent_words(_VOCABULARY - len(COMMON))]
        weights = [1 / (rank + 1) for rank in range(len(words))]
        self._stream = self._random.choices(words, weights, k=_STREAM)
        self._agent_weights = list(accumulate(1 / (rank + 1) for rank in range(len(_AGENTS))))

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def tell(self, number: int) -> Story:
        dice = self._random
        tape_id = UUID(int=dice.getrandbits(128), version=4)
        agent = _AGENTS[bisect(self._agent_weights, dice.random() * self._agent_weights[-1])]
        steps = self._steps(tape_id.hex, agent)
        input_tokens = dice.randrange(2_000, 40_000)
        output_tokens = dice.randrange(100, 2_000)
        return Story(
            id=tape_id,
            number=number,
            agent=agent,
            metadata=self._metadata(tape_id, steps),
            steps=steps,
            kept=0,
            tags=(dice.choice(TAGS),) if self.chance(_TAG_SHARE) else (),
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cost_micro_usd=input_tokens // 4 + output_tokens,
            duration_seconds=round(output_tokens / 80 + dice.random(), 3),
        )

    def fork(self, parent: Story, child: Story) -> Story:
        """Return a tape that diverges from another after some of its steps."""
        kept = self._random.randrange(1, STEPS - 1)
        return Story(
            id=child.id,
            number=child.number,
            agent=parent.agent,
            metadata={
                **child.metadata,
                "parent_id": str(parent.id),
                "n_added_steps": STEPS - kept,
            },
            steps=[*parent.steps[:kept], *child.steps[kept:]],
            kept=kept,
            tags=child.tags,
            input_tokens=child.input_tokens,
            output_tokens=child.output_tokens,
            cost_micro_usd=child.cost_micro_usd,
            duration_seconds=child.duration_seconds,
        )

    def _invent_words(self, count: int) -> list[str]:
        words: dict[str, None] = {}
        while len(words) < count:
            length = self._random.choice((2, 3, 3, 4))
            words["".join(self._random.choices(_SYLLABLES, k=length))] = None
        return list(words)

    def _words(self, count: int) -> str:
        start = int(self._random.random() * (_STREAM - count))
        return " ".join(self._stream[start : start + count])

    def _metadata(self, tape_id: UUID, steps: list[dict[str, Any]]) -> dict[str, Any]:
        metadata: dict[str, Any] = {"id": str(tape_id), "author": "made for measuring"}
        if self.chance(_TASK_SHARE):
            message = steps[-1]["content"]
            passed = self.chance(_PASS_SHARE)
            metadata["result"] = {
                "task_id": f"task {self._random.randrange(TASKS):03}",
                "expected": message if passed else self._words(3),
                "success": passed,
            }
        return metadata

    def _steps(self, key: str, agent: str) -> list[dict[str, Any]]:
        user = {"id": f"{key[:12]}-0"}
        steps: list[dict[str, Any]] = [
            {"kind": "user", "content": f"{self._words(9)} ref{key[:12]}?", "metadata": user}
        ]
        has_error = self.chance(_ERROR_SHARE)
        is_repeated = has_error and self.chance(_REPEAT_SHARE)
        for turn in range(2):
            metadata = {
                "id": f"{key[:12]}-{len(steps)}",
                "agent": agent,
                "node": "act",
                "prompt_id": f"{key[:16]}-{turn}",
            }
            asked = steps[2]["tool_calls"] if is_repeated and turn else self._tool_calls(turn)
            steps += (
                {"kind": "assistant_thought", "content": self._words(14), "metadata": metadata},
                {"kind": "assistant", "tool_calls": asked, "metadata": metadata},
                self._tool_result(asked[0]["id"], is_error=has_error and not turn),
            )
        metadata = {"agent": agent, "node": "conclude", "prompt_id": f"{key[:16]}-2"}
        steps += (
            {"kind": "assistant_thought", "content": self._words(12), "metadata": metadata},
            {"kind": "set_next_node", "next_node": "answer", "metadata": metadata},
            {"kind": "assistant", "content": self._words(6), "metadata": metadata},
        )
        return steps

    def _tool_calls(self, turn: int) -> list[dict[str, Any]]:
        name, argument = self._random.choice(TOOLS)
        arguments = f'{{"{argument}": "{self._words(4)}"}}'
        function = {"name": name, "arguments": arguments}
        return [{"id": f"call_{turn}", "type": "function", "function": function}]

    def _tool_result(self, call_id: str, *, is_error: bool) -> dict[str, Any]:
        step: dict[str, Any] = {"kind": "tool", "content": self._words(22), "tool_call_id": call_id}
        if is_error:
            reason = self._random.choice(_ERRORS)
            step["content"] = f"Error: {reason}: {self._words(5)}"
            step["metadata"] = {"other": {"error": reason}}
        return step
