"""Who is signed in, and where."""

from __future__ import annotations

from typing import Literal

Role = Literal["owner", "member", "viewer"]
