"""Detectors about what a tape used: steps, room in prompts, tokens by agent."""

from collections.abc import Iterator

from tapes_app.lint.domain.findings import Found
from tapes_app.lint.domain.reading import Reading

NEAR_LIMIT = 0.9
"""Share of the context above which a prompt counts as near its limit."""

MOST_TOKENS = 0.9
"""Share of all tokens above which one of several agents uses most of them."""

MIN_CALLS = 4
MIN_AGENTS = 2


def find_passed_budgets(reading: Reading) -> Iterator[Found]:
    """Find the step that exceeds the step budget, and turns with too many node runs."""
    budget = reading.context.step_budget
    if budget is not None and len(reading.steps) > budget:
        yield Found(
            budget,
            f"The tape has {len(reading.steps)} steps, over the step budget of {budget}.",
        )
    agent = reading.context.agent
    if agent is None:
        return
    for start, middle, _ in reading.turns:
        runs: dict[str, int] = {}
        """Prompt ids of this turn's node runs, with the position where each began."""

        for at in range(start, middle):
            metadata = reading.steps[at].metadata
            if metadata.prompt_id and metadata.agent.partition("/")[0] == agent.name:
                runs.setdefault(metadata.prompt_id, at)
        if len(runs) > agent.max_iterations:
            yield Found(
                list(runs.values())[agent.max_iterations],
                f"One turn took {len(runs)} node runs; the limit of agent {agent.name!r} is "
                f"{agent.max_iterations}.",
            )


def find_full_prompts(reading: Reading) -> Iterator[Found]:
    """Find prompts that leave little room in the model's context."""
    for prompt_id, at in _first_steps(reading).items():
        call = reading.context.calls[prompt_id]
        if not call.input_tokens or not call.context_limit:
            continue
        share = call.input_tokens / call.context_limit
        if share >= NEAR_LIMIT:
            yield Found(
                at,
                f"The prompt fills {share:.0%} of the model's context: {call.input_tokens:,} of "
                f"{call.context_limit:,} tokens.",
            )


def find_uneven_spending(reading: Reading) -> Iterator[Found]:
    """Find the agent that used nearly all tokens of a team; reported at its largest call."""
    spent: dict[str, int] = {}
    largest: dict[str, tuple[int, int]] = {}
    """By agent, the tokens of its largest call and its position."""

    first = _first_steps(reading)
    for prompt_id, at in first.items():
        call = reading.context.calls[prompt_id]
        agent = reading.steps[at].metadata.agent
        tokens = (call.input_tokens or 0) + (call.output_tokens or 0)
        spent[agent] = spent.get(agent, 0) + tokens
        largest[agent] = max(largest.get(agent, (-1, 0)), (tokens, -at))
    total = sum(spent.values())
    if len(spent) < MIN_AGENTS or len(first) < MIN_CALLS or not total:
        return
    agent = max(sorted(spent), key=lambda name: spent[name])
    if spent[agent] >= MOST_TOKENS * total:
        yield Found(
            -largest[agent][1],
            f"Agent {agent!r} uses {spent[agent] / total:.0%} of the tape's {total:,} tokens; "
            "this is its largest call.",
        )


def _first_steps(reading: Reading) -> dict[str, int]:
    """Return where each node run with a known call begins, by prompt id, in order."""
    found: dict[str, int] = {}
    for at, step in enumerate(reading.steps):
        prompt_id = step.metadata.prompt_id
        if prompt_id in reading.context.calls:
            found.setdefault(prompt_id, at)
    return found
