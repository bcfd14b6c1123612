"""The documents of a folder, ready to be searched: passages ranked by BM25, in a stable order."""

import logging
import re
import threading
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tapes_app.environments.search.folders import DocumentFolders, list_documents
from tapes_app.environments.search.pages import list_passages
from tapes_app.environments.search.reading import (
    LONGEST_READING_SECONDS,
    Document,
    read_folder,
)

if TYPE_CHECKING:
    import bm25s

SNIPPET_CHARACTERS = 400
MOST_KEPT = 4
"""Folders whose index a worker keeps."""

_WORD = re.compile(r"\w+")
_LONGEST_PLAIN = 3
_COMMON = frozenset({
    "a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "in", "is", "it", "its", "many", "may", "much",
    "must", "of", "on", "or", "our", "that", "the", "their", "there", "these", "they", "this", "to",
    "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will",
    "with", "you", "your",
})  # fmt: skip


class Passage(NamedTuple):
    """A part of a page, of some paragraphs."""

    document: Document
    page: int
    """Counted from 1."""

    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found."""

    passage: Passage
    score: float
    snippet: str


class DocumentIndex:
    """Documents with an index of their passages."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = {document.id: document for document in documents}
        self.passages = [
            Passage(document, number, text)
            for document in documents
            if document.text is not None
            for number, page in enumerate(document.text.pages, start=1)
            for text in list_passages(page)
        ]

    def search(self, query: str, limit: int) -> list[Hit]:
        """Return the best passages, best first; equal ones in the order of documents and pages.

        Those without a word of the query are left out.
        """
        import numpy as np

        words = list(dict.fromkeys(words_of(query)))
        if not words or self._index is None:
            return []
        scores = self._index.get_scores(words)
        # A stable sort of rounded scores: what differs by the order of additions alone is equal.
        order = np.argsort(-np.round(scores, 4), kind="stable")[:limit]
        return [
            Hit(
                passage := self.passages[place],
                round(float(scores[place]), 2),
                _cut_snippet(passage.text, words),
            )
            for place in order
            if scores[place] > 0
        ]

    @cached_property
    def _index(self) -> "bm25s.BM25 | None":
        import bm25s  # takes half a second

        words = [_words_of_passage(passage) for passage in self.passages]
        if not any(words):
            return None
        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it asks for DEBUG
        index = bm25s.BM25()
        index.index(words, show_progress=False)
        return index

    def prepare(self) -> None:
        """Make the index, which the first search would do otherwise."""
        _ = self._index


def words_of(text: str) -> list[str]:
    """Return the words that distinguish passages, in lower case and in the singular."""
    return [_singular(word) for word in _WORD.findall(text.casefold()) if word not in _COMMON]


def _singular(word: str) -> str:
    """Return an English word without the s of a plural, as far as its letters tell."""
    if len(word) <= _LONGEST_PLAIN or word[-1] != "s" or word[-2] in "su":
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


def _words_of_passage(passage: Passage) -> list[str]:
    text = passage.document.text
    title = text.title if text else ""
    return words_of(f"{title} {passage.document.id.replace('_', ' ')} {passage.text}")


def _cut_snippet(text: str, words: list[str]) -> str:
    """Return the part of a passage with the first words of the query, as one line."""
    line = " ".join(text.split())
    if len(line) <= SNIPPET_CHARACTERS:
        return line
    wanted = set(words)
    found = [match.start() for match in _WORD.finditer(line) if wanted & {*words_of(match[0])}]
    if not found:
        return f"{line[:SNIPPET_CHARACTERS].rstrip()}…"
    # The window with the most words of the query; the first of several.
    first = max(
        found,
        key=lambda start: sum(start <= other < start + SNIPPET_CHARACTERS for other in found),
    )
    begin = max(0, min(first - SNIPPET_CHARACTERS // 4, len(line) - SNIPPET_CHARACTERS))
    begin = line.rfind(" ", 0, begin + 1) + 1
    end = begin + SNIPPET_CHARACTERS
    cut = line[begin:end].strip()
    return f"{'…' if begin else ''}{cut}{'…' if end < len(line) else ''}"


_Stamp = tuple[Any, ...]
_kept: dict[tuple[int, str], tuple[_Stamp, DocumentIndex]] = {}
_locks: defaultdict[tuple[int, str], threading.Lock] = defaultdict(threading.Lock)


def open_index(folders: DocumentFolders, name: str) -> DocumentIndex:
    """Return the documents of a folder as they are now; unchanged ones are kept by the process.

    Raises:
        NotFoundError: there is no such folder.
        AgentRunError: there is too much to be read at once.
    """
    folder = folders.find(name)
    found = list_documents(folder)
    stamp = (str(folder), *((one.id, one.size, one.changed_ns) for one in found))
    key = (id(folders), name)
    with _locks[key]:
        kept = _kept.pop(key, None)
        if kept is None or kept[0] != stamp:
            texts = read_folder(folders, name, found, seconds=LONGEST_READING_SECONDS)
            index = DocumentIndex(texts)
            index.prepare()
            kept = stamp, index
        _kept[key] = kept  # the last one used stands at the end
        while len(_kept) > MOST_KEPT:
            _kept.pop(next(iter(_kept)), None)
    return kept[1]
