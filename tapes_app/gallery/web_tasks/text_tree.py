"""A page as the tree that a model reads of it in a browser, made without one.

`tapes_app.environments.browser.tree` describes that tree. A test compares the two.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from tapes_app.gallery.web_tasks.page import (
    Bars,
    Element,
    Field,
    Form,
    Heading,
    Inline,
    Items,
    Link,
    Menu,
    Page,
    Paragraph,
    Table,
)


@dataclass(frozen=True, slots=True)
class FormField:
    """A field, in its form."""

    form: Form
    field: Field


@dataclass(frozen=True, slots=True)
class FormButton:
    form: Form


Control: TypeAlias = Link | FormField | FormButton
"""What can be acted on."""

_IN_QUOTES = re.compile(
    r"""^$|^-|:(?:\s|$)|\s\#|^[&*\],?!>|@"'\#%\[]|[{}`]
    |^[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:e[+-]?[0-9]{1,3})?$
    |^(?:y|n|yes|no|true|false|on|off|null)$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Texts that YAML would read as something else."""


@dataclass(slots=True)
class _Writer:
    typed: Mapping[str, str]
    lines: list[str] = field(default_factory=list)
    controls: dict[str, Control] = field(default_factory=dict)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def control(self, control: Control) -> str:
        found = f"e{len(self.controls) + 1}"
        self.controls[found] = control
        return found

    def inline(self, depth: int, role: str, part: Inline) -> None:
        """Write a text or a link in an element such as a cell."""
        if isinstance(part, Link):
            self.line(depth, f"- {role}:")
            self.link(depth + 1, part)
        elif role == "listitem":
            self.line(depth, f"- {role}: {_write_value(part)}")
        else:
            self.line(depth, f"- {role} {_write_name(part)}" if part else f"- {role}")

    def link(self, depth: int, link: Link) -> None:
        self.line(depth, f"- link [{self.control(link)}] {_write_name(link.text)}:")
        self.line(depth + 1, f"- /url: {_write_value(link.address)}")

    def field(self, form: Form, one: Field) -> None:
        found = self.control(FormField(form, one))
        value = self.typed.get(found, one.value)
        label = _write_name(one.label)
        self.line(0, f"- text: {_write_value(one.label)}")
        if one.options:
            self.line(0, f"- combobox [{found}] {label}:")
            for option in one.options:
                mark = " [selected]" if option == value else ""
                self.line(1, f"- option {_write_name(option)}{mark}")
        else:
            shown = " ".join(value.split())
            end = f": {_write_value(shown)}" if shown else ""
            self.line(0, f"- textbox [{found}] {label}{end}")

    def element(self, element: Element) -> None:
        match element:
            case Heading(text, level):
                self.line(0, f"- heading {_write_name(text)} [level={level}]")
            case Paragraph(text, is_status):
                self.line(0, f"- {'status' if is_status else 'paragraph'}: {_write_value(text)}")
            case Items(items):
                self._list(0, items)
            case Menu(groups):
                self.line(0, '- navigation "Menu":')
                self.line(1, "- list:")
                for group in groups:
                    self.line(2, "- listitem:")
                    self.line(3, f"- text: {_write_value(group.title)}")
                    self._list(3, group.links)
            case Table(head, rows):
                self.line(0, "- table:")
                self._rows("columnheader", [head])
                self._rows("cell", rows)
            case Bars(counts):
                for name, count in counts:
                    self.line(0, f"- img {_write_name(f'{name}: {count}')}")
            case Form():
                for one in element.fields:
                    self.field(element, one)
                found = self.control(FormButton(element))
                self.line(0, f"- button [{found}] {_write_name(element.button)}")
            case _:
                assert_never(element)

    def _list(self, depth: int, items: Sequence[Inline]) -> None:
        if items:
            self.line(depth, "- list:")
        for part in items:
            self.inline(depth + 1, "listitem", part)

    def _rows(self, role: str, rows: Sequence[Sequence[Inline]]) -> None:
        if rows:
            self.line(1, "- rowgroup:")
        for row in rows:
            self.line(2, "- row:")
            for part in row:
                self.inline(3, role, part)


def write_text_tree(page: Page, typed: Mapping[str, str]) -> tuple[str, dict[str, Control]]:
    """Return the tree of a page, and by their ids what can be acted on.

    `typed` are values that fields have instead of their own, by id.
    """
    writer = _Writer(typed)
    for element in page.elements:
        writer.element(element)
    return "\n".join(writer.lines), writer.controls


def _write_name(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def _write_value(text: str) -> str:
    """Return a text as YAML has it, in quotes only where it needs them."""
    value = " ".join(text.split())
    return json.dumps(value, ensure_ascii=False) if _IN_QUOTES.search(value) else value
