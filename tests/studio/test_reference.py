"""The generated reference pages, as they are read in the studio."""

import re

import pytest

from studio.command_line.subjects import list_ours
from studio.reference.commands import write_commands
from studio.reference.pages import PAGES
from tests.studio.running_studio import ROOT


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_that_of_this_version(name: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")

    assert page == PAGES[name](), "run `make generate`"


def test_every_command_is_on_it_once_with_its_actions_and_options() -> None:
    page = write_commands()

    assert sorted(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == list_ours()
    assert "**tokens revoke**: revoke a token." in page
    assert "| `--query, -q QUERY` | query, as in list_tapes |" in page
    assert "--pythonpath" not in page
