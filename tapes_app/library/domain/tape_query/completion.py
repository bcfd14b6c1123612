"""What may come next in a query that is being typed."""

import re
from dataclasses import dataclass, replace

from tapes_app.library.domain.tape_query.fields import FAMILIES, FIELDS, STEP_FIELDS, STEP_WORDS
from tapes_app.library.domain.tape_query.tokens import write_value

MOST_OPTIONS = 30
_SEQUENCE = re.compile(r"(?:^|[\s()])seq:", re.IGNORECASE)
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"?', re.DOTALL)
_PIECE = re.compile(r'"(?:\\.|[^"\\])*(?:"|\\?\Z)|(?P<break>[\s()→])|.', re.DOTALL)
_REST = re.compile(r'[^\s(),"]*')
_FIELD = re.compile(r"([A-Za-z][A-Za-z_-]*)(:|!=|<=|>=|=|<|>)(.*)\Z", re.DOTALL)
EXAMPLES = {
    "dollars": ("0.01", "0.1", "1"),
    "count": ("0", "10", "100"),
    "number": ("0", "0.5", "1"),
    "seconds": ("10s", "1m", "10m"),
    "moment": ("24h", "7d", "30d"),
}


@dataclass(frozen=True, slots=True)
class CompletionOption:
    """A text that may be inserted."""

    text: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """Options that may replace the characters from `start` to `end`."""

    start: int
    end: int
    options: tuple[CompletionOption, ...] = ()
    field: str = ""
    """A field whose values only the store knows; `prefix` is the part typed so far."""

    prefix: str = ""


def complete_query(text: str, caret: int) -> Completion:
    """Return the completions at a position of a query."""
    caret = max(0, min(caret, len(text)))
    before = text[:caret]
    start = 0
    for piece in _PIECE.finditer(before):
        start = piece.end() if piece["break"] else start
    rest = _REST.match(text, caret)
    end = rest.end() if rest is not None else caret
    # Quoted text is blanked out: a "seq:" in it is not a sequence.
    outside = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), before)
    if _SEQUENCE.search(outside[:start]):
        return _complete_step(before, start, end)
    if before[start : start + 1] == "-":
        start += 1
    return _complete_clause(before, start, end)


def with_values(completion: Completion, values: tuple[str, ...]) -> Completion:
    """Return a completion extended by the values of its field that the store knows."""
    options = tuple(CompletionOption(write_value(value)) for value in values if value)
    return replace(completion, options=(*completion.options, *options)[:MOST_OPTIONS])


def _complete_clause(before: str, start: int, end: int) -> Completion:
    typed = before[start:]
    found = _FIELD.match(typed)
    if found is None:
        wanted = typed.lower()
        options = [
            CompletionOption(f"{field.name}{'>' if field.is_ordered else ':'}", field.help)
            for field in FIELDS.values()
            if field.name.startswith(wanted)
        ]
        if wanted and "seq".startswith(wanted):
            options.append(CompletionOption("seq:", "steps in sequence"))
        return Completion(start, end, tuple(options))
    field = FIELDS.get(found[1].lower())
    if field is None:
        return Completion(start, end)
    value_start, partial = _last_value(typed, found.start(3))
    wanted = partial.lower()
    if field.choices:
        words = field.choices
    elif field.name == "lint":
        words = ("any", "none")
    else:
        words = tuple(one for one in EXAMPLES.get(field.type, ()) if one != wanted)
    known = tuple(CompletionOption(word) for word in words if word.startswith(wanted))
    is_stored = field.type == "text" and field.name not in ("text", "title")
    return Completion(start + value_start, end, known, field.name if is_stored else "", partial)


def _complete_step(before: str, start: int, end: int) -> Completion:
    typed = before[start:].lstrip("-!>")
    start = len(before) - len(typed)
    found = _FIELD.match(typed)
    if found is not None and found[1] in STEP_FIELDS:
        value_start, partial = _last_value(typed, found.start(3))
        return Completion(start + value_start, end, (), f"step_{found[1]}", partial)
    options = [
        *(
            CompletionOption(word, help)
            for word, help in STEP_WORDS.items()
            if word not in FAMILIES
        ),
        *(CompletionOption(f"{name}:", help) for name, help in STEP_FIELDS.items()),
        *(CompletionOption(word, STEP_WORDS[word]) for word in FAMILIES),
        CompletionOption("->", "then, at any later step"),
        CompletionOption("within 2", "at most this many steps later"),
    ]
    return Completion(
        start, end, tuple(one for one in options if one.text.startswith(typed.lower()))
    )


def _last_value(typed: str, start: int) -> tuple[int, str]:
    """Return where the value that is being typed begins, and the part typed so far."""
    values = typed[start:]
    outside = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), values)
    begin = outside.rfind(",") + 1
    return start + begin, values[begin:].strip('"')
