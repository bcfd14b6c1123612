"""How a file is refused: the limits on what it may take, and which file, where in it, and why."""

from typing import Self

from pydantic import Field

from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.frozen_model import FrozenModel

MEBIBYTE = 1024 * 1024


class ImportLimits(FrozenModel):
    """Bounds that keep a hostile file from exhausting memory, disk or time. All can be raised."""

    max_unpacked_bytes: int = Field(default=4096 * MEBIBYTE, gt=0)
    """Bytes of one file after unpacking; also the bytes of a database that is read."""

    max_ratio: int = Field(default=200, gt=0)
    """How many times its packed size a packed file may unpack to."""

    ratio_free_bytes: int = Field(default=64 * MEBIBYTE, ge=0)
    """Unpacked bytes below which the ratio is ignored: small files are often repetitive."""

    max_tape_bytes: int = Field(default=128 * MEBIBYTE, gt=0)
    """Bytes of one tape, one YAML document or one database cell."""

    max_depth: int = Field(default=100, gt=0)
    """How deep lists and objects may be nested."""

    max_values: int = Field(default=2_000_000, gt=0)
    """Values of one tape, with every YAML alias counted as often as it is used."""

    max_steps: int = Field(default=200_000, gt=0)
    """Steps of one tape."""

    max_integer_digits: int = Field(default=1000, gt=0)
    """Digits of one whole number."""

    def is_bomb(self, size: int, packed: int) -> bool:
        """Return whether `packed` bytes unpack to far more than legitimate files do."""
        return size > self.ratio_free_bytes and size > max(packed, 1) * self.max_ratio


DEFAULT_LIMITS = ImportLimits()
_SHOWN_NAME_LENGTH = 200


def refusal(
    file: str, reason: str, *, position: str = "", is_other: bool = False
) -> ImportRefusedError:
    """Return the error to raise. `reason` is a clause that never quotes the file's contents.

    `is_other`: the file is valid but not a tape, which is not an error in a folder of tapes.
    """
    shown = file if len(file) <= _SHOWN_NAME_LENGTH else "…" + file[-_SHOWN_NAME_LENGTH:]
    where = f" ({position})" if position else ""
    return ImportRefusedError(
        f"{shown} cannot be imported: {reason}{where}.",
        file=shown,
        position=position,
        reason=reason,
        is_other=is_other,
    )


class FormatProblem(Exception):  # noqa: N818 - it never leaves the package
    """A reason and a position inside one file; the reader adds the file's name."""

    def __init__(self, reason: str, *, position: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position

    def inside(self, place: str) -> Self:
        """Return the same problem; its position is one inside `place`."""
        return type(self)(self.reason, position=", ".join(filter(None, (place, self.position))))


class NoTapeProblem(FormatProblem):
    """A valid file that contains something other than tapes."""
