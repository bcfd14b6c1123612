"""The addresses of the desk's own pages: actions that belong to no table."""

from functools import partial

from django.urls import URLPattern, path

from studio.admin_site import OperatorSite
from studio.prune_page import answer_prune
from studio.worker_pages import answer_drain, answer_resume


def list_addresses(site: OperatorSite) -> list[URLPattern]:
    """Return the addresses, for those of the site."""
    pages = (
        ("workers/<str:name>/drain/", answer_drain, "drain-worker"),
        ("workers/<str:name>/resume/", answer_resume, "resume-worker"),
        ("prune/", answer_prune, "prune"),
    )
    return [
        path(address, site.admin_view(partial(answer, site)), name=name)
        for address, answer, name in pages
    ]
