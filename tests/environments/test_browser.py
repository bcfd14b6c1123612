"""What a browser of an agent may reach, and what a model reads of a page, without a browser."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tapes_app.engine import Agent, RunContext, TalkNode, Tape, ToolCalls, ToolResult, UserStep
from tapes_app.engine.agent.spec import describe_agent
from tapes_app.engine.environment.opening import open_for_run
from tapes_app.engine.environment.spec import EnvironmentSpec, build_registered
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.tape.dialog_steps import FunctionCall, ToolCall
from tapes_app.environments.browser import BROWSER_TOOLS, BrowserSettings
from tapes_app.environments.browser.addresses import (
    EMPTY_PAGE,
    LONGEST_ADDRESS,
    AllowedHosts,
    HostRefusedError,
)
from tapes_app.environments.browser.chromium import Chromium, chromium
from tapes_app.environments.browser.gateway import Gateway
from tapes_app.environments.browser.own_sites import SiteAnswer, SiteRequest
from tapes_app.environments.browser.state import BrowserState
from tapes_app.environments.browser.tree import cut_tree, write_tree

_KEY = b"of this studio"


@pytest.mark.parametrize(
    ("address", "patterns"),
    [
        ("https://example.org/a?b=c#d", ["example.org"]),
        ("http://EXAMPLE.org:8080", ["Example.ORG"]),
        ("http://example.org:8080/", ["example.org:8080"]),
        ("https://www.example.org/", ["*.example.org"]),
        ("https://example.org./", ["example.org"]),
        ("https://anything.example/", ["*"]),
        ("http://127.0.0.1:8000/", ["127.0.0.1:8000"]),
        ("http://[::1]/", ["[::1]"]),
        ("http://desk.internal/", ["desk.internal"]),
    ],
)
def test_addresses_of_named_hosts_may_be_opened(address: str, patterns: list[str]) -> None:
    assert AllowedHosts(tuple(patterns)).explain_refusal(address) == ""


@pytest.mark.parametrize(
    ("address", "patterns", "reason"),
    [
        ("file:///etc/passwd", ["*"], "is not a web address"),
        ("data:text/html,<b>", ["*"], "is not a web address"),
        ("javascript:alert(1)", ["*"], "is not a web address"),
        ("about:blank", ["*"], "is not a web address"),
        ("example.org", ["example.org"], "is not a web address"),
        ("http://[::1", ["*"], "is not a web address"),
        ("http://example.org:99999999/", ["*"], "is not a web address"),
        ("chrome://settings", ["*", "settings"], "only addresses with http and https can"),
        ("ftp://example.org", ["example.org"], "only addresses with http and https can"),
        ("https://example.org:secret@example.org/", ["example.org"], "user's name or password"),
        ("https://evil.example/?example.org", ["example.org"], "the agent's browser may open"),
        ("https://example.org.evil.example/", ["example.org"], "the agent's browser may open"),
        ("https://notexample.org/", ["*.example.org"], "the agent's browser may open"),
        ("https://example.org/", ["*.example.org"], "the agent's browser may open"),
        ("https://example.org:444/", ["example.org:443"], "the agent's browser may open"),
        ("http://127.0.0.1:8000/", ["*"], "it is not public"),
        ("http://a.localhost/", ["*.localhost"], "it is not public"),
        ("http://169.254.169.254/latest", ["*"], "it is not public"),
        (f"https://example.org/{'a' * LONGEST_ADDRESS}", ["*"], "at most 2,000 characters"),
    ],
)
def test_other_addresses_are_refused_with_a_sentence(
    address: str, patterns: list[str], reason: str
) -> None:
    refusal = AllowedHosts(tuple(patterns)).explain_refusal(address)

    assert reason in refusal
    assert refusal.endswith(".")


async def test_on_a_server_with_accounts_inner_hosts_need_the_administrator() -> None:
    patterns = ("127.0.0.1:1", "127.0.0.1:2", "localhost")
    allowed = AllowedHosts(patterns, inner_hosts=("127.0.0.1:2",))

    assert await allowed.find_target("http", "127.0.0.1:2") == ("127.0.0.1", 2)
    for host in ("127.0.0.1:1", "localhost"):
        with pytest.raises(HostRefusedError, match="it is not public"):
            await allowed.find_target("http", host)


@pytest.mark.parametrize("host", ["", "http://example.org", "exa mple.org", "*.*", "a*", "a/b"])
def test_a_setting_that_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(ValidationError):
        BrowserSettings(hosts=(host,))


def test_an_agent_without_hosts_is_refused() -> None:
    with pytest.raises(AgentConfigError, match="hosts"):
        build_registered(EnvironmentSpec(type="browser"))


@asynccontextmanager
async def open_gateway(most_bytes: int = 10**6) -> AsyncIterator[tuple[Gateway, int, list[bytes]]]:
    """Yield a gateway, the port of the one host that it allows, and what that was asked."""
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + b"x" * 10_000)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    gateway = Gateway(AllowedHosts((f"127.0.0.1:{port}",)), most_bytes)
    async with server, gateway.listen():
        yield gateway, port, asked


async def send(gateway: Gateway, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.write(request)
    answer = await reader.read(-1)
    writer.close()
    return answer


async def test_a_site_of_the_run_answers_in_the_gateway() -> None:
    asked: list[SiteRequest] = []

    def site(request: SiteRequest) -> SiteAnswer:
        asked.append(request)
        return SiteAnswer(address="/b") if request.form is not None else SiteAnswer("<p>é")

    gateway = Gateway(AllowedHosts(("own.test",)), 10**6, {"own.test": site})
    async with gateway.listen():
        page = await send(gateway, b"GET http://own.test/a?b=c HTTP/1.1\r\n\r\n")
        start = b"POST http://own.test HTTP/1.1\r\nContent-Length: "
        moved = await send(gateway, start + b"5\r\n\r\nx=%C3")
        huge = await send(gateway, start + b"99999\r\n\r\n")

    assert page.startswith(b"HTTP/1.1 200 OK\r\n")
    assert page.endswith("\r\n\r\n<p>é".encode())
    assert moved.startswith(b"HTTP/1.1 303 See Other\r\n")
    assert b"\r\nLocation: /b\r\n" in moved
    assert huge == b""
    assert asked == [SiteRequest("/a?b=c"), SiteRequest("/", "x=%C3")]


async def test_the_gateway_passes_on_what_is_allowed() -> None:
    async with open_gateway() as (gateway, port, asked):
        head = b"GET http://127.0.0.1:%d//a?b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % (port, port)
        plain = await send(gateway, head + b"Proxy-Connection: keep-alive\r\n\r\n")
        tunnel = await send(
            gateway,
            b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n" % port,
        )

    host = b"Host: 127.0.0.1:%d" % port
    assert asked[0] == b"GET //a?b HTTP/1.1\r\n" + host + b"\r\nConnection: close\r\n\r\n"
    assert (plain.count(b"x"), tunnel.count(b"x")) == (10_000, 10_000)


@pytest.mark.parametrize(
    "target",
    ["CONNECT localhost:{port}", "GET http://localhost:{port}/", "CONNECT 127.0.0.1:1"],
)
async def test_the_gateway_refuses_what_is_not_allowed(target: str) -> None:
    async with open_gateway() as (gateway, port, asked):
        answer = await send(gateway, f"{target.format(port=port)} HTTP/1.1\r\n\r\n".encode())
        refused, later = gateway.take_refusals(), gateway.take_refusals()

    assert answer.startswith(b"HTTP/1.1 403 ")
    assert (len(refused), later, asked) == (1, [], [])


@pytest.mark.parametrize(
    "request_head", [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\xff \xff x\r\n\r\n"]
)
async def test_the_gateway_survives_nonsense(request_head: bytes) -> None:
    async with open_gateway() as (gateway, _, asked):
        answer = await send(gateway, request_head)
        again = await send(gateway, b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")

    assert not answer.startswith(b"HTTP/1.1 200")
    assert again.startswith(b"HTTP/1.1 403")
    assert asked == []


async def test_the_gateway_cuts_off_what_is_too_much_until_the_next_action() -> None:
    async with open_gateway(most_bytes=5_000) as (gateway, port, _):
        request = b"GET http://127.0.0.1:%d/ HTTP/1.1\r\n\r\n" % port
        cut, is_over = await send(gateway, request), gateway.is_over
        refused = await send(gateway, request)
        gateway.begin()
        begun = gateway.is_over

    assert (cut.count(b"x"), is_over, begun) == (0, True, False)
    assert refused.startswith(b"HTTP/1.1 502")


_SNAPSHOT = """- generic [active] [ref=e1]:
  - heading "Orders" [level=1] [ref=e2]
  - generic [ref=e3]:
    - generic [ref=e4]:
      - text: Name
      - textbox "Name" [ref=e5]: "a: b"
    - textbox "Word" [ref=e6]: "hunter: 2"
    - textbox [ref=e7]: plain
  - generic [ref=e8] [cursor=pointer]: Open
  - generic [ref=e9]: Closed
  - iframe [ref=e10]:
    - link "Inner [ref=e99]" [ref=f1e2] [cursor=pointer]:
      - /url: /inner
  - 'button "It''s: [ref=e7]" [ref=e11]'
  - 'row "a: b"':
    - cell"""


def test_a_tree_has_no_groups_and_only_ids_that_can_be_acted_on() -> None:
    tree = write_tree(_SNAPSHOT, ["hunter: 2", "plain"])

    assert tree.splitlines() == [
        '- heading "Orders" [level=1]',
        "- text: Name",
        '- textbox [e5] "Name": "a: b"',
        '- textbox [e6] "Word": ••••',
        "- textbox [e7]: ••••",
        "- generic [e8]: Open",
        "- text: Closed",
        "- iframe:",
        '  - link [f1e2] "Inner [ref=e99]":',
        "    - /url: /inner",
        """- button [e11] "It's: [ref=e7]\"""",
        '- row "a: b":',
        "  - cell",
    ]


