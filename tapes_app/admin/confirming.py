"""Pages that ask for confirmation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse

CONFIRMED = "confirmed"
_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Question:
    """A question to confirm an action."""

    title: str
    sentence: str
    """Describes what will happen."""

    button: str
    refusal: str = "Keep"
    """Label of the button that goes back."""

    facts: Sequence[tuple[str, str]] = ()
    """What will be removed, in rows of two cells."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The page that a question comes from, and returns to without an answer."""

    title: str
    address: str


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the confirmation was given."""
    return CONFIRMED in request.POST


def ask(
    page: admin.ModelAdmin[Any],
    request: HttpRequest,
    chosen: QuerySet[Any],
    *,
    action: str,
    question: Question,
) -> TemplateResponse:
    """Ask before an action on rows; the button submits the action again."""
    listing = reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_changelist")
    ids = [str(one) for one in chosen.values_list("pk", flat=True)]
    shown = {
        "chosen": list(chosen[:_SHOWN]),
        "more_count": max(0, len(ids) - _SHOWN),
        "hidden": [("action", action), *((ACTION_CHECKBOX_NAME, one) for one in ids)],
    }
    origin = Origin(str(page.opts.verbose_name_plural), listing)
    return ask_page(page.admin_site, request, question, origin=origin, shown=shown)


def ask_page(
    site: admin.AdminSite,
    request: HttpRequest,
    question: Question,
    *,
    origin: Origin,
    shown: Mapping[str, Any] | None = None,
    template: str = "admin/confirm_action.html",
) -> TemplateResponse:
    """Ask before any other action; the button submits the hidden values of `shown` to its URL."""
    context = {
        **site.each_context(request),
        "title": question.title,
        "question": question,
        "origin": origin,
        "confirmed_name": CONFIRMED,
        **(shown or {}),
    }
    return TemplateResponse(request, template, context)
