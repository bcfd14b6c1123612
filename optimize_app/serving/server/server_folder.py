"""The files of a server: its config, its adapters, and its address."""

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
from tapes_app.engine.tape.steps import first_reason

_WORKER_GONE_SECONDS = 5.0
"""A living worker notes twice a second that it watches."""


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
        """The server's address; exists only while it answers."""
        return self.path / "address.json"

    @property
    def probes(self) -> Path:
        """The parity probe's calls, `NAME.jsonl`, and its results, `NAME.json`."""
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
        """Return why a server that was idle for this long must end; None if it need not."""
        if self.stop_file.exists():
            return "Somebody asked it to stop."
        if config.idle_minutes is not None and idle_seconds > config.idle_minutes * 60:
            return f"There was no request for {config.idle_minutes:g} minutes."
        if self.is_unwatched(config.unwatched_minutes * 60):
            return "Its watcher is gone."
        if self._is_studio_gone():
            return "Its studio is gone."
        return None

    def must_stop(self) -> bool:
        return super().must_stop() or self._is_studio_gone()

    def note_watched(self) -> None:
        """Note, in its worker, that the server is watched, and for which studio: the one above it.

        If only the worker is killed, another one of the same studio takes the server over.
        """
        self.watched_file.write_text(str(os.getppid()))

    def _is_studio_gone(self) -> bool:
        if not self.is_unwatched(_WORKER_GONE_SECONDS):
            return False
        try:
            os.kill(int(self.watched_file.read_text()), 0)
        except ProcessLookupError:
            return True
        except (OSError, ValueError):  # not watched, just being written, or of another user
            return False
        return False

    def write_address(self, host: str, port: int) -> None:
        """Record the address at which the server answers from now on."""
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
        """Return the server's address, `None` while it does not answer."""
        try:
            address = json.loads(self.address_file.read_bytes())
        except (OSError, ValueError):
            return None
        return Address(f"http://{address['host']}:{address['port']}/v1", address["started_at"])

    def link_adapter(self, name: str, target: Path) -> None:
        """Have the server answer for an adapter under a name."""
        self.adapters.mkdir(mode=0o700, exist_ok=True)
        link = self.adapters / name
        if link.is_symlink() and link.readlink() == target:
            return
        fresh = self.adapters / f".{name}"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target, target_is_directory=True)
        fresh.replace(link)

    def unlink_adapter(self, name: str) -> None:
        """Stop the server from answering under a name."""
        (self.adapters / name).unlink(missing_ok=True)
