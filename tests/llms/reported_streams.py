"""Streams that servers were reported to send, in the folder next to the repository if it exists."""

import json
from pathlib import Path

import pytest

from tests.llms.openai_server import Behaviour

_FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "reports" / "streams"


def read_reported(name: str) -> Behaviour:
    """Return how a server answers with a reported stream or body; skips where there is none."""
    path = _FOLDER / f"{name}.json"
    if not path.is_file():
        pytest.skip("the reported streams are not on this machine")
    sent = json.loads(path.read_text())
    return Behaviour(body=sent["body"]) if isinstance(sent, dict) else Behaviour(stream=tuple(sent))
