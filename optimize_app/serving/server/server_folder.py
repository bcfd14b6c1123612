"""The files of a server: what it shall be, which adapters it has, and where it answers."""

import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from optimize_app.finetune.trainer.run_folder import write_json
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.errors import ServerFolderError
from tapes_app.engine.steps import first_reason


@dataclass(frozen=True)
class ServerFolder:
    """The paths of one server."""

    path: Path

    @property
    def config_file(self) -> Path:
        return self.path / "server.json"

    @property
    def adapters(self) -> Path:
        """Holds a folder, or a link to one, for each adapter, under the adapter's name."""
        return self.path / "adapters"

    @property
    def lock_file(self) -> Path:
        """Held by the server, with its process id, so that a folder has one."""
        return self.path / "lock"

    @property
    def address_file(self) -> Path:
        """Where the server answers; there only while it does."""
        return self.path / "address.json"

    @property
    def stop_file(self) -> Path:
        return self.path / "stop"

    @property
    def watched_file(self) -> Path:
        """Touched by whoever watches the server; where it grows old, nobody does any more."""
        return self.path / "watched"

    @property
    def probes(self) -> Path:
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
        try:
            unwatched = time.time() - self.watched_file.stat().st_mtime
        except FileNotFoundError:  # started by hand: nobody needs to watch
            return None
        if unwatched > config.unwatched_minutes * 60:
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
