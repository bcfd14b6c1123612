"""Suites on the command line, as CI runs them: lines, exit statuses, JUnit XML, a pytest module."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from optimize_app.evaluation.services.suites.junit import write_junit
from optimize_app.evaluation.services.suites.pytest_module import write_pytest_module
from optimize_app.evaluation.services.suites.suite_runs import OutcomeOfTest, SuiteOutcome
from optimize_app.evaluation.services.sweeps.sweeps import NamedVariant
from tests.evaluation.test_suites_over_http import SuiteBench, bench
from tests.evaluation.test_sweeps_over_http import chat_with
from tests.llms.conftest import model_server
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.studio.running_studio import ROOT, put_tables, studio_environment

__all__ = ["bench", "model_server"]
ON_THE_STORE = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def evaluate(*arguments: str) -> tuple[int, list[str]]:
    """Run the command; return its exit status and its lines."""
    out = io.StringIO()
    status = 0
    try:
        call_command("evaluate", *arguments, stdout=out, stderr=out)
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    except CommandError as error:
        status = error.returncode
    return status, out.getvalue().splitlines()


@pytest.mark.usefixtures("bench")
class TestOnTheStore:
    pytestmark = ON_THE_STORE

    def test_a_suite_fails_until_the_agent_is_mended(
        self, bench: SuiteBench, tmp_path: Path
    ) -> None:
        agent = bench.add_careless()
        first, second = bench.fail_some(agent, 2)
        name = bench.make_test(first, suite="smoke", at=1)["name"]
        bench.make_test(second, suite="smoke", at=1)
        junit = tmp_path / "results.xml"

        status, lines = evaluate("--suite", "smoke", "--junit", str(junit))

        assert status == 1
        assert lines[0].startswith(f"fail    {name}: The last number, ")
        assert lines[-1] == "0 of 2 tests passed, 2 failed."
        (suite,) = ET.parse(junit).getroot().findall("testsuite")
        assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "2", "0")
        case = suite.findall("testcase")[0]
        assert (case.get("name"), case.get("classname")) == (name, "smoke.careless v1")
        assert "is not" in str(case.findall("failure")[0].get("message"))

        bench.mend(agent)
        status, lines = evaluate("--suite", "smoke", "--repeats", "2")
        assert (status, lines[-1]) == (0, "2 of 2 tests passed.")
        status, lines = evaluate("--suite", "smoke", "--agent", "careless@1", "--json")
        assert (status, json.loads(lines[-1])["failed"]) == (1, 2)

    def test_what_is_missing_is_told_apart_and_does_not_pass(
        self, bench: SuiteBench, tmp_path: Path
    ) -> None:
        agent = bench.add_careless()
        bench.mend(agent)
        for tape in bench.fail_some(agent, 3):
            bench.make_test(tape, suite="dear", at=1)
        junit = tmp_path / "results.xml"

        status, lines = evaluate("--suite", "dear", "--calls", "4", "--junit", str(junit))

        assert status == 1
        told = json.loads(evaluate("--suite", "dear", "--calls", "4", "--json")[1][-1])
        assert told["failed"] == 0
        assert told["missing"] > 0
        assert told["passed"] + told["missing"] == 3
        assert any(line.startswith("missing ") and "budget was used up" in line for line in lines)
        assert "missing, which is neither." in lines[-1]
        (suite,) = ET.parse(junit).getroot().findall("testsuite")
        assert suite.get("failures") == "0"
        assert int(str(suite.get("errors"))) > 0
        assert suite.findall("testcase/error")[0].get("type") == "missing"

    def test_what_was_paid_for_is_scored(
        self, bench: SuiteBench, model_server: OpenAIServer
    ) -> None:
        model_server.default = Behaviour(text="42")
        chat_with(bench, model_server)
        command = ("--suite", "math-test", "--agent", "chat", "--model", "own", "--calls", "1")

        status, lines = evaluate(*command, "--json")

        told = json.loads(lines[-1])
        assert (status, len(model_server.requests)) == (1, 1)
        assert (told["passed"] + told["failed"], told["missing"]) == (1, 2)

    def test_what_is_refused_or_mistaken_ends_with_two(
        self, bench: SuiteBench, tmp_path: Path
    ) -> None:
        assert evaluate("--suite", "nobody's") == (
            2,
            ["There is no suite \"nobody's\" in 'Studio': no dataset has this name."],
        )
        status, (line,) = evaluate("--suite", "math-test")
        assert (status, "choose one" in line) == (2, True)
        told = evaluate("--suite", "math-test", "--agent", "math", "--junit", str(tmp_path / "a/b"))
        assert (told[0], "There is no folder" in told[1][0]) == (2, True)
        assert evaluate("--suite", "math-test", "--agent", "nobody")[0] == 2
        assert evaluate("--suite", "math-test", "-q", "x")[0] == 2
        assert evaluate("some", "--agent", "math")[0] == 2
        assert evaluate("some", "--agent", "math", "-q", "x", "--junit", "f")[0] == 2

    def test_any_dataset_runs_as_a_suite(self, bench: SuiteBench) -> None:
        never_wrong = 'script={"error_rate":0.0}'
        status, lines = evaluate("--suite", "math-test", "--agent", "math", "--set", never_wrong)

        assert (status, lines[-1]) == (0, "3 of 3 tests passed.")


@pytest.mark.slow
def test_a_real_command_fails_and_passes_and_its_module_runs_in_pytest(tmp_path: Path) -> None:
    studio = Studio(tmp_path)
    put_tables(tmp_path / "studio")
    studio.manage("load_sample")
    listed = studio.json("list_tapes", "-q", "agent:chat")["tapes"]
    (tape,) = (row["id"] for row in listed if row["title"] == "How far is 10 kg in miles?")
    made = studio.json("suites", "add", "ci", "--tape", tape, "--at", "1", "--contains", "6.2")
    module = tmp_path / "test_ci.py"
    studio.manage("evaluate", "--suite", "ci", "--export-pytest", str(module))

    failed = studio.manage("evaluate", "--suite", "ci", status=1)
    as_pytest = studio.pytest(module, status=1)

    assert "fail    How far is 10 kg in miles?: Not true: the final text contains '6.2'." in failed
    assert "test_regression[How far is 10 kg in miles?]" in as_pytest
    assert "1 failed, 1 passed" in as_pytest

    studio.manage("suites", "change", made["tape_id"], "--contains", "kg")
    passed = studio.manage("evaluate", "--suite", "ci")
    assert passed.strip().endswith("1 of 1 test passed.")
    assert "2 passed" in studio.pytest(module)


class Studio:
    """The command `manage.py` in processes of its own, on a store of its own."""

    def __init__(self, folder: Path) -> None:
        self._environment = studio_environment(STUDIO_DATA_DIR=str(folder / "studio"))
        self._folder = folder

    def manage(self, *arguments: str, status: int = 0) -> str:
        return self._run([sys.executable, str(ROOT / "manage.py"), *arguments], status)

    def json(self, *arguments: str) -> Any:
        return json.loads(self.manage(*arguments, "--json").splitlines()[-1])

    def pytest(self, module: Path, status: int = 0) -> str:
        options = ["-q", "-rA", "-p", "no:cacheprovider", "-p", "no:django"]
        command = [sys.executable, "-m", "pytest", *options, "--rootdir", str(self._folder)]
        return self._run([*command, str(module)], status)

    def _run(self, command: list[str], status: int) -> str:
        ran = subprocess.run(
            command,
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == status, ran.stdout + ran.stderr
        return ran.stdout + ran.stderr


VARIANT = NamedVariant("A", "chat v1", uuid4(), "chat", 1, None, "", {})
HOSTILE = "\x1b]0;x\x07 <b>&\"'\ud800 \ufffe \x00 {boom} \"\"\" '''\nimport os"


def outcome(*results: Any, name: str = "a test") -> SuiteOutcome:
    tests = [
        OutcomeOfTest(uuid4(), name, VARIANT, result, f"why {HOSTILE}", uuid4(), 1.5)
        for result in results
    ]
    return SuiteOutcome(f"suite {HOSTILE}", [VARIANT], tests)


def test_junit_holds_any_text_and_counts_what_is_missing_as_errors() -> None:
    written = write_junit(outcome("pass", "fail", "missing", name=f"t {HOSTILE}"))

    root = ET.fromstring(written)
    assert root.attrib["tests"] == "3"
    cases = root.findall("testsuite/testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["error"]]
    assert "<b>" not in written
    assert root.findall("testsuite")[0].get("time") == "4.500"


def test_a_module_holds_any_name_as_text_alone(tmp_path: Path) -> None:
    test = uuid4()
    said = write_pytest_module(
        f"s {HOSTILE}",
        [(test, f"t {HOSTILE}")],
        arguments=["--suite", HOSTILE],
        python="python",
        manage="manage.py",
    )

    values: dict[str, Any] = {}
    exec(compile(said, "module", "exec"), values)
    assert values["TESTS"] == {str(test): f"t {HOSTILE}"}
    assert values["ARGUMENTS"] == ["--suite", HOSTILE]
    assert said.isascii()
