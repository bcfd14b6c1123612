"""What is read of tests: the files with a mark, and what runs left, JUnit reports and logs."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ON_BOTH = "both_databases"
"""The mark of a test that runs on both databases."""

ALSO_ON_POSTGRES = f"{ON_BOTH} and not sqlite_alone"
"""What selects the tests that run once more on PostgreSQL."""

_COUNTS = re.compile(r"(?:Tests +)?\d+ (?:passed|failed|error|skipped)")


def closing_line(log: str) -> str:
    """Return the line in which pytest, or vitest, counts its tests."""
    said = re.sub(r"\x1b\[[0-9;]*m", "", log)
    lines = [line.strip() for line in said.splitlines()]
    counts = [line for line in lines if _COUNTS.match(line)]
    return counts[-1] if counts else ""


def list_files_on_both(report: Path) -> list[str]:
    """Return the files of the tests of a report that are marked for both databases."""
    cases = read_report(report, "testcase")
    return sorted(
        {
            find_file(case)
            for case in cases
            if any(found.get("name") == ON_BOTH for found in case.iterfind("properties/*"))
        }
    )


def list_marked_files(tests: Path) -> list[str]:
    """Return the files that name the mark: reading all takes each process ten seconds more."""
    paths = sorted(tests.rglob("test_*.py"))
    return [str(path) for path in paths if ON_BOTH in path.read_text("utf-8")]


def find_file(case: ElementTree.Element) -> str:
    """Return the file of a test: pytest names a module, vitest a path below `frontend/`."""
    named = case.get("classname", "")
    return f"frontend/{named}" if _is_of_vitest(case) else named.replace(".", "/") + ".py"


def list_failures(report: Path) -> Iterator[str]:
    """Give for each failed test of a JUnit report its message and how to run it again."""
    for case in read_report(report, "testcase"):
        for child in case:
            if child.tag not in {"failure", "error"}:
                continue
            reason, *_ = child.get("message", "").splitlines() or [""]
            path = find_file(case)
            name = case.get("name", "")
            yield f"{path}::{name}: {reason[:200]}"
            if _is_of_vitest(case):
                yield f"    npm run test --prefix frontend -- {case.get('classname', '')}"
            else:
                yield f'    make test ARGS="{path}::{name.partition("[")[0]}"'


def _is_of_vitest(case: ElementTree.Element) -> bool:
    return case.get("classname", "").endswith((".ts", ".tsx"))


def read_report(report: Path, path: str) -> Iterator[ElementTree.Element]:
    if report.exists():
        yield from ElementTree.parse(report).iterfind(f".//{path}")  # noqa: S314 - pytest wrote it
