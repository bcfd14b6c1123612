"""Parts of prompts: a window of messages, and the length that two prompts share.

A prompt with a long history has tens of thousands of messages. These reads load only the content of
the messages in the window, and nothing of a shared past.
"""

from django.db import connection

from tapes_app.engine.model.messages import Message
from tapes_app.models import PromptNodeRecord
from tapes_app.models.json_text import load_json_text

_FIRST_STRIDE = 64


def load_window(leaf: bytes, *, start: int, count: int) -> list[Message]:
    """Return `count` messages of the prompt that ends with `leaf`, starting at message `start`."""
    query = """
        WITH RECURSIVE path (parent_id, message_id, depth) AS (
            SELECT parent_id, message_id, depth FROM prompt_node WHERE digest = %s
            UNION ALL
            SELECT node.parent_id, node.message_id, node.depth
            FROM prompt_node AS node JOIN path ON node.digest = path.parent_id
            WHERE path.depth > %s
        )
        SELECT content.body FROM path JOIN content ON content.digest = path.message_id
        WHERE path.depth > %s AND path.depth <= %s ORDER BY path.depth
    """
    with connection.cursor() as cursor:
        cursor.execute(query, [leaf, start + 1, start, start + count])
        return [Message(load_json_text(body)) for (body,) in cursor]


def count_messages(leaf: bytes | None) -> int:
    """Return how many messages the prompt that ends with `leaf` has; `None` has none."""
    if leaf is None:
        return 0
    return PromptNodeRecord.objects.values_list("depth", flat=True).get(digest=leaf)


def count_shared(one: bytes | None, other: bytes | None) -> int:
    """Return how many leading messages two prompts have in common.

    It walks back from where the shorter one ends. A history that only grew needs one step; one
    whose beginning was changed takes a few queries.
    """
    if one is None or other is None:
        return 0
    top = min(count_messages(one), count_messages(other))
    stride = _FIRST_STRIDE
    while top > 0:
        bottom = max(0, top - stride)
        ones, one_above = _walk_back(one, bottom)
        others, other_above = _walk_back(other, bottom)
        shared = [depth for depth, digest in ones.items() if others.get(depth) == digest]
        if shared:
            return max(shared)
        if one_above is None or other_above is None:
            return 0
        one, other = one_above, other_above
        top, stride = bottom, stride * 4
    return 0


def _walk_back(leaf: bytes, until: int) -> tuple[dict[int, bytes], bytes | None]:
    """Return the nodes of a path deeper than `until` by depth, and the node above them."""
    query = """
        WITH RECURSIVE path (digest, parent_id, depth) AS (
            SELECT digest, parent_id, depth FROM prompt_node WHERE digest = %s
            UNION ALL
            SELECT node.digest, node.parent_id, node.depth
            FROM prompt_node AS node JOIN path ON node.digest = path.parent_id
            WHERE path.depth > %s
        )
        SELECT digest, parent_id, depth FROM path
    """
    nodes: dict[int, bytes] = {}
    above: bytes | None = None
    with connection.cursor() as cursor:
        cursor.execute(query, [leaf, until + 1])
        for digest, parent, depth in cursor:
            nodes[depth] = bytes(digest)
            if depth == until + 1:
                above = None if parent is None else bytes(parent)
    return nodes, above
