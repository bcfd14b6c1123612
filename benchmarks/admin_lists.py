"""The lists of the admin pages on a large library: `python benchmarks/admin_lists.py --data-dir F`.

`F` is a data folder that `make_tapes.py` filled on SQLite. Tables that tapes do not bring along
(jobs, events, calls, annotations, findings, drafts, …) get a row for each tape here, by SQL. Each
request is one as a browser sends it, through Django's test client, in one process, whose processor
time is measured: what else the machine does then does not count.
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

_REPEATS = 5
_ID = "lower(hex(randomblob(16)))"
_NUMBER = "row_number() over ()"
# By table: columns with what goes into them, from each row of `tape`.
_OWNED = {"id": _ID, "created_at": "created_at", "project_id": "project_id"}
_BESIDE: dict[str, dict[str, str]] = {
    "content": {"digest": "randomblob(16)", "body": "'{}'"},
    "prompt_node": {
        "digest": "randomblob(16)", "depth": "1",
        "message_id": "(SELECT digest FROM content LIMIT 1)",
    },
    "job": {
        **_OWNED, "kind": "'run'", "queue": "'agents'", "priority": "0", "title": "title",
        "state": "CASE abs(random()) % 20 WHEN 0 THEN 'failed' ELSE 'succeeded' END",
        "request": "'{}'", "attempt": "1", "lost_count": "0", "worker": "''", "tape_id": "id",
        "progress_done": "3", "message": "''", "error_code": "''", "is_cancel_requested": "0",
        "cancelled_by": "''", "control": "'{}'", "last_seq": "1", "pruned_seq": "0",
        "updated_at": "created_at", "finished_at": "created_at",
    },
    "llm_call": {
        **_OWNED, "prompt_id": "id", "prompt_digest": "id", "model_name": "'m'", "output": "'{}'",
        "input_tokens": "9", "output_tokens": "9", "finish_reason": "'stop'", "is_cached": "0",
        "error": "''", "llm_id": "(SELECT digest FROM content LIMIT 1)",
        "settings_id": "(SELECT digest FROM content LIMIT 1)", "tape_id": "id",
        "is_estimate": "0",
    },
    "annotation": {
        **_OWNED, "field": "''", "kind": "'note'", "name": "''", "text": "'good'",
        "source": "'person'", "source_name": "''", "details": "'{}'", "updated_at": "created_at",
        "tape_id": "id",
    },
    "tape_lint": {
        "tape_id": "id", "tape_version": "1", "stamp": "''", "finding_count": "1",
        "linted_at": "created_at",
    },
    "lint_mark": {
        "id": _NUMBER, "detector": "'repeats'", "severity": "'warning'", "finding_count": "1",
        "position": "0", "project_id": "project_id", "tape_id": "id",
    },
    "draft": {
        "id": _NUMBER, "operations": "'[]'", "applied_count": "0", "version": "1",
        "updated_at": "created_at", "person_id": "(SELECT min(id) FROM auth_user)",
        "tape_id": "id", "base_step_count": "0", "letter": "'A'", "name": "''",
    },
}  # fmt: skip


def main() -> None:
    os.environ["STUDIO_DATA_DIR"] = str(_read_folder())
    os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client

    user, _ = User.objects.get_or_create(username="bench", is_staff=True, is_superuser=True)
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    _put_rows_beside()
    print("| list | rows | first page | narrowed, searched or sorted, the slowest | which |")
    print("|---|---:|---:|---:|---|")
    for name, rows, cases in _list_cases():
        took = {words: _measure(client, path) for words, path in cases.items()}
        first = took.pop("first page")
        words = max(took, key=lambda one: took[one])
        print(
            f"| {name} | {rows:,} | {first:.0f} ms | {took[words]:.0f} ms | {words} |", flush=True
        )


def _list_cases() -> Iterator[tuple[str, int, dict[str, str]]]:
    """Give each list of more than a thousand rows with the addresses that it links to."""
    from django.contrib import admin
    from django.db import connection
    from django.urls import reverse

    for model, page in admin.site._registry.items():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT count(*) FROM "{model._meta.db_table}"')  # noqa: S608
            count = cursor.fetchone()[0]
        if count < 1_000:
            continue
        listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        yield str(model._meta.verbose_name_plural), count, dict(_list_addresses(page, listing))


def _list_addresses(page: Any, listing: str) -> Iterator[tuple[str, str]]:
    from django.test import RequestFactory

    request = RequestFactory().get(listing)
    model = page.model
    middle = model._default_manager.order_by("pk")[500]
    yield "first page", listing
    yield "page 100", f"{listing}?p=100"
    for field in page.search_fields:
        value: Any = middle
        for name in field.removeprefix("=").split("__"):
            value = getattr(value, name, None)
        yield f"search by {field.removeprefix('=')}", f"{listing}?q={getattr(value, 'hex', value)}"
    for field in page.list_filter:
        if field == "project":
            yield "one project", f"{listing}?project__id__exact={middle.project_id}"
        elif field == "state":
            yield "one state", f"{listing}?state__exact=succeeded"
            yield "one rare state", f"{listing}?state__exact=failed"
    columns = page.get_list_display(request)
    sortable = page.get_sortable_by(request)
    for number, column in enumerate(columns, start=1):
        if column in sortable:
            words = getattr(column, "short_description", column)
            yield f"sorted by {words}", f"{listing}?o={number}"
            yield f"sorted by {words}, the other way", f"{listing}?o=-{number}"


def _measure(client: Any, path: str) -> float:
    """Return the median of a request's milliseconds on the processor."""
    times: list[float] = []
    while len(times) < _REPEATS and sum(times) < 2_000:
        begin = time.process_time()
        answer = client.get(path)
        times.append((time.process_time() - begin) * 1_000)
        assert answer.status_code == 200, (path, answer.status_code)
    return statistics.median(times)


def _put_rows_beside() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        for table, columns in _BESIDE.items():
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608
            if cursor.fetchone()[0] >= 1_000:
                continue
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) "  # noqa: S608
                f"SELECT {', '.join(columns.values())} FROM tape"
            )
        cursor.execute("SELECT count(*) FROM job_event")
        if not cursor.fetchone()[0]:
            cursor.execute(
                "INSERT INTO job_event (job_id, seq, attempt, payload, created_at) "
                "SELECT id, 1, 1, '{}', created_at FROM job"
            )
        cursor.execute("PRAGMA analysis_limit = 1000")
        cursor.execute("ANALYZE")


def _read_folder() -> Path:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    return Path(parser.parse_args().data_dir)


if __name__ == "__main__":
    main()
