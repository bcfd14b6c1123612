"""What an example leaves behind: steps, calls with their database, and files."""

import gzip
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import yaml

JSON = dict[str, Any]
_COLUMNS = (
    "prompt_id TEXT PRIMARY KEY, timestamp TEXT, prompt TEXT, output TEXT, "
    "prompt_length_tokens INTEGER, output_length_tokens INTEGER, cached INTEGER"
)
_CALLS = f"CREATE TABLE LLMCalls ({_COLUMNS}, llm_info TEXT, cost REAL)"
_OLDER_CALLS = (
    f"CREATE TABLE LLMCalls ({_COLUMNS}, llm_info TEXT DEFAULT '{{}}', cost REAL DEFAULT 0.0)"
)
_TAPES = (
    "CREATE TABLE Tapes (tape_id TEXT PRIMARY KEY, timestamp TEXT, length INTEGER, "
    "metadata TEXT, context TEXT, steps TEXT)"
)


@dataclass
class Recorder:
    """The steps and calls of one example, with ids that are the same in every run."""

    name: str
    older: bool = False
    """Whether the calls tell neither their model nor their price."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)
    _count: int = 0

    def new_id(self) -> str:
        self._count += 1
        return str(uuid5(NAMESPACE_URL, f"{self.name}/{self._count}"))

    def ask(self, question: str, answer: str | None, *, tool: JSON | None = None) -> str:
        """Note a call and return the id of its prompt."""
        prompt_id = self.new_id()
        messages = [
            {"role": "system", "content": "You are a careful helper who says little."},
            {"role": "user", "content": question},
        ]
        prompt = {"id": prompt_id, "tools": None, "messages": messages, "token_ids": []}
        output: JSON = {"content": answer, "role": "assistant"}
        info: JSON = {}
        if not self.older:
            output |= {"tool_calls": [tool] if tool else None, "function_call": None}
            info = {"model_name": "tiny-1", "parameters": {"temperature": 0.2}, "context_size": 999}
        number = len(self.calls)
        self.calls.append(
            (
                prompt_id,
                f"2025-03-01T10:{number:02}:00.123456",
                json.dumps(prompt, separators=(",", ":")),
                json.dumps(output, separators=(",", ":")),
                40 + number,
                7,
                0,
                json.dumps(info),
                0.0 if self.older else 0.00012524999999999998,
            )
        )
        return prompt_id

    def step(self, kind: str, by: str = "", node: str = "", call: str = "", **fields: Any) -> JSON:
        metadata = {"id": self.new_id(), "prompt_id": call, "node": node, "agent": by, "other": {}}
        return {"metadata": metadata, "kind": kind, **fields}

    def tape(self, steps: Sequence[JSON], *, context: Any = None, **metadata: Any) -> JSON:
        known: JSON = {
            "id": self.new_id(),
            "parent_id": self.new_id(),
            "author": "",
            "author_tape_id": None,
            "n_added_steps": len(steps),
            "error": None,
            "result": {},
        }
        return {"metadata": {**known, **metadata}, "context": context, "steps": list(steps)}

    def write_calls(self, path: Path) -> None:
        """Write the database of calls, packed when its name says so."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as scratch:
            plain = Path(scratch) / "tapedata.sqlite"
            with closing(sqlite3.connect(plain)) as connection:
                connection.execute(_OLDER_CALLS if self.older else _CALLS)
                connection.execute(_TAPES)
                marks = ", ".join("?" * 9)
                connection.executemany(f"INSERT INTO LLMCalls VALUES ({marks})", self.calls)
                connection.commit()
            content = plain.read_bytes()
        is_packed = path.suffix == ".gz"
        path.write_bytes(gzip.compress(content, mtime=0) if is_packed else content)


def write_json(path: Path, value: Any) -> None:
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_yaml(path: Path, documents: list[Any]) -> None:
    # Sorted, as the recorded ones are.
    write_text(path, yaml.safe_dump_all(documents, sort_keys=True, allow_unicode=True))


def write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
