"""The folder of a server: what it should serve, and where it answers.

| file | what it is |
|---|---|
| `server.json` | what is served, where, and with which key |
| `adapters/NAME` | a link to an adapter, served when its name is first asked for |
| `probes/NAME.jsonl` | calls that the parity probe asks; `probes/NAME.json` what it found |
| `address.json` | where the server answers; there while it does |
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from optimize_app.programs import ProgramFolder

ADDRESS_PATH = "/v1"


class Address(NamedTuple):
    """Where a server answers, and when it began to."""

    url: str
    """Up to and including "/v1"."""

    started_at: str


class ServerFolder(ProgramFolder):
    """The paths of one server."""

    @property
    def config_file(self) -> Path:
        return self.path / "server.json"

    @property
    def address_file(self) -> Path:
        return self.path / "address.json"

    @property
    def adapters(self) -> Path:
        return self.path / "adapters"

    def probe_file(self, name: str) -> Path:
        """The calls that the parity probe asks of a model."""
        return self.path / "probes" / f"{name}.jsonl"

    def read_config(self) -> dict[str, Any]:
        config: dict[str, Any] = json.loads(self.config_file.read_bytes())
        return config

    def read_address(self) -> Address | None:
        """Return where the server answers, `None` while it does not."""
        try:
            told = json.loads(self.address_file.read_bytes())
        except (OSError, ValueError):
            return None
        return Address(f"http://{told['host']}:{told['port']}{ADDRESS_PATH}", told["started_at"])

    def link_adapter(self, name: str, target: Path) -> None:
        """Let the server answer for an adapter under a name."""
        self.adapters.mkdir(mode=0o700, exist_ok=True)
        link = self.adapters / name
        if link.is_symlink() and link.readlink() == target:
            return
        fresh = self.adapters / f".{name}"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target, target_is_directory=True)
        fresh.replace(link)

    def unlink_adapter(self, name: str) -> None:
        """End that the server answers under a name."""
        (self.adapters / name).unlink(missing_ok=True)
