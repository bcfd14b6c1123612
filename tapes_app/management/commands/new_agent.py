"""Write a starter module for a new agent, and a test of it."""

import keyword
import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import settings

from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, AnsweringCommand
from tapes_app.management.new_agent_files import MODULE, NAME, TEST

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")


class Command(AnsweringCommand):
    needs_tables = False
    help = "Create a starter module with a complete agent with one tool, and a test for it."

    arguments = (
        option("name", metavar="NAME", help="name of the agent and of its module"),
        option(
            "--dir", metavar="DIR", type=Path, default=Path(), help="folder (default: this one)"
        ),
    )

    def answer(self, options: dict[str, Any]) -> Answer:
        name, folder = options["name"], options["dir"].expanduser().resolve()
        files = {folder / f"{name}.py": MODULE, folder / f"test_{name}.py": TEST}
        check_name(name)
        write_files({path: text.replace(NAME, name) for path, text in files.items()})
        module, test = (str(path) for path in files)
        start, check = start_command(name, folder), check_command(folder, test)
        self.print_line(f"Written: {module}")
        self.print_line(f"         {test}")
        self.print_line(f"Test it: {check}")
        values = {"module": module, "test": test, "start": start, "check": check}
        return Answer(f"Start:   {start}", values)


def check_name(name: str) -> None:
    """Refuse a name that is not valid for a module, or is already in use.

    Raises:
        InvalidInputError: it is not a valid module name.
        ConflictError: an agent or a module of that name already exists.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InvalidInputError(
            f"{name!r} is not a valid name for an agent's module; use lowercase letters, digits "
            "and underscores, start with a letter, 60 at most.",
            name=name,
        )
    if name in gallery_agents:
        raise ConflictError(f"An agent {name!r} already exists; choose another name.", name=name)
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise ConflictError(
            f"A Python module {name!r} already exists; choose another name.", name=name
        )


def write_files(files: dict[Path, str]) -> None:
    """Write new files, or none of them.

    Raises:
        ConflictError: one of the files already exists.
        InvalidInputError: the folder cannot be written to.
    """
    for path in files:
        if path.exists():
            raise ConflictError(
                f"{str(path)!r} already exists; choose another name or another --dir.",
                path=str(path),
            )
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(
            f"{str(path)!r} cannot be written: {error.strerror}. Choose another --dir.",
            path=str(path),
        ) from error


def start_command(name: str, folder: Path) -> str:
    """Return the command that starts the studio with the new agent and its existing plugins."""
    plugins = ",".join([*settings.STUDIO_PLUGINS, name])
    return f'STUDIO_PLUGINS={plugins} PYTHONPATH={_quote(folder)} make run ARGS="--reload"'


def check_command(folder: Path, test: str) -> str:
    path = f"{_quote(settings.BASE_DIR)}:{_quote(folder)}"
    return f"PYTHONPATH={path} {shlex.quote(sys.executable)} -m pytest {shlex.quote(test)}"


def _quote(path: Path) -> str:
    return shlex.quote(str(path))
