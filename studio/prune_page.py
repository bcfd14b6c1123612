"""The page on which an operator sees how much space old logs and drafts take, and removes them."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.defaultfilters import filesizeformat
from django.urls import reverse

from studio.admin_site import OperatorSite
from studio.pruning import Ages, describe, measure, prune, read_age
from tapes_app.admin.confirming import Origin, Question, ask_page, is_confirmed
from tapes_app.engine.errors import InvalidInputError

_DEFAULT_AGES = Ages(events=30, drafts=90)
_SECONDS = 10.0
"""How long one request may spend removing; what is left then is reported."""

_TITLES = {
    "events": "Events of jobs that ended before that",
    "drafts": "Drafts changed last before that",
}


def answer_prune(site: OperatorSite, request: HttpRequest) -> HttpResponse:
    """Show what is old, or remove it and return to the desk."""
    if not site.may_prune(request):
        raise PermissionDenied
    desk = reverse("admin:index")
    try:
        ages = _read_ages(request.POST if is_confirmed(request) else request.GET)
    except InvalidInputError as error:
        messages.warning(request, error.message)
        return HttpResponseRedirect(reverse("admin:prune"))
    if not is_confirmed(request):
        shown = {"ages": ages, "hidden": [("events", ages.events), ("drafts", ages.drafts)]}
        question = _ask(ages)
        origin = Origin("", desk)
        return ask_page(
            site, request, question, origin=origin, shown=shown, template="admin/prune.html"
        )
    pruned = prune(int(str(request.user.pk)), ages, seconds=_SECONDS)
    messages.success(request, f"Removed {describe(pruned, ages)}.")
    if not pruned.is_all:
        messages.warning(
            request,
            "There is more: prune again, or run `manage.py prune`, which removes all of it.",
        )
    return HttpResponseRedirect(desk)


def _read_ages(given: Any) -> Ages:
    return Ages(
        events=read_age(given.get("events") or str(_DEFAULT_AGES.events)),
        drafts=read_age(given.get("drafts") or str(_DEFAULT_AGES.drafts)),
    )


def _ask(ages: Ages) -> Question:
    return Question(
        title="Prune event logs and drafts",
        sentence=(
            "What is listed will be deleted permanently, in all projects. Tapes, LLM calls, "
            "results and datasets stay. So do the logs of jobs that have not ended, and the drafts "
            "of tapes that such a job works on."
        ),
        button="Prune",
        facts=[
            (_TITLES[name], f"{amount.count:,} ({filesizeformat(amount.size_bytes)})")
            for name, amount in measure(ages).items()
        ],
    )
