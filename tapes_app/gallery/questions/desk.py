"""What the script has before it: the facts and results in its prompt, and what it does next.

The script reads its prompt from the beginning each time. What is not there yet interrupts it with
the next thing to do, and it makes the mistakes of models on the way, as often as it is told.
"""

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tapes_app.engine.model.messages import Message
from tapes_app.gallery.questions.sources import Lookup, Source
from tapes_app.gallery.questions.steps import AnswerAction, NewFactThought
from tapes_app.gallery.scripting import ScriptedResult, list_results

Row = Mapping[str, str]
Mistake = Literal["", "row", "digits", "document"]

UNKNOWN = "unknown"
_HEAD = re.compile(
    r"(?P<document>[^\n]{1,200}?): [^\n]{0,300}\nPage (?P<page>\d{1,9}) of (?P<of>\d{1,9})"
)
_NUMBER = re.compile(r"\d[\d,]{0,20}(?:\.\d{1,20})?")
_FACT_KIND = str(NewFactThought.model_fields["kind"].default)
_MOST_READ = 3
"""Documents that are read for one fact before it is given up."""


class Interrupt(Exception):  # noqa: N818 - it is no error
    """The next thing to do, before the solver can go on."""

    def __init__(
        self,
        *calls: tuple[str, dict[str, Any]],
        step: NewFactThought | AnswerAction | None = None,
    ) -> None:
        super().__init__()
        self.calls = calls
        self.step = step


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a document that was read."""

    document: str
    number: int
    count: int
    text: str


class PromptDesk:
    """Finds values in a prompt, or interrupts with the call or the fact that comes next.

    `chance` decides on mistakes, by what they are about, so that each is made every time or never.
    """

    def __init__(self, messages: Sequence[Message], question: str, rate: float, seed: int) -> None:
        self._results = list_results(messages)
        self._facts = {fact.fact: fact.value for fact in _list_facts(messages)}
        self._question = question
        self._rate = rate
        self._seed = seed

    def find(self, lookup: Lookup) -> str:
        if lookup.what in self._facts:
            return self._facts[lookup.what]
        drawn, chance = self._draw(lookup.what)
        pages, mistake = self._read(lookup, drawn)
        rows = _read_rows(lookup.source, pages)
        fitting = [row for row in rows if _fits(row, lookup)]
        if lookup.pick == "most":
            fitting = sorted(fitting, key=lambda row: -_number(row[lookup.by]))
        if not fitting or lookup.column not in fitting[0]:
            raise Interrupt(step=AnswerAction(answer=UNKNOWN))
        row = fitting[0]
        is_number = _NUMBER.fullmatch(row[lookup.column]) is not None
        if mistake == "row" or (mistake == "digits" and not is_number):
            row = rows[(rows.index(row) + chance.choice((1, -1))) % len(rows)]
        value = row[lookup.column].replace(",", "")
        if mistake == "digits" and is_number:
            value = _misread(value, chance)
        raise Interrupt(step=_note(lookup.what, value, f"{pages[0].document}, page 1"))

    def list_rows(self, lookup: Lookup, *columns: str) -> str:
        drawn, chance = self._draw(lookup.what)
        pages, mistake = self._read(lookup, drawn)
        rows = [row for row in _read_rows(lookup.source, pages) if _fits(row, lookup)]
        if not rows or any(column not in rows[0] for column in columns):
            raise Interrupt(step=AnswerAction(answer=UNKNOWN))
        if mistake == "row" and len(rows) > 1:
            rows.pop(chance.randrange(len(rows)))
        changed = chance.randrange(len(rows)) if mistake == "digits" else None
        return repr([
            tuple(_literal(row[name], chance if at == changed else None) for name in columns)
            for at, row in enumerate(rows)
        ])  # fmt: skip

    def calculate(self, expression: str) -> str:
        return self._call("calculate", "expression", expression)

    def run(self, what: str, code: str) -> str:
        if what in self._facts:
            return self._facts[what]
        printed = self._call("run_code", "code", code)
        raise Interrupt(step=_note(what, printed, "run_code"))

    def convert(self, value: str, factor: str) -> str:
        forgets, _ = self._draw(f"{value} {factor}")
        return value if forgets else f"{value} {factor}"

    def _call(self, tool: str, argument: str, given: str) -> str:
        made = [one for one in self._results if one.name == tool]
        done = [one for one in made if one.arguments.get(argument) == given]
        if not done:
            raise Interrupt((tool, {argument: given}))
        if done[-1].is_error or not done[-1].text.strip():
            raise Interrupt(step=AnswerAction(answer=UNKNOWN))
        return done[-1].text.strip()

    def _draw(self, what: str) -> tuple[Mistake, random.Random]:
        key = f"{self._seed} {self._question} {what}"
        chance = random.Random(key)  # noqa: S311 - to repeat, not a secret
        if chance.random() >= self._rate:
            return "", chance
        return chance.choice(("row", "digits", "document")), chance

    def _read(self, lookup: Lookup, mistake: Mistake) -> tuple[list[Page], Mistake]:
        """Return the pages of the first document found that fits, or read the next one.

        By mistake it is another one; if no other fits, a row is mistaken instead.
        """
        query = lookup.source.query
        found = next((one for one in self._searches() if one.arguments.get("query") == query), None)
        if found is None:
            raise Interrupt(("search", {"query": query}))
        documents = _list_documents(found)[:_MOST_READ]
        ordered = documents[1:] + documents[:1] if mistake == "document" else documents
        for document in ordered:
            pages = self._read_whole(document)
            if _read_rows(lookup.source, pages):
                is_right = document == documents[0]
                return pages, "row" if is_right and mistake == "document" else mistake
        raise Interrupt(step=AnswerAction(answer=UNKNOWN))

    def _searches(self) -> Iterable[ScriptedResult]:
        return (one for one in self._results if one.name == "search" and not one.is_error)

    def _read_whole(self, document: str) -> list[Page]:
        read = [
            one
            for one in self._results
            if one.name == "read_document" and one.arguments.get("document") == document
        ]
        if not read:
            raise Interrupt(("read_document", {"document": document}))
        pages = {page.number: page for one in read if (page := _read_page(one))}
        count = max((page.count for page in pages.values()), default=0)
        asked = {one.arguments.get("page", 1) for one in read}
        rest = [number for number in range(1, count + 1) if number not in asked]
        if rest:
            raise Interrupt(
                *(("read_document", {"document": document, "page": number}) for number in rest)
            )
        return [pages[number] for number in sorted(pages)]


class SketchDesk:
    """Finds nothing, but notes what is asked of it: what to look up, and what to work out."""

    def __init__(self) -> None:
        self.to_look_up: list[str] = []
        self.to_work_out: list[str] = []

    def find(self, lookup: Lookup) -> str:
        return _keep(self.to_look_up, lookup.what)

    def list_rows(self, lookup: Lookup, *columns: str) -> str:
        return _keep(self.to_look_up, f"{', '.join(columns)} in the documents for {lookup.what}")

    def calculate(self, expression: str) -> str:
        return _keep(self.to_work_out, expression)

    def run(self, what: str, code: str) -> str:
        return _keep(self.to_work_out, what)

    def convert(self, value: str, factor: str) -> str:
        return f"{value} {factor}"


def _keep(kept: list[str], text: str) -> str:
    if text not in kept:
        kept.append(text)
    return f"[{text}]"


def _note(what: str, value: str, source: str) -> NewFactThought:
    return NewFactThought(fact=what, value=value, source=source)


def _list_facts(messages: Sequence[Message]) -> Iterable[NewFactThought]:
    for message in messages:
        if (
            message.role == "assistant"
            and NewFactThought.model_fields["kind"].default in message.text
        ):
            try:
                yield NewFactThought.model_validate_json(message.text)
            except ValueError:
                continue


def _list_documents(found: ScriptedResult) -> list[str]:
    try:
        value = json.loads(found.text)
    except ValueError:
        return []
    passages = value.get("passages") if isinstance(value, dict) else None
    named = [one.get("document") for one in passages or () if isinstance(one, dict)]
    return list(dict.fromkeys(name for name in named if isinstance(name, str)))


def _read_page(result: ScriptedResult) -> Page | None:
    head = _HEAD.match(result.text)
    if head is None or result.is_error:
        return None
    body = result.text.partition("\n\n")[2]
    return Page(head["document"], int(head["page"]), int(head["of"]), body)


def _read_rows(source: Source, pages: Sequence[Page]) -> list[Row]:
    pattern = source.pattern
    if pattern is not None:
        return [found.groupdict() for page in pages for found in pattern.finditer(page.text)]
    return [row for page in pages for row in _read_table(source.columns, page.text)]


def _read_table(columns: Sequence[str], text: str) -> Iterable[Row]:
    lines = [line.split(" | ") for line in text.splitlines()]
    head = next((cells for cells in lines if set(columns) <= set(cells)), None)
    if head is not None:
        for cells in lines[lines.index(head) + 1 :]:
            if len(cells) == len(head):
                yield dict(zip(head, cells, strict=True))


def _fits(row: Row, lookup: Lookup) -> bool:
    return all(row.get(name) == value for name, value in lookup.where.items())


def _number(text: str) -> float:
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else 0.0


def _literal(text: str, chance: random.Random | None) -> str | float:
    if not _NUMBER.fullmatch(text):
        return text
    bare = text.replace(",", "")
    value = float(_misread(bare, chance) if chance else bare)
    return int(value) if value.is_integer() else value


def _misread(value: str, chance: random.Random) -> str:
    """Return a number with one digit read as another; what is no number stays."""
    places = [at for at, mark in enumerate(value) if mark.isdigit()]
    if not places or not _NUMBER.fullmatch(value):
        return value
    at = chance.choice(places)
    other = chance.choice([digit for digit in "123456789" if digit != value[at]])
    return f"{value[:at]}{other}{value[at + 1 :]}"
