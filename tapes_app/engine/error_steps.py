"""Which steps report that something went wrong, judged from their JSON alone."""

from typing import Any

_ERROR_WORDS = {"failure", "error", "exception"}


def is_error_step(body: dict[str, Any]) -> bool:
    """Return whether a step reports that something went wrong."""
    if _ERROR_WORDS.intersection(str(body.get("kind", "")).lower().split("_")):
        return True
    if body.get("error") or body.get("is_error") is True:
        return True
    metadata = body.get("metadata")
    other = metadata.get("other") if isinstance(metadata, dict) else None
    if isinstance(other, dict) and other.get("error"):
        return True
    result = body.get("result")
    exit_code = result.get("exit_code") if isinstance(result, dict) else None
    return isinstance(exit_code, int) and exit_code != 0
