"""The documentation: every page builds, has no dead links, and is served as Help."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from studio.headers import POLICY
from tests.studio.running_studio import ROOT

SOURCES = sorted((ROOT / "docs").rglob("*.md"))


class Addresses(HTMLParser):
    """What a page loads and links to, and which of its scripts are inline."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.inline += [name for name in known if name.startswith("on")]
        if tag == "a":
            self.linked.append(known.get("href", ""))
        elif tag == "script" and known.get("type") != "application/json":
            self.loaded.append(known.get("src", ""))
            self.inline += [] if "src" in known else ["script"]
        elif tag in {"img", "iframe"} or known.get("rel") in {"icon", "stylesheet", "preload"}:
            self.loaded.append(known.get("href") or known.get("src") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh build of the documentation; MkDocs refuses dead links and anchors."""
    folder = tmp_path_factory.mktemp("site") / "help"
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture
def help_client(site: Path, settings: Settings) -> Client:
    settings.WHITENOISE_ROOT = site.parent
    return Client()


def page_of(source: Path) -> str:
    path = source.relative_to(ROOT / "docs").with_suffix("")
    if path.name in {"index", "README"}:
        path = path.parent
    return "" if path == Path() else f"{path.as_posix()}/"


def test_every_document_is_a_page_that_loads_nothing_from_elsewhere(site: Path) -> None:
    assert len(SOURCES) > 50
    for source in SOURCES:
        file = site / page_of(source) / "index.html"
        page = Addresses(file.read_text(encoding="utf-8"))

        assert page.inline == [], f"{source.name} runs scripts that the policy forbids"
        for address in page.loaded:
            target = (file.parent / re.sub(r"[?#].*", "", address)).resolve()
            assert target.is_file(), f"{source.name} loads {address}"


def test_every_page_is_in_the_navigation(site: Path) -> None:
    page = Addresses((site / "index.html").read_text(encoding="utf-8"))

    assert {page_of(source) for source in SOURCES} - {""} <= set(page.linked)


def test_the_search_finds_guides_before_records_of_decisions(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))

    behind = {one["location"] for one in index["docs"] if one.get("boost", 1) < 1}

    assert behind == {one["location"] for one in index["docs"] if one["location"][:4] == "adr/"}
    assert len(behind) > 40


def test_the_palette_offers_every_guide_by_its_title() -> None:
    text = (ROOT / "frontend" / "src" / "lib" / "guides.ts").read_text(encoding="utf-8")
    guides = set((ROOT / "docs").glob("*.md")) - {ROOT / "docs" / "index.md"}

    titles = {source.stem: source.read_text(encoding="utf-8").split("\n")[0] for source in guides}

    offered = re.findall(r'name: "([\w-]+)", title: "([^"]+)"', text)
    assert titles == {name: f"# {title}" for name, title in offered}


def test_the_question_mark_of_a_page_leads_to_a_place_that_is_there(site: Path) -> None:
    pages = (ROOT / "frontend" / "src").rglob("*.tsx")
    named = {
        guide
        for page in pages
        for guide in re.findall(r'\bguide="([^"]+)"', page.read_text(encoding="utf-8"))
    }

    assert len(named) > 10
    for guide in named:
        name, _, anchor = guide.partition("#")
        text = (site / name / "index.html").read_text(encoding="utf-8")
        assert f'id="{anchor}"' in text or not anchor, guide


def test_style_sheets_ask_no_other_host(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        assert "url(http" not in sheet.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["", "evaluation/", "adr/0001-prompts-are-a-tree/"])
def test_help_is_served_without_a_sign_in_under_the_policy(help_client: Client, path: str) -> None:
    answer = help_client.get(f"/help/{path}")

    assert answer.status_code == 200
    assert b"<title>" in b"".join(answer)
    assert answer["Content-Type"] == 'text/html; charset="utf-8"'
    assert answer["Content-Security-Policy"] == POLICY
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_page_is_found_without_its_last_stroke(help_client: Client) -> None:
    assert help_client.get("/help")["Location"].endswith("help/")
    assert help_client.get("/help/teams")["Location"].endswith("teams/")


def test_a_page_that_is_not_there_says_where_help_begins(help_client: Client) -> None:
    answer = help_client.get("/help/nowhere/")

    assert answer.status_code == 404
    assert "begins at /help/" in answer.content.decode()


def test_documentation_that_was_not_built_says_how_to_build_it(settings: Settings) -> None:
    settings.WHITENOISE_ROOT = None

    answer = Client().get("/help/teams/")

    assert answer.status_code == 503
    assert "make docs" in answer.content.decode()
    assert answer["Content-Security-Policy"] == POLICY
