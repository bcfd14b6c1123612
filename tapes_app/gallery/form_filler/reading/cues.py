"""Words by which people show what they are doing: agreeing, refusing, skipping, leaving, asking."""

from collections.abc import Sequence
from itertools import dropwhile

from tapes_app.gallery.form_filler.reading.words import Word, has_any, is_like, word_set

SKIPPING = (
    "skip", "omit", "drop", "leave it empty", "leave it blank", "leave this empty",
    "leave this blank", "leave that empty", "leave this out", "leave it out", "leave that out",
    "not fill this in", "not fill it in", "without it", "without that",
    "without this", "move on", "nothing for this", "nothing to say", "nothing to add", "no need",
    "do not need", "do not want this", "do not want that", "do not want it", "don't need",
    "not applicable", "not share", "to myself", "rather not say",
)  # fmt: skip
LEAVING = (
    "leave here", "stop here", "want to leave", "want to stop", "quit", "exit", "abort", "goodbye",
    "bye", "give up", "cancel everything", "cancel all", "forget about it", "forget the whole",
    "forget it", "i am off", "i'm off",
)  # fmt: skip
AGREEING = (
    "yes", "yeah", "yep", "sure", "certainly", "absolutely", "indeed", "of course", "definitely",
    "ok", "okay", "correct", "right", "fine", "good", "perfect", "great", "wonderful", "confirm",
    "submit", "send", "go ahead", "why not", "gladly", "true",
)  # fmt: skip
REFUSING = ("no", "nope", "nah", "not", "never", "don't", "false")
FILLED = (
    "filled", "given", "so far", "recap", "summarise", "summarize", "read back", "repeat", "note",
    "record", "recorded", "until now", "up to now", "already",
)  # fmt: skip
MISSING = (
    "missing", "left", "else", "more", "remains", "remain", "remaining", "what next", "still open",
)  # fmt: skip
ADVICE = (
    "recommend", "advise", "advice", "suggest", "which one", "is best", "best if", "right if",
    "choose", "cannot decide", "can't decide", "not sure", "help me",
)  # fmt: skip
FORMS = (
    "what can you do", "what can you help", "forms", "services", "can you help me", "how can you",
    "can you assist", "what can i", "which things can i", "options", "possibilities", "requests",
    "everything you can do", "what do you do",
)  # fmt: skip
_ASKING = (
    "what", "which", "who", "whose", "whom", "how", "when", "where", "why", "is", "are", "can",
    "could", "do", "does", "did", "will", "tell", "show", "remind", "list", "explain", "recap",
    "summarise", "summarize", "repeat", "read",
)  # fmt: skip
_GREETINGS = word_set(
    "hi hello hey ok okay alright good day well so right greetings please thanks oh hm hmm "
    "then sorry wait actually say"
)
_POLITE = _GREETINGS | word_set(
    "thank you cheers much obliged if would by the way on top of that besides also and -"
)


def keys_in(words: Sequence[Word]) -> list[str]:
    return [word.key for word in words if word.key]


def agrees(keys: Sequence[str]) -> bool | None:
    """Return whether somebody says yes or no; `None` if neither."""
    if has_any(keys, ("why not",)):
        return True
    if has_any(keys, REFUSING):
        return False
    return True if has_any(keys, AGREEING) else None


def asks(words: Sequence[Word]) -> bool:
    """Return whether a message is a question."""
    if any("?" in word.ends for word in words):
        return True
    return any(is_like(_first_key(words), word) for word in _ASKING)


def skips(words: Sequence[Word]) -> bool:
    """Return whether a slot is to be left out."""
    return has_any(keys_in(words), SKIPPING) or [
        word.key for word in after_greeting(words) if word.key
    ] in (["pass"], ["next"], ["next", "question"], ["next", "one"])


def after_greeting(words: Sequence[Word]) -> list[Word]:
    return list(dropwhile(lambda word: not word.key or word.key in _GREETINGS, words))


def _first_key(words: Sequence[Word]) -> str:
    """Return the first word after any greeting; empty if there is none."""
    return next((word.key for word in after_greeting(words)), "")


def is_polite(words: Sequence[Word]) -> bool:
    """Return whether a clause has nothing but polite and joining words."""
    return all(word.key in _POLITE or not word.key for word in words)
