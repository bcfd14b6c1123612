"""An answer's tokens as text, released as soon as it can no longer change."""

from collections.abc import Callable, Sequence

Decode = Callable[[Sequence[int]], str]

_BROKEN = "\ufffd"
"""What decoding gives for the first bytes of a character whose other bytes are still missing."""


class AnswerText:
    """The text of one answer, cut before the first of its stop strings."""

    def __init__(self, decode: Decode, stops: Sequence[str] = ()) -> None:
        self._decode = decode
        self._stops = tuple(stops)
        self._longest = max(map(len, self._stops), default=0)
        self._ids: list[int] = []
        self._seen = 0  # tokens whose text is in `_text`
        self._context = 0  # tokens before these do not affect how the next ones are written
        self._text = ""
        self._given = 0
        self.is_stopped = False

    def add(self, token: int) -> None:
        """Add the next token; incomplete characters wait for their missing bytes."""
        self._ids.append(token)
        before = self._decode(self._ids[self._context : self._seen])
        after = self._decode(self._ids[self._context :])
        if len(after) > len(before) and not after.endswith(_BROKEN):
            self._context, self._seen = self._seen, len(self._ids)
            self._append(after[len(before) :])

    def end(self) -> None:
        """Note that no token follows: incomplete characters are written as they are."""
        if not self.is_stopped:
            before = self._decode(self._ids[self._context : self._seen])
            self._append(self._decode(self._ids[self._context :])[len(before) :])
        self._longest = 0

    def take(self) -> str:
        """Return the text that is final and was not returned before."""
        sure = len(self._text) if self.is_stopped else len(self._text) - self._held_back()
        piece = self._text[self._given : sure]
        self._given = max(self._given, sure)
        return piece

    def _append(self, piece: str) -> None:
        start = max(len(self._text) - self._longest + 1, 0)
        self._text += piece
        found = [place for stop in self._stops if (place := self._text.find(stop, start)) >= 0]
        if found:
            self._text = self._text[: min(found)]
            self.is_stopped = True

    def _held_back(self) -> int:
        """Return how many characters at the end may be the start of a stop string."""
        for length in range(min(self._longest - 1, len(self._text)), 0, -1):
            end = self._text[-length:]
            if any(stop.startswith(end) for stop in self._stops):
                return length
        return 0
