"""The page behind an invitation's link: make an account, or join with the one signed in."""

from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.password_validation import password_validators_help_texts
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from studio.oidc_pages import forget_claims, read_claims
from studio.pages import MODEL_BACKEND
from tapes_app.engine.errors import NotFoundError, StudioError
from tapes_app.projects.services import invitations
from tapes_app.projects.store.invitations import OpenInvitation


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("password")
@sensitive_variables("token")
def follow_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a link invites to; on POST, add the person to the project."""
    try:
        invitation = invitations.find_invitation(token)
        return _answer(request, token, invitation)
    except NotFoundError as error:
        page = {"message": error.message}
        return render(request, "studio_message.html", page, status=error.status)


def _answer(request: HttpRequest, token: str, invitation: OpenInvitation) -> HttpResponse:
    if request.method != "POST":
        return _show(request, invitation)
    try:
        _join(request, token)
    except NotFoundError:  # somebody else was quicker
        raise
    except StudioError as error:
        return _show(request, invitation, error.message)
    return redirect(f"/p/{invitation.project_id}")


def _join(request: HttpRequest, token: str) -> None:
    if request.user.is_authenticated:
        invitations.accept(token, request.user.pk)
        return
    name, password = request.POST.get("name", ""), request.POST.get("password", "")
    claims = read_claims(request)
    if claims is None:
        user = invitations.make_account(token, name, password)
    else:
        user = invitations.make_account_of(token, name, claims)
        forget_claims(request)
    login(request, user, backend=MODEL_BACKEND)


def _show(request: HttpRequest, invitation: OpenInvitation, problem: str = "") -> HttpResponse:
    page = {
        "invitation": invitation,
        "problem": problem,
        "name": request.POST.get("name", ""),
        "claims": read_claims(request),
        "provider": settings.STUDIO_OIDC_NAME,
        "rules": password_validators_help_texts(),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return render(request, "studio_invite.html", page, status=status)
