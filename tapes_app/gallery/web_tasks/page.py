"""Pages of a site as values, and how they become HTML. Whatever is on them is escaped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias, assert_never


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    address: str


Inline: TypeAlias = str | Link


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    is_status: bool = False
    """Whether it says what was just done."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list, each item a text or a link."""

    items: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A heading of a menu with the links below it."""

    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[Inline, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """A chart of counts: drawn as bars, each with its name and count for who cannot see it."""

    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Field:
    label: str
    name: str
    value: str = ""
    options: tuple[str, ...] = ()
    """What can be chosen; empty: any text can be typed."""


@dataclass(frozen=True, slots=True)
class Form:
    address: str
    fields: tuple[Field, ...]
    button: str
    changes: bool = False
    """Whether it changes something and so is sent with POST."""


Element: TypeAlias = Heading | Paragraph | Items | Menu | Table | Bars | Form


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    elements: tuple[Element, ...]
    status: int = 200


_STYLE = """body{font:15px sans-serif;margin:1rem 2rem}nav ul{list-style:none;padding:0}
nav>ul{display:flex;gap:2rem}td,th{padding:.2rem .8rem;text-align:left}label{margin-right:1rem}
.bar{background:#4a7bb5;height:1.1rem;margin:.3rem 0}"""
_BAR_PIXELS = 30


def write_html(page: Page) -> str:
    """Return a whole page."""
    body = "\n".join(part for element in page.elements for part in _write(element))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(page.title)}</title><style>{_STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


def _write(element: Element) -> Iterator[str]:
    match element:
        case Heading(text, level):
            yield f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text, is_status):
            role = ' role="status"' if is_status else ""
            yield f"<p{role}>{escape(text)}</p>"
        case Items(items):
            if items:
                yield f"<ul>{_wrap('li', items)}</ul>"
        case Menu(groups):
            shown = (f"<li>{escape(one.title)}<ul>{_wrap('li', one.links)}</ul>" for one in groups)
            yield f'<nav aria-label="Menu"><ul>{"".join(shown)}</ul></nav>'
        case Table(head, rows):
            body = "".join(f"<tr>{_wrap('td', row)}</tr>" for row in rows)
            yield f"<table><thead><tr>{_wrap('th', head)}</tr></thead><tbody>{body}</tbody></table>"
        case Bars(counts):
            for name, count in counts:
                yield (
                    f'<div class="bar" role="img" aria-label="{escape(name)}: {count}" '
                    f'style="width:{count * _BAR_PIXELS}px"></div>'
                )
        case Form():
            yield from _write_form(element)
        case _:
            assert_never(element)


def _wrap(tag: str, parts: Sequence[Inline]) -> str:
    return "".join(f"<{tag}>{_write_inline(part)}</{tag}>" for part in parts)


def _write_inline(part: Inline) -> str:
    if isinstance(part, Link):
        return f'<a href="{escape(part.address)}">{escape(part.text)}</a>'
    return escape(part)


def _write_form(form: Form) -> Iterator[str]:
    method = "post" if form.changes else "get"
    yield f'<form action="{escape(form.address)}" method="{method}" autocomplete="off">'
    for field in form.fields:
        name = escape(field.name)
        if field.options:
            options = "".join(
                f"<option{' selected' if one == field.value else ''}>{escape(one)}</option>"
                for one in field.options
            )
            control = f'<select name="{name}">{options}</select>'
        else:
            control = f'<input name="{name}" value="{escape(field.value)}">'
        yield f"<label>{escape(field.label)} {control}</label>"
    yield f"<button>{escape(form.button)}</button></form>"
