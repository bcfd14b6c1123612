"""Claim 8: 50 live streams of 200 tokens a second each, from a worker to 50 websockets.

A token contains the time at which it fell due, so its latency is known on arrival. The peer sends
the same tokens through channels_redis groups and keeps nothing; ours are stored rows.
"""

import asyncio
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness import HERE, add_repository_to_path, finish, peer_python, row

add_repository_to_path()

from store import open_store  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidHandshake  # noqa: E402

os.environ["STUDIO_LOG_LEVEL"] = "WARNING"  # no line for every connection

STREAMS = 50
RATE = 200
SECONDS = 6.0
REPEATS = 3
TOKENS = int(RATE * SECONDS)
GOAL = "p99 under 60 ms at a quarter of the peer's web CPU; nothing lost, nothing twice"
MOST_MILLISECONDS = 60.0
MOST_CPU_SHARE = 0.25
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Browser:
    """One websocket; `headers` sign it in, `drops` makes it disconnect and reconnect."""

    address: str
    headers: dict[str, str]
    latencies: list[float] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    last_seq: int = 0
    connected: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, *, drops: random.Random | None = None) -> None:
        while len(self.tokens) < TOKENS:
            seconds = drops.uniform(0.1, 1.5) if drops else SECONDS + 30
            try:
                async with asyncio.timeout(seconds):
                    await self._read()
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                if drops is None:
                    return
                await asyncio.sleep(0.05)

    async def _read(self) -> None:
        address = f"{self.address}?after={self.last_seq}"
        async with connect(address, additional_headers=self.headers, proxy=None) as link:
            self.connected.set()
            while len(self.tokens) < TOKENS:
                frame = json.loads(await link.recv())
                now = time.monotonic()
                if frame["type"] != "step.delta":
                    self.last_seq = frame.get("seq", self.last_seq)
                    continue
                self.last_seq = frame["seq"]
                tokens = frame["text"].split()
                self.tokens += tokens
                self.latencies += [now - float(token) for token in tokens]


@dataclass(frozen=True)
class Run:
    """The result of one run of all streams."""

    p50: float
    p99: float
    web_cpu: float
    producer_cpu: float
    lost: int
    twice: int


