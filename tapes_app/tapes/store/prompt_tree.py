"""Prompts as paths in a tree of messages: only what is new is written, and one query reads it.

The tree is shared by all projects, so nothing here reveals what exists: every read starts from a
call that the caller was allowed to see.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from django.db import connection

from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import DIGEST_BYTES, Message, digest_json
from tapes_app.models import ContentRecord, PromptNodeRecord
from tapes_app.models.json_text import load_json_text

_LEAVES_PER_QUERY = 10_000


class PromptWriter:
    """Writes prompts and remembers the last one, so a growing history costs only what it adds.

    It is used for one run or one import. After a rollback call `forget`: what it takes for written
    may not be.
    """

    def __init__(self) -> None:
        self._messages: tuple[Message, ...] = ()
        self._path: list[bytes] = []
        self._stored: set[bytes] = set()
        self._contents: dict[bytes, Any] = {}
        self._nodes: dict[bytes, PromptNodeRecord] = {}

    def forget(self) -> None:
        self.__init__()  # type: ignore[misc]  # a fresh start is what is meant

    def add_content(self, value: Any, digest: bytes | None = None) -> bytes:
        """Register a JSON value to be stored; return its digest."""
        digest = digest_json(value) if digest is None else digest
        if digest not in self._stored:
            self._contents[digest] = value
        return digest

    def add_prompt(self, prompt: Prompt) -> bytes | None:
        """Register a prompt to be stored; return the digest of its last node."""
        messages = prompt.messages
        shared = _common_length(self._messages, messages)
        del self._path[shared:]
        parent = self._path[-1] if self._path else None
        for depth, message in enumerate(messages[shared:], start=shared + 1):
            digest = path_digest(parent, message.digest)
            if digest not in self._nodes:
                self._nodes[digest] = PromptNodeRecord(
                    digest=digest,
                    parent_id=parent,
                    message_id=self.add_content(message, message.digest),
                    depth=depth,
                )
            self._path.append(digest)
            parent = digest
        self._messages = messages
        return parent

    def flush(self) -> None:
        """Write what was registered; what another writer has already written is left alone."""
        contents = [
            ContentRecord(digest=digest, body=self._contents[digest])
            # In the same order everywhere: two writers of the same messages must not deadlock.
            for digest in sorted(self._contents)
        ]
        if contents:
            ContentRecord.objects.bulk_create(contents, ignore_conflicts=True)
        if self._nodes:
            nodes = [self._nodes[digest] for digest in sorted(self._nodes)]
            PromptNodeRecord.objects.bulk_create(nodes, ignore_conflicts=True)
        self._stored.update(self._contents)
        self._contents, self._nodes = {}, {}


def path_digest(parent: bytes | None, message: bytes) -> bytes:
    return blake2b((parent or b"") + message, digest_size=DIGEST_BYTES).digest()


def _common_length(old: Sequence[Message], new: Sequence[Message]) -> int:
    count = 0
    for a, b in zip(old, new, strict=False):
        if a is not b and a.digest != b.digest:
            break
        count += 1
    return count


def load_prompts(leaves: Iterable[bytes]) -> Mapping[bytes, tuple[Message, ...]]:
    """Return the messages of each prompt by its last node, in one query."""
    wanted = list(dict.fromkeys(leaves))
    nodes: dict[bytes, tuple[bytes | None, Message]] = {}
    for start in range(0, len(wanted), _LEAVES_PER_QUERY):
        nodes.update(_load_nodes(wanted[start : start + _LEAVES_PER_QUERY]))
    return {leaf: _read_path(leaf, nodes) for leaf in wanted}


def _load_nodes(leaves: Sequence[bytes]) -> dict[bytes, tuple[bytes | None, Message]]:
    marks = ",".join(["%s"] * len(leaves))
    # UNION, not UNION ALL: prompts share most of their nodes, and each is read once.
    query = f"""
        WITH RECURSIVE path (digest, parent_id, message_id) AS (
            SELECT digest, parent_id, message_id FROM prompt_node WHERE digest IN ({marks})
            UNION
            SELECT node.digest, node.parent_id, node.message_id
            FROM prompt_node AS node JOIN path ON node.digest = path.parent_id
        )
        SELECT path.digest, path.parent_id, path.message_id, content.body
        FROM path JOIN content ON content.digest = path.message_id
    """  # noqa: S608  # only placeholders are put in
    messages: dict[bytes, Message] = {}
    nodes: dict[bytes, tuple[bytes | None, Message]] = {}
    with connection.cursor() as cursor:
        cursor.execute(query, list(leaves))
        for digest, parent, message_id, body in cursor:
            key = bytes(message_id)
            if key not in messages:
                messages[key] = Message(load_json_text(body))
            nodes[bytes(digest)] = (None if parent is None else bytes(parent), messages[key])
    return nodes


def _read_path(
    leaf: bytes, nodes: Mapping[bytes, tuple[bytes | None, Message]]
) -> tuple[Message, ...]:
    messages: list[Message] = []
    at: bytes | None = leaf
    while at is not None:
        at, message = nodes[at]
        messages.append(message)
    messages.reverse()
    return tuple(messages)
