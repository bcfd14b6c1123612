"""Which tape holds a conversation that another program has with an agent.

The tape's `source_id` is the digest of what was said so far: the name that the conversation has
outside.
"""

from uuid import UUID

from tapes_app.models import TapeRecord
from tapes_app.runs.domain.chat_completions import DIGEST_PREFIX


def claim(project: UUID, digest: str) -> UUID | None:
    """Return the tape of a conversation and take it: of two continuations, one gets it."""
    mine = TapeRecord.objects.filter(
        project_id=project, source_id=digest, deleted_at__isnull=True, archived_at__isnull=True
    )
    for tape_id in mine.order_by("-created_at").values_list("id", flat=True)[:5]:
        if mine.filter(id=tape_id).update(source_id=""):
            return tape_id
    return None


def claim_end(project: UUID, tape_id: UUID, end: int) -> bool:
    """Take a tape whose conversation has come to `end` steps; of two continuations, one gets it.

    One whose answer nobody has got yet is not taken: somebody may still be waiting for it.
    """
    mine = TapeRecord.objects.filter(
        id=tape_id,
        project_id=project,
        step_count=end,
        source_id__startswith=DIGEST_PREFIX,
        deleted_at__isnull=True,
        archived_at__isnull=True,
    )
    return mine.update(source_id="") > 0


def note(tape_id: UUID, project: UUID, digest: str) -> None:
    """Remember what the conversation on a tape has come to."""
    TapeRecord.objects.filter(id=tape_id, project_id=project).update(source_id=digest)
