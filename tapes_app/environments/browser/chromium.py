"""The program that shows pages: Chromium of this machine, driven by Playwright."""

import asyncio
import os
import shlex
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tapes_app.engine.environment.process_groups import noted
from tapes_app.engine.errors import AgentRunError

if TYPE_CHECKING:
    from playwright.async_api import Browser

# The shell alone: the whole browser draws windows that nobody sees, for a fifth of the time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_START_SECONDS = 30.0
_CLOSE_SECONDS = 5.0

_OPTIONS = (
    "--disable-quic",
    "--no-pings",
    # Whatever is not sent through the gateway is not sent.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--js-flags=--max-old-space-size=512",
)


class BrowserError(AgentRunError):
    """No browser can be started on this machine; the message says what is missing."""

    code = "browser_missing"


@dataclass(slots=True)
class Chromium:
    """How this studio starts its browsers; the settings change it once, when a process begins."""

    path: str = ""
    """The program; empty: the first of the usual names that is found."""

    may_be_unwalled: bool = False
    """Whether it also starts where its own sandbox does not work, as it does not for root."""

    inner_hosts: tuple[str, ...] | None = None
    """As in `AllowedHosts`."""

    def find(self) -> str | None:
        """Return the path of the program; `None` if there is none."""
        return next(filter(None, map(shutil.which, [self.path] if self.path else _NAMES)), None)

    def explain(self) -> str:
        """Return why no browser can be started, and what to do, as sentences; empty if it can."""
        if find_spec("playwright") is None:
            return "The package playwright is missing: install requirements.txt again."
        if self.find() is None:
            wanted = self.path or "Chromium"
            return (
                f"There is no {wanted} on this machine: install it (on Debian, `apt install "
                "chromium-headless-shell`), or set STUDIO_CHROMIUM to its path."
            )
        if not self.may_be_unwalled and os.geteuid() == 0:
            return (
                "Chromium's sandbox does not work for root: run the studio as another user, or "
                "set STUDIO_UNWALLED_FUNCTIONS=1 if pages may attack it without that wall."
            )
        return ""

    def find_problem(self) -> str:
        """Return the same, after having started the program once to see whether it works."""
        found, reason = self.find(), self.explain()
        if reason or found is None:
            return reason
        options = [*self._list_options(), "--headless", "--dump-dom", "about:blank"]
        with TemporaryDirectory(prefix="browser-") as home:
            try:
                done = subprocess.run(  # noqa: S603 - the operator's own program
                    [found, *options, f"--user-data-dir={home}"],
                    capture_output=True,
                    check=False,
                    env=_make_variables(home),
                    text=True,
                    timeout=_START_SECONDS,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                return f"{found} does not start: {error}."
        if "<html" in done.stdout:
            return ""
        last = done.stderr.strip().rpartition("\n")[2]
        return f"{found} does not start: {last or f'it ended with status {done.returncode}'}."

    @asynccontextmanager
    async def start(self, gateway_port: int, notes: Path | None) -> AsyncIterator["Browser"]:
        """Start a browser with a profile of its own; `notes` is `RunContext.process_notes`.

        Raises:
            BrowserError: it cannot be started.
        """
        found, reason = self.find(), self.explain()
        if reason or found is None:
            raise BrowserError(reason)
        from playwright.async_api import Error, async_playwright

        with TemporaryDirectory(prefix="browser-") as home, noted([found], notes=notes) as command:
            # Playwright takes one file as the program, and makes it the first of its own group.
            starter = Path(home) / "start"
            starter.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', "utf-8")
            starter.chmod(0o700)
            async with async_playwright() as playwright:
                try:
                    browser = await playwright.chromium.launch(
                        executable_path=starter,
                        args=self._list_options(),
                        ignore_default_args=["--disable-popup-blocking"],
                        chromium_sandbox=not self.may_be_unwalled,
                        env={**_make_variables(home)},
                        proxy={
                            "server": f"http://127.0.0.1:{gateway_port}",
                            "bypass": "<-loopback>",
                        },
                        timeout=_START_SECONDS * 1_000,
                        handle_sigint=False,
                        handle_sigterm=False,
                        handle_sighup=False,
                    )
                except Error as error:
                    lines = [line for line in error.message.splitlines() if "ERROR" in line]
                    why = (lines or error.message.splitlines() or ["no reason given"])[-1]
                    raise BrowserError(f"Chromium did not start: {why.strip()[:500]}.") from error
                try:
                    yield browser
                finally:
                    with suppress(Error, TimeoutError):
                        async with asyncio.timeout(_CLOSE_SECONDS):
                            await browser.close()

    def _list_options(self) -> list[str]:
        return [*_OPTIONS, "--no-sandbox"] if self.may_be_unwalled else list(_OPTIONS)


def _make_variables(home: str) -> dict[str, str]:
    """Return all environment variables that the browser has: none of the studio's."""
    return {"HOME": home, "TMPDIR": home, "PATH": os.defpath, "LANG": "C.UTF-8"}


chromium = Chromium()
"""The one of this process."""
