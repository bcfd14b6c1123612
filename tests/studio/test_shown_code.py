"""Every block of code in the documents is run, or checked as strictly as if it were run.

A block is run by the test named in `RUN_BY`. Of other blocks, each line is checked against what
exists: the parsers of our commands, the settings, the targets of make, the addresses that answer.
`NOT_OURS` has the reasons for leaving the rest alone. Code within sentences is checked in the same
way.
"""

import argparse
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, get_commands, load_command_class
from django.urls import resolve

from studio.env import variable_names
from tests.http.routes import describe_api
from tests.studio.documents import Block, Line, list_blocks, list_lines, list_spans
from tests.studio.running_studio import ROOT

RUN_BY = {
    ("docs/http.md", "sh"): "tests/e2e/test_http_guide.py",
    ("docs/python.md", "python"): "tests/client/test_guide.py",
    ("docs/your-own-agent.md", "python"): "tests/studio/test_docs.py",
    ("docs/teams.md", "python"): "tests/studio/test_docs.py",
    ("docs/agent-editor.md", "python"): "tests/runs/test_chat_over_http.py",
    ("docs/builders.md", "python"): "tests/builders/test_guide.py",
    ("docs/code.md", "python"): "tests/environments/test_code.py",
    ("docs/tool-rules.md", "python"): "tests/engine/test_tool_rules.py",
    ("docs/many-tapes-at-once.md", "python"): "tests/studio/test_shown_code.py",
    ("docs/documents-and-search.md", "python"): "tests/environments/test_documents_guide.py",
    ("docs/documents-and-search.md", "sh"): "tests/environments/test_documents_guide.py",
}
"""The test that runs all blocks of a document in one language, in their order."""

NOT_OURS = {
    "git clone <this repository> tape-studio": "the reader knows from where it came",
    "cd tape-studio": "the folder of that",
    "pip install ./deploy/client": "asks a package registry",
    "cd .studio": "of a studio that does not start; test_upgrades.py goes back to such a copy",
    "rm -f studio.sqlite3-wal studio.sqlite3-shm": "the same",
    "cp backups/before-upgrade-TIME.sqlite3 studio.sqlite3": "the same",
    "createuser --pwprompt studio": "needs a server of PostgreSQL and its operator",
    "createdb --owner=studio studio": "the same",
    "0 3 * * *  cd /srv/tape-studio": "begins a line of crontab",
}
"""Commands that cannot be run or checked here, each with the reason."""

OTHER_LANGUAGES = {
    "text": "a drawing",
    "nginx": "the configuration of a proxy; test_operators_story.py has one of its own",
    "caddyfile": "the same",
}

BLOCKS = list(list_blocks())
LINES = [
    line
    for block in BLOCKS
    if block.language in {"sh", ""} and (block.document, block.language) not in RUN_BY
    for line in list_lines(block)
]


@cache
def parser_of(name: str) -> argparse.ArgumentParser:
    apps = get_commands()
    assert name in apps, f"there is no command {name}"
    return load_command_class(apps[name], name).create_parser("manage.py", name)


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """Return the options of a command and of all its actions."""
    found: set[str] = set()
    for action in parser._actions:
        found.update(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            found.update(*(options_of(part) for part in action.choices.values()))
    return found


def assert_options_exist(name: str, arguments: str) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", arguments))
    unknown = named - options_of(parser_of(name))
    assert not unknown, f"{name} has no {', '.join(sorted(unknown))}"


def assert_parses(words: tuple[str, ...]) -> None:
    """Check a call of `manage.py` with the parser of its command, and any JSON in it."""
    name, *arguments = words[words.index("manage.py") + 1 :]
    if any(word.startswith("[") or word in {"|", "…", "N"} for word in arguments):  # may be
        assert_options_exist(name, " ".join(arguments))
        return
    try:
        parser_of(name).parse_args(arguments)
    except CommandError as refused:
        raise AssertionError(f"{name}: {refused}") from refused
    for word in arguments:
        if word.startswith("{"):
            json.loads(word)


def assert_is_there(line: Line) -> None:
    """Check that what a line calls exists."""
    known = {*variable_names(), "PYTHONPATH"}
    assert set(line.variables) <= known, f"{set(line.variables) - known} are no settings"
    if not line.words or any(line.text.strip().startswith(left_out) for left_out in NOT_OURS):
        return
    if "manage.py" in line.words:
        assert_parses(line.words)
    elif line.words[0] == "make":
        targets = re.findall(
            r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
        )
        assert line.words[1] in targets
    elif line.words[0] == "curl":
        [path] = re.findall(r"http://127\.0\.0\.1:8700(/\S*)", line.text)
        assert resolve(path).url_name not in {None, "front-end"}
    else:
        raise AssertionError("it is neither run nor read; say in NOT_OURS why not")


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.place)
def test_a_line_of_a_document_is_what_the_studio_takes(line: Line) -> None:
    assert_is_there(line)


