"""Which branches grow next: as many of each tag as of any other, and of each group within it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple


class Wish(NamedTuple):
    """A branch that might grow."""

    parent: str
    tag: str
    group: str


def choose_wishes(
    wishes: Sequence[Wish],
    width: int,
    before: Iterable[tuple[str, str]],
    weights: Mapping[str, float],
    seed: str,
) -> list[Wish]:
    """Return at most `width` of the wishes, each of them once.

    The tag with the fewest branches comes next, in it the group with the fewest, and then a place
    that nothing was chosen for yet. `before`: tags and groups of the branches there are. `weights`:
    how many branches a tag gets for each one of another tag; 1 if it is not named.
    """
    tags, groups, parents = Counter[str](), Counter[str](), Counter[str]()
    both = Counter[tuple[str, str]]()
    for tag, group in before:
        tags[tag] += 1
        groups[group] += 1
        both[tag, group] += 1
    open_wishes: dict[str, dict[str, list[Wish]]] = defaultdict(lambda: defaultdict(list))
    shuffled = sorted(wishes)
    Random(seed).shuffle(shuffled)  # noqa: S311 - to repeat, no secret
    for wish in shuffled:
        open_wishes[wish.tag][wish.group].append(wish)
    chosen: list[Wish] = []
    while open_wishes and len(chosen) < width:
        tag = min(open_wishes, key=lambda name: (tags[name] / weights.get(name, 1.0), name))
        of_tag = open_wishes[tag]
        group = min(of_tag, key=lambda name: (both[tag, name], groups[name], name))
        wish = min(of_tag[group], key=lambda one: parents[one.parent])
        of_tag[group].remove(wish)
        if not of_tag[group]:
            del of_tag[group]
        if not of_tag:
            del open_wishes[tag]
        tags[tag] += 1
        groups[group] += 1
        both[tag, group] += 1
        parents[wish.parent] += 1
        chosen.append(wish)
    return chosen
