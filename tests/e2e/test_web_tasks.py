"""The service desk of the web tasks in a real browser, which shows what its text variant says."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tapes_app.engine import RunContext, Tape, ToolResult, run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_environment
from tapes_app.engine.environment.opening import open_for_run
from tapes_app.engine.model.messages import content_text
from tapes_app.environments.browser.chromium import chromium
from tapes_app.environments.browser.session import REOPENED
from tapes_app.gallery.web_tasks.agent import NAME, NAME_IN_BROWSER
from tapes_app.gallery.web_tasks.site import HOME
from tests.e2e.test_web_browser import Loop
from tests.gallery.test_web_tasks import CHANGE, begin, build, call, judge, read_desk, saying

_PAGES = (
    "", "incidents?state=New&text=o", "incidents/new", "people", "assets?sort=Cost", "catalogue",
    "catalogue/laptop", "knowledge?text=size", "knowledge/KB12", "charts",
    "dashboards?department=Sales", "gone",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _unwalled() -> Iterator[None]:
    """Tests may run as root, for whom the sandbox of Chromium does not work."""
    if chromium.find() is None:
        pytest.skip("no chromium on this machine; `.ci/run` installs it")
    before, chromium.may_be_unwalled = chromium.may_be_unwalled, True
    yield
    chromium.may_be_unwalled = before


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


async def run(name: str, tape: Tape) -> Tape:
    environment = build_environment(gallery_agents.get(name)())
    async with open_for_run(environment, RunContext(tape)) as opened:
        return (await run_to_end(build(), tape, opened)).tape


def list_seen(tape: Tape) -> Sequence[str]:
    """Return the pages of a tape without ids, and without where the focus was."""
    texts = [content_text(step.content) for step in tape.steps if isinstance(step, ToolResult)]
    return [re.sub(r" \[active\]", "", re.sub(r"\[\w*e\d+\]", "[id]", text)) for text in texts]


def test_the_browser_shows_what_the_text_says_and_goes_on_in_the_middle(loop: Loop) -> None:
    opened: list[tuple[str, dict[str, Any]]] = [
        ("open_page", {"address": HOME + target}) for target in _PAGES
    ]

    whole = loop.run(run(NAME_IN_BROWSER, begin(CHANGE)))
    as_text = loop.run(run(NAME, begin(CHANGE)))
    results = [at for at, step in enumerate(whole.steps) if isinstance(step, ToolResult)]
    middle = Tape(steps=whole.steps[: results[-2] + 1])
    forked = loop.run(run(NAME_IN_BROWSER, middle))
    pages = [loop.run(call(begin(CHANGE), *opened, agent=name)) for name in (NAME_IN_BROWSER, NAME)]

    assert list_seen(whole) == list_seen(as_text)
    assert len(saying(whole)) == len(saying(as_text))
    assert judge(CHANGE, whole).passed
    assert read_desk(middle).incidents == ()
    assert REOPENED in "".join(list_seen(forked))
    assert judge(CHANGE, forked).passed
    for in_browser, text in zip(*map(list_seen, pages), strict=True):
        assert in_browser == text
