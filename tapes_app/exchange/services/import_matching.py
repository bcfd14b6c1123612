"""Which recorded call is behind a step: ids of files repeat, so the nearest file decides."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from tapes_app.exchange.store.imports import StoredCall
from tapes_app.interchange.tape_codec import ImportedTape


def choose_calls(
    item: ImportedTape, found: Mapping[str, Sequence[StoredCall]]
) -> dict[str, StoredCall]:
    """Return the call for each prompt id: of several, the newest of the nearest folder."""
    chosen: dict[str, StoredCall] = {}
    for prompt_id in {step.metadata.prompt_id for step in item.tape.steps}:
        candidates = found.get(prompt_id, ())
        if candidates:
            chosen[prompt_id] = max(
                reversed(candidates), key=lambda call: _nearness(call, item.source.file)
            )
    return chosen


def _nearness(call: StoredCall, file_name: str) -> int:
    """Return how many folders a call's file and a tape's file share, from the top."""
    mine, other = PurePosixPath(file_name).parts[:-1], PurePosixPath(call.file).parts[:-1]
    shared = 0
    for one, two in zip(mine, other, strict=False):
        if one != two:
            break
        shared += 1
    # A call that lies deeper in another folder belongs to that folder.
    return shared * 2 - len(other)
