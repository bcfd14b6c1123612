"""Trees of tapes: the same by seed, also if their growth was stopped; balanced; shared."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from optimize_app.tape_trees.balance import Wish, choose_wishes
from optimize_app.tape_trees.branch_file import load_steps, open_tree, read_branches
from optimize_app.tape_trees.branches import Branch
from optimize_app.tape_trees.growth import Growth, grow_tree, list_paths
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent
from tapes_app.engine.errors import ConflictError
from tapes_app.gallery.form_filler.assistant.script import NAME
from tapes_app.gallery.form_filler.assistant.teacher import NAME as TEACHER
from tapes_app.gallery.form_filler.greadth.turns import list_turns
from tapes_app.gallery.form_filler.tree import WEIGHTS, FormDialogues, TreeSettings
from tapes_app.llms.scripted import ScriptedLLM

GROWTH = Growth(width=12, depth=5, weights=WEIGHTS, at_once=4)
FILE = "branches.jsonl"


class StoppedError(Exception):
    """Somebody ended the program."""


def _world(seed: int = 0) -> FormDialogues:
    script = ScriptedLLM(NAME, options={"error_rate": 0.05})
    agent = build_agent(gallery_agents.get(TEACHER)(), lambda _: script)
    return FormDialogues(agent, TreeSettings(seed=seed, users=12))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tree") / FILE
    asyncio.run(grow_tree(_world(), GROWTH, file))
    return file


def test_a_tree_that_was_stopped_half_way_comes_to_the_same_bytes(
    tree: Path, tmp_path: Path
) -> None:
    file = tmp_path / FILE

    def stop(count: int) -> None:
        if count > 30:
            raise StoppedError

    with pytest.raises(StoppedError):
        asyncio.run(grow_tree(_world(), GROWTH, file, stop))
    stopped = file.read_bytes()
    file.write_bytes(stopped[:-200])  # in the middle of a line

    new = asyncio.run(grow_tree(_world(), GROWTH, file))

    assert 0 < len(stopped) < tree.stat().st_size
    assert 0 < new < len(list(read_branches(tree)))
    assert file.read_bytes() == tree.read_bytes()
    assert asyncio.run(grow_tree(_world(), GROWTH, file)) == 0


async def test_another_seed_grows_another_tree(tree: Path, tmp_path: Path) -> None:
    await grow_tree(_world(seed=1), GROWTH, tmp_path / FILE)

    keys = {branch.key for branch in read_branches(tmp_path / FILE)}
    assert not keys & {branch.key for branch in read_branches(tree)}


def test_beginnings_are_shared_and_each_path_is_a_dialogue(tree: Path) -> None:
    branches = list(read_branches(tree))
    paths = list(list_paths(branches))

    assert Counter(branch.depth for branch in branches) == dict.fromkeys(range(1, 6), 12)
    assert sum(len(path) for path in paths) > len(branches) * 2
    for branch, path in zip(branches, paths, strict=True):
        steps = [step for one in path for step in load_steps(one)]
        turns = list(list_turns(steps))
        assert [turn.label.behaviour for turn in turns] == [one.tag for one in path]
        assert turns[-1].is_valid or not branch.is_open


def test_tags_get_their_weights_and_groups_are_balanced() -> None:
    places = [(f"p{n}", f"g{n % 5}") for n in range(40)]
    wishes = [Wish(place, tag, group) for place, group in places for tag in ("a", "b", "c")]

    chosen = choose_wishes(wishes, 40, [("a", "g0")] * 3, {"c": 2.0}, "seed")

    assert Counter(one.tag for one in chosen) == {"a": 8, "b": 11, "c": 21}
    assert max(Counter(one.group for one in chosen).values()) <= 9
    assert max(Counter(one.parent for one in chosen).values()) <= 2
    assert chosen == choose_wishes(wishes[::-1], 40, [("a", "g0")] * 3, {"c": 2.0}, "seed")


def test_a_folder_has_one_tree(tmp_path: Path) -> None:
    open_tree(tmp_path, {"seed": 0})

    assert open_tree(tmp_path, {"seed": 0}).name == FILE
    with pytest.raises(ConflictError, match="other settings"):
        open_tree(tmp_path, {"seed": 1})


def test_a_branch_keeps_its_own_steps_only(tree: Path) -> None:
    first, *rest = read_branches(tree)

    assert isinstance(first, Branch)
    assert all(one.steps[0]["kind"] == "user" for one in (first, *rest))
