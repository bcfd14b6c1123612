"""Grows a tree of tapes depth by depth, and goes on where an earlier growth was stopped."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from optimize_app.tape_trees.balance import Wish, choose_wishes
from optimize_app.tape_trees.branch_file import (
    BranchWriter,
    dump_steps,
    load_steps,
    read_branches,
)
from optimize_app.tape_trees.branches import Branch, Place, World, key_of
from tapes_app.engine.frozen_model import FrozenModel


class Growth(FrozenModel):
    """How far a tree grows."""

    width: int = Field(default=500, ge=1, le=100_000)
    """The most branches of a depth."""

    depth: int = Field(default=9, ge=1, le=100)
    """Observations in a dialogue, and as many continuations: 9 make 18 turns."""

    seed: int = 0
    weights: dict[str, float] = Field(default_factory=dict)
    """How many branches a tag gets for each one of another tag; 1 if it is not named."""

    at_once: int = Field(default=1, ge=1, le=256)
    """Continuations that are asked for at the same time."""


@dataclass
class _Tree:
    """Tags and groups of the branches so far, and the tapes that may still grow."""

    places: list[Place] = field(default_factory=list)
    counts: list[tuple[str, str]] = field(default_factory=list)


async def grow_tree(
    world: World,
    growth: Growth,
    file: Path,
    on_grown: Callable[[int], None] = lambda _: None,
) -> int:
    """Grow a tree in a file to its end, and return how many of its branches are new.

    What the file has is not grown again: a growth that was stopped anywhere comes to the same tree,
    if the world does the same in the same place.
    """
    known = {branch.key: branch for branch in read_branches(file)}
    first = await world.begin()
    roots = world.list_roots().items()
    tree = _Tree([Place(root, root, group, first) for root, group in roots])
    writer, new = BranchWriter(file), 0
    try:
        for depth in range(1, growth.depth + 1):
            chosen = _choose(world, growth, tree, depth)
            places = {place.key: place for place in tree.places}
            tree.places = []
            for start in range(0, len(chosen), growth.at_once):
                wishes = chosen[start : start + growth.at_once]
                grown = await asyncio.gather(
                    *(_grow(world, places[one.parent], one, depth, known) for one in wishes)
                )
                fresh = [branch for branch, _ in grown if branch.key not in known]
                writer.add(fresh)
                new += len(fresh)
                for branch, place in grown:
                    tree.counts.append((branch.tag, branch.group))
                    tree.places += [place] if branch.is_open else []
                on_grown(len(tree.counts))
    finally:
        writer.close()
    return new


def _choose(world: World, growth: Growth, tree: _Tree, depth: int) -> list[Wish]:
    wishes = [
        Wish(place.key, tag, place.group)
        for place in tree.places
        for tag in world.list_tags(place.root, place.tape)
    ]
    seed = f"tree {growth.seed} {depth}"
    return choose_wishes(wishes, growth.width, tree.counts, growth.weights, seed)


async def _grow(
    world: World, place: Place, wish: Wish, depth: int, known: Mapping[str, Branch]
) -> tuple[Branch, Place]:
    key = key_of(place.key, wish.tag)
    if key in known:
        branch = known[key]
        return branch, place._replace(key=key, tape=place.tape.append(*load_steps(branch)))
    tape, is_open = await world.grow(place.root, place.tape, wish.tag, f"{place.root} {key}")
    branch = Branch(
        key=key,
        parent=place.key,
        root=place.root,
        depth=depth,
        tag=wish.tag,
        group=place.group,
        is_open=is_open,
        steps=dump_steps(tape.steps[len(place.tape) :], key),
    )
    # As it is read later, so that a tree that was stopped goes on from the same tapes.
    return branch, place._replace(key=key, tape=place.tape.append(*load_steps(branch)))


def list_paths(branches: Sequence[Branch]) -> Iterator[tuple[Branch, ...]]:
    """Yield for each branch all branches from the root to it."""
    paths: dict[str, tuple[Branch, ...]] = {}
    for branch in branches:  # parents come first
        paths[branch.key] = (*paths.get(branch.parent, ()), branch)
        yield paths[branch.key]
