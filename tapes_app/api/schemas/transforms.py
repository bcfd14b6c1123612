"""Transforms: what a preview shows, and what came of the job."""

from __future__ import annotations

from uuid import UUID

from tapes_app.api.schemas.batches import LeftOutOut
from tapes_app.api.schemas.bodies import Out
from tapes_app.api.schemas.comparing import FieldDiffOut


class CustomTransformOut(Out):
    """A transform that a plugin brings."""

    name: str
    description: str


class TransformStepOut(Out):
    """A step that is changed, removed or inserted; its position on the tape as it is."""

    op: str
    position: int
    kind: str
    fields: list[FieldDiffOut]


class TransformSampleOut(Out):
    """What becomes of one tape; `steps` are the first of its changes."""

    tape_id: UUID
    title: str
    change_count: int
    steps: list[TransformStepOut]


class TransformPreviewOut(Out):
    """What a transform would do, as far as was looked: `looked_at` of `tape_count` tapes."""

    tape_count: int
    looked_at: int
    changed_tapes: int
    changed_steps: int
    samples: list[TransformSampleOut]
    left_out: list[LeftOutOut]


class TransformResultOut(Out):
    """The `result` of a transform job; `batch_id` is null when no tape was changed."""

    batch_id: UUID | None
    batch_name: str
    tapes: int
    steps: int
    unchanged: int
    left_out: list[LeftOutOut]
