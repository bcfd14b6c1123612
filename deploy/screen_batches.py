"""Three batches of the same tasks for the pictures: an agent before and after two changes."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CAPITALS = {
    "Norway": "Oslo", "Portugal": "Lisbon", "Kenya": "Nairobi", "Chile": "Santiago",
    "Japan": "Tokyo", "Canada": "Ottawa", "Australia": "Canberra", "Turkey": "Ankara",
    "Morocco": "Rabat", "Vietnam": "Hanoi", "Finland": "Helsinki", "Peru": "Lima",
    "Egypt": "Cairo", "Cuba": "Havana", "Nepal": "Kathmandu", "Iceland": "Reykjavik",
    "Ghana": "Accra", "Austria": "Vienna", "Greece": "Athens", "Brazil": "Brasilia",
    "Hungary": "Budapest", "Latvia": "Riga", "Uruguay": "Montevideo", "Senegal": "Dakar",
}  # fmt: skip
BATCHES = {"capitals, first try": 0.55, "capitals, with search": 0.75, "capitals, checked": 0.9}
"""How often an agent knew the answer, by batch."""


def write_batches(folder: Path) -> Iterator[tuple[str, Path]]:
    """Write a file for each batch; yield the batch's name and the file."""
    chance = random.Random(3)  # noqa: S311 - no secret
    for number, (name, skill) in enumerate(BATCHES.items()):
        path = folder / f"{number}.json"
        tapes = [_tape(chance, number, skill, *task) for task in CAPITALS.items()]
        path.write_text(json.dumps(tapes))
        yield name, path


def _tape(
    chance: random.Random, number: int, skill: float, country: str, capital: str
) -> dict[str, Any]:
    answer = capital if chance.random() < skill else chance.choice([*CAPITALS.values()])
    is_slow = chance.random() < 0.25
    steps: list[dict[str, Any]] = [
        {"kind": "user", "content": f"What is the capital of {country}?"},
        _by("plan", "assistant_thought", content="Look it up, then answer in one word."),
    ]
    for turn in range((number > 0) + is_slow):
        call = {"id": str(turn), "function": {"name": "search", "arguments": {"query": country}}}
        found = {"kind": "tool", "tool_call_id": str(turn), "content": f"{country}: {answer}."}
        if is_slow and turn == 0:
            found["content"] = "Error: the search timed out."
        steps += [_by("act", "assistant", tool_calls=[call]), found]
    if number == 2:
        steps.append(_by("check", "assistant_thought", content=f"{answer} fits {country}."))
    steps.append(_by("answer", "assistant", content=answer))
    metadata = {"id": f"{number}-{country}", "task": country, "expected": capital}
    return {"metadata": metadata, "context": None, "steps": steps}


def _by(node: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, **fields, "metadata": {"agent": "geographer", "node": node}}
