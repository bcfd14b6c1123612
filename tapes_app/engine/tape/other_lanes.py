"""What an edit leaves as it is behind the place where the agent continues: steps of other lanes.

Of agents that were called together, each acts on its own steps alone, so what one did does not
depend on an edit in the lane of another. What the environment answered does, once an answer to the
edited lane is dropped: all lanes act in one world. The browser implements this again, as it does
`splice`: both are tested on `tests/engine/lane_edit_cases.json`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tapes_app.engine.tape.splice import Arrangement, EditedPlace
from tapes_app.engine.tape.steps import Step, family_of


class StepFacts(NamedTuple):
    """What decides whether a step depends on an edit."""

    lane: str
    is_observation: bool


def list_facts(steps: Sequence[Step]) -> list[StepFacts]:
    return [StepFacts(step.metadata.lane, family_of(step) == "observation") for step in steps]


def list_unaffected(
    arrangement: Arrangement, facts: Sequence[StepFacts], resume_at: int
) -> list[int]:
    """Return the places from `resume_at` on that stay when the agent continues after the edit.

    `facts` are those of the original tape. After an edit outside of lanes, a move or another
    context, nothing is returned.
    """
    places, edited_at = arrangement.places, arrangement.edited_at
    origins = [place.origin for place in places if place.origin is not None]
    if edited_at is None or arrangement.context is not None or origins != sorted(origins):
        return []
    removed = [facts[at] for at in sorted({*range(len(facts))} - {*origins})]
    affected = {fact.lane for fact in removed}
    affected |= {_lane_of(place, facts) for place in places if place.written is not None}
    is_world_other = any(fact.is_observation for fact in removed)
    found: list[int] = []
    for position in range(edited_at, len(places)):
        place = places[position]
        lane = _lane_of(place, facts)
        is_dropped = any(_depends(lane, other) for other in affected)
        is_answer = place.origin is not None and facts[place.origin].is_observation
        if position >= resume_at:
            is_dropped = is_dropped or (is_answer and is_world_other)
            is_world_other = is_world_other or (is_answer and is_dropped)
            if not is_dropped:
                found.append(position)
        if is_dropped:
            affected.add(lane)
    return found


def _lane_of(place: EditedPlace, facts: Sequence[StepFacts]) -> str:
    if place.origin is not None:
        return facts[place.origin].lane
    metadata = (place.written or {}).get("metadata")
    lane = metadata.get("lane") if isinstance(metadata, dict) else None
    return lane if isinstance(lane, str) else ""


def _depends(lane: str, other: str) -> bool:
    """Return whether one of the lanes is the other, or calls it."""
    return (
        f"{lane}/".startswith(f"{other}/")
        or f"{other}/".startswith(f"{lane}/")
        or not (lane and other)
    )
