"""Claim 6: a library of tapes: list, filter, search, facets, import and export.

100,000 tapes on SQLite, 1,000,000 on a PostgreSQL server at a usual address, each through the HTTP
API in a separate process. The peer reads its entire folder for each page, so a small folder shows
the cost of a page; its cost at our sizes is not measured.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from harness import HERE, Row, finish, row, run_peer

DATABASE = "studio_library"
GOAL = (
    "p50 of the list page and of searches under 20 ms at 100,000 tapes on SQLite and 1,000,000 on "
    "PostgreSQL; import at 500 tapes of 10 steps a second"
)
MOST_MILLISECONDS = 20.0
LEAST_IMPORTED = 500.0
PEER_TAPES = 2_000
PEER_FILE = 100
PEER_SEED = 6
_BOUND = ("first page of the list", "all searches together")


def main() -> None:
    wanted = read_arguments()
    rows: list[Row] = []
    measured: dict[str, Any] = {}
    peer = measure_peer(200 if wanted.smoke else PEER_TAPES)
    for name, database in databases(wanted):
        with database as arguments:
            found = run_worker(arguments)
        measured[name] = found
        rows += describe(name, found, peer)
    finish(
        "library_smoke" if wanted.smoke else "library",
        claim=6,
        goal=GOAL,
        rows=rows,
        met=len(measured) == 2 and all(map(is_met, measured.values())),
        peer=f"TapeAgents 0.1.16, its Browser on {peer['tapes']:,} tapes in files, without Gradio",
    )


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small libraries, to try it")
    parser.add_argument("--repeats", type=int, default=40, help="requests of each case")
    parser.add_argument("--exported", type=int, default=100_000, help="tapes to export")
    parser.add_argument("--only", choices=("SQLite", "PostgreSQL"))
    parser.add_argument(
        "--reuse", type=Path, metavar="FOLDER",
        help="keep both libraries, SQLite's in this folder, and use what is there",
    )  # fmt: skip
    return parser.parse_args()


def databases(wanted: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Yield the name of each database and a function that makes its worker's arguments."""
    sizes = (2_000, 3_000) if wanted.smoke else (100_000, 1_000_000)
    if wanted.only != "PostgreSQL":
        yield f"SQLite, {sizes[0]:,}", sqlite_library(wanted, sizes[0])
    server = find_postgres() if wanted.only != "SQLite" else None
    if server is not None:
        yield f"PostgreSQL, {sizes[1]:,}", postgres_library(server, wanted, sizes[1])


def find_postgres() -> str | None:
    sys.path.insert(0, str(HERE.parent / "deploy"))
    import run_tests

    found: str | None = run_tests.find_postgres()
    return found


@contextmanager
def sqlite_library(wanted: argparse.Namespace, count: int) -> Iterator[list[str]]:
    with data_folder(wanted.reuse, "sqlite") as folder:
        yield worker_arguments(wanted, folder, count)


@contextmanager
def postgres_library(server: str, wanted: argparse.Namespace, count: int) -> Iterator[list[str]]:
    """Create a separate database; it is dropped afterwards unless it should be kept."""
    kept = wanted.reuse
    name = DATABASE if kept is not None else f"{DATABASE}_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as link:
        known = link.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if not known:
            link.execute(f'CREATE DATABASE "{name}"')
    address = server.rpartition("/")[0] + f"/{name}"
    try:
        with data_folder(kept, "postgresql") as folder:
            yield [*worker_arguments(wanted, folder, count), "--database-url", address]
    finally:
        if kept is None:
            with psycopg.connect(server, autocommit=True) as link:
                link.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def data_folder(kept: Path | None, name: str) -> Iterator[Path]:
    if kept is not None:
        yield kept / name
        return
    with tempfile.TemporaryDirectory(prefix="studio-benchmark-") as folder:
        yield Path(folder)


def worker_arguments(wanted: argparse.Namespace, folder: Path, count: int) -> list[str]:
    numbers = {
        "--tapes": count,
        "--exported": min(wanted.exported, count // 2 if wanted.smoke else count),
        "--imported": min(2_000, count // 10),
        "--repeats": 5 if wanted.smoke else wanted.repeats,
    }
    parts = [part for name, number in numbers.items() for part in (name, str(number))]
    return ["--data-dir", str(folder), *parts]


def run_worker(arguments: list[str]) -> Any:
    command = [sys.executable, str(HERE / "library_worker.py"), *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=HERE.parent)
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure_peer(count: int) -> Any:
    """Ask the peer for the same page of a folder of the same tapes, a hundred in each file."""
    from tape_stories import make_stories

    with tempfile.TemporaryDirectory(prefix="studio-benchmark-") as folder:
        tapes = [story.to_file() for story in make_stories(count, PEER_SEED)]
        for start in range(0, count, PEER_FILE):
            text = json.dumps(tapes[start : start + PEER_FILE])
            (Path(folder) / f"tapes{start:06}.json").write_text(text)
        return run_peer("tapeagents", "tapeagents_library", folder)


def describe(name: str, found: Any, peer: Any) -> Iterator[Row]:
    """Yield the rows of one database."""
    peers = {"first page of the list": peer["page"] * 1e3, "open a tape": peer["open"] * 1e3}
    for case, timing in found["timings"].items():
        details = f"p95 {timing['p95']:.0f}, cold {timing['cold']:.0f}"
        cut = ", cut" if timing["is_cut"] else ""
        yield row(f"{name}: {case}, p50 ({details}{cut})", timing["p50"], peers.get(case), "ms",
                  higher_wins=False)  # fmt: skip
    export = found["export"]
    peak = export["megabytes"]
    yield row(f"{name}: import, 10 steps each", found["import_rate"], None, "tapes/s",
              higher_wins=True)  # fmt: skip
    for case, value, unit in (
        ("export", export["tapes"] / export["seconds"], "tapes/s"),
        ("export, peak memory of its process", peak, "MB"),
        ("export, of that before it began", export["idle_megabytes"], "MB"),
        ("first page while exporting, p50", export["list_p50"], "ms"),
        ("first page while exporting, p95", export["list_p95"], "ms"),
    ):
        yield row(f"{name}: {case}", value, None, unit, higher_wins=unit == "tapes/s")


def is_met(found: Any) -> bool:
    slowest = max(found["timings"][case]["p50"] for case in _BOUND)
    return slowest < MOST_MILLISECONDS and found["import_rate"] >= LEAST_IMPORTED


if __name__ == "__main__":
    main()
