"""The engine: the only thread that uses the model, writing as many answers at once as allowed.

Requests wait in order of arrival. Each joins the batch as soon as there is a free place, between
two tokens of the others.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from optimize_app.finetune.trainer.token_masks import pack_mask
from optimize_app.serving.server.asks import Ask, Failed
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.decoding import Batch
from optimize_app.serving.server.errors import BusyError, DecodingFailedError, StoppingError
from optimize_app.serving.server.grammars import make_words, unpack_words
from optimize_app.serving.server.model import AdaptedModel, BaseModel
from optimize_app.serving.server.sampling import Drawn, draw
from optimize_app.serving.server.writing import Alphabet, Token, Writing
from tapes_app.engine.errors import StudioError

log = logging.getLogger(__name__)


@dataclass
class EngineFigures:
    """The engine's counters; written by its thread, read by any."""

    steps: int = 0
    rows: int = 0
    """Sum of the rows of all steps."""
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    """Time spent working."""
    adapters: int = 0


class Engine:
    """Accepts asks from any thread, and reports to each on its answer."""

    def __init__(self, base: BaseModel, config: ServerConfig, alphabet: Alphabet) -> None:
        self.figures = EngineFigures()
        self.is_broken = False
        self._config = config
        self._alphabet = alphabet
        self._vocabulary = base.vocabulary
        self._model = AdaptedModel(base, config.max_adapters)
        self._batch = Batch(self._model, base.end_ids[0])
        self._running: list[Writing] = []
        self._waiting: deque[Ask] = deque()
        self._dropped: set[Ask] = set()
        self._changed = threading.Condition()
        self._refusing = False
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="engine", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return len(self._running)

    def submit(self, asks: Sequence[Ask]) -> None:
        """Queue asks.

        Raises:
            BusyError: too many are waiting already; none of these was queued.
            StoppingError: the engine is about to end.
        """
        with self._changed:
            if self._refusing or self._closing:
                raise _stopping()
            if len(self._waiting) + len(asks) > self._config.max_waiting:
                raise BusyError(
                    f"{len(self._waiting)} answers wait already; ask again in a moment."
                )
            self._waiting.extend(asks)
            self._changed.notify_all()

    def cancel(self, asks: Sequence[Ask]) -> None:
        """Drop asks, wherever they are; nothing more is reported about them."""
        with self._changed:
            cancelled = set(asks)
            self._waiting = deque(ask for ask in self._waiting if ask not in cancelled)
            self._dropped |= cancelled

    def drain(self, seconds: float) -> None:
        """Accept no more asks, and let the present ones be written for this long."""
        with self._changed:
            self._refusing = True
            self._changed.wait_for(
                lambda: not (self._running or self._waiting) or self._closing, timeout=seconds
            )

    def close(self) -> None:
        """End the thread; answers not finished by then fail."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _work(self) -> None:
        try:
            self._serve()
        except BaseException:
            self.is_broken = True
            raise
        finally:
            with self._changed:
                self._closing = True
                left = [*(writing.ask for writing in self._running), *self._waiting]
                self._waiting.clear()
            for ask in left:
                ask.on_event(Failed(_stopping()))
            self._running = []
            self._batch.clear()

    def _serve(self) -> None:
        while self._wait():
            started = time.perf_counter()
            self._leave(self._find_dropped())
            self._step()
            self._admit()
            self.figures.seconds += time.perf_counter() - started
            self.figures.adapters = self._model.loaded

    def _wait(self) -> bool:
        """Wait for something to do; return whether to continue."""
        with self._changed:
            if self._running or self._closing:
                return not self._closing
            self._changed.notify_all()  # for a thread that waits until all answers are written
            self._changed.wait_for(lambda: self._waiting or self._closing)
            # Otherwise the first of several that arrive together would start alone.
            self._changed.wait_for(
                lambda: self._closing or len(self._waiting) >= self._config.max_batch,
                timeout=self._config.window_ms / 1000,
            )
            return not self._closing

    def _find_dropped(self) -> list[Writing]:
        with self._changed:
            dropped, self._dropped = self._dropped, set()
        return [writing for writing in self._running if writing.ask in dropped]

    def _step(self) -> None:
        """Write one more token of every answer."""
        if not self._running:
            return
        try:
            logits = self._batch.advance()
        except Exception as error:  # noqa: BLE001 - one bad pass must not end the server
            self._fail(self._running, error)
            self._leave(self._running)
            return
        self._extend(self._running, logits)

    def _admit(self) -> None:
        """Read the prompts of waiting asks, as far as there is room, and draw first tokens."""
        while joining := self._take_waiting():
            try:
                logits = self._batch.join([writing.row for writing in joining])
            except Exception as error:  # noqa: BLE001 - as above
                self._fail(joining, error)
                continue
            self.figures.prompt_tokens += sum(len(one.row.prompt) for one in joining)
            self._running += joining
            self._extend(joining, logits)

    def _take_waiting(self) -> list[Writing]:
        """Return the next asks that fit in with those running and into one pass."""
        taken: list[Writing] = []
        longest = 0
        while len(self._running) + len(taken) < self._config.max_batch:
            with self._changed:
                ask = self._waiting.popleft() if self._waiting else None
            if ask is None:
                break
            longest = max(longest, len(ask.prompt))
            others = [*self._running, *taken]
            too_large = taken and longest * (len(taken) + 1) > self._config.tokens_per_pass
            writing = None
            if not too_large and _mixes(ask, others):
                try:
                    writing = self._begin(ask, others)
                except StudioError as error:
                    ask.on_event(Failed(error))
                    continue
            if writing is None:  # it waits at the head, so that it is not overtaken forever
                with self._changed:
                    if ask not in self._dropped:
                        self._waiting.appendleft(ask)
                break
            taken.append(writing)
        return taken

    def _begin(self, ask: Ask, others: Sequence[Writing]) -> Writing | None:
        """Return an ask with its adapter in memory; None while others take all places.

        Raises:
            AdapterError: its adapter does not fit the base.
        """
        key = None
        if ask.adapter is not None:
            used = {writing.row.adapter for writing in others if writing.row.adapter}
            key = self._model.take(ask.adapter, used)
            if key is None:
                return None
        return Writing(ask, key, self._alphabet)

    def _extend(self, writings: Sequence[Writing], logits: torch.Tensor) -> None:
        """Draw a token for each answer, and remove those that are done."""
        self.figures.steps += 1
        self.figures.rows += len(writings)
        self.figures.answer_tokens += len(writings)
        allowed, broken = self._find_allowed(writings)
        drawn = draw(
            logits,
            None if allowed is None else torch.from_numpy(allowed).to(logits.device),
            [writing.draw() for writing in writings],
        )
        over = list(broken)
        for writing, token in zip(writings, _read_tokens(writings, drawn), strict=True):
            if writing in broken:
                continue
            try:
                ended = writing.add(token)
            except StudioError as error:
                writing.ask.on_event(Failed(error))
                over.append(writing)
                continue
            if ended is not None:
                writing.ask.on_event(ended)
                over.append(writing)
        self._leave(over)

    def _find_allowed(self, writings: Sequence[Writing]) -> tuple[np.ndarray | None, list[Writing]]:
        """Return the masks of grammars (rows, vocabulary), and the answers whose grammar failed."""
        if all(writing.grammar is None for writing in writings):
            return None, []
        words = make_words(len(writings), self._vocabulary)
        broken = []
        for row, writing in enumerate(writings):
            if writing.grammar is None:
                continue
            try:
                writing.grammar.write_mask(words, row)
            except StudioError as error:
                writing.ask.on_event(Failed(error))
                words[row] = -1
                broken.append(writing)
        return unpack_words(words, self._vocabulary), broken

    def _leave(self, writings: Sequence[Writing]) -> None:
        if writings:
            self._running = [one for one in self._running if one not in writings]
            self._batch.keep([one.row for one in self._running])

    def _fail(self, writings: Sequence[Writing], error: Exception) -> None:
        """Report to answers that their pass failed."""
        log.error("A pass through the model failed.", exc_info=error)
        failure = DecodingFailedError(
            "The model could not continue this answer; see the server's log. A shorter "
            "prompt, or a smaller max_batch or tokens_per_pass, needs less memory."
        )
        for writing in writings:
            writing.ask.on_event(Failed(failure))


def _stopping() -> StoppingError:
    return StoppingError("The server is stopping; ask again once it is back.")


def _mixes(ask: Ask, others: Sequence[Writing]) -> bool:
    """Return whether an ask can be written with others: some adapters cannot share a pass."""
    return all(
        writing.ask.adapter == ask.adapter
        or (
            (writing.ask.adapter is None or writing.ask.adapter.mixes)
            and (ask.adapter is None or ask.adapter.mixes)
        )
        for writing in others
    )


def _read_tokens(writings: Sequence[Writing], drawn: Drawn) -> list[Token]:
    logs = drawn.log_probabilities
    ids = drawn.tokens.tolist()
    chosen = logs.gather(1, drawn.tokens.unsqueeze(1)).squeeze(1).tolist()
    could = logs.isfinite()
    counts = could.sum(dim=1).tolist()
    tokens = []
    for row, writing in enumerate(writings):
        top: tuple[tuple[int, float], ...] = ()
        if writing.ask.top_count:
            found = logs[row].topk(min(writing.ask.top_count, counts[row]))
            top = tuple(zip(found.indices.tolist(), found.values.tolist(), strict=True))
        mask = pack_mask(could[row].cpu().numpy()) if writing.ask.wants_masks else None
        tokens.append(Token(ids[row], chosen[row], counts[row], top, mask))
    return tokens
