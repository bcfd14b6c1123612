"""How much a file may ask of the importer before it is refused."""

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel

MEBIBYTE = 1024 * 1024


class ImportLimits(FrozenModel):
    """Bounds that keep a hostile file from taking memory, disk or time. All can be raised."""

    max_unpacked_bytes: int = Field(default=4096 * MEBIBYTE, gt=0)
    """Bytes of one file after unpacking; also the bytes of a database that is read."""

    max_ratio: int = Field(default=200, gt=0)
    """How many times larger than its packed bytes a packed file may become."""

    ratio_free_bytes: int = Field(default=64 * MEBIBYTE, ge=0)
    """Unpacked bytes below which the ratio does not matter: small files repeat themselves."""

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
        """Tell whether `packed` bytes become far more than what people keep does."""
        return size > self.ratio_free_bytes and size > max(packed, 1) * self.max_ratio


DEFAULT_LIMITS = ImportLimits()
