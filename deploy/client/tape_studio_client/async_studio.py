"""The studio over HTTP, for a script with a token. Written once; `unasync.py` makes the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from tape_studio_client.answers import Retries, error_of, read, unreachable
from tape_studio_client.async_job import AsyncJob
from tape_studio_client.errors import NotFoundError
from tape_studio_client.values import (
    AgentRow,
    ImportResultOut,
    OpenDraft,
    OutlineRow,
    Session,
    StartedRun,
    TapeRow,
)

_TIMEOUT = httpx.Timeout(60.0, connect=10.0)
"""A stream sends a keep-alive every ten seconds; an answer arrives sooner than this."""

_STEPS_AT_ONCE = 500


class AsyncStudio:
    """A studio, and the project of a token in it.

    Requests that change nothing are retried while the studio is unavailable; others are not,
    because it is unknown whether they were done.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        retries: Retries | None = None,
        timeout: httpx.Timeout | float = _TIMEOUT,
    ) -> None:
        self.url = url.rstrip("/")
        self.retries = retries or Retries()
        self._client = httpx.AsyncClient(
            base_url=f"{self.url}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._client.aclose()

    async def session(self) -> Session:
        """Return the person and project of the token."""
        return read(Session, await self.request("GET", "/session"))

    async def list_agents(self) -> list[AgentRow]:
        return [read(AgentRow, row) for row in await self.request("GET", "/agents")]

    async def find_agent(self, name: str) -> AgentRow:
        """Return the agent of that name.

        Raises:
            NotFoundError: the project has no such agent.
        """
        agents = {agent.name: agent for agent in await self.list_agents()}
        if name not in agents:
            known = ", ".join(sorted(agents)) or "none"
            raise NotFoundError(f"There is no agent {name!r}; there is {known}.", code="not_found")
        return agents[name]

    async def upload(self, *paths: str | PathLike[str], batch: str = "") -> AsyncJob:
        """Send files for import, and return the job that imports them."""
        with ExitStack() as opened:
            files = [
                ("files", (Path(path).name, opened.enter_context(Path(path).open("rb"))))
                for path in paths
            ]
            answer = await self.request("POST", "/uploads", data={"batch": batch}, files=files)
        return AsyncJob(self, answer["id"])

    async def import_files(self, *paths: str | PathLike[str], batch: str = "") -> ImportResultOut:
        """Send files, wait until they are imported, and return the result."""
        job = await self.upload(*paths, batch=batch)
        await job.wait()
        return read(ImportResultOut, await self.request("GET", f"/uploads/{job.id}"))

    async def list_tapes(self, query: str = "", *, sort: str = "") -> AsyncIterator[TapeRow]:
        """Yield the tapes that a query finds, loading page by page as needed."""
        asked: dict[str, str] = {"q": query} | ({"sort": sort} if sort else {})
        while True:
            page = await self.request("GET", "/tapes", params=asked)
            for row in page["items"]:
                yield read(TapeRow, row)
            if page["next"] is None:
                return
            asked["after"] = page["next"]

    async def load_tape(self, tape_id: str) -> TapeRow:
        return read(TapeRow, await self.request("GET", f"/tapes/{tape_id}"))

    async def list_steps(self, tape_id: str) -> AsyncIterator[OutlineRow]:
        """Yield the steps of a tape, each as one line."""
        start = 0
        while True:
            asked = {"start": start, "count": _STEPS_AT_ONCE}
            page = await self.request("GET", f"/tapes/{tape_id}/steps", params=asked)
            for row in page["items"]:
                yield read(OutlineRow, row)
            start += len(page["items"])
            if start >= page["step_count"] or not page["items"]:
                return

    async def load_step(self, tape_id: str, position: int) -> dict[str, Any]:
        """Return everything about a step; its JSON is `body`."""
        found: dict[str, Any] = await self.request("GET", f"/tapes/{tape_id}/steps/{position}")
        return found

    async def edit(
        self, tape_id: str, operations: Sequence[Mapping[str, Any]], *, version: int = 0
    ) -> OpenDraft:
        """Write the operations of a draft: the tape stays as it is until it is resumed.

        Raises:
            ConflictError: the draft has another version, as somebody wrote it meanwhile.
        """
        draft = {"version": version, "operations": [*operations], "applied_count": len(operations)}
        return read(OpenDraft, await self.request("PUT", f"/tapes/{tape_id}/draft", json=draft))

    async def resume(
        self,
        tape_id: str,
        *,
        agent: str,
        at: int | None = None,
        use_draft: bool = False,
        **options: Any,
    ) -> AsyncJob:
        """Let an agent continue from a step of a tape, in a child of it.

        `options` are further fields of the request, such as `model_id` or `max_turns`.
        """
        version = (await self.find_agent(agent)).default_version_id
        body = {"agent_version_id": version, "at": at, "use_draft": use_draft, **options}
        return self._run(await self.request("POST", f"/tapes/{tape_id}/resume", json=body))

    async def start(self, message: str, *, agent: str, **options: Any) -> AsyncJob:
        """Start a tape with a message to an agent."""
        version = (await self.find_agent(agent)).default_version_id
        body = {"agent_version_id": version, "message": message, **options}
        return self._run(await self.request("POST", "/tapes", json=body))

    def job(self, job_id: str, *, tape_id: str | None = None) -> AsyncJob:
        """Return a job by its id."""
        return AsyncJob(self, job_id, tape_id=tape_id)

    async def export(self, tape_id: str, path: str | PathLike[str]) -> Path:
        """Write a tape with its LLM calls into a zip file, and return its path."""
        target = Path(path)
        async with self.open(f"/tapes/{tape_id}/export") as answer:
            if answer.is_error:
                await answer.aread()
                raise error_of(answer)
            with target.open("wb") as file:
                async for piece in answer.aiter_bytes():
                    file.write(piece)
        return target

    async def request(self, method: str, path: str, **how: Any) -> Any:
        """Send any request to the API, below `/api/v1`, and return the JSON of the answer.

        Raises:
            StudioError: the request failed; subclasses distinguish some reasons.
            UnreachableError: there is no answer.
        """
        attempt = 0
        while True:
            answer: httpx.Response | None = None
            try:
                answer = await self._client.request(method, path, **how)
            except httpx.TransportError as error:
                if not self.retries.has_another(attempt, method):
                    raise unreachable(self.url, error) from error
            if answer is not None and not self.retries.has_another(
                attempt, method, answer.status_code
            ):
                if answer.is_error:
                    raise error_of(answer)
                return answer.json() if answer.content else None
            await asyncio.sleep(self.retries.seconds_before(attempt, answer))
            attempt += 1

    def open(
        self, path: str, *, params: Mapping[str, str | int] | None = None
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Return an answer that is read as it arrives."""
        return self._client.stream("GET", path, params=params)

    def _run(self, started: Mapping[str, Any]) -> AsyncJob:
        run = read(StartedRun, started)
        return AsyncJob(self, run.job_id, tape_id=run.tape_id)
