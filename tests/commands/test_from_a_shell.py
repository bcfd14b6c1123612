"""Commands as a shell starts them: before the first start, refused, and read only in part."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

from tests.studio.running_studio import ROOT, put_tables, studio_environment

OURS = {"studio", "tapes_app", "optimize_app"}
ARGUMENTS = {
    "prune": ("--events-older-than", "30d"),
    "workers": ("list",),
    "retire_key": ("x",),
    "agents": ("list",),
    "suites": ("list",),
    "tokens": ("list",),
    "annotations": ("list", "x"),
    "backup": ("out.tar.gz",),
    "batches": ("list",),
    "completion": ("bash",),
    "change_tapes": ("-q", "x", "--pin"),
    "datasets": ("list",),
    "diff_tapes": ("a", "b"),
    "distill": ("x", "-q", "y", "--agent", "a", "--base", "b"),
    "amend_sweep": ("x", "--minutes", "1"),
    "evaluate": ("x", "-q", "y", "--agent", "a"),
    "export_answers": ("x", "--out", "out"),
    "export_project": ("out",),
    "export_sweep": ("x", "out"),
    "export_tapes": ("--all", "--out", "out"),
    "export_training_set": ("x", "--out", "out"),
    "finetune": ("x", "--training-set", "y", "--base", "z"),
    "form_study": ("out",),
    "grow_tree": ("out",),
    "import_project": ("nothing.zip",),
    "import_tapes": ("nothing.yaml",),
    "judge_tapes": ("x",),
    "lenses": ("list",),
    "lint_rules": ("list",),
    "lint_tapes": ("--stale",),
    "make_training_set": ("x",),
    "documents": ("list",),
    "mcp": ("list",),
    "new_agent": ("x", "--dir", "nowhere"),
    "pause_sweep": ("x",),
    "queue_tapes": ("x", "-q", "y"),
    "queues": ("list",),
    "replay_tapes": ("x",),
    "red_team": ("x",),
    "rerun_tapes": ("--agent", "x", "--batch", "y"),
    "restore": ("nothing.tar.gz",),
    "rubrics": ("presets",),
    "run_agent": ("x", "--message", "hello"),
    "run_n": ("x", "--tape", "y"),
    "score_sweep": ("x", "--scorer", "{}"),
    "scorers": ("list", "x"),
    "serve": ("x",),
    "share_base_model": ("x",),
    "step_kinds": ("list",),
    "sweep": ("--once",),
    "tag_tapes": ("-q", "x", "--add", "y"),
    "try_rules": ("x",),
}
WITHOUT_TABLES = {
    "backup",
    "completion",
    "doctor",
    "export_protocol",
    "login_link",
    "new_agent",
    "restore",
    "up",
}
NAMES = sorted(name for name, app in get_commands().items() if app in OURS)


def start(data_dir: Path, name: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), name, *arguments],
        cwd=data_dir.parent,
        env=studio_environment(STUDIO_DATA_DIR=str(data_dir)),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def start_in_turn(data_dir: Path, commands: Sequence[tuple[str, ...]]) -> list[Any]:
    """Return exit status, output and errors of each, all of one process."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.commands.in_turn"],
        cwd=data_dir.parent,
        env=studio_environment(STUDIO_DATA_DIR=str(data_dir), PYTHONPATH=str(ROOT)),
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=True,
    )
    return list(json.loads(ended.stdout))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shell") / "data"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data_dir = tmp_path_factory.mktemp("shell") / "data"
    put_tables(data_dir)
    return data_dir


@pytest.mark.slow
def test_before_the_first_start_a_command_says_what_to_do(empty: Path) -> None:
    names = [name for name in NAMES if name not in WITHOUT_TABLES]
    advice = (
        "There is no database yet. Start the studio once (`manage.py up`), or run "
        "`manage.py migrate`."
    )

    by_itself = start(empty, "list_tapes")
    in_turn = start_in_turn(empty, [(name, *ARGUMENTS.get(name, ())) for name in names])

    assert (by_itself.returncode, by_itself.stdout, by_itself.stderr) == (2, "", f"{advice}\n")
    for name, ended in zip(names, in_turn, strict=True):
        assert ended == [2, "", f"{advice}\n"], name
    assert not list(empty.rglob("*.sqlite3*"))
    assert not (empty.parent / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(WITHOUT_TABLES - {"up"}))
def test_a_command_that_needs_no_tables_works_before_the_first_start(
    empty: Path, name: str
) -> None:
    ended = start(empty, name, *ARGUMENTS.get(name, ()))

    assert "Traceback" not in ended.stderr
    assert "There is no database yet" not in ended.stderr


@pytest.mark.slow
def test_older_tables_are_refused_as_none_are(prepared: Path, tmp_path: Path) -> None:
    older = tmp_path / "data"
    assert start(older, "migrate", "auth", "-v", "0").returncode == 0

    ended = start(older, "make_problems", "--json")

    assert ended.returncode == 2
    assert '"code": "not_prepared"' in ended.stdout
    assert "The database lacks " in ended.stdout


@pytest.mark.slow
def test_the_exit_status_tells_done_from_no_and_from_refused(prepared: Path) -> None:
    made = start(prepared, "make_problems", "--count", "2", "--split", "test")
    listed = json.loads(start(prepared, "list_tapes", "--json").stdout)
    one, other = (row["id"] for row in listed["tapes"][:2])
    same, different = (start(prepared, "diff_tapes", one, beside) for beside in (one, other))
    missing = start(prepared, "diff_tapes", "--batch", "nope", "--batch", "nope")
    no_tape = start(prepared, "diff_tapes", "nope", "nope")
    mistaken = start(prepared, "diff_tapes", "--no-such-option")

    assert made.returncode == 0, made.stderr
    assert (same.returncode, different.returncode) == (0, 1), same.stderr + different.stderr
    assert [one.returncode for one in (missing, no_tape, mistaken)] == [2, 2, 2]
    assert "There is no batch 'nope'" in missing.stderr
    assert "There is no tape 'nope'" in no_tape.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["export_protocol", "step_kinds"])
def test_a_pipe_that_nobody_reads_to_its_end_is_no_error(prepared: Path, name: str) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), name, *ARGUMENTS.get(name, ())]
    with subprocess.Popen(
        command,
        cwd=prepared.parent,
        env=studio_environment(STUDIO_DATA_DIR=str(prepared)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()

    assert said == b""
    assert process.returncode == 141
