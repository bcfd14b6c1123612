"""Every call of `manage.py` in a block of a document is run, in this process.

A document is executed from top to bottom in a separate small library. Where it shows the usage of a
command, each variant is called. `Places` knows what its words in capitals stand for, and `LESS`
replaces large numbers by smaller ones. `ELSEWHERE` has the reason for each command that is left out
here; test_shown_code.py checks its options.
"""

import io
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tapes_app.engine.errors import StudioError
from tests.studio.documents import Block, list_blocks
from tests.studio.shown_places import Places, make_places
from tests.studio.shown_usage import list_calls
from tests.studio.test_shown_code import RUN_BY

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ELSEWHERE = {
    "make_base_model": "learns for minutes; tests/finetune has a smaller one",
    "finetune": "learns for minutes; tests/finetune/test_commands.py",
    "serve": "runs until it is interrupted; tests/serving",
    "distill": "learns for minutes; tests/distillation",
    "grow_tree": "grows for minutes; tests/case_study",
    "form_study": "learns for minutes; tests/case_study",
    "--model math-student": "asks what those have taught; tests/e2e/test_distillation.py",
    "--base tiny-base": "asks for that base model; tests/finetune/test_commands.py",
    "--relabeled": "takes tapes of that student; tests/training_sets",
    "mcp": "starts programs of others; tests/environments/test_mcp.py",
    "work": "runs until it is interrupted; tests/studio/test_up_on_servers.py",
    "share_base_model": "needs a store that machines share; tests/finetune/test_other_machines.py",
    "datasets import questions": "reads files of the studio; tests/gallery/test_questions.py",
    "datasets import improver": "reads a file of the studio; tests/gallery/test_improver.py",
    "--agent improver": "runs over a hundred times; tests/evaluation/test_votes.py",
    "--agent questions": "runs two hundred times; tests/evaluation/test_votes.py",
    "datasets import briefing": "reads files of the studio; tests/gallery/test_briefing.py",
    "datasets import web-tasks": "reads files of the studio; tests/gallery/test_web_tasks.py",
    "--agent web-tasks": "runs sixty times; the same",
    "run_agent web-tasks-browser": "starts a browser; tests/e2e/test_web_tasks.py",
    "up": "runs until it is interrupted; tests/studio/test_up.py",
    "backup": "takes another database than that of the tests; tests/studio/test_backups.py",
    "restore": "the same",
}
"""Calls that other tests make, by a word or two of theirs."""

ANSWER_NO = {"diff_tapes", "evaluate"}
"""Their answer may be that something differs or fails: exit status 1."""

LESS = {"--count 60": "--count 2", "--count 1000": "--count 2", "--count 100": "--count 2",
        "--count 200": "--count 2", "--size 1000": "--size 4"}  # fmt: skip


def list_shown() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each call of `manage.py`, with the place where it is shown."""
    for block in list_blocks():
        if block.language in {"sh", ""} and (block.document, block.language) not in RUN_BY:
            yield from _calls_of(block)


def _calls_of(block: Block) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, text in enumerate(block.text.splitlines(), start=block.line + 1):
        _, is_call, words = text.partition("manage.py ")
        place = f"{block.document}:{number}"
        if is_call and any(sign in words for sign in ("[", " | ", "…")) and "'[" not in words:
            yield from ((place, call) for call in list_calls(words))
        elif is_call:
            yield place, tuple(shlex.split(_less(words), comments=True))


def _less(words: str) -> str:
    for many, few in LESS.items():
        words = words.replace(many, few)
    return words


def is_elsewhere(words: tuple[str, ...]) -> bool:
    said = f"{' '.join(words)} "
    return any(
        words[0] == one
        if one.islower() and " " not in one and "-" not in one
        else f"{one} " in said
        for one in ELSEWHERE
    )


SHOWN = list(list_shown())
DOCUMENTS = list(dict.fromkeys(place.partition(":")[0] for place, _ in SHOWN))


@pytest.fixture
def places(tmp_path: Path, transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.chdir(tmp_path)
    return make_places(tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_commands_of_a_document_do_what_it_says(places: Places, document: str) -> None:
    refused = []
    for place, words in SHOWN:
        if place.partition(":")[0] != document or is_elsewhere(words):
            continue
        try:
            filled = places.fill(words)
            call(filled)
        except (StudioError, CommandError, SystemExit) as error:
            refused.append(f"{place}: {' '.join(words)}: {error}")
        except Exception as error:
            error.add_note(f"{place}: {' '.join(words)}")
            raise

    assert not refused, "\n".join(refused)


def call(words: list[str]) -> None:
    out = io.StringIO()
    try:
        call_command(*words, stdout=out, stderr=out)
    except SystemExit as end:
        if not (end.code == 1 and words[0] in ANSWER_NO):
            raise CommandError(out.getvalue()) from end


def test_what_is_left_to_other_tests_is_still_shown() -> None:
    for one in ELSEWHERE:
        assert any(one in " ".join(words) for _, words in SHOWN), one
