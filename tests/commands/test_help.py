"""`manage.py help` lists the studio's commands by subject, and shells complete them."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.command_line.subjects import SUBJECTS, list_ours
from tests.commands.test_from_a_shell import start
from tests.studio.running_studio import ROOT, studio_environment
from tests.waiting import wait_until

_PROMPT = "ready> "


def test_every_command_of_ours_has_one_subject() -> None:
    named = [name for names in SUBJECTS.values() for name in names]

    assert sorted(named) == list_ours()


@pytest.mark.slow
@pytest.mark.parametrize("asked", ["help", "--help"])
def test_help_lists_our_commands_by_subject_apart_from_djangos(tmp_path: Path, asked: str) -> None:
    told = start(tmp_path / "data", asked)

    assert told.returncode == 0
    ours, _, others = told.stdout.partition("Django's own")
    for subject, names in SUBJECTS.items():
        for name in names:
            assert re.search(rf"^{subject}\n(?:  .*\n)*?  {name} +[A-Z]", ours, re.MULTILINE), name
    assert "makemigrations" in others
    assert "makemigrations" not in ours
    assert max(map(len, told.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_help_of_one_command_is_as_ever(tmp_path: Path) -> None:
    told = start(tmp_path / "data", "help", "backup")

    assert told.returncode == 0
    assert "--check" in told.stdout


_STARTS = {
    "bash": ("bash", "--norc", "--noprofile", "-i"),
    "zsh": ("zsh", "-f", "-i"),
}


class Terminal:
    """A shell in a terminal, in which a person types."""

    def __init__(self, shell: str, folder: Path) -> None:
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (50, 200))
        self._shell = subprocess.Popen(
            _STARTS[shell],
            cwd=folder,
            env={
                "PS1": _PROMPT,
                "TERM": "dumb",
                "HOME": str(folder),
                "INPUTRC": "/dev/null",
                "PATH": os.defpath,
            },
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._said = ""
        self.wait_for(_PROMPT)

    def type(self, keys: str) -> None:
        self._said = ""
        os.write(self._ours, keys.encode())

    def wait_for(self, text: str) -> str:
        """Return what the terminal has shown since the last keys, when a text is in it."""
        wait_until(lambda: text in self._read(), f"{text!r} in a terminal")
        return self._said

    def _read(self) -> str:
        while select.select([self._ours], [], [], 0)[0]:
            self._said += os.read(self._ours, 65536).decode(errors="replace")
        return self._said

    def close(self) -> None:
        self._shell.kill()
        self._shell.wait()
        os.close(self._ours)


@pytest.fixture(scope="module", params=[shell for shell in _STARTS if shutil.which(shell)])
def terminal(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Terminal]:
    folder = tmp_path_factory.mktemp("terminal")
    (folder / "backup-of-monday").touch()
    written = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "completion", request.param],
        cwd=folder,
        env=studio_environment(STUDIO_DATA_DIR=str(folder / "data")),
        capture_output=True,
        text=True,
        check=True,
    )
    (folder / "completion.sh").write_text(written.stdout)
    shell = Terminal(request.param, folder)
    shell.type("source ./completion.sh; echo so${_NOTHING}urced\n")
    shell.wait_for("sourced")
    yield shell
    shell.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("manage.py tok", "manage.py tokens "),
        ("./manage.py tokens rev", "./manage.py tokens revoke "),
        ("python manage.py tokens make x --acc", "python manage.py tokens make x --access "),
        (".venv/bin/python manage.py tokens make x --access w", "--access write "),
        ("manage.py list_tapes --proj", "manage.py list_tapes --project "),
        ("manage.py help restor", "manage.py help restore "),
        ("manage.py restore backup-of", "manage.py restore backup-of-monday "),
        ("python backup-of", "python backup-of-monday "),
        ("manage.py lenses save x --query mana", "--query mana"),
    ],
)
def test_a_shell_completes(terminal: Terminal, typed: str, completed: str) -> None:
    terminal.type(f"{typed}\t#\x15")  # the sign shows where the completion ends; then all goes

    shown = terminal.wait_for("#")

    assert f"{completed}#" in shown.replace("\b ", "").replace("\a", "")


@pytest.mark.slow
def test_zsh_gets_the_same_through_its_own_bridge(tmp_path: Path) -> None:
    bash, zsh = (start(tmp_path / "data", "completion", shell).stdout for shell in ("bash", "zsh"))

    beginning, found, rest = zsh.partition("_tape_studio_words() {")

    assert "bashcompinit" in beginning
    assert found
    assert rest == bash.partition("_tape_studio_words() {")[2]
