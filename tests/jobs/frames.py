"""Frames for tests; valid without arguments."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from tapes_app.jobs.domain.protocol import StepAdded, StreamedStep


def build_step_added(*, body: dict[str, Any] | None = None, position: int = 0) -> StepAdded:
    step = StreamedStep(
        position=position,
        kind="x",
        family="thought",
        writer="agent",
        agent="a",
        node="n",
        prompt_id="p",
        gist="",
        is_error=False,
        body=body or {"kind": "x"},
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return StepAdded(tape_id=uuid4(), position=position, step=step)
