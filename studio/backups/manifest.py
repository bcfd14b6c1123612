"""A backup's description of itself: its version, and each member with size and hash."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tapes_app.engine.errors import StudioError

MANIFEST = "manifest.json"
"""The last member: a backup without it is incomplete."""

DATABASES = {"sqlite": "database/studio.sqlite3", "postgresql": "database/studio.pgdump"}
"""The member with the database, by its vendor."""

FILES = "files/"
"""Prefix of the members that are files of the data folder."""

MANIFEST_BYTES = 256 * 1024**2


class BackupError(StudioError):
    """A backup cannot be made, or cannot be used; nothing was changed."""

    code = "backup"
    status = 409


class Member(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    size: int
    sha256: str


class Manifest(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    made_at: datetime
    version: str
    vendor: Literal["sqlite", "postgresql"]
    migrations: dict[str, tuple[str, ...]]
    """The migrations applied to the database, by app."""

    has_key: bool
    """Whether it contains the key that signs sessions and encrypts stored model keys."""

    artefacts: str
    """Address of the artefact store outside the data folder; empty: there is none."""

    left_out: tuple[str, ...]
    """Links in the data folder, as they lead elsewhere."""

    members: tuple[Member, ...]

    @property
    def database(self) -> str:
        return DATABASES[self.vendor]

    @property
    def size(self) -> int:
        """Its size in bytes when unpacked."""
        return sum(member.size for member in self.members)

    @property
    def file_count(self) -> int:
        return sum(member.name.startswith(FILES) for member in self.members)
