"""Pages that Django itself answers: sign-in, sign-out, the front end's one page, failures."""

from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods
from django.views.static import serve

from studio.api_errors import API_PREFIX, CSRF_MESSAGE
from studio.lockouts import one_check_at_a_time
from studio.logins import load_owner, use_login_token

_A_YEAR = 365 * 24 * 60 * 60
MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_login(request: HttpRequest) -> HttpResponseBase:
    """Ask for name and password, or explain where the one-time link is."""
    if request.user.is_authenticated and request.method != "POST":
        return redirect(settings.LOGIN_REDIRECT_URL)
    if settings.STUDIO_ACCOUNTS:
        return ask_to_sign_in(request)
    return render(request, "studio_login.html", {"is_spent": False})


def ask_to_sign_in(
    request: HttpRequest, problem: str = "", status: HTTPStatus = HTTPStatus.OK
) -> HttpResponseBase:
    """Answer with the form for name and password, and the button of a provider if there is one."""
    context = {"problem": problem, "provider": settings.STUDIO_OIDC_NAME}
    view = LoginView.as_view(template_name="studio_login.html", extra_context=context)
    if request.method == "POST":
        with one_check_at_a_time(request, request.POST.get("username", "")):
            page = view(request)
    else:
        page = view(request)
    if problem:
        page.status_code = status
    return page


@require_GET
@never_cache
@sensitive_variables("token")
def follow_login_link(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in the bearer of a fresh one-time link."""
    if use_login_token(token):
        login(request, load_owner(), backend=MODEL_BACKEND)
        return redirect(settings.LOGIN_REDIRECT_URL)
    if request.user.is_authenticated:
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "studio_login.html", {"is_spent": True}, status=403)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out on POST; on GET, ask for the POST, so that no image or link can do it."""
    if request.method != "POST":
        return render(request, "studio_logout.html")
    logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


@require_GET
@login_required
@ensure_csrf_cookie
@never_cache
def show_front_end(request: HttpRequest) -> HttpResponse:
    """Answer every other address with the front end, which does its own routing."""
    index = settings.FRONTEND_DIST / "index.html"
    if not index.is_file():
        return render(request, "studio_not_built.html", status=503)
    return HttpResponse(index.read_bytes())


@require_GET
def serve_new_asset(request: HttpRequest, name: str) -> HttpResponseBase:
    """Answer with a file of a front end that was built after the studio was started.

    `index.html` is read anew for every page, and names files that whitenoise, which lists them
    when it starts, does not know. Their names contain a hash of their contents.
    """
    answer = serve(request, name, document_root=str(settings.FRONTEND_DIST / "assets"))
    patch_cache_control(answer, public=True, max_age=_A_YEAR, immutable=True)
    return answer


@require_GET
@never_cache
def show_no_help(request: HttpRequest, path: str | None) -> HttpResponse:
    """Answer for a missing page of the documentation, whose pages are static files."""
    if settings.WHITENOISE_ROOT is None:
        message = (
            "The documentation is not built. Stop the studio and start it with `make run`, which "
            "builds it, or run `make docs` and start the studio again."
        )
        return render(request, "studio_message.html", {"message": message}, status=503)
    message = "The documentation has no page at this address; it begins at /help/."
    return render(request, "studio_message.html", {"message": message}, status=404)


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    if request.path.startswith(API_PREFIX):
        body = {"code": "csrf_failed", "message": CSRF_MESSAGE, "details": {}}
        return JsonResponse(body, status=403)
    return render(request, "studio_message.html", {"message": CSRF_MESSAGE}, status=403)
