"""The page of all commands, as it is read in the studio."""

import re

from studio.command_line.reference import write_reference
from studio.command_line.subjects import list_ours
from tests.studio.running_studio import ROOT


def test_the_page_of_commands_is_that_of_this_version() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

    assert page == write_reference(), "run `make generate`"


def test_every_command_is_on_it_once_with_its_actions_and_options() -> None:
    page = write_reference()

    assert sorted(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == list_ours()
    assert "**tokens revoke**: make a token good for nothing." in page
    assert "| `--query, -q QUERY` | query, as in list_tapes |" in page
    assert "--pythonpath" not in page
