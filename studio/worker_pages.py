"""The pages on which an operator drains a worker, or resumes it."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from studio.admin_site import OperatorSite
from studio.draining import KnownWorker, drain_worker, find_worker, resume_worker
from tapes_app.admin.confirming import Origin, Question, ask_page, is_confirmed
from tapes_app.engine.errors import NotFoundError
from tapes_app.projects.domain.wording import count_of


def answer_drain(site: OperatorSite, request: HttpRequest, name: str) -> HttpResponse:
    """Ask whether to drain a worker, or drain it."""

    def act(user: Any) -> str:
        worker = drain_worker(user.pk, user.get_username(), name)
        return f"Worker {worker.name} takes no new job."

    return _ask_or_act(site, request, name, _ask_to_drain, act)


def answer_resume(site: OperatorSite, request: HttpRequest, name: str) -> HttpResponse:
    """Ask whether to resume a worker, or resume it."""

    def act(user: Any) -> str:
        return f"Worker {resume_worker(user.pk, name).name} takes work again."

    return _ask_or_act(site, request, name, _ask_to_resume, act)


def _ask_or_act(
    site: OperatorSite, request: HttpRequest, name: str, question: Any, act: Any
) -> HttpResponse:
    """Ask, or do it and return to the desk, which reports a worker that no longer exists."""
    if not site.may_operate(request):
        raise PermissionDenied
    desk = reverse("admin:index")
    try:
        if not is_confirmed(request):
            asked = question(find_worker(name))
            return ask_page(site, request, asked, origin=Origin("", desk))
        messages.success(request, act(request.user))
    except NotFoundError as error:
        messages.warning(request, error.message)
    return HttpResponseRedirect(desk)


def _ask_to_drain(worker: KnownWorker) -> Question:
    held = f"continues {count_of(len(worker.jobs), 'job')} to the end, then"
    return Question(
        title=f"Drain worker {worker.name}",
        sentence=(
            f"It takes no new job. It {held if worker.jobs else 'holds none and'} is idle, "
            "until it is resumed or restarted."
        ),
        button="Drain the worker",
        refusal="Go back",
        facts=[("Queues", ", ".join(worker.queues)), *_facts(worker)],
    )


def _ask_to_resume(worker: KnownWorker) -> Question:
    return Question(
        title=f"Let worker {worker.name} take work again",
        sentence="It takes jobs from its queues, as before it was drained.",
        button="Take work again",
        refusal="Go back",
        facts=[("Queues", ", ".join(worker.queues)), *_facts(worker)],
    )


def _facts(worker: KnownWorker) -> list[tuple[str, str]]:
    return [("Continues", job.title or job.kind) for job in worker.jobs]
