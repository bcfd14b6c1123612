"""Finds the sentence of a description that answers a question."""

from collections.abc import Sequence

from tapes_app.gallery.form_filler.reading.words import content_of, is_like, keys_of

_SYNONYMS = tuple(
    content_of(line.split())
    for line in (
        "review reviewed decision decide decided days quickly soon look handled",
        "cancel cancelled withdraw call-off deadline late hours revoke",
        "approve approves approval agree sign signs signature permission light whose",
        "extension call calls phone telephone ring contact number reach desk",
        "fee charge charged cost costs pay owe price expensive free-of-charge",
        "archive archived copies copy stay store keep kept papers delete throw months",
    )
)
"""Words of which a question may have one and the answer another."""

_WORD_WEIGHT = 0.4
"""What a word counts that question and answer share, where 1 is enough."""

_PHRASES = {
    "call it off": "withdraw",
    "calls about": "phone",
    "ring up": "phone",
    "free of charge": "free",
}


def find_fact(keys: Sequence[str], description: str) -> str:
    """Return the sentence that shares most with a question; empty if none shares enough."""
    asked = content_of(_replace_phrases(keys))
    groups = [group for group in _SYNONYMS if _meets(asked, group)]
    best, most = "", 0.0
    for sentence in _list_sentences(description):
        content = content_of(_replace_phrases(keys_of(sentence)))
        score = float(sum(len(_common(asked, group)) for group in groups if content & group))
        score += len(asked & content) * _WORD_WEIGHT
        if score > most:
            best, most = sentence, score
    return best if most >= 1 else ""


def _replace_phrases(keys: Sequence[str]) -> list[str]:
    text = " ".join(keys)
    for phrase, word in _PHRASES.items():
        text = text.replace(phrase, word)
    return text.split()


def _meets(asked: frozenset[str], group: frozenset[str]) -> bool:
    return bool(_common(asked, group))


def _common(asked: frozenset[str], group: frozenset[str]) -> set[str]:
    return {word for word in group if any(is_like(one, word) for one in asked)}


def _list_sentences(description: str) -> list[str]:
    """Return the sentences about how a form is handled: not its title, and nothing on a slot."""
    _, *sentences = description.replace("\n", " ").split(". ")
    about_slots = (": ", " required if ", " must come after ")
    return [
        sentence.rstrip(".") + "."
        for sentence in sentences
        if not any(words in sentence for words in about_slots)
    ]
