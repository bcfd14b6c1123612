"""Transforms: what a preview shows, and the result of the job."""

from uuid import UUID

from tapes_app.projects.api.bodies import Out
from tapes_app.projects.left_out import LeftOutTapes


class CustomTransformOut(Out):
    """A transform that a plugin brings."""

    name: str
    description: str


class TransformResultOut(Out):
    """The `result` of a transform job; `batch_id` is null when no tape was changed."""

    batch_id: UUID | None
    batch_name: str
    tapes: int
    steps: int
    unchanged: int
    left_out: list[LeftOutTapes]
