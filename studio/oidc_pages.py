"""Signing in with an OpenID provider: the redirect there, and the way back."""

import time
from dataclasses import asdict
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from studio import oidc
from studio.pages import MODEL_BACKEND, ask_to_sign_in
from tapes_app.engine.errors import StudioError
from tapes_app.projects.services.identities import Claims, find_account

_GOAL = "oidc_goal"
_CLAIMS = "oidc_claims"
_GOOD_FOR_SECONDS = 15 * 60
_INVITATIONS = "/invite/"


@require_GET
@never_cache
def begin(request: HttpRequest) -> HttpResponseBase:
    """Send a person to the provider, and remember where they wanted to go."""
    _refuse_without_provider()
    try:
        back_to = request.build_absolute_uri(reverse("oidc-done"))
        answer: HttpResponse = oidc.send_to_provider(request, back_to)
    except StudioError as error:
        return ask_to_sign_in(request, error.message, HTTPStatus(error.status))
    # Not in the session, which is stored: the path may be an invitation's, of which we keep no more
    # than a hash.
    answer.set_signed_cookie(
        _GOAL,
        _goal_of(request),
        max_age=_GOOD_FOR_SECONDS,
        path=reverse("oidc"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


@require_GET
@never_cache
def finish(request: HttpRequest) -> HttpResponseBase:
    """Sign in the person sent back, or let them create the account they are invited to."""
    _refuse_without_provider()
    goal = request.get_signed_cookie(_GOAL, default="", max_age=_GOOD_FOR_SECONDS) or ""
    try:
        claims = oidc.read_answer(request)
        user = find_account(claims)
    except StudioError as error:
        return ask_to_sign_in(request, error.message, HTTPStatus(error.status))
    if user is not None:
        login(request, user, backend=MODEL_BACKEND)
        return redirect(goal or settings.LOGIN_REDIRECT_URL)
    if goal.startswith(_INVITATIONS):
        request.session[_CLAIMS] = {**asdict(claims), "at": time.time()}
        return redirect(goal)
    return ask_to_sign_in(request, _explain_stranger(claims), HTTPStatus.FORBIDDEN)


def read_claims(request: HttpRequest) -> Claims | None:
    """Return a person who has just come from the provider and has no account yet."""
    kept = dict(request.session.get(_CLAIMS, {}))
    if time.time() - kept.pop("at", 0) > _GOOD_FOR_SECONDS:
        return None
    return Claims(**kept)


def forget_claims(request: HttpRequest) -> None:
    request.session.pop(_CLAIMS, None)


def _goal_of(request: HttpRequest) -> str:
    goal = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        goal, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return goal if is_ours else ""


def _explain_stranger(claims: Claims) -> str:
    return (
        f"{settings.STUDIO_OIDC_NAME} says that you are {claims}, who has no account here. Ask an "
        "owner of a project for an invitation, and open its link."
    )


def _refuse_without_provider() -> None:
    if not oidc.is_configured():
        raise Http404
