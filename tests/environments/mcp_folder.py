"""A data folder with an MCP server, whose tools agents may name while a test runs."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tapes_app.agents.services import mcp_servers
from tapes_app.engine.environment.tool_functions import tools
from tapes_app.environments.mcp import shelf
from tests.environments import mcp_program

PROGRAM = str(Path(str(mcp_program.__file__)))
Adder = Callable[..., None]


@pytest.fixture
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder, whose tools agents may name while the test runs."""
    settings.STUDIO_DATA_DIR = tmp_path
    monkeypatch.setattr(tools, "_shelves", {})
    shelf.use_folder(tmp_path)
    return tmp_path


@pytest.fixture
def adder(folder: Path) -> Adder:
    """Write the file of servers, with what is wrong with the one in it."""

    def write(fault: str = "", **fields: Any) -> None:
        server = {"command": sys.executable, "args": [PROGRAM, fault], **fields}
        mcp_servers.add_servers({"mcpServers": {"adder": server}})

    write()
    return write


def list_programs() -> list[str]:
    """Return the command lines of the servers that this process has started."""
    lines = (" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True))
    return [line for line in lines if PROGRAM in line]
