"""A small library of pages with full-text search: the web of the sample project."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tapes_app.engine.environment.tool_functions import tool

RESULT_COUNT = 4
PART_LENGTH = 1_200
_ADDRESS = "https://library.example/"
_SATURATION = 1.5  # BM25's k1: how soon a repeated word stops counting
_LENGTH_WEIGHT = 0.75  # BM25's b: how much long pages are penalized
_STOP_WORDS = frozenset({
    "a", "about", "an", "and", "are", "as", "at", "be", "by", "did", "do", "for", "from", "has",
    "how", "in", "is", "it", "its", "of", "on", "or", "recent", "that", "the", "this", "to",
    "was", "what", "when", "which", "who", "with",
})  # fmt: skip


@dataclass(frozen=True)
class Page:
    url: str
    title: str
    text: str

    @property
    def parts(self) -> list[str]:
        """The text split into parts of complete paragraphs, each about `PART_LENGTH` characters."""
        parts = [""]
        for paragraph in self.text.split("\n\n"):
            if parts[-1] and len(parts[-1]) + len(paragraph) > PART_LENGTH:
                parts.append("")
            parts[-1] = f"{parts[-1]}\n\n{paragraph}".strip()
        return parts


class Library:
    """Pages ranked by BM25 (Robertson and Zaragoza 2009)."""

    def __init__(self, pages: list[Page]) -> None:
        self._pages = {page.url: page for page in pages}
        self._counts = [Counter(words_of(f"{page.title} {page.text}")) for page in pages]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean_length = sum(self._lengths) / max(len(pages), 1)
        self._page_counts = Counter(word for counts in self._counts for word in counts)

    def find(self, url: str) -> Page | None:
        return self._pages.get(url)

    def search(self, query: str, count: int) -> list[Page]:
        """Return the best pages, best first; none if no word of the query is on any."""
        words = words_of(query)
        scored = [
            (self._score(words, number), page) for number, page in enumerate(self._pages.values())
        ]
        ranked = sorted(scored, key=lambda item: (-item[0], item[1].url))
        return [page for score, page in ranked[:count] if score > 0]

    def _score(self, words: list[str], number: int) -> float:
        counts = self._counts[number]
        slowness = _SATURATION * (
            1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * self._lengths[number] / self._mean_length
        )
        return sum(
            self._rarity(word) * counts[word] * (_SATURATION + 1) / (counts[word] + slowness)
            for word in words
            if counts[word]
        )

    def _rarity(self, word: str) -> float:
        having = self._page_counts[word]
        return math.log(1 + (len(self._counts) - having + 0.5) / (having + 0.5))


def words_of(text: str) -> list[str]:
    """Return the words that distinguish pages, in lower case and without a plural s."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return [re.sub(r"(?<=\w{3})s$", "", word) for word in words if word not in _STOP_WORDS]


@cache
def load_library() -> Library:
    """Return the pages that ship with the sample project."""
    return Library(
        [_read_page(path) for path in sorted((Path(__file__).parent / "pages").iterdir())]
    )


def _read_page(path: Path) -> Page:
    heading, _, text = path.read_text(encoding="utf-8").partition("\n")
    return Page(_ADDRESS + path.stem, heading.removeprefix("# ").strip(), text.strip())


@tool
def get_search_results(query: str) -> list[dict[str, str]]:
    """Search the web and get titles, addresses and beginnings of the best pages.

    Args:
        query: what to search for, a few words
    """
    pages = load_library().search(query, RESULT_COUNT)
    return [
        {"title": page.title, "url": page.url, "snippet": page.text.split("\n\n")[0][:200]}
        for page in pages
    ]


@tool
def get_page(url: str) -> str:
    """Read a web page; of a long one the first part.

    Args:
        url: address of the page, as search results give it
    """
    return get_next_page(url, 1)


@tool
def get_next_page(url: str, part: int = 2) -> str:
    """Read a further part of a long web page.

    Args:
        url: address of the page
        part: which part, counted from 1
    """
    page = load_library().find(url)
    if page is None:
        raise ValueError(f"there is no page at {url!r}; take an address from the search results")
    parts = page.parts
    if not 1 <= part <= len(parts):
        raise ValueError(f"the page has {len(parts)} parts; there is no part {part}")
    return f"Title: {page.title}\nPart {part} of {len(parts)}\n\n{parts[part - 1]}"
