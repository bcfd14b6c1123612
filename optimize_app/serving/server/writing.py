"""One answer from its first token to its end: its random draws, its text, its form, its end."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from optimize_app.serving.server.asks import Ask, Ended, Sampled
from optimize_app.serving.server.decoding import Row
from optimize_app.serving.server.sampling import Drawing
from optimize_app.serving.server.texts import AnswerText


@dataclass(frozen=True)
class Alphabet:
    """How to turn tokens into text."""

    decode: Callable[[Sequence[int]], str]
    """Tokens as an answer's text: without those that only templates write."""
    write: Callable[[int], str]
    """One token as it is."""
    write_bytes: Callable[[int], bytes]
    end_ids: frozenset[int]


@dataclass(frozen=True)
class Token:
    """A token that was drawn, before its effect on the text is known."""

    id: int
    logprob: float
    allowed_count: int
    top: tuple[tuple[int, float], ...] = ()
    mask: str | None = None


class Writing:
    """An ask that has a row in the batch."""

    def __init__(self, ask: Ask, adapter: str | None, alphabet: Alphabet) -> None:
        self.ask = ask
        self.row = Row(ask.prompt, adapter)
        self.grammar = ask.grammar
        self._alphabet = alphabet
        self._text = AnswerText(alphabet.decode, ask.stops)
        # Not for secrets: the same seed must give the same answer.
        self._chance = random.Random(ask.seed)  # noqa: S311

    def draw(self) -> Drawing:
        """Return how to draw the next token; each call uses a new random number."""
        return Drawing(self.ask.temperature, self.ask.top_p, self._chance.random())

    def add(self, token: Token) -> Ended | None:
        """Add the next token, report it, and return how the answer ended, if it did.

        Raises:
            GrammarError: the form of the answer cannot be followed.
        """
        self.row.ids.append(token.id)
        ended = self._find_end(token.id)
        if ended is not None:
            self._text.end()
        self.ask.on_event(
            Sampled(
                text=self._text.take(),
                id=token.id,
                token=self._alphabet.write(token.id),
                raw=self._alphabet.write_bytes(token.id),
                logprob=token.logprob,
                allowed_count=token.allowed_count,
                top=tuple(
                    (self._alphabet.write(one), self._alphabet.write_bytes(one), logprob)
                    for one, logprob in token.top
                ),
                mask=token.mask,
            )
        )
        return ended

    def _find_end(self, token: int) -> Ended | None:
        if self.grammar is not None:
            self.grammar.take(token)
        if token in self._alphabet.end_ids:
            return Ended("stop")
        self._text.add(token)
        if self._text.is_stopped:
            return Ended("stop")
        return Ended("length") if len(self.row.ids) >= self.ask.limit else None