@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if block.language not in {"sh", ""}],
    ids=lambda block: block.place,
)
def test_a_block_in_another_language_is_run_or_read(block: Block) -> None:
    if block.language == "json":
        json.loads(block.text)
    elif block.language == "ini":
        names = {line.partition("=")[0] for line in block.text.splitlines()}
        assert names <= set(variable_names())
    elif block.language == "yaml":
        assert isinstance(yaml.safe_load(block.text), dict)
    elif block.language not in OTHER_LANGUAGES:
        assert (block.document, block.language) in RUN_BY


def test_what_runs_a_document_names_it() -> None:
    shown = {(block.document, block.language) for block in BLOCKS}
    for (document, language), test in RUN_BY.items():
        assert (document, language) in shown
        assert Path(document).name in (ROOT / test).read_text(encoding="utf-8")


def test_what_is_left_alone_is_still_shown() -> None:
    shown = [line.text.strip() for line in LINES]
    for left_out in NOT_OURS:
        assert any(text.startswith(left_out) for text in shown), left_out


def test_commands_within_sentences_have_the_options_that_they_are_shown_with() -> None:
    calls = [
        (document, found[1], found[2])
        for document, span in list_spans()
        for found in re.finditer(r"manage\.py ([a-z_]\w*)([^|]*)", span)
    ]

    assert len(calls) > 50
    for document, name, arguments in calls:
        assert name == "help" or name in get_commands(), f"{document} shows {name}"
        if name != "help":
            assert_options_exist(name, arguments)


def test_requests_within_sentences_are_answered() -> None:
    operations = {
        (method.upper(), tuple(path.removeprefix("/api/v1").strip("/").split("/")))
        for path, methods in describe_api()["paths"].items()
        for method in methods
    }
    others = ("/v1/", "/metrics", "/health")  # of OpenAI, and of an adapter server
    asked = [
        (document, found[1], found[2].removeprefix("/api/v1"))
        for document, span in list_spans()
        for found in re.finditer(r"\b(GET|POST|PUT|PATCH|DELETE) (/[^\s?]+)", span)
        if not found[2].startswith(others)
    ]

    assert len(asked) > 300
    for document, method, path in asked:
        parts = path.strip("/").split("/")
        assert any(
            one == method and len(known) == len(parts) and all(map(is_part, known, parts))
            for one, known in operations
        ), f"{document} shows {method} {path}"


def is_part(known: str, shown: str) -> bool:
    """Return whether a part of an address matches: a word exactly, a value by any name."""
    if known == shown:
        return True
    if re.fullmatch(r"\{\w+\}", known):
        return re.fullmatch(r"\{\w+\}|[A-Z]+", shown) is not None
    return re.fullmatch(re.sub(r"\{\w+\}", r"\\w+", known), shown) is not None


_TRANSFORM = """
import keep
from tapes_app.engine import Tape, UserStep
from tapes_app.bulk.transform.transforms import transforms
tape = Tape(steps=tuple(UserStep(content=str(number)) for number in range(5)))
operations = transforms.get("keep_beginning")
print(operations(tape, {"count": 3}), operations(tape, {"count": 9}))
"""


def test_the_transform_of_many_tapes_at_once_md_keeps_the_beginning(tmp_path: Path) -> None:
    [code] = [
        block.text
        for block in BLOCKS
        if (block.document, block.language) == ("docs/many-tapes-at-once.md", "python")
    ]
    (tmp_path / "keep.py").write_text(code, encoding="utf-8")

    ran = subprocess.run(
        [sys.executable, "-c", _TRANSFORM],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT}:{tmp_path}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert "position=3" in ran.stdout
    assert ran.stdout.endswith("[]\n")
