"""Transforms: what a preview shows, and the result of the job."""

from uuid import UUID

from tapes_app.bulk.services.transforming import TransformSample
from tapes_app.projects.api.bodies import LeftOut, LeftOutOut, Out


class CustomTransformOut(Out):
    """A transform that a plugin brings."""

    name: str
    description: str


class TransformPreviewOut(Out):
    """What a transform would do, as far as was looked: `looked_at` of `tape_count` tapes."""

    tape_count: int
    looked_at: int
    changed_tapes: int
    changed_steps: int
    samples: list[TransformSample]
    left_out: LeftOut


class TransformResultOut(Out):
    """The `result` of a transform job; `batch_id` is null when no tape was changed."""

    batch_id: UUID | None
    batch_name: str
    tapes: int
    steps: int
    unchanged: int
    left_out: list[LeftOutOut]
