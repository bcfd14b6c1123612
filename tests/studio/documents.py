"""The documents as the code they show: fenced blocks, shell lines, commands and requests."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.studio.running_studio import ROOT

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_SUBSTITUTION = re.compile(r"\$\([^)]*\)")
_ASSIGNMENT = re.compile(r"[A-Z_]+=")


@dataclass(frozen=True)
class Block:
    """The code between two fences of a document."""

    document: str
    language: str
    text: str
    line: int

    @property
    def place(self) -> str:
        return f"{self.document}:{self.line}"


@dataclass(frozen=True)
class Line:
    """One shell command: the variables that it sets, and its words."""

    place: str
    text: str
    variables: tuple[str, ...]
    words: tuple[str, ...]


def list_documents() -> list[Path]:
    top = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def list_blocks() -> Iterator[Block]:
    for document in list_documents():
        text = document.read_text(encoding="utf-8")
        for found in _BLOCK.finditer(text):
            line = text[: found.start()].count("\n") + 1
            yield Block(str(document.relative_to(ROOT)), found[1], found[2], line)


def list_spans() -> Iterator[tuple[str, str]]:
    """Yield each piece of inline code in a sentence or a table, with its document."""
    for document in list_documents():
        text = _BLOCK.sub("", document.read_text(encoding="utf-8"))
        for found in _SPAN.finditer(text):
            yield str(document.relative_to(ROOT)), found[1]


def list_lines(block: Block) -> Iterator[Line]:
    """Yield the commands of a block; `&&` joins two of them."""
    for number, text in enumerate(block.text.splitlines(), start=block.line + 1):
        for part in text.split(" && "):
            words = shlex.split(_SUBSTITUTION.sub("VALUE", part), comments=True)
            if words[:1] == ["export"]:
                words = words[1:]
            count = next((n for n, word in enumerate(words) if not _ASSIGNMENT.match(word)), None)
            variables = [word.partition("=")[0] for word in words[:count]]
            rest = () if count is None else tuple(words[count:])
            if words:
                yield Line(f"{block.document}:{number}", part, tuple(variables), rest)
