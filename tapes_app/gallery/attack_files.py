"""The attacks that ship with agents: a file of tasks in the folder of each agent that has some."""

from pathlib import Path

_FILES = {path.parent.name: path for path in Path(__file__).parent.glob("*/attacks.jsonl")}


def list_attacked() -> list[str]:
    """Return the names of the agents that ship with attacks, in order."""
    return sorted(_FILES)


def find_attacks(agent: str) -> Path | None:
    """Return the file with the attacks on an agent, as examples to import; `None`: it has none."""
    return _FILES.get(agent)
