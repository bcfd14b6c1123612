"""HTML built element by element: a string is always text, never markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tapes_app.interchange.visible_text import visible_text

_VOID = frozenset({"img", "meta", "br"})


class Html(str):
    """Markup that this module made. Nothing else may make it from a tape's text."""

    __slots__ = ()


def element(tag: str, /, *children: str | None, **attributes: str) -> Html:
    """Return an element; `class_` and `data_x` become `class` and `data-x`."""
    start = f"<{tag}{''.join(_attribute(*pair) for pair in attributes.items())}>"
    if tag in _VOID:
        return Html(start)
    return Html(f"{start}{join(children)}</{tag}>")


def join(children: Iterable[str | None]) -> Html:
    return Html("".join(text(child) for child in children if child is not None))


def text(value: str) -> Html:
    """Return the markup of a text; markup stays as it is."""
    return value if isinstance(value, Html) else Html(escape(visible_text(value), quote=True))


def _attribute(name: str, value: str) -> str:
    name = name.rstrip("_").replace("_", "-")
    return f' {name}="{escape(visible_text(value), quote=True)}"'
