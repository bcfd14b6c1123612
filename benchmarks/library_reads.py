"""HTTP API requests about a library of tapes: each one times a case, as a person would ask.

Every request of a case asks for something else (another agent, word, tape, place in the list), so
nothing is warm except the database and the connection.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, pairwise
from typing import Any
from urllib.parse import urlencode

from page import percentile
from tape_stories import COMMON, TAGS, reference_of

API = "/api/v1"
WARM = 40
COLD = 3
LIST = "first page of the list"
SEARCH = "search: "
ALL_SEARCHES = "all searches together"


@dataclass(frozen=True)
class Timing:
    """Milliseconds of the requests of one case."""

    cold: float
    """Median of requests that each open a new connection."""

    p50: float
    p95: float
    is_cut: bool
    """The search ran out of time and returned what it had found."""

    times: tuple[float, ...] = ()
    """One per request on the connection that stayed open."""


class Requests:
    """A signed-in person who sends requests to the server in this process."""

    def __init__(self, project: Any, *, seed: int = 1) -> None:
        from django.contrib.auth.models import User
        from django.test import Client

        from tapes_app.projects.store.projects import ensure_default_project

        user, _ = User.objects.get_or_create(username="bench")
        ensure_default_project(user.pk)
        self._client = Client(HTTP_HOST="localhost")
        self._client.force_login(user)
        self._random = random.Random(seed)
        self._project = project
        self._samples = self._sample_tapes()

    def get(self, path: str, **asked: object) -> Any:
        text = f"{API}/{path}" + (f"?{urlencode(asked)}" if asked else "")
        answer = self._client.get(text)
        if answer.status_code != 200:
            raise SystemExit(f"{text}: {answer.status_code} {answer.content[:300]!r}")
        return answer

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        answer = self._client.post(f"{API}/{path}", dict(body), content_type="application/json")
        if answer.status_code >= 300:
            raise SystemExit(f"{path}: {answer.status_code} {answer.content[:300]!r}")
        return answer.json()

    def _sample_tapes(self) -> Sequence[Any]:
        """Return a sample of tapes from all over the library, oldest first."""
        from django.db.models import Max, Min

        from tapes_app.models import TapeRecord

        tapes = TapeRecord.objects.filter(project_id=self._project)
        ends = tapes.aggregate(oldest=Min("created_at"), newest=Max("created_at"))
        span = ends["newest"] - ends["oldest"]
        moments = sorted(ends["oldest"] + span * self._random.random() for _ in range(WARM))
        return [tapes.filter(created_at__gte=at).order_by("created_at")[0] for at in moments]

    def cases(self) -> dict[str, Callable[[], Any]]:
        """Return the requests by name; each call asks again with other values."""
        tapes = self._shuffled(self._samples)
        agents = self._shuffled(sorted({tape.agent_name for tape in self._samples}))
        tags, sorts = cycle(TAGS), cycle(("-cost", "cost", "-steps", "-errors", "-duration"))
        words, others = cycle(COMMON[:20]), cycle(COMMON[7:20])
        rare = self._words_of_tapes()

        def listed(make: Callable[[], str]) -> Callable[[], Any]:
            return lambda: self.get("tapes", q=make())

        def deep() -> Any:
            tape = next(tapes)
            after = f"{tape.created_at.isoformat()}~{tape.id.hex}"
            return self.get("tapes", sort="-created", after=f"-created~{after}")

        def opened() -> None:
            tape_id = next(tapes).id
            self.get(f"tapes/{tape_id}")
            self.get(f"tapes/{tape_id}/outline")
            self.get(f"tapes/{tape_id}/steps", start=0, count=20)

        def narrowed(path: str) -> Callable[[], Any]:
            return lambda: self.get(path, q=f"agent:{next(agents)}")

        return {
            LIST: lambda: self.get("tapes"),
            "a page deep in the list": deep,
            "by agent": listed(lambda: f"agent:{next(agents)}"),
            "by tag": listed(lambda: f'tag:"{next(tags)}"'),
            "failed, with errors": listed(lambda: "outcome:fail errors>0"),
            "by agent, outcome and cost": listed(
                lambda: f"agent:{next(agents)} outcome:pass cost>0.01"
            ),
            "sorted by a number": lambda: self.get("tapes", sort=next(sorts)),
            "sorted by a number, by agent": lambda: self.get(
                "tapes", sort=next(sorts), q=f"agent:{next(agents)}"
            ),
            "search: a word of one tape": listed(lambda: f"{reference_of(next(tapes).id)} "),
            "search: a rare word": listed(lambda: f"{next(rare)[0]} "),
            "search: a common word": listed(lambda: f"{next(words)} "),
            "search: two common words": listed(lambda: f"{next(words)} {next(others)} "),
            "search: a common and a rare word": listed(lambda: f"{next(words)} {next(rare)[0]} "),
            "search: a phrase": listed(lambda: '"{} {}"'.format(*next(rare))),
            "search: a phrase of common words": listed(lambda: f'"{next(words)} {next(others)}"'),
            "search: the beginning of words": listed(lambda: next(rare)[1][:3]),
            "search: a common word, by agent and outcome": listed(
                lambda: f"{next(words)} agent:{next(agents)} outcome:fail"
            ),
            "sequence: common": listed(
                lambda: "seq: kind:user -> assistant_thought -> tool:search"
            ),
            "sequence: one in ten": listed(lambda: "seq: tool_error -> same_call within 2"),
            "sequence: nowhere": listed(lambda: "seq: tool_error -> tool_error"),
            "facets of all": lambda: self.get("tapes/facets"),
            "facets by agent": narrowed("tapes/facets"),
            "facets of a common word": lambda: self.get("tapes/facets", q=f"{next(words)} "),
            "summary of all": lambda: self.get("tapes/summary"),
            "summary by agent": narrowed("tapes/summary"),
            "count of all": lambda: self.post("tapes/count", {}),
            "count by agent": lambda: self.post("tapes/count", {"q": f"agent:{next(agents)}"}),
            "names of agents": lambda: self.get("tapes/agent-names"),
            "findings of the linter": lambda: self.get("tapes/lint"),
            "completion of a tag": lambda: self.get("tapes/completion", q="tag:g", caret=5),
            "open a tape": opened,
        }

    def _shuffled(self, items: Sequence[Any]) -> Iterator[Any]:
        return cycle(self._random.sample(list(items), len(items)))

    def _words_of_tapes(self) -> Iterator[tuple[str, str]]:
        """Yield two neighbouring words, neither of them common, from the title of a tape."""
        pairs = []
        for tape in self._samples:
            words = tape.title.split()[:9]
            uncommon = (pair for pair in pairwise(words) if not set(pair) & set(COMMON))
            pairs += islice(uncommon, 1)
        return self._shuffled(pairs)


def measure(case: Callable[[], Any], *, repeats: int) -> Timing:
    """Time a case on new connections, then on one that stays."""
    from django.db import connection

    cold = []
    for _ in range(COLD):
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()
        cold.append(timed(case)[0])
    begin, times, is_cut = time.monotonic(), [], False
    while len(times) < repeats and (len(times) < 5 or time.monotonic() - begin < 15):
        milliseconds, answer = timed(case)
        times.append(milliseconds)
        is_cut = is_cut or (isinstance(answer, dict) and bool(answer.get("is_cut")))
    return Timing(
        statistics.median(cold),
        percentile(times, 0.5),
        percentile(times, 0.95),
        is_cut,
        tuple(times),
    )


def pool(timings: Sequence[Timing]) -> Timing:
    """Return the timing of the requests of several cases together."""
    times = [one for timing in timings for one in timing.times]
    cold = statistics.median(timing.cold for timing in timings)
    is_cut = any(timing.is_cut for timing in timings)
    return Timing(cold, percentile(times, 0.5), percentile(times, 0.95), is_cut, tuple(times))


def timed(case: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    answer = case()
    milliseconds = (time.perf_counter() - begin) * 1e3
    return milliseconds, answer.json() if hasattr(answer, "json") else answer
