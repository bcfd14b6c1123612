"""The results of a suite as JUnit XML, which CI servers read."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from optimize_app.evaluation.services.suites.suite_runs import OutcomeOfTest, SuiteOutcome
from optimize_app.evaluation.services.sweeps.sweeps import NamedVariant

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped; agents' answers may contain them."""


def write_junit(outcome: SuiteOutcome, at: datetime | None = None) -> str:
    """Return the results: a failure where a test fails, an error where its result is missing."""
    root = ET.Element("testsuites", {"name": _fit(outcome.suite), **_count(outcome.tests)})
    for variant in outcome.variants:
        tests = [test for test in outcome.tests if test.variant == variant]
        name = f"{outcome.suite}: {variant.label}"
        written = (at or datetime.now(UTC)).isoformat(timespec="seconds")
        attributes = {"name": _fit(name), "timestamp": written, **_count(tests)}
        suite = ET.SubElement(root, "testsuite", attributes)
        for test in tests:
            _add_case(suite, outcome.suite, test, variant)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _add_case(
    suite: ET.Element, suite_name: str, test: OutcomeOfTest, variant: NamedVariant
) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        classname=_fit(f"{suite_name}.{variant.label}"),
        name=_fit(test.name),
        time=f"{test.seconds:.3f}",
    )
    if test.result == "pass":
        return
    tag = "failure" if test.result == "fail" else "error"
    problem = ET.SubElement(case, tag, message=_fit(test.reason), type=test.result)
    problem.text = _fit(f"{test.reason}\nTape: {test.tape_id or 'none was made'}")


def _count(tests: Sequence[OutcomeOfTest]) -> dict[str, str]:
    failures = sum(test.result == "fail" for test in tests)
    passes = sum(test.result == "pass" for test in tests)
    return {
        "tests": str(len(tests)),
        "failures": str(failures),
        "errors": str(len(tests) - failures - passes),
        "skipped": "0",
        "time": f"{sum(test.seconds for test in tests):.3f}",
    }


def _fit(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
