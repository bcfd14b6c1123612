"""What a transform is asked for: which tapes, what with them, and where the children go."""

from pydantic import Field

from tapes_app.bulk.transform.transforms import Transform, check_transform, transforms
from tapes_app.library.services.selection import TapeSelection

TRANSFORM_KIND = "transform"
MOST_TRANSFORMS = 10


class TransformSpec(TapeSelection):
    """Which tapes, and what becomes of each, one transform after the other."""

    transforms: tuple[Transform, ...] = Field(min_length=1, max_length=MOST_TRANSFORMS)


class TransformRequest(TransformSpec):
    """What the job of a transform holds."""

    batch_name: str = Field(min_length=1, max_length=300)
    """A new batch, in which the children come."""


def check_transforms(spec: TransformSpec) -> None:
    """Refuse what can do nothing sensible, before any tape is read.

    Raises:
        InvalidInputError: the message says which part and why.
    """
    for transform in spec.transforms:
        check_transform(transform)


def list_custom_transforms() -> list[tuple[str, str]]:
    """Return name and description of the transforms that plugins bring."""
    return [(name, (transforms.get(name).__doc__ or "").strip()) for name in transforms]
