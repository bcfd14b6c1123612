"""Measures one library: requests, an import and an export on one database; prints JSON last.

`library.py` starts it once for each database. An existing library is reused.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness import HERE, add_repository_to_path

add_repository_to_path()
os.environ["STUDIO_LOG_LEVEL"] = "ERROR"

SEED = 7
_PREWARM = """
    SELECT sum(pg_prewarm(t.oid, 'read')) FROM pg_class AS t
    JOIN pg_namespace AS n ON n.oid = relnamespace
    WHERE nspname = current_schema() AND relkind IN ('r', 'i')
"""
IMPORT_SEED = 1_000_003


def main() -> None:
    wanted = read_arguments()
    os.environ["STUDIO_DATA_DIR"] = str(wanted.data_dir)
    os.environ["DATABASE_URL"] = wanted.database_url
    os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)

    from library_reads import ALL_SEARCHES, SEARCH, Requests, measure, pool

    from tapes_app.jobs.store.upkeep import keep_quick
    from tapes_app.projects.store.projects import ensure_default_project

    project = ensure_default_project().id
    ensure_tapes(project, wanted.tapes)
    keep_quick(0)
    requests = Requests(project)
    warm_up(wanted.data_dir)
    timings = {}
    for name, case in requests.cases().items():
        timings[name] = measure(case, repeats=wanted.repeats)
        tell(f"{name}: {timings[name]}")
    searches = [timing for name, timing in timings.items() if name.startswith(SEARCH)]
    timings[ALL_SEARCHES] = pool(searches)
    # What is not asked for leaves memory again: the indexes of the other columns.
    warm_up(wanted.data_dir)
    imported = import_rate(project, wanted.imported)
    tell(f"import: {imported:.0f} tapes/s")
    exported = export(project, requests, wanted.exported)
    tell(f"export: {exported}")
    result = {name: asdict(timing) for name, timing in timings.items()}
    print(json.dumps({"timings": result, "import_rate": imported, "export": exported}))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--database-url", default="")
    parser.add_argument("--tapes", type=int, required=True)
    parser.add_argument("--repeats", type=int, required=True)
    parser.add_argument("--imported", type=int, required=True)
    parser.add_argument("--exported", type=int, required=True)
    return parser.parse_args()


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def ensure_tapes(project: Any, count: int) -> None:
    from bulk_tapes import fill

    from tapes_app.models import TapeRecord

    if TapeRecord.objects.filter(project_id=project)[:count].count() < count:
        tell(f"making {count:,} tapes …")
        fill(project, count, seed=SEED)


def warm_up(data_dir: Path) -> None:
    """Load the database's files into memory, as those of a studio in use are."""
    from django.db import DatabaseError, connection

    if connection.vendor == "sqlite":
        with (data_dir / "studio.sqlite3").open("rb") as file:
            while file.read(1 << 24):
                pass
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_prewarm")
            cursor.execute(_PREWARM)
    except DatabaseError as error:
        tell(f"The database is not warmed up: {error}")


def write_files(folder: Path, count: int) -> None:
    """Write tapes as TapeAgents files, one tape each, as its own library would hold them."""
    from tape_stories import make_stories

    for story in make_stories(count, IMPORT_SEED):
        (folder / f"tape{story.number:06}.json").write_text(json.dumps(story.to_file()))


def import_rate(project: Any, count: int) -> float:
    """Return tapes per second by the product's import; what was imported is removed again."""
    from tapes_app.exchange.services.import_files import import_files
    from tapes_app.exchange.store.imports import discard_part, list_import_parts
    from tapes_app.interchange.folders import collect_files
    from tapes_app.models import BatchRecord

    with tempfile.TemporaryDirectory(prefix="studio-benchmark-") as text:
        folder = Path(text)
        write_files(folder, count)
        begin = time.perf_counter()
        report = import_files(project, collect_files(folder), batch_name="import benchmark")
        seconds = time.perf_counter() - begin
    if report.imported != count:
        raise SystemExit(f"{report.imported} of {count} tapes were imported")
    for part in list_import_parts(report.batch_id):
        discard_part(report.batch_id, part)
    BatchRecord.objects.filter(id=report.batch_id).delete()
    return count / seconds


def export(project: Any, requests: Any, count: int) -> dict[str, float]:
    """Export the newest tapes in another process and request pages of the list meanwhile."""
    from library_reads import LIST, percentile, timed
    from tape_stories import TOOLS

    from tapes_app.jobs.store.job import load_job
    from tapes_app.models import TapeRecord

    newest = TapeRecord.objects.filter(project_id=project).order_by("-created_at", "-id")
    oldest = newest.values_list("created_at", flat=True)[count - 1]
    query = f"created>={oldest:%Y-%m-%dT%H:%M:%SZ}"
    # A training format leaves out tapes that call tools which are not declared.
    functions = [{"type": "function", "function": {"name": name}} for name, _ in TOOLS]
    TapeRecord.objects.filter(project_id=project).update(context={"tools": functions})
    job = requests.post("exports", {"format": "openai", "q": query})
    worker = subprocess.Popen(
        [sys.executable, str(HERE / "library_export.py")], cwd=HERE.parent, stdout=subprocess.PIPE
    )
    page, times = requests.cases()[LIST], []
    while worker.poll() is None:
        times.append(timed(page)[0])
        time.sleep(0.25)
    assert worker.stdout is not None
    result = json.loads(worker.stdout.read())
    found = load_job(project, job["id"])
    if found.state != "succeeded" or found.result is None:
        raise SystemExit(f"the export is {found.state}: {found.message}")
    return {
        "tapes": found.result["tapes"],
        "seconds": result["seconds"],
        "megabytes": result["megabytes"],
        "idle_megabytes": result["idle_megabytes"],
        "list_p50": percentile(times, 0.5),
        "list_p95": percentile(times, 0.95),
    }


if __name__ == "__main__":
    main()
