"""The dialogues of grown trees: those to learn from, and partial ones to be continued."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from optimize_app.tape_trees.branch_file import load_steps
from optimize_app.tape_trees.branches import Branch
from optimize_app.tape_trees.growth import list_paths
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler.assistant.nodes import GREETING
from tapes_app.gallery.form_filler.assistant.teacher import FORM_SELECTED
from tapes_app.gallery.form_filler.greadth.scores import TurnScore, score_turn
from tapes_app.gallery.form_filler.greadth.turns import list_turns
from tapes_app.gallery.form_filler.steps import PromptUserForTextMessageAction
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS


@dataclass(frozen=True)
class WholeDialogue:
    """A path of a tree to where nothing follows."""

    root: str
    steps: tuple[Step, ...]
    scores: tuple[TurnScore, ...]
    """One for each turn after a message; the last may be invalid, and is not among the steps."""


@dataclass(frozen=True)
class PartialDialogue:
    """A dialogue that ends with a message of the user."""

    key: str
    """Of its last branch; trees of two companies may have the same."""

    company: str
    root: str
    behaviour: str
    group: str
    depth: int
    steps: tuple[Step, ...]


def list_dialogues(branches: Sequence[Branch]) -> Iterator[WholeDialogue]:
    """Yield the longest dialogues of a tree, without invalid turns at their ends."""
    parents = {branch.parent for branch in branches}
    loaded = {branch.key: load_steps(branch) for branch in branches}
    for path in list_paths(branches):
        if path[-1].key in parents:
            continue
        steps = join_path(path, loaded)
        turns = list(list_turns(steps))
        if turns and not turns[-1].is_valid:
            steps = tuple(turns.pop().past[:-1])
        if turns:
            yield WholeDialogue(path[0].root, steps, tuple(map(score_turn, turns)))


def choose_partial(
    company: str, branches: Sequence[Branch], per_behaviour: int, seed: int
) -> list[PartialDialogue]:
    """Return partial dialogues, so many of each behaviour, balanced over forms and depths."""
    loaded = {branch.key: load_steps(branch) for branch in branches}
    found: dict[str, list[tuple[Branch, ...]]] = defaultdict(list)
    for path in list_paths(branches):
        found[path[-1].tag].append(path)
    chosen: list[PartialDialogue] = []
    for behaviour in BEHAVIOURS:
        paths = found[behaviour]
        Random(f"partial {seed} {company} {behaviour}").shuffle(paths)  # noqa: S311 - to repeat
        for path in _balance(paths, per_behaviour):
            last = path[-1]
            steps = (*join_path(path[:-1], loaded), loaded[last.key][0])
            chosen.append(
                PartialDialogue(
                    last.key, company, last.root, behaviour, last.group, last.depth, steps
                )
            )
    return chosen


def _balance(paths: list[tuple[Branch, ...]], count: int) -> Iterable[tuple[Branch, ...]]:
    """Yield paths, next one of the form and then of the depth that came least often."""
    groups, depths = Counter[str](), Counter[int]()
    left = list(paths)
    while left and count:
        path = min(left, key=lambda one: (groups[one[-1].group], depths[one[-1].depth]))
        left.remove(path)
        groups[path[-1].group] += 1
        depths[path[-1].depth] += 1
        count -= 1
        yield path


def join_path(
    path: Sequence[Branch], loaded: Mapping[str, tuple[Step, ...]] | None = None
) -> tuple[Step, ...]:
    """Return the steps of a dialogue, from the greeting on; `loaded`: those of branches by key."""
    greeting = PromptUserForTextMessageAction(prompt=GREETING)
    begin = SetNextNode(next_node=FORM_SELECTED)
    steps_of = load_steps if loaded is None else lambda branch: loaded[branch.key]
    return (begin, greeting, *(step for branch in path for step in steps_of(branch)))
