"""The admin pages with a million tapes: `python benchmarks/admin_lists.py --data-dir FOLDER`.

An empty data folder, or an empty PostgreSQL database (`--database-url`), is filled first: each
table that grows gets this many rows (`admin_rows.py`). Each request is as a browser sends it,
through Django's test client; we print the median wall-clock time of several.
"""

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import add_repository_to_path

add_repository_to_path()

_REPEATS = 3
_LONG_SECONDS = 1.0
_MANY = 1_000
_FAR = 100
_NOBODY = "00000000-0000-4000-8000-000000000000"


def main() -> None:
    wanted = _read_arguments()
    os.environ["STUDIO_DATA_DIR"] = str(wanted.data_dir)
    if wanted.database_url:
        os.environ["DATABASE_URL"] = wanted.database_url
    os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from django.contrib.auth.models import User
    from django.test import Client
    from django.test.utils import setup_test_environment

    from tapes_app.models import TapeRecord

    if not TapeRecord.objects.exists():
        from admin_rows import fill

        fill(wanted.count)
    setup_test_environment()  # or answers do not record their contexts
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.get(username="bench"))
    _measure(client, "/admin/")  # load what the first request of a process loads
    print("| page | rows | first page | a record | the slowest other | which |")
    print("|---|---:|---:|---:|---:|---|")
    print(f"| the desk | | {_measure(client, '/admin/'):.0f} ms | | | |", flush=True)
    for name, rows, page in _list_pages():
        timings = {words: _measure(client, path) for words, path in _list_addresses(client, page)}
        first, record = timings.pop("first page"), timings.pop("a record", None)
        words = max(timings, key=lambda one: timings[one])
        shown = "" if record is None else f"{record:.0f} ms"
        print(
            f"| {name} | {rows:,} | {first:.0f} ms | {shown} | {timings[words]:.0f} ms | {words} |",
            flush=True,
        )
        for words, milliseconds in timings.items():
            if wanted.all:
                print(f"    {words}: {milliseconds:.0f} ms", flush=True)


def _list_pages() -> Iterator[tuple[str, int, Any]]:
    """Yield each table of more than a thousand rows, with its pages."""
    from django.contrib import admin
    from django.db import connection

    for model, page in admin.site._registry.items():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT count(*) FROM "{model._meta.db_table}"')  # noqa: S608
            count = cursor.fetchone()[0]
        if count >= _MANY:
            yield str(model._meta.verbose_name_plural), count, page


def _list_addresses(client: Any, page: Any) -> Iterator[tuple[str, str]]:
    """Yield the addresses that a table's pages link to."""
    from django.urls import reverse

    name = f"admin:{page.opts.app_label}_{page.opts.model_name}"
    listing = reverse(f"{name}_changelist")
    yield "first page", listing
    shown = client.get(listing).context["cl"]
    if shown.paginator.num_pages >= _FAR:
        yield f"page {_FAR}", f"{listing}?p={_FAR}"
    # Rows are ordered by ids that are unrelated to their age: any will do.
    middle = page.model._default_manager.order_by("pk")[500]
    if page.list_display_links is not None or page.model._meta.pk.get_internal_type() != (
        "BinaryField"
    ):
        yield "a record", reverse(f"{name}_change", args=[middle.pk])
        yield "the newest record", reverse(f"{name}_change", args=[shown.result_list[0].pk])
    yield "search by nothing there", f"{listing}?q={_NOBODY}"
    yield "search by a word", f"{listing}?q=word"
    for field in page.search_fields:
        value: Any = middle
        for part in field.removeprefix("=").split("__"):
            value = getattr(value, part, None)
        yield f"search by {field.removeprefix('=')}", f"{listing}?q={getattr(value, 'hex', value)}"
    yield from _list_filters(listing, shown)
    yield from _list_orders(page, listing)
    yield from _list_links_here(page)


def _list_filters(listing: str, shown: Any) -> Iterator[tuple[str, str]]:
    """Yield each choice of each filter, and each pair of choices from two filters."""
    specs = [
        (spec.title, [str(one["query_string"]) for one in spec.choices(shown)])
        for spec in shown.filter_specs
    ]
    for title, choices in specs:
        for number, choice in enumerate(choices[1:], start=1):
            yield f"{title}, choice {number}", f"{listing}{choice}"
    if len(specs) > 1:
        (title, ones), (other, others), *_ = specs
        for one in ones[1:]:
            for two in others[1:]:
                both = f"{one}&{two.removeprefix('?')}"
                yield f"{title} and {other} ({both})", f"{listing}{both}"


def _list_orders(page: Any, listing: str) -> Iterator[tuple[str, str]]:
    from django.test import RequestFactory

    request = RequestFactory().get(listing)
    sortable = page.get_sortable_by(request)
    for number, column in enumerate(page.get_list_display(request), start=1):
        if column in sortable:
            words = getattr(column, "short_description", column)
            yield f"sorted by {words}", f"{listing}?o={number}"
            yield f"sorted by {words}, the other way", f"{listing}?o=-{number}"


def _list_links_here(page: Any) -> Iterator[tuple[str, str]]:
    """Yield the addresses through which records of other tables link to this list."""
    from django.contrib import admin

    from tapes_app.admin.recorded import list_address

    for other in admin.site._registry.values():
        for one in getattr(other, "related", ()):
            if one.model is page.model:
                for record in other.model._default_manager.order_by("pk")[:3]:
                    words = f"of {other.opts.verbose_name} {str(record.pk)[:8]}"
                    yield words, list_address(one.model, one.field, record.pk)


def _measure(client: Any, path: str) -> float:
    """Return the median of a request's milliseconds."""
    times: list[float] = []
    while len(times) < _REPEATS and sum(times) < _LONG_SECONDS * 1_000:
        begin = time.perf_counter()
        answer = client.get(path)
        times.append((time.perf_counter() - begin) * 1_000)
        assert answer.status_code == 200, (path, answer.status_code)
    return statistics.median(times)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--database-url", help="postgresql://user:password@host:port/name")
    parser.add_argument("--count", type=int, default=1_000_000, help="rows of each table")
    parser.add_argument("--all", action="store_true", help="print every request")
    return parser.parse_args()


if __name__ == "__main__":
    main()
