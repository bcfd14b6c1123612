"""Where each example of a set is in its file, and the few fields that lists are filtered by.

Sets can be gigabytes and never change, so their files are scanned once and the index is stored with
them; a page or one example is then read by its position.
"""

import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from optimize_app.training_sets.samples import (
    ChatExample,
    PreferencePair,
    Sample,
    TokenExample,
    read_sample,
)
from optimize_app.training_sets.samples import Sequence as Sequenced
from optimize_app.training_sets.splitting import Side
from optimize_app.training_sets.store.sets import HELD_OUT_FILE, TRAIN_FILE, load_set, open_folder
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.reasoning import read_reasoning

FILES: dict[Side, str] = {"train": TRAIN_FILE, "held_out": HELD_OUT_FILE}
_INDEX_FILE = "index-3.jsonl"
_GIST_LENGTH = 120


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """An example in a list."""

    id: str
    side: Side
    number: int
    """From 0, in its file."""

    tape: str | None
    step: int | None
    """The step of the tape at which the answer starts."""

    writer: Literal["person", "model"] | None
    """Who wrote the answer; `None` in sets made before this was recorded."""

    length: int
    """Characters of prompt and answer; for a preference pair, of the longer answer."""

    asked: str
    """The beginning of the last message of the prompt."""

    answered: str
    """The beginning of what is learnt."""

    is_recorded: bool
    """Its tokens are those that a model was sent and sampled."""

    reward: float | None
    weight: float | None
    """For an attempt in a group: its advantage, the factor of the loss of its learnt tokens."""

    call_count: int
    """Number of LLM calls that form one sequence, as their tokens continue each other."""

    has_reasoning: bool = False
    """Whether what a model thought is kept beside the text of a message."""


