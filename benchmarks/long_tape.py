"""A long recorded run, made in bulk: each of its prompts has all earlier messages.

The store keeps such a run as a row per step. Running it through the engine would take time
quadratic in its length, so the rows of the calls are written directly, as the store writes them.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from tapes_app.engine.model.messages import Message, digest_json
from tapes_app.engine.tape.dialog_steps import (
    AssistantThought,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import Step, StepMetadata

SEED = 20261121
_SPEECH = (
    "the price of copper rose while orders for the northern plant fell and nobody had asked why "
    "a report from March says that two suppliers deliver late when the river is low table shows "
    "revenue margin region quarter estimate revised because inventory harbor freight contract"
)
_WORDS = _SPEECH.split()
_STARTED = datetime(2026, 11, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Turn:
    """One node run: the prompt (everything before it), the model's answer, and the result."""

    steps: tuple[Step, ...]
    messages: tuple[Message, ...]
    prompt_id: str


def make_turns(step_count: int, seed: int = SEED) -> Iterator[Turn]:
    """Yield turns of a thought, a tool call and its result, until there are enough steps."""
    dice = random.Random(seed)
    task = UserStep(content="Find out why the margin of the northern plant fell in autumn.")
    yield Turn((task,), (Message(role="user", content=task.content),), "")
    made = 1
    while made < step_count:
        turn = _make_turn(dice, made)
        kept = turn.steps[: step_count - made]
        made += len(kept)
        yield Turn(kept, turn.messages, turn.prompt_id)


def _make_turn(dice: random.Random, position: int) -> Turn:
    prompt_id = f"prompt-{position}"
    thought = _words(dice, dice.randint(8, 90))
    query = _words(dice, 6)
    lines = [_words(dice, dice.randint(3, 16)) for _ in range(dice.choice((1, 2, 4, 8, 16, 40)))]
    call_id = f"call-{position}"
    call: dict[str, Any] = {"name": "search_reports", "arguments": f'{{"query": "{query}"}}'}
    metadata = StepMetadata(id=f"s{position}", agent="analyst", node="look", prompt_id=prompt_id)
    tool_calls = ToolCalls(tool_calls=(ToolCall.model_validate({"id": call_id, "function": call}),))
    steps = (
        AssistantThought(content=thought, metadata=metadata),
        tool_calls.model_copy(update={"metadata": metadata.model_copy(update={"id": call_id})}),
        ToolResult(
            content="\n".join(lines),
            tool_call_id=call_id,
            metadata=StepMetadata(id=f"r{position}"),
        ),
    )
    messages = (
        Message(role="assistant", content=thought),
        Message(role="assistant", content=None, tool_calls=[{"id": call_id, "function": call}]),
        Message(role="tool", content="\n".join(lines), tool_call_id=call_id),
    )
    return Turn(steps, messages, prompt_id)


def _words(dice: random.Random, count: int) -> str:
    return " ".join(dice.choices(_WORDS, k=count)).capitalize() + "."


def store_long_tape(project: UUID, owner: int, step_count: int) -> UUID:
    """Store the run with its calls; return the id of its tape."""
    from django.db import transaction

    from tapes_app.engine.tape.tape import Tape
    from tapes_app.tapes.store.saving import save_tape

    turns = list(make_turns(step_count))
    steps = tuple(step for turn in turns for step in turn.steps)
    with transaction.atomic():
        tape_id = save_tape(project, Tape.model_construct(steps=steps), owner=owner)
        _store_calls(project, owner, tape_id, turns)
    return tape_id


def _store_calls(project: UUID, owner: int, tape_id: UUID, turns: list[Turn]) -> None:
    from django.db import connection

    from tapes_app.models import ContentRecord, LLMCallRecord, PromptNodeRecord, TapeRecord
    from tapes_app.tapes.store.prompt_tree import path_digest

    settings, llm = ({"tools": None}, {"model_name": "instant"})
    contents: dict[bytes, Any] = {digest_json(value): value for value in (settings, llm)}
    nodes: dict[bytes, PromptNodeRecord] = {}
    calls: list[LLMCallRecord] = []
    leaf: bytes | None = None
    characters = 0
    for turn in turns:
        if turn.prompt_id and leaf is not None:
            calls.append(
                LLMCallRecord(
                    id=uuid4(), project_id=project, owner_id=owner, tape_id=tape_id,
                    prompt_id=turn.prompt_id, prompt_node_id=leaf, prompt_digest=leaf.hex(),
                    settings_id=digest_json(settings), llm_id=digest_json(llm),
                    model_name="instant", output={"content": turn.messages[0]["content"]},
                    input_tokens=characters // 4, cache_read_tokens=characters // 5,
                    output_tokens=60, cost_micro_usd=characters // 8, duration_seconds=1.5,
                    started_at=_STARTED + timedelta(seconds=2 * len(calls)),
                )
            )  # fmt: skip
        for message in turn.messages:
            contents[message.digest] = message
            leaf_before, leaf = leaf, path_digest(leaf, message.digest)
            nodes[leaf] = PromptNodeRecord(
                digest=leaf, parent_id=leaf_before, message_id=message.digest, depth=len(nodes) + 1
            )
            characters += len(str(message["content"] or ""))
    records = [ContentRecord(digest=digest, body=body) for digest, body in contents.items()]
    ContentRecord.objects.bulk_create(records, ignore_conflicts=True)
    PromptNodeRecord.objects.bulk_create(nodes.values(), ignore_conflicts=True)
    LLMCallRecord.objects.bulk_create(calls)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE step SET llm_call_id = (SELECT id FROM llm_call WHERE llm_call.tape_id = %s "
            "AND llm_call.project_id = %s AND llm_call.prompt_id = step.prompt_id) "
            "WHERE log_id = %s AND prompt_id <> ''",
            [tape_id.hex, project.hex, tape_id.hex],
        )
    TapeRecord.objects.filter(id=tape_id).update(
        llm_call_count=len(calls),
        input_tokens=sum(call.input_tokens or 0 for call in calls),
        output_tokens=60 * len(calls),
        cost_micro_usd=sum(call.cost_micro_usd or 0 for call in calls),
    )
