"""The text of a document in pages, with limits, and passages of it to be found."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MOST_CHARACTERS = 4_000_000
"""Of one document; further pages are left out, and its note says so."""

PAGE_CHARACTERS = 3_000
"""About the length of a page where the format has none."""

LONGEST_PAGE = 20_000
"""Characters of a page of a PDF or of a slide; what goes beyond is cut, and the page says so."""

PASSAGE_CHARACTERS = 800
LONGEST_TITLE = 200

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class Unreadable(Exception):  # noqa: N818 - what it says of a document
    """A document gives no text; the message is the part of a sentence that says why."""


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What a document says, without its layout."""

    title: str
    pages: tuple[str, ...]
    """Those of a PDF, the slides of a presentation, or else parts of about equal length."""

    note: str = ""
    """What was left out, in words; empty: nothing."""


def make_text(title: str, pages: Iterable[str], notes: Iterable[str] = ()) -> DocumentText:
    """Return the text of a document, within its limits.

    Raises:
        Unreadable: it has no words.
    """
    kept: list[str] = []
    left_out = []
    length = 0
    for page in pages:
        text = _clean(page)
        if len(text) > LONGEST_PAGE:
            more = len(text) - LONGEST_PAGE
            text = f"{text[:LONGEST_PAGE]}\n[{more:,} more characters of this page are left out]"
        length += len(text)
        if length > MOST_CHARACTERS:
            left_out.append(f"what follows page {len(kept):,} is left out, for it is too long")
            break
        kept.append(text)
    if not any(kept):
        raise Unreadable("it has no text")
    name = " ".join(_clean(title).split())[:LONGEST_TITLE]
    return DocumentText(name, tuple(kept), "; ".join([*notes, *left_out]))


def split_text(text: str, heading: str = "") -> list[str]:
    """Return a text in pages of complete lines, each below the heading."""
    pages = split_lines(text, PAGE_CHARACTERS)
    return [f"{heading}\n{page}" if heading else page for page in pages]


def list_passages(page: str) -> list[str]:
    return split_lines(page, PASSAGE_CHARACTERS)


def split_lines(text: str, length: int) -> list[str]:
    """Return a text in pieces of at most `length` characters, cut after paragraphs if possible."""
    pieces: list[str] = []
    lines: list[str] = []
    size = 0
    for line in _cut_lines(text, length):
        is_full = size + len(line) > length
        begins_paragraph = bool(lines) and not lines[-1].strip() and size > length // 2
        if lines and (is_full or begins_paragraph):
            pieces.append("\n".join(lines))
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    pieces.append("\n".join(lines))
    return [stripped for piece in pieces if (stripped := piece.strip())]


def _cut_lines(text: str, length: int) -> Iterator[str]:
    """Yield the lines of a text; a longer one is cut, between words if it has any."""
    for line in text.split("\n"):
        start = 0
        while len(line) - start > length:
            end = line.rfind(" ", start + length // 2, start + length) + 1 or start + length
            yield line[start:end]
            start = end
        yield line[start:]


def _clean(text: str) -> str:
    """Return a text that a database and a model take, without gaps of several lines."""
    lines: Sequence[str] = [line.rstrip() for line in _UNSEEN.sub(" ", text).split("\n")]
    kept = (line for line, before in zip(lines, ("x", *lines), strict=False) if line or before)
    return "\n".join(kept).strip()
