"""Columns of the admin's lists: values in few characters, JSON as text, links to records."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from django.contrib import admin
from django.db.models import FloatField, Model, UUIDField
from django.urls import reverse
from django.utils.html import format_html

_PREVIEW_LENGTH = 200
_SHOWN_LENGTH = 100_000
_LONG_ID = 16
_ID_LENGTH = 8
"""How much of a longer id or digest is shown, as on the studio's pages."""


@cache
def json_column(name: str) -> Callable[[Model], str]:
    """Return a column that shows JSON as ASCII text: tapes may contain what HTML cannot."""

    @admin.display(description=title_of(name))
    def show(record: Model) -> str:
        return preview(getattr(record, name), _SHOWN_LENGTH)

    return show


@cache
def link_column(name: str) -> Callable[[Model], str]:
    """Return a column that links to the record a row refers to."""

    @admin.display(description=title_of(name), ordering=name)
    def show(record: Model) -> str:
        return link_to(getattr(record, name))

    return show


def readable_column(field: Any, *, is_short: bool = True) -> Any:
    """Return the name of a field, or a column that shows its value in readable form.

    Ids are shortened if `is_short`, for lists.
    """
    name = field.name
    if is_short and (isinstance(field, UUIDField) or name.endswith(("digest", "_id"))):
        return _text_column(name, name, _short_id, "-")
    if name.endswith("micro_usd"):
        return _text_column(name, name.removesuffix("micro_usd") or "cost", _dollars, "unknown")
    if name.endswith("seconds") and isinstance(field, FloatField):
        return _text_column(name, name.removesuffix("_seconds"), _seconds, "-")
    return name


def title_of(name: str) -> str:
    """Return a field's title on a page."""
    words = name.strip("_").split("_")
    return " ".join("LLM" if word == "llm" else word for word in words)


@cache
def _text_column(
    name: str, title: str, render: Callable[[Any], str], empty: str
) -> Callable[[Model], str | None]:
    @admin.display(description=title_of(title), ordering=name, empty_value=empty)
    def show(record: Model) -> str | None:
        value = getattr(record, name)
        return None if value in (None, "") else render(value)

    return show


def _short_id(value: object) -> str:
    text = str(value)
    short = text if len(text) <= _LONG_ID else text[:_ID_LENGTH]
    return format_html('<span title="{}">{}</span>', text, short)


def _dollars(micro_usd: int) -> str:
    return f"${micro_usd / 1_000_000:,.6f}"


def _seconds(seconds: float) -> str:
    return f"{seconds:,.3f} s"


def link_to(record: Model | None) -> str:
    """Return a link to the page of a row."""
    if record is None:
        return "-"
    address = f"admin:{record._meta.app_label}_{record._meta.model_name}_change"
    return format_html(
        '<a href="{}" title="{}">{}</a>', reverse(address, args=[record.pk]), record, record
    )


def preview(value: Any, length: int = _PREVIEW_LENGTH) -> str:
    """Return the beginning of a value as JSON in ASCII."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= length else f"{text[:length]}…"