@dataclass(frozen=True, slots=True)
class ExampleRows:
    """Some examples, and how many match in total."""

    items: tuple[ExampleRow, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a set."""

    id: str
    origin: dict[str, Any]
    """`tape` and `step` that it was made from (`steps` for calls that form one sequence), the
    `writer` of the answer, and why it was `rebuilt` from text although tokens were asked for."""

    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]
    answer: dict[str, Any]
    """What is learnt: an assistant message."""

    rejected: dict[str, Any] | None
    """For a preference pair: the worse answer."""


@dataclass(frozen=True, slots=True)
class ExampleFilter:
    """Conditions on examples; all of them must hold."""

    side: Side | None = None
    ids: Collection[str] = ()
    text: str = ""
    """Occurs in the id, in the tape's id, or at the beginning of question or answer."""

    writer: Literal["person", "model"] | None = None
    shortest: int | None = None
    longest: int | None = None

    def takes(self, row: ExampleRow) -> bool:
        text = self.text.strip().casefold()
        return (
            (self.side is None or row.side == self.side)
            and (not self.ids or row.id in self.ids)
            and (self.writer is None or row.writer == self.writer)
            and (self.shortest is None or row.length >= self.shortest)
            and (self.longest is None or row.length <= self.longest)
            and (not text or any(text in words.casefold() for words in _words_of(row)))
        )


def _words_of(row: ExampleRow) -> tuple[str, ...]:
    return row.id, row.tape or "", row.asked, row.answered


@dataclass(frozen=True, slots=True)
class _Place:
    row: ExampleRow
    start: int
    """Byte offset of its line in its file."""


def list_rows(
    set_id: UUID, project: UUID, wanted: ExampleFilter, *, start: int, limit: int
) -> ExampleRows:
    """Return the examples that match, in their order, from `start` on.

    Raises:
        NotFoundError: no such set in this project.
    """
    places = _load_places(load_set(set_id, project).content_hash)
    found = [place.row for place in places if wanted.takes(place.row)]
    return ExampleRows(tuple(found[start : start + limit]), len(found))


def list_all_rows(content_hash: str, side: Side) -> list[ExampleRow]:
    """Return all examples of one side."""
    return [place.row for place in _load_places(content_hash) if place.row.side == side]


def load_example(set_id: UUID, project: UUID, example_id: str) -> Example:
    """Return one example in full.

    Raises:
        NotFoundError: no such set in this project, or no such example in it.
    """
    content_hash = load_set(set_id, project).content_hash
    place = _find(content_hash, example_id)
    (line,) = _read_lines(content_hash, [place])
    sample = read_sample(line)
    if isinstance(sample, PreferencePair):
        return _show(_chat_of(sample.chosen), sample, _chat_of(sample.rejected).answer)
    return _show(_chat_of(sample), sample, None)


def _chat_of(sequence: Sequenced) -> ChatExample:
    """Return a sequence as text."""
    match sequence:
        case ChatExample():
            return sequence
        case TokenExample(chat=ChatExample() as chat):
            return chat
        case _:
            text = sequence.text or ""
            return ChatExample(
                id=sequence.id,
                messages=({"role": "user", "content": ""},),
                answer={"content": text},
            )


def _show(chat: ChatExample, sample: Sample, rejected: dict[str, Any] | None) -> Example:
    return Example(sample.id, sample.origin, chat.messages, chat.tools, chat.answer, rejected)


def find_recorded(content_hash: str) -> TokenExample | None:
    """Return the first example of recorded tokens; `None` if there is none."""
    place = next((one for one in _load_places(content_hash) if one.row.is_recorded), None)
    if place is None:
        return None
    sample = read_sample(next(_read_lines(content_hash, [place])))
    return sample if isinstance(sample, TokenExample) else None


def load_neighbors(
    content_hash: str, example_id: str, *, count: int, most_characters: int
) -> tuple[int, tuple[str, ...]]:
    """Return an example in its group of `count`, which is read in one go, and its index there.

    The groups do not depend on which example is asked for. A group of more than `most_characters`
    is not read: the example comes alone.

    Raises:
        NotFoundError: the set has no such example.
    """
    place = _find(content_hash, example_id)
    first = place.row.number - place.row.number % count
    lot = [
        one
        for one in _load_places(content_hash)
        if one.row.side == place.row.side and first <= one.row.number < first + count
    ]
    if sum(one.row.length for one in lot) > most_characters:
        lot = [place]
    return lot.index(place), tuple(_read_lines(content_hash, lot))


def _find(content_hash: str, example_id: str) -> _Place:
    for place in _load_places(content_hash):
        if place.row.id == example_id:
            return place
    raise NotFoundError("There is no such example in this training set.")


def _read_lines(content_hash: str, places: Sequence[_Place]) -> Iterator[str]:
    """Yield the lines of examples of one side."""
    with (open_folder(content_hash) / FILES[places[0].row.side]).open("rb") as file:
        for place in places:
            file.seek(place.start)
            yield file.readline().decode()


def _load_places(content_hash: str) -> list[_Place]:
    folder = open_folder(content_hash)
    kept = folder / _INDEX_FILE
    if not kept.is_file():
        _write_index(folder, kept)
    with kept.open() as lines:
        return [_read_place(json.loads(line)) for line in lines]


def _read_place(kept: dict[str, Any]) -> _Place:
    start = kept.pop("start")
    return _Place(ExampleRow(**kept), start)


def _write_index(folder: Path, kept: Path) -> None:
    part = kept.with_name(f".{kept.name}-{os.getpid()}")
    with part.open("w") as index:
        for side, name in FILES.items():
            with (folder / name).open("rb") as file:
                start = 0
                for number, line in enumerate(file):
                    row = _describe(read_sample(line), side, number)
                    index.write(json.dumps({**asdict(row), "start": start}) + "\n")
                    start += len(line)
    part.replace(kept)


def _describe(sample: Sample, side: Side, number: int) -> ExampleRow:
    sides = (sample.chosen, sample.rejected) if isinstance(sample, PreferencePair) else (sample,)
    chats = [_chat_of(one) for one in sides]
    answers = [chat.answer for chat in chats]
    prompt = chats[0].messages
    origin = sample.origin
    return ExampleRow(
        id=sample.id,
        side=side,
        number=number,
        tape=origin.get("tape"),
        step=origin.get("step"),
        writer=origin.get("writer"),
        length=sum(len(_text(one)) for one in prompt) + max(len(_text(one)) for one in answers),
        asked=_gist(prompt[-1]),
        answered=_gist(answers[0]),
        is_recorded=isinstance(sample, TokenExample),
        reward=origin.get("reward"),
        weight=origin.get("weight"),
        call_count=len(origin.get("steps", ())) or 1,
        has_reasoning=any(read_reasoning(one) for one in (*prompt, *answers)),
    )


def _gist(message: dict[str, Any]) -> str:
    """Return the beginning of a message's text, then its calls, on one line."""
    calls = (
        f"{call.get('function', {}).get('name')}({call.get('function', {}).get('arguments', '')})"
        for call in message.get("tool_calls") or ()
    )
    words = " ".join((_text_of(message)[: 4 * _GIST_LENGTH], *calls))
    return " ".join(words.split())[:_GIST_LENGTH]


def _text(message: dict[str, Any]) -> str:
    calls = message.get("tool_calls")
    return _text_of(message) + (json.dumps(calls) if calls else "")


def _text_of(message: dict[str, Any]) -> str:
    """Return the text of a message; parts that are not text as JSON."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return json.dumps(content) if content else ""