def test_a_long_tree_is_read_in_parts() -> None:
    tree = "\n".join(f"- text: {number}" for number in range(100))

    first, last = cut_tree(tree, 50), cut_tree(tree, 50, 97)

    assert first.endswith(
        "- text: 4\n[Lines 0 to 4 of 100. Call read_page with start=5 for the rest.]"
    )
    assert last == "- text: 97\n- text: 98\n- text: 99\n[Lines 97 to 99 of 100.]"
    assert cut_tree(tree, 50, 100) == "[There is no line 100; the page has 100.]"
    assert cut_tree("", 50) == "[The page is empty.]"


def test_a_long_line_is_cut() -> None:
    assert len(write_tree(f"- paragraph [ref=e1]: {'x' * 10_000}")) < 700


def test_a_state_keeps_allowed_addresses_and_what_fits() -> None:
    allowed = AllowedHosts(("example.org",))
    cookies = [{"name": "a", "value": "x" * 9_000}]
    long = f"https://example.org/{'a' * 1_900}"

    state = BrowserState.of(
        ["https://example.org/", "https://evil.example/", "about:blank"], 2, allowed, cookies
    )
    most = BrowserState.of([long] * 20, 0, allowed, [{"name": "a", "value": "x" * 7_900}])

    assert state.tabs == ("https://example.org/", EMPTY_PAGE, EMPTY_PAGE)
    assert (state.current, state.cookies) == (2, "")
    assert most.tabs == (*(long,) * 3, *(EMPTY_PAGE,) * 17)
    assert len(json.dumps(most.write(_KEY))) < 17_000


