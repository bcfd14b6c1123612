"""Every address of the studio; what Django does not know, the front end does."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.urls import path, re_path
from django.views.generic import RedirectView

from studio import pages
from studio.api import api
from studio.health import answer_health


def answer_nothing_here(request: HttpRequest, path: str) -> HttpResponse:
    return HttpResponseNotFound("No page or API endpoint exists at this address.")


admin.site.site_header = "Tape Studio"
admin.site.site_title = "Tape Studio"

urlpatterns = [
    path("healthz", answer_health, name="health"),
    path("admin/login/", RedirectView.as_view(url="/login/", query_string=True)),
    path("admin/", admin.site.urls),
    path("login/", pages.show_login, name="login"),
    path("login/<str:token>", pages.follow_login_link, name="login-link"),
    path("logout/", pages.sign_out, name="logout"),
    path("api/v1/", api.urls),
    path("favicon.ico", RedirectView.as_view(url="/static/icon.svg")),
    re_path(r"^(?P<path>(api|static|ws)/.*)$", answer_nothing_here),
    re_path(r"^.*$", pages.show_front_end, name="front-end"),
]
