"""Who may follow which job."""

from __future__ import annotations

from uuid import UUID

from tapes_app.jobs.log import LogHead
from tapes_app.jobs.protocol import parse_state
from tapes_app.models import JobRecord


def find_visible_head(user_id: int, job_id: UUID) -> LogHead | None:
    """Return the log head of a job in one of the person's projects.

    Jobs of other projects do not exist for them.
    """
    mine = JobRecord.objects.filter(id=job_id, project__memberships__user_id=user_id)
    row = mine.values_list("state", "last_seq", "pruned_seq").first()
    if row is None:
        return None
    state, last_seq, pruned_seq = row
    return LogHead(parse_state(state), last_seq, pruned_seq)
