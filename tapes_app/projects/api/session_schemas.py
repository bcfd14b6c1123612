"""Who is signed in, and where."""

from typing import Literal

Role = Literal["owner", "member", "viewer"]
