"""The tokens of calls: packed, stored next to the calls, and read only when needed."""

import json
import zlib
from collections.abc import Mapping, Sequence
from uuid import UUID

from tapes_app.engine.model.llm import CallTokens
from tapes_app.models import CallTokensRecord


def save_tokens(tokens: Mapping[UUID, CallTokens | None]) -> None:
    """Store the tokens of new calls; for most calls they are unknown."""
    CallTokensRecord.objects.bulk_create(
        CallTokensRecord(call_id=call_id, packed=_pack(known))
        for call_id, known in tokens.items()
        if known
    )


def load_tokens(call_ids: Sequence[UUID]) -> dict[UUID, CallTokens]:
    """Return the tokens of those calls that have some."""
    found = CallTokensRecord.objects.filter(call_id__in=list(call_ids))
    return {record.call_id: _unpack(bytes(record.packed)) for record in found}


def _pack(tokens: CallTokens) -> bytes:
    return zlib.compress(json.dumps(tokens.to_json(), separators=(",", ":")).encode())


def _unpack(packed: bytes) -> CallTokens:
    return CallTokens.model_validate(json.loads(zlib.decompress(packed)))
