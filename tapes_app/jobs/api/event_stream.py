"""`/jobs/{job_id}/stream`: the event log of a job as server-sent events, for scripts.

The format is defined in section 9.2 of the HTML standard.
"""

import json
import time
from collections.abc import AsyncIterator, Collection
from typing import Annotated, Literal
from uuid import UUID

from channels.db import database_sync_to_async
from django.http import StreamingHttpResponse
from ninja import Header, Query, Router

from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.jobs.domain.protocol import FINAL_STATES, LARGEST_SEQ
from tapes_app.jobs.services.stream import LeftError, TooSlowError, get_hub
from tapes_app.jobs.store.log import LogHead, find_visible_head
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.services.people import Person

_SIGN_OF_LIFE_SECONDS = 10.0
_ENDS = {"over": FINAL_STATES, "rest": (*FINAL_STATES, "waiting", "paused")}

router: Router = make_router("jobs")


@router.get("/{job_id}/stream", response={200: None})
def stream_job(
    request: PersonRequest,
    job_id: UUID,
    after: Annotated[int, Query(ge=0, le=LARGEST_SEQ)] = 0,
    until: Literal["over", "rest"] = "over",
    last_event_id: Annotated[str, Header(alias="Last-Event-ID", max_length=20)] = "",
) -> StreamingHttpResponse:
    """Stream a job's events after a number, as `text/event-stream`.

    It ends when the job is over; with `until=rest` also when the job waits for a person or is
    paused. Each event has its number as `id`, its type as `event`, and as `data` what the websocket
    sends. A client that reconnects with `Last-Event-ID` continues where it left off.
    """
    if last_event_id:
        if not last_event_id.isascii() or not last_event_id.isdigit():
            raise InvalidInputError("Last-Event-ID is the number of an event, such as 12.")
        after = int(last_event_id)
    head = _find_head(request.auth, job_id)
    if head is None:
        raise NotFoundError("Job not found.", job_id=str(job_id))
    answer = StreamingHttpResponse(
        _write_events(request.auth, job_id, min(after, head.last_seq), _ENDS[until]),
        content_type="text/event-stream",
    )
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"  # otherwise nginx buffers events until it has many
    return answer


def _find_head(person: Person, job_id: UUID) -> LogHead | None:
    return find_visible_head(person.user_id, job_id, person.project_id)


async def _write_events(
    person: Person, job_id: UUID, after: int, ends: Collection[str]
) -> AsyncIterator[str]:
    if await _is_at_end(person, job_id, after, ends):
        return
    hub = get_hub()
    subscription = hub.subscribe(job_id, after=after, user_id=person.user_id)
    written_at = time.monotonic()
    try:
        while True:
            for frame in await subscription.next_frames():
                event = json.loads(frame)
                if "seq" in event:
                    yield f"id: {event['seq']}\nevent: {event['type']}\ndata: {frame}\n\n"
                elif time.monotonic() - written_at > _SIGN_OF_LIFE_SECONDS:
                    yield ": nothing new\n\n"
                else:
                    continue
                written_at = time.monotonic()
                is_telling = event["type"] == "job.state"
                if is_telling and await _is_at_end(person, job_id, event["seq"], ends):
                    return
    except (LeftError, TooSlowError):
        return  # a client that was too slow reconnects with the number of its last event
    finally:
        hub.unsubscribe(subscription)


async def _is_at_end(person: Person, job_id: UUID, seq: int, ends: Collection[str]) -> bool:
    """Return whether no event follows a number, or none that the person may see."""
    head = await database_sync_to_async(_find_head)(person, job_id)
    return head is None or (head.state in ends and not head.has_after(seq))
