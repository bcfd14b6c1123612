"""The files of a server: what it shall be, which adapters it has, and where it answers."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from optimize_app.finetune.trainer.run_folder import write_json
from optimize_app.programs import ProgramFolder
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.errors import ServerFolderError
from tapes_app.engine.steps import first_reason


class Address(NamedTuple):
    """Where a server answers, and since when."""

    url: str
    """Up to and including "/v1"."""

    started_at: str


class ServerFolder(ProgramFolder):
    """The paths of one server."""

    @property
    def config_file(self) -> Path:
        return self.path / "server.json"

    @property
    def adapters(self) -> Path:
        """Holds a folder, or a link to one, for each adapter, under the adapter's name."""
        return self.path / "adapters"

    @property
    def address_file(self) -> Path:
        """Where the server answers; there only while it does."""
        return self.path / "address.json"

    @property
    def probes(self) -> Path:
        """Calls that the parity probe asks, `NAME.jsonl`, and what it found, `NAME.json`."""
        return self.path / "probes"

    def read_config(self) -> ServerConfig:
        """Return the config.

        Raises:
            ServerFolderError: it is missing or not valid; the message names the field.
        """
        try:
            return ServerConfig.model_validate_json(self.config_file.read_bytes())
        except FileNotFoundError as error:
            raise ServerFolderError(
                f"{self.path} has no server.json. A server folder holds server.json and adapters/."
            ) from error
        except ValidationError as error:
            raise ServerFolderError(f"server.json: {first_reason(error)}.") from error

    def find_reason_to_stop(self, config: ServerConfig, idle_seconds: float) -> str | None:
        """Return why a server that was not asked for so long must end; None where it need not."""
        if self.stop_file.exists():
            return "Somebody asked it to stop."
        if config.idle_minutes is not None and idle_seconds > config.idle_minutes * 60:
            return f"Nobody asked for {config.idle_minutes:g} minutes."
        if self.is_unwatched(config.unwatched_minutes * 60):
            return "Whoever watched it is gone."
        return None

    def write_address(self, host: str, port: int) -> None:
        """Tell where the server answers, from now on."""
        write_json(
            self.address_file,
            {
                "host": host,
                "port": port,
                "pid": os.getpid(),
                "started_at": datetime.now(UTC).isoformat(),
            },
        )

    def read_address(self) -> Address | None:
        """Return where the server answers, `None` while it does not."""
        try:
            told = json.loads(self.address_file.read_bytes())
        except (OSError, ValueError):
            return None
        return Address(f"http://{told['host']}:{told['port']}/v1", told["started_at"])

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
