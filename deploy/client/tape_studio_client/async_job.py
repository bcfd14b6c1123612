"""A job of the studio: an import, a run, an export. Written once; `unasync.py` makes the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import httpx

from tape_studio_client.answers import error_of, read, unreachable
from tape_studio_client.errors import JobFailedError, UnreachableError
from tape_studio_client.event_stream import EventReader
from tape_studio_client.values import OVER, REST, Event, JobOut, Until

if TYPE_CHECKING:
    from tape_studio_client.async_studio import AsyncStudio

_ENDS = {"over": OVER, "rest": REST}


class AsyncJob:
    """A job by its id; no request is sent before a method is called."""

    def __init__(self, studio: AsyncStudio, id: str, *, tape_id: str | None = None) -> None:
        self._studio = studio
        self.id = id
        self.tape_id = tape_id
        """The tape that a run extends."""

    async def load(self) -> JobOut:
        """Return the current state of the job."""
        return read(JobOut, await self._studio.request("GET", f"/jobs/{self.id}"))

    async def events(self, *, after: int = 0, until: Until = "over") -> AsyncIterator[Event]:
        """Yield the events after this number as they happen, until the job is over.

        A broken connection is opened again, and continues after the last event.
        """
        attempt = 0
        while True:
            last = after
            try:
                async for event in self._read_stream(after, until):
                    after = event.seq
                    yield event
                if await self._is_at_end(after, until):
                    return
            except UnreachableError:
                attempt = 0 if after > last else attempt + 1
                if not self._studio.retries.has_another(attempt, "GET"):
                    raise
                await asyncio.sleep(self._studio.retries.seconds_before(attempt))

    async def wait(self, *, until: Until = "over") -> JobOut:
        """Return the state of the job when it is over, or at rest.

        Raises:
            JobFailedError: it failed or was cancelled.
        """
        async for _ in self.events(until=until):
            pass
        job = await self.load()
        if job.state in {"failed", "cancelled"}:
            message = job.message or f"The job is {job.state}."
            raise JobFailedError(message, code=job.error_code or job.state)
        return job

    async def cancel(self) -> JobOut:
        """Request the end of the job; what it has done stays."""
        return read(JobOut, await self._studio.request("POST", f"/jobs/{self.id}/cancel"))

    async def reply(self, text: str) -> JobOut:
        """Answer an agent that is waiting for a person."""
        path = f"/tapes/{self.tape_id}/reply"
        return read(JobOut, await self._studio.request("POST", path, json={"text": text}))

    async def _is_at_end(self, after: int, until: Until) -> bool:
        """Return whether a stream that ended was complete, rather than cut off on its way."""
        job = await self.load()
        return job.state in _ENDS[until] and job.last_seq <= after

    async def _read_stream(self, after: int, until: Until) -> AsyncIterator[Event]:
        reader = EventReader()
        params: dict[str, str | int] = {"after": after, "until": until}
        try:
            async with self._studio.open(f"/jobs/{self.id}/stream", params=params) as answer:
                if answer.is_error:
                    await answer.aread()
                    raise error_of(answer)
                async for line in answer.aiter_lines():
                    event = reader.take(line)
                    if event is not None:
                        yield event
        except httpx.TransportError as error:
            raise unreachable(self._studio.url, error) from error