def cpu_seconds(process: subprocess.Popen[Any]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit(f"nothing answers on port {port}")


@contextmanager
def running(*command: object) -> Iterator[subprocess.Popen[Any]]:
    process = subprocess.Popen([str(part) for part in command], cwd=HERE.parent)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


async def stream(
    browsers: list[Browser],
    web: subprocess.Popen[Any],
    produce: Callable[[float], list[str]],
) -> Run:
    """Connect all browsers, start the worker, and read until all tokens have arrived."""
    followers = [asyncio.create_task(browser.follow()) for browser in browsers]
    await asyncio.gather(*(browser.connected.wait() for browser in browsers))
    begin = time.monotonic() + 2.0
    producer = await asyncio.create_subprocess_exec(
        *produce(begin), stdout=subprocess.PIPE, cwd=HERE.parent
    )
    await asyncio.sleep(begin - time.monotonic() - 0.1)
    before = cpu_seconds(web)
    await asyncio.wait(followers, timeout=SECONDS + 20)
    web_cpu = cpu_seconds(web) - before
    output, _ = await producer.communicate()
    for follower in followers:
        follower.cancel()
    return summarize(browsers, web_cpu, json.loads(output)["cpu_seconds"])


def summarize(browsers: list[Browser], web_cpu: float, producer_cpu: float) -> Run:
    latencies = sorted(latency for browser in browsers for latency in browser.latencies)
    lost = sum(TOKENS - len(set(browser.tokens)) for browser in browsers)
    twice = sum(len(browser.tokens) - len(set(browser.tokens)) for browser in browsers)
    p50, p99 = (latencies[int(len(latencies) * share)] * 1e3 for share in (0.5, 0.99))
    return Run(p50, p99, web_cpu, producer_cpu, lost, twice)


def sign_in() -> tuple[Any, Any, str]:
    """Return a project, its only member, and the member's cookie."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    from tapes_app.projects.store.projects import ensure_default_project

    user = User.objects.create_user("bench")
    project = ensure_default_project(user.pk)
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return project.id, user.pk, f"{name}={client.cookies[name].value}"


def store_jobs(project: Any) -> list[str]:
    from tapes_app.jobs.store.claims import claim_jobs
    from tapes_app.jobs.store.job import create_job

    ids = [create_job(project, "bench", request={}).id for _ in range(STREAMS)]
    claim_jobs("agents", limit=STREAMS, worker="benchmark")
    return [str(job_id) for job_id in ids]


def our_browsers(jobs: list[str], port: int, cookie: str) -> list[Browser]:
    headers = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
    return [Browser(f"ws://127.0.0.1:{port}/ws/jobs/{job}", headers) for job in jobs]


def our_producer(jobs: list[str]) -> Callable[[float], list[str]]:
    script = str(HERE / "stream_producer.py")
    return lambda begin: [sys.executable, script, f"{begin}", f"{SECONDS}", f"{RATE}", *jobs]


@contextmanager
def listening() -> Iterator[socket.socket]:
    """Hold the socket of our web server, as the supervisor does."""
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        yield listener


def start_web(listener: socket.socket) -> subprocess.Popen[Any]:
    fd = listener.fileno()
    return subprocess.Popen(
        [sys.executable, "-m", "studio.web", str(fd)], cwd=HERE.parent, pass_fds=(fd,)
    )


def measure_ours(project: Any, cookie: str) -> Run:
    jobs = store_jobs(project)
    with listening() as listener:
        web = start_web(listener)
        try:
            browsers = our_browsers(jobs, listener.getsockname()[1], cookie)
            return asyncio.run(stream(browsers, web, our_producer(jobs)))
        finally:
            web.kill()
            web.wait()


def measure_drops(project: Any, cookie: str) -> Run:
    """Drop every socket again and again and kill the web server twice."""
    jobs = store_jobs(project)

    async def go(listener: socket.socket) -> Run:
        browsers = our_browsers(jobs, listener.getsockname()[1], cookie)
        web = start_web(listener)
        dice = random.Random(8)
        followers = [asyncio.create_task(browser.follow(drops=dice)) for browser in browsers]
        begin = time.monotonic() + 2.0
        producer = await asyncio.create_subprocess_exec(
            *our_producer(jobs)(begin), stdout=subprocess.PIPE, cwd=HERE.parent
        )
        for _ in range(2):
            await asyncio.sleep(3)
            web.kill()
            web.wait()
            web = start_web(listener)
        await asyncio.wait(followers, timeout=60)
        output, _ = await producer.communicate()
        web.kill()
        web.wait()
        return summarize(browsers, 0, json.loads(output)["cpu_seconds"])

    with listening() as listener:
        return asyncio.run(go(listener))


@contextmanager
def redis_server() -> Iterator[str | None]:
    """Start a separate Redis server; `None` if none is installed."""
    program = shutil.which("redis-server")
    if program is None:
        yield None
        return
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(program, "--port", port, "--save", "", "--dir", folder, "--loglevel", "warning"),
    ):
        wait_for_port(port)
        yield f"redis://127.0.0.1:{port}/0"


def measure_peer(redis_url: str) -> Run:
    python, script = peer_python("channels_redis"), HERE / "peers" / "channels_redis_streams.py"
    port = free_port()
    produce: Callable[[float], list[str]] = lambda begin: [  # noqa: E731
        str(python), str(script), "produce", redis_url,
        f"{begin}", f"{SECONDS}", f"{STREAMS}", f"{RATE}",
    ]  # fmt: skip
    browsers = [Browser(f"ws://127.0.0.1:{port}/ws/jobs/{n}", {}) for n in range(STREAMS)]
    with running(python, script, "serve", port, redis_url) as web:
        wait_for_port(port)
        return asyncio.run(stream(browsers, web, produce))


def middle(runs: list[Run], name: str) -> float:
    return float(statistics.median(getattr(run, name) for run in runs))


def main() -> None:
    with open_store(), redis_server() as redis_url:
        project, _, cookie = sign_in()
        ours, peers = [], []
        for _ in range(REPEATS):  # alternating, so that a busy moment affects both
            ours.append(measure_ours(project, cookie))
            if redis_url is not None:
                peers.append(measure_peer(redis_url))
        dropped = measure_drops(project, cookie)

    def compare(case: str, name: str, unit: str) -> Any:
        peer = middle(peers, name) if peers else None
        return row(case, middle(ours, name), peer, unit, higher_wins=False)

    lost = sum(run.lost + run.twice for run in [*ours, dropped])
    rows = [
        compare("a token from worker to browser, p50", "p50", "ms"),
        compare("a token from worker to browser, p99", "p99", "ms"),
        compare("CPU of the web process in 6 s", "web_cpu", "s"),
        compare("CPU of the worker in 6 s", "producer_cpu", "s"),
        row("tokens lost, sockets dropped and server killed", dropped.lost, None, "of 60,000",
            higher_wins=False),
        row("tokens twice, sockets dropped and server killed", dropped.twice, None, "of 60,000",
            higher_wins=False),
    ]  # fmt: skip
    is_lean = not peers or middle(ours, "web_cpu") <= MOST_CPU_SHARE * middle(peers, "web_cpu")
    finish(
        "streams",
        claim=8,
        goal=GOAL,
        rows=rows,
        met=lost == 0 and is_lean and middle(ours, "p99") < MOST_MILLISECONDS,
        peer="channels_redis 4.3.0 pub/sub" if peers else "",
    )


if __name__ == "__main__":
    main()
