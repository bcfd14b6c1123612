"""What the front end is checked against: the description of the API, and the socket's frames."""

import json
from pathlib import Path

from tapes_app.jobs.domain.protocol import build_schema
from tests.http.routes import describe_api

FRONTEND = Path(__file__).parents[2] / "frontend"


def test_every_request_says_in_a_sentence_what_it_does() -> None:
    silent = [
        f"{method.upper()} {path}"
        for path, methods in describe_api()["paths"].items()
        for method, asked in methods.items()
        if not asked.get("description", "").strip().endswith((".", ")", "`"))
    ]

    assert silent == []


def test_the_committed_socket_protocol_is_that_of_the_server() -> None:
    committed = json.loads((FRONTEND / "protocol.json").read_text(encoding="utf-8"))

    assert committed == json.loads(json.dumps(build_schema())), "Run `make generate`."
