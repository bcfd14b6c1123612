"""Steps: lines of the outline, whole steps, and what their forms are made from."""

from typing import Literal

from tapes_app.projects.api.bodies import Out
from tapes_app.tapes.store.outline import OutlineCalls

Family = Literal["thought", "action", "observation", "control"]
Writer = Literal["agent", "environment", "person", "import"]


class OutlineOut(Out):
    """Some steps of a tape in columns: the entry for step `start + i` is at place `i`.

    `kind`, `family`, `writer`, `agent`, `node` and `prompt` hold places in `kinds`, `families`,
    `writers`, `agents`, `nodes` and `prompts`; `call` in `calls`, or -1 for no call.
    """

    start: int
    step_count: int
    """Of the whole tape."""

    kinds: list[str]
    families: list[Family]
    writers: list[Writer]
    agents: list[str]
    nodes: list[str]
    prompts: list[str]
    kind: list[int]
    family: list[int]
    writer: list[int]
    agent: list[int]
    node: list[int]
    prompt: list[int]
    call: list[int]
    gist: list[str]
    lines: list[int]
    """About how many lines a folded card shows of it."""

    is_error: list[int]
    is_own: list[int]
    calls: OutlineCalls
