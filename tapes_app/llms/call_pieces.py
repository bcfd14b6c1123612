"""Tool calls, assembled from the pieces of a stream; it tells calls apart that servers mix up."""

import json
from typing import Any

from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.model.llm import LLMDelta

_OWN_KEYS = frozenset({"id", "index", "type", "function"})
_LEGACY_INDEX = "function_call"


class CallPieces:
    """Takes pieces of tool calls in the order of their arrival.

    Pieces of a call share its index, or else its id. But some servers omit both, or use the same
    for every call, and others give each piece a new id. So a piece that names a tool starts a new
    call if the call that it seems to belong to is for another tool, or is complete; a piece without
    a name continues a call.
    """

    def __init__(self) -> None:
        self._calls: list[_PartialCall] = []
        self._slots: dict[tuple[str, str], int] = {}
        self._newest = 0

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add_message(self, message: dict[str, Any], *, is_whole: bool) -> list[LLMDelta]:
        """Add the calls of a delta or of a whole message, in which each entry is a call."""
        given = message.get("tool_calls")
        entries = given if isinstance(given, list) else []
        pieces = [_Piece(entry) for entry in entries if isinstance(entry, dict)]
        legacy = message.get("function_call")
        if not pieces and isinstance(legacy, dict):
            pieces = [_Piece({"index": _LEGACY_INDEX, "function": legacy})]
        # Without name, index and id, their order says which of the last calls they continue.
        is_row = 1 < len(pieces) <= len(self._calls) and all(one.is_bare for one in pieces)
        deltas: list[LLMDelta] = []
        for number, piece in enumerate(pieces, start=len(self._calls) - len(pieces)):
            if is_row:
                self._newest = number
            deltas.append(self._add(piece, is_whole=is_whole))
        return deltas

    def to_json(self) -> tuple[dict[str, Any], ...]:
        """Return the calls, each with an id of its own, because results are matched by id."""
        calls: list[dict[str, Any]] = []
        ids: set[str] = {""}
        for number, call in enumerate(self._calls):
            if any(call.repeats(other) for other in self._calls[:number]):
                continue
            calls.append(call.to_json(f"call_{new_id()}" if call.id in ids else call.id))
            ids.add(call.id)
        return tuple(calls)

    def _add(self, piece: "_Piece", *, is_whole: bool) -> LLMDelta:
        slot = None if is_whole else self._find_slot(piece)
        if slot is None:
            slot = len(self._calls)
            self._calls.append(_PartialCall())
        self._newest = slot
        for key in piece.keys:
            self._slots[key] = slot
        self._calls[slot].add(piece)
        return LLMDelta(tool_index=slot, tool_name=piece.name, tool_arguments=piece.arguments)

    def _find_slot(self, piece: "_Piece") -> int | None:
        """Return the position of the call that a piece continues; `None` if it starts one."""
        if not self._calls:
            return None
        slot = self._find_known(piece)
        if slot is None:
            if piece.keys and piece.can_start:
                return None
            slot = self._newest
        return None if piece.name and self._calls[slot].is_followed_by(piece) else slot

    def _find_known(self, piece: "_Piece") -> int | None:
        """Return the call with the index of a piece, or the one with its id if they differ."""
        by_index = self._slots.get(("index", piece.index))
        by_id = self._slots.get(("id", piece.id))
        if by_index is not None and (by_id is None or self._calls[by_index].id == piece.id):
            return by_index
        return by_id


class _Piece:
    """One entry of `tool_calls`."""

    def __init__(self, entry: dict[str, Any]) -> None:
        function = entry.get("function")
        fields = function if isinstance(function, dict) else {}
        given = fields.get("arguments")
        self.id = _text(entry.get("id"))
        self.index = _text(entry.get("index"))
        self.name = _text(fields.get("name"))
        self.has_arguments = given is not None
        self.arguments = given if isinstance(given, str) else _write(given)
        self.extra = {
            key: value for key, value in entry.items() if key not in _OWN_KEYS and value is not None
        }

    @property
    def keys(self) -> list[tuple[str, str]]:
        named = (("index", self.index), ("id", self.id))
        return [(kind, value) for kind, value in named if value]

    @property
    def is_bare(self) -> bool:
        return not (self.name or self.index or self.id)

    @property
    def can_start(self) -> bool:
        """Whether a piece with an unknown index or id may start a call."""
        return bool(self.name or self.id)


class _PartialCall:
    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self._index = ""
        self._arguments: list[str] = []
        self._extra: dict[str, Any] = {}

    def add(self, piece: _Piece) -> None:
        self.id = self.id or piece.id
        self._index = self._index or piece.index
        if piece.name and piece.name != self.name:
            self.name += piece.name
        if piece.arguments:
            self._arguments.append(piece.arguments)
        self._extra.update(piece.extra)

    def is_followed_by(self, piece: _Piece) -> bool:
        """Return whether a piece with a name starts another call, whatever its index and id."""
        if self._index and piece.index and self._index != piece.index:
            return True
        is_other_id = bool(self.id and piece.id) and self.id != piece.id
        is_same = not is_other_id and bool(piece.index or (piece.id and self.id))
        if self._arguments:
            return self._is_complete
        if not self.name:
            return False
        if piece.name != self.name:
            # The rest of a name that came in pieces has no arguments yet.
            is_rest = not piece.has_arguments or bool(piece.id and piece.index)
            return not (is_same and is_rest)
        if is_other_id:
            return not piece.arguments or _is_json(piece.arguments)
        return not is_same and not piece.arguments

    def repeats(self, other: "_PartialCall") -> bool:
        """Return whether this is only the head of another call, sent once more after its end."""
        is_head = bool(self.id and self._index) and not self._arguments
        is_same = (self.id, self._index, self.name) == (other.id, other._index, other.name)
        return is_head and is_same and bool(other._arguments)

    @property
    def _is_complete(self) -> bool:
        # Looking at the end first keeps a server that repeats the name in each piece linear.
        is_at_end = self._arguments[-1].rstrip().endswith(("}", "null"))
        return is_at_end and _is_json("".join(self._arguments))

    def to_json(self, call_id: str) -> dict[str, Any]:
        return {
            "id": call_id,
            "type": "function",
            "function": {"name": self.name, "arguments": "".join(self._arguments)},
            **self._extra,
        }


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _write(arguments: Any) -> str:
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
