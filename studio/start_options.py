"""The options of `up`; they become environment variables before the settings are read."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from studio.env import set_variable


def add_start_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to bind to (default 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port, or the next free one (default 8700)")
    parser.add_argument("--data-dir", type=Path, help="data folder (default .studio)")
    parser.add_argument(
        "--reload", action="store_true", help="restart when one of your plugin modules changes"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def apply_start_options(arguments: Sequence[str]) -> None:
    """Set the variables that the settings and every child process read."""
    parser = argparse.ArgumentParser(add_help=False)
    add_start_options(parser)
    options, _ = parser.parse_known_args(arguments)
    if options.host is not None:
        set_variable("STUDIO_HOST", options.host)
    if options.port is not None:
        set_variable("STUDIO_PORT", str(options.port))
    if options.data_dir is not None:
        set_variable("STUDIO_DATA_DIR", str(options.data_dir.resolve()))
