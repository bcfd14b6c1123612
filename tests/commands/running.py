"""Running commands as a shell does: what they print at the end, and whether they succeed."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command


def run(name: str, *arguments: str) -> str:
    """Run a command that must succeed; return its last line."""
    out = io.StringIO()
    call_command(name, *arguments, stdout=out, stderr=out)
    return out.getvalue().strip().splitlines()[-1]


def run_json(name: str, *arguments: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command(name, *arguments, "--json", stdout=out, stderr=out)
    return dict(json.loads(out.getvalue()))


def fail(name: str, *arguments: str) -> str:
    """Run a command that must be refused; return what it says at the end."""
    return _end(name, *arguments, status=2)


def answer_no(name: str, *arguments: str) -> str:
    """Run a command of which the answer must be no; return what it says at the end."""
    return _end(name, *arguments, status=1)


def _end(name: str, *arguments: str, status: int) -> str:
    out = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command(name, *arguments, stdout=out, stderr=out)
    assert stopped.value.code == status
    return out.getvalue().strip().splitlines()[-1]


def run_lines(name: str, *arguments: str) -> list[str]:
    """Run a command that must succeed; return all its lines."""
    out = io.StringIO()
    call_command(name, *arguments, stdout=out, stderr=out)
    return out.getvalue().splitlines()