@pytest.mark.parametrize(
    "kept",
    [None, [], "x", {"tabs": "x"}, {"tabs": ["x" * 9_999]}, {"current": -1}, {"other": 1}],
)
def test_a_state_that_nobody_wrote_is_ignored(kept: Any) -> None:
    assert BrowserState.read(kept, _KEY) == BrowserState()


def test_cookies_that_somebody_else_kept_are_not_used() -> None:
    kept = BrowserState(tabs=("https://example.org/",), cookies="[]").write(b"of another studio")

    here = BrowserState.read(kept, _KEY)
    there = BrowserState.read(kept, b"of another studio")

    assert (here.tabs, here.cookies) == (("https://example.org/",), "")
    assert there.cookies == "[]"


def test_an_agent_with_the_tools_is_data() -> None:
    node = TalkNode(tools=BROWSER_TOOLS)
    spec = describe_agent(Agent.create("a", nodes=[node]), models={"default": "any"})

    assert "browser.click" in spec.nodes[0].settings["tools"]
    offered = {one["function"]["name"]: one["function"] for one in node.list_schemas()}
    assert list(offered["click"]["parameters"]["properties"]) == ["element"]
    assert offered["open_page"]["description"] == "Open an address in the current tab."


async def ask(environment: Any, name: str, arguments: str) -> ToolResult:
    call = ToolCall(id="1", function=FunctionCall(name=name, arguments=arguments))
    tape = Tape(steps=(UserStep(content="Browse!"), ToolCalls(tool_calls=(call,))))
    async with open_for_run(environment, RunContext(tape)) as session:
        answered = await session.react(tape)
    result = answered.steps[-1]
    assert isinstance(result, ToolResult)
    return result


async def test_without_a_browser_the_model_reads_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chromium, "path", "no-such-browser")
    environment = build_registered(EnvironmentSpec(type="browser", settings={"hosts": ["a.org"]}))

    result = await ask(environment, "open_page", '{"address": "https://a.org/"}')

    assert result.is_error
    assert "There is no no-such-browser on this machine: install it" in str(result.content)


async def test_tools_without_the_environment_say_what_is_missing() -> None:
    result = await ask(ToolEnvironment(BROWSER_TOOLS), "read_page", "{}")

    assert result.is_error
    assert str(result.content).startswith("No browser is open: give the agent the environment")


def test_a_program_that_is_no_browser_is_told(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho it lacks a library >&2\nexit 3\n")
    program.chmod(0o700)

    problem = Chromium(path=str(program), may_be_unwalled=True).find_problem()

    assert problem == f"{program} does not start: it lacks a library."
