"""Every address of the studio; those that Django does not know go to the front end."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.urls import path, re_path
from django.views.generic import RedirectView

from studio import oidc_pages, pages
from studio.api import api
from studio.health import answer_health
from studio.invitation_pages import follow_invitation
from studio.metrics import answer_metrics

# Imported here rather than when Django starts: workers and commands do not use the admin pages, and
# importing them took half of a command's start-up time.
admin.autodiscover()


def answer_nothing_here(request: HttpRequest, path: str) -> HttpResponse:
    return HttpResponseNotFound("No page or API endpoint exists at this address.")


urlpatterns = [
    path("healthz", answer_health, name="health"),
    path("metrics", answer_metrics, name="metrics"),
    path("admin/login/", RedirectView.as_view(url="/login/", query_string=True)),
    path("admin/", admin.site.urls),
    path("login/", pages.show_login, name="login"),
    path("login/oidc/", oidc_pages.begin, name="oidc"),
    path("login/oidc/done", oidc_pages.finish, name="oidc-done"),
    path("login/<str:token>", pages.follow_login_link, name="login-link"),
    path("invite/<str:token>", follow_invitation, name="invite"),
    path("logout/", pages.sign_out, name="logout"),
    path("api/v1/", api.urls),
    re_path(r"^help(/.*)?$", pages.show_no_help, name="help"),
    path("favicon.ico", RedirectView.as_view(url="/static/icon.svg")),
    path("static/assets/<str:name>", pages.serve_new_asset),
    re_path(r"^(?P<path>(api|static|ws)/.*)$", answer_nothing_here),
    re_path(r"^.*$", pages.show_front_end, name="front-end"),
]
