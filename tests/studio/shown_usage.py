"""The usage of a command as a document writes it, and each call that this stands for.

`[…]` may be left out, `a | b` and `(a | b)` are a choice, `…` means that more may follow.
"""

import re
from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r"'[^']*'|\w+(?:\|\w+)+|[][()|…]|[^\s\][()|…]+")


def list_calls(words: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each call: the shortest ones, and those with one more part."""
    parts, rest = _read(_TOKEN.findall(words))
    assert not rest, words
    yield from dict.fromkeys(_expand(parts))


Part = str | tuple[str, list["Part"]]
"""A word, or the contents of brackets of a kind."""


def _read(tokens: Sequence[str], closing: str = "") -> tuple[list[Part], Sequence[str]]:
    parts: list[Part] = []
    while tokens:
        token, *tokens = tokens
        if token == closing:
            return parts, tokens
        if token in "[(":
            inner, tokens = _read(tokens, "]" if token == "[" else ")")
            parts.append((token, inner))
        elif "|" in token[1:]:  # `train|test`
            ways: list[Part] = [word for way in token.split("|") for word in ("|", way)]
            parts.append(("(", ways[1:]))
        elif token != "…":
            parts.append(token.strip("'"))
    return parts, tokens


def _expand(parts: list[Part]) -> Iterator[tuple[str, ...]]:
    for chosen in _choose(parts):
        needed = [[part] for part in chosen if not (isinstance(part, tuple) and part[0] == "[")]
        yield from _join(needed)
        for place, part in enumerate(chosen):
            if isinstance(part, tuple) and part[0] == "[":
                for inner in _expand(part[1]):
                    yield from _join(_with_one(chosen, place, inner))


def _with_one(parts: list[Part], place: int, inner: tuple[str, ...]) -> list[list[Part]]:
    """Return the required parts plus one of the optional ones."""
    return [
        list(inner) if at == place else [part]
        for at, part in enumerate(parts)
        if at == place or not (isinstance(part, tuple) and part[0] == "[")
    ]


def _join(groups: list[list[Part]]) -> Iterator[tuple[str, ...]]:
    """Yield the calls made of required groups, in which brackets are a choice."""
    calls: list[tuple[str, ...]] = [()]
    for part in (part for group in groups for part in group):
        ways = [(part,)] if isinstance(part, str) else list(_expand(part[1]))
        calls = [(*call, *way) for call in calls for way in ways]
    yield from calls


def _choose(parts: list[Part]) -> Iterator[list[Part]]:
    """Yield the parts with each of the choices; what comes before the first is in all of them.

    `list | show NAME` chooses among actions, `--query Q --pin | --unpin` the last option.
    """
    alternatives: list[list[Part]] = [[]]
    for part in parts:
        if part == "|":
            alternatives.append([])
        else:
            alternatives[-1].append(part)
    first, *others = alternatives
    yield first
    if not others:
        return
    begins = str(others[0][0])
    is_option = begins.startswith("-")
    names = [at for at, part in enumerate(first) if isinstance(part, str) and part[0] == "-"]
    # An action is one word before its arguments, which are in capitals.
    actions = [at for at, part in enumerate(first) if isinstance(part, str) and part.islower()]
    before = first[: names[-1]] if is_option and names else first[: actions[-1]] if actions else []
    for other in others:
        yield [*before, *other]
