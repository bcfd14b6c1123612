"""A message as words: where clauses break, and which words are alike in spite of a slip."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_EDGES = ".,;:!?\"'()…"
_BREAKS = frozenset(".,;:!?…")
_BREAKING_WORDS = frozenset({"and", "also", "but", "-", "\N{EN DASH}"})
_LEAST_LETTERS = 5
LONGEST_MESSAGE = 4_000
"""What comes after so many characters is not read."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True)
class Word:
    text: str
    """As it was written, without punctuation around it."""

    key: str
    """To compare it by."""

    ends: str
    """The punctuation after it."""

    @property
    def breaks(self) -> bool:
        """Whether a clause ends after it."""
        return bool(_BREAKS & set(self.ends))


def split_words(text: str) -> tuple[Word, ...]:
    return tuple(map(_read_word, text[:LONGEST_MESSAGE].split()))


def _read_word(token: str) -> Word:
    bare = token.lstrip(_EDGES)
    stripped = bare.rstrip(_EDGES)
    return Word(
        stripped,
        stripped.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
        bare[len(stripped) :],
    )


def breaks_between(words: Sequence[Word], place: int) -> bool:
    """Return whether a clause ends before the word at a place."""
    return words[place - 1].breaks or not words[place].key or words[place].key in _BREAKING_WORDS


def find_all(words: Sequence[Word], phrase: Sequence[str]) -> Iterator[int]:
    """Yield the places where a phrase of exact words begins."""
    size = len(phrase)
    for place in range(len(words) - size + 1):
        if all(words[place + n].key == key for n, key in enumerate(phrase)):
            yield place


def keys_of(text: str) -> tuple[str, ...]:
    return tuple(word.key for word in split_words(text) if word.key)


def has_phrase(keys: Sequence[str], phrase: str) -> bool:
    """Return whether the words of a phrase follow each other, slips aside."""
    wanted = phrase.split()
    return any(
        all(is_like(keys[place + n], key) for n, key in enumerate(wanted))
        for place in range(len(keys) - len(wanted) + 1)
    )


def has_any(keys: Sequence[str], phrases: Collection[str]) -> bool:
    return any(has_phrase(keys, phrase) for phrase in phrases)


@lru_cache(maxsize=65_536)
def is_like(word: str, wanted: str) -> bool:
    """Return whether a word is the wanted one, or has two letters exchanged."""
    if word == wanted:
        return True
    if len(word) != len(wanted) or len(word) < _LEAST_LETTERS:
        return False
    wrong = [n for n, (one, other) in enumerate(zip(word, wanted, strict=True)) if one != other]
    return (
        len(wrong) == 2  # noqa: PLR2004
        and wrong[1] == wrong[0] + 1
        and word[wrong[0]] == wanted[wrong[1]]
        and word[wrong[1]] == wanted[wrong[0]]
    )


_EMPTY_WORDS = word_set(
    "a an the my our your his her its i you we they it this that these those to of in on for "
    "with at by from as is are was were be been am do does did have has had can could will "
    "would shall should may might must not no if or so me us them what which who how when "
    "where there here please one some any want need like good know"
)


def content_of(keys: Collection[str]) -> frozenset[str]:
    """Return the words that mean something by themselves, without plural endings."""
    return frozenset(_stem(key) for key in keys if key not in _EMPTY_WORDS and len(key) > 1)


def _stem(key: str) -> str:
    for ending in ("'s", "ing", "ed", "es", "s"):
        if key.endswith(ending) and len(key) - len(ending) > 2:  # noqa: PLR2004
            return key.removesuffix(ending)
    return key
