"""The tools that the models of a tape were offered."""

from typing import Any
from uuid import UUID

from tapes_app.models import ContentRecord, StepRecord
from tapes_app.tapes.spans import read_spans
from tapes_app.tapes.store.access import get_tape, spans_filter


def list_offered_tools(tape_id: UUID, project: UUID) -> list[dict[str, Any]]:
    """Return the tools in the prompts of a tape's calls, each list once.

    Raises:
        NotFoundError: no such tape in this project.
    """
    steps = StepRecord.objects.filter(
        spans_filter(read_spans(get_tape(tape_id, project).spans)), llm_call__isnull=False
    )
    digests = steps.order_by().values_list("llm_call__settings_id", flat=True).distinct()
    settings = ContentRecord.objects.filter(digest__in=list(digests)).order_by("digest")
    offered = (body.get("tools") for body in settings.values_list("body", flat=True))
    return [tool for tools in offered if isinstance(tools, list) for tool in tools]
