"""The guide for scripts works as it is written, and so does a token made in the page."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.studio.running_studio import ROOT, RunningStudio, studio_environment

_BEGIN = """
set -euo pipefail
python() { (cd "$ROOT" && "$PYTHON" "$@"); }
"""
needs_its_programs = pytest.mark.skipif(
    shutil.which("curl") is None or shutil.which("jq") is None, reason="needs curl and jq"
)


def run_shell(text: str, studio: RunningStudio, folder: Path, **variables: str) -> str:
    """Run lines of a shell beside a studio and return what they print; they must all succeed."""
    environment = studio_environment(
        STUDIO=studio.url,
        STUDIO_DATA_DIR=str(studio.data_dir),
        ROOT=str(ROOT),
        PYTHON=sys.executable,
        **variables,
    )
    outcome = subprocess.run(
        ["bash", "-c", _BEGIN + text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


@needs_its_programs
def test_the_guide_goes_once_around(studio: RunningStudio, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    make, settings, *rest = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert re.findall("export (.*)=", settings) == ["STUDIO", "TOKEN"]

    token = run_shell(make, studio, tmp_path).strip()
    printed = run_shell("\n".join(rest), studio, tmp_path, TOKEN=token)

    assert '"imported": 1' in printed
    assert "event: job.state" in printed
    assert '[3,"assistant","4 miles."]' in printed
    assert "5 km are 3.10685596119 mi." in printed
    assert '"state": "waiting"' in printed
    assert (tmp_path / "trip.zip").read_bytes().startswith(b"PK")


@needs_its_programs
def test_a_token_is_made_tried_and_revoked_by_keyboard(
    studio: RunningStudio, page: Page, tmp_path: Path
) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="Tapes", level=1)).to_be_visible()
    page.keyboard.press("ControlOrMeta+k")
    page.get_by_role("textbox", name="Search").fill("access tokens")
    expect(page.get_by_role("button", name="Access tokens")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Access tokens", level=1)).to_be_visible()
    page.get_by_role("button", name="New token").first.press("Enter")
    page.get_by_role("textbox", name="Name").fill("export at night")
    page.keyboard.press("Enter")
    made = page.get_by_role("dialog", name="New access token")
    expect(made.get_by_role("status")).to_contain_text("not shown again")
    _, example = made.locator("code").all_inner_texts()

    assert '"user"' in run_shell(f"{example} --fail --silent", studio, tmp_path)

    made.get_by_role("button", name="Done").press("Enter")
    expect(made).to_be_hidden()
    page.reload()
    row = page.get_by_role("row", name=re.compile("export at night"))
    expect(row).not_to_contain_text("Never used")
    row.get_by_role("button", name="Revoke export at night").press("Enter")
    page.get_by_role("button", name="Revoke", exact=True).press("Enter")
    expect(row).to_be_hidden()
    refused = run_shell(f"{example} --silent", studio, tmp_path)
    assert '"invalid_token"' in refused
