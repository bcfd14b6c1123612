"""What the script sees, and what it does next: it looks at the pages in its prompt each time.

What is not yet as it should be interrupts it with the next action, so it goes on from any page. It
makes the mistakes of models on the way, as often as it is told.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tapes_app.gallery.web_tasks.reading import SeenPage
from tapes_app.gallery.web_tasks.site import HOME

_ANY = "Any"
_SORTING = ("Sort by", "Order")


@dataclass(frozen=True, slots=True)
class Move:
    """What is done next: a call of a tool, or the end with an answer."""

    words: str
    call: tuple[str, dict[str, Any]] | None = None
    answer: str = ""


class Interrupt(Exception):  # noqa: N818 - it is no error
    def __init__(self, move: Move) -> None:
        super().__init__(move.words)
        self.move = move


class Eyes:
    """The pages that were seen since the goal was set, the last one being the current one.

    `error_rate` is the share of choices that are mistakes. What a choice is about decides, so that
    each is made in the same way whenever the script looks again.
    """

    def __init__(
        self, pages: Sequence[SeenPage], goal: str, *, error_rate: float, seed: int
    ) -> None:
        if not pages:
            raise Interrupt(Move("Open the service desk.", ("open_page", {"address": HOME})))
        self.page = pages[-1]
        self._pages = pages
        self._goal = goal
        self._error_rate = error_rate
        self._seed = seed
        if self.page.heading == "Not possible":
            reason = f"The desk refuses it: {self.page.status}"
            raise Interrupt(Move("Say why it cannot be done.", answer=reason))

    @property
    def menu(self) -> Sequence[str]:
        """The links that every page has."""
        return self._pages[0].list_texts("link")

    def has_left_home(self) -> bool:
        return self.page.heading != self._pages[0].heading

    def errs(self, about: str) -> bool:
        """Return whether a choice is a mistake."""
        return self._chance(about).random() < self._error_rate

    def aim(self, about: str, value: str, others: Sequence[str]) -> str:
        """Return a value, or by mistake another one; without any, it is mistyped."""
        if not self.errs(about):
            return value
        wrong = [one for one in others if one not in (value, _ANY)]
        if not wrong:
            return value[:-1] or "x"
        chance = self._chance(about)
        chance.random()
        return chance.choice(wrong)

    def go(self, link: str, heading: str) -> None:
        """Be on a page that the menu leads to."""
        if self.page.heading != heading:
            self.click("link", link)

    def click(self, role: str, text: str) -> None:
        """Click something; if it is not here, begin at the home page.

        Raises:
            Interrupt: always.
        """
        found = self.page.find(role, text)
        if found is None:
            raise Interrupt(Move("Open the first page.", ("open_page", {"address": HOME})))
        raise Interrupt(Move(f"Click the {role} {text}.", ("click", {"element": found.id})))

    def fill(self, label: str, value: str, *, never: str = "") -> str:
        """Have a value in a field, and return it: it may be a mistake, but not the value `never`.

        Raises:
            Interrupt: it has another value, or the page has no such field.
        """
        options = self.page.read_field(label)[2]
        aimed = self.aim(label, value, [one for one in options if one != never])
        self.set(label, aimed)
        return aimed

    def set(self, label: str, value: str) -> None:
        """Have a value in a field; this is never a mistake.

        Raises:
            Interrupt: as for `fill`.
        """
        field, now, options = self.page.read_field(label)
        if field is None or (options and value not in options):
            reason = f"The page has no field {label} for {value}."
            raise Interrupt(Move("Say what is missing on the page.", answer=reason))
        if now == value:
            return
        call = (
            ("select_option", {"element": field.id, "option": value})
            if options
            else ("type_text", {"element": field.id, "text": value})
        )
        raise Interrupt(Move(f"{'Choose' if options else 'Type'} {value} as {label}.", call))

    def search(self, text: str) -> None:
        """Search for a text.

        Raises:
            Interrupt: always.
        """
        field = self.page.read_field("Text")[0]
        if field is None:
            self.click("link", "Knowledge")
        else:
            given = {"element": field.id, "text": text, "submit": True}
            raise Interrupt(Move(f"Search for {text}.", ("type_text", given)))

    def show_list(self, wanted: Mapping[str, str], *, exactly: bool = False) -> None:
        """Have a list show what is wanted of it, and nothing else; `exactly`: without mistakes."""
        aimed = dict(wanted)
        for label, value in wanted.items():
            if exactly:
                self.set(label, value)
            else:
                aimed[label] = self.fill(label, value)
        for label in self.page.list_fields():
            if label not in wanted:
                options = self.page.read_field(label)[2]
                self.set(label, options[0] if options else "")
        if not self._shows(aimed):
            self.click("button", "Apply")

    def _shows(self, wanted: Mapping[str, str]) -> bool:
        parts = [part for text in self.page.list_texts("paragraph") for part in text.split("; ")]
        filters = [f"{label}: {value}" for label, value in wanted.items() if label not in _SORTING]
        sort = ", ".join(wanted.get(label, "") for label in _SORTING).casefold()
        shown = [part for part in parts if part.partition(": ")[0] in self.page.list_fields()]
        sorted_by = next((part for part in parts if part.startswith("Sorted by: ")), "").casefold()
        return sorted(shown) == sorted(filters) and (
            not wanted.get(_SORTING[0]) or sorted_by == f"sorted by: {sort}"
        )

    def find_page(self, role: str, text: str) -> SeenPage | None:
        """Return the newest page with something on it."""
        return next((page for page in reversed(self._pages) if page.find(role, text)), None)

    def _chance(self, about: str) -> random.Random:
        key = f"{self._seed} {self._goal} {about}"
        return random.Random(key)  # noqa: S311 - to repeat, not a secret
