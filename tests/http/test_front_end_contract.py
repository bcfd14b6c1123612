"""The front end's types are generated from these two files, which must match the server."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command

from tapes_app.jobs.domain.protocol import build_schema

FRONTEND = Path(__file__).parents[2] / "frontend"


def test_the_committed_api_description_is_that_of_the_server() -> None:
    output = StringIO()
    call_command(
        "export_openapi_schema", api="studio.api.api", indent=2, sort_keys=True, stdout=output
    )

    committed = json.loads((FRONTEND / "openapi.json").read_text(encoding="utf-8"))

    assert described(committed) == described(json.loads(output.getvalue())), "Run `make generate`."


def test_every_request_says_in_a_sentence_what_it_does() -> None:
    committed = json.loads((FRONTEND / "openapi.json").read_text(encoding="utf-8"))

    silent = [
        f"{method.upper()} {path}"
        for path, methods in committed["paths"].items()
        for method, asked in methods.items()
        if not asked.get("description", "").strip().endswith((".", ")", "`"))
    ]

    assert silent == []


def test_the_committed_socket_protocol_is_that_of_the_server() -> None:
    committed = json.loads((FRONTEND / "protocol.json").read_text(encoding="utf-8"))

    assert committed == json.loads(json.dumps(build_schema())), "Run `make generate`."


def described(openapi: dict[str, Any]) -> dict[str, Any]:
    """Leave out the session cookie: its name differs from one data folder to the next."""
    kept = {k: v for k, v in openapi["components"].items() if k != "securitySchemes"}
    return {**openapi, "components": kept}
