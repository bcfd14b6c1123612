"""Tokenizers' results for examples, cached as files under the hash of everything they depend on."""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from optimize_app.finetune import trainer

_MOST_FILES = 300
_LARGEST_PART = 64_000_000
"""In bytes; larger files in a base's folder are its weights."""


def load(key: str) -> Any | None:
    """Return the value kept under a key; `None` if there is none."""
    try:
        return json.loads(_file(key).read_bytes())
    except FileNotFoundError:
        return None


def save(key: str, value: Any) -> None:
    """Keep a value; if there are too many, the oldest are deleted."""
    file = _file(key)
    part = file.with_name(f".{file.name}-{os.getpid()}")
    part.write_text(json.dumps(value, separators=(",", ":")))
    part.replace(file)
    kept = sorted(_folder().glob("*.json"), key=lambda path: path.stat().st_mtime)
    for old in kept[:-_MOST_FILES]:
        old.unlink(missing_ok=True)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let only one process load a tokenizer at a time: each takes memory and a core."""
    _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with (_folder() / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def key_of(base: Path, *parts: str) -> str:
    """Return the key for what a base's tokenizer makes of `parts`."""
    digest = hashlib.sha256(_hash_program().encode())
    for path in sorted(base.iterdir()):
        if path.is_file() and path.stat().st_size < _LARGEST_PART:
            digest.update(path.name.encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


@cache
def _hash_program() -> str:
    """Return a hash of the code that writes tokens: another version may write different ones."""
    folder = Path(trainer.__file__).parent
    sources = [path.read_bytes() for path in sorted(folder.glob("*.py"))]
    return hashlib.sha256(b"\0".join(sources)).hexdigest()


def _file(key: str) -> Path:
    return _folder() / f"{key}.json"


def _folder() -> Path:
    return Path(settings.STUDIO_DATA_DIR) / "tokens"
