"""Reading what runs of tests leave behind: JUnit reports and logs."""

import json
import os
import re
import resource
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

PROCESSOR_SECONDS = "processor_seconds"
"""The property of a test that says what it cost."""

_DEAREST = 10
_SLOW_SECONDS = 10.0
_IN_ORDER = "tests/e2e/"
_KERNEL = Path("/proc/stat")
_COUNTS = re.compile(r"(?:Tests +)?\d+ (?:passed|failed|error|skipped)")


def closing_line(log: str) -> str:
    """Return the line in which pytest, or vitest, counts its tests."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", log)
    lines = [line.strip() for line in text.splitlines()]
    counts = [line for line in lines if _COUNTS.match(line)]
    return counts[-1] if counts else ""


def list_files(report: Path) -> list[str]:
    """Return the files of the tests in a report."""
    return sorted({find_file(case) for case in read_report(report, "testcase")})


def add_up_costs(reports: Iterable[Path]) -> Counter[str]:
    """Return the processor seconds of each file of tests, as `tests/costs.py` noted them."""
    seconds = Counter[str]()
    for report in reports:
        for case in read_report(report, "testcase"):
            for found in case.iterfind("properties/property"):
                if found.get("name") == PROCESSOR_SECONDS:
                    seconds[find_file(case)] += float(found.get("value", 0))
    return seconds


def find_file(case: ElementTree.Element) -> str:
    """Return the file of a test: pytest names a module, vitest a path below `frontend/`."""
    named = case.get("classname", "")
    return f"frontend/{named}" if _is_of_vitest(case) else named.replace(".", "/") + ".py"


def list_failures(report: Path) -> Iterator[str]:
    """Yield for each failed test of a JUnit report its message and how to run it again."""
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


def add_up_seconds(report: Path) -> Counter[str]:
    """Return how long the tests of each file took, waiting included."""
    seconds = Counter[str]()
    for case in read_report(report, "testcase"):
        seconds[find_file(case)] += float(case.get("time", 0))
    return seconds


def count_busy_seconds() -> float:
    """Return how long the machine's processors have worked, in seconds summed over all of them.

    That of the children alone is less: a process that a fork server started, and that nobody waits
    for, is nobody's child. Only Linux tells; elsewhere it is the children's.
    """
    if not _KERNEL.exists():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    _, user, nice, system, *_ = _KERNEL.read_text().split(maxsplit=4)
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")


def describe_costs(reports: Iterable[Path], total: float) -> Iterator[str]:
    """Yield what the tests cost: by subject, the dearest files, and all that no test is about.

    `total` is what the machine worked meanwhile, in seconds.
    """
    costs = add_up_costs(reports)
    subjects = Counter[str]()
    for file, seconds in costs.items():
        subjects["/".join(file.split("/")[:2])] += seconds
    yield f"\nProcessor time of the machine: {total / 60:.1f} minutes; of these, in seconds:"
    yield from _columns(subjects.most_common())
    yield f"{total - sum(costs.values()):8.0f} collecting, building, forked programs, databases"
    yield "The dearest files:"
    yield from _columns(costs.most_common(_DEAREST))


def _columns(costs: Sequence[tuple[str, float]]) -> Iterator[str]:
    for name, seconds in costs:
        yield f"{seconds:8.0f} {name}"


def record_slow_files(place: Path, reports: Iterable[Path]) -> None:
    """Write how long the slow files took; `tests/conftest.py` lets them begin first.

    Browser stories are left out: those of a process share a studio, in the order of their names.
    """
    seconds = Counter[str]()
    for report in reports:
        for file, spent in add_up_seconds(report).items():
            seconds[file] = max(seconds[file], spent)
    slow = {
        file: round(spent)
        for file, spent in seconds.most_common()
        if spent >= _SLOW_SECONDS and file.endswith(".py") and not file.startswith(_IN_ORDER)
    }
    place.write_text(json.dumps(slow, indent=2) + "\n", encoding="utf-8")


def _is_of_vitest(case: ElementTree.Element) -> bool:
    return case.get("classname", "").endswith((".ts", ".tsx"))


def read_report(report: Path, path: str) -> Iterator[ElementTree.Element]:
    if report.exists():
        yield from ElementTree.parse(report).iterfind(f".//{path}")  # noqa: S314 - pytest wrote it
