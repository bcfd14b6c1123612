"""Who shares an environment that stays open for longer than a run, and when it is closed."""

import asyncio
from collections.abc import Iterator
from uuid import UUID

import pytest

from tapes_app.engine.environment.environment import Environment, Lifetime
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.spec import EnvironmentSpec, build_registered
from tapes_app.engine.environment.tool_context import RunPlace
from tapes_app.engine.errors import AgentCodeError
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.environments.keeping import KeptEnvironments
from tests.runs.ledger import LIFE, OpenLedger


@pytest.fixture(autouse=True)
def new_life() -> Iterator[None]:
    LIFE.clear()
    yield
    OpenLedger.is_ill = False


def build_ledger(lifetime: Lifetime, *, by: int = 1) -> Environment:
    settings = {"lifetime": lifetime, "by": by}
    return build_registered(EnvironmentSpec(type="test-ledger", settings=settings))


def build_run(kept: KeptEnvironments, *, tape: str = "a", project: int = 1) -> RunContext:
    place = RunPlace(run_id=UUID(int=9), project_id=UUID(int=project))
    return RunContext(Tape(metadata=TapeMetadata(id=tape)), place, open_one=kept.open)


async def use(kept: KeptEnvironments, environment: Environment, **run: object) -> Environment:
    async with build_run(kept, **run).opened(environment) as session:  # type: ignore[arg-type]
        return session


@pytest.mark.parametrize(
    ("lifetime", "shares"),
    [
        ("run", (False, False, False)),
        ("branch", (True, False, False)),
        ("studio", (True, True, False)),
    ],
)
async def test_what_shares_an_environment(
    lifetime: Lifetime, shares: tuple[bool, bool, bool]
) -> None:
    kept = KeptEnvironments()

    first = await use(kept, build_ledger(lifetime))
    others = [
        await use(kept, build_ledger(lifetime)),
        await use(kept, build_ledger(lifetime), tape="b"),
        await use(kept, build_ledger(lifetime), project=2),
    ]
    await kept.close()

    assert tuple(other is first for other in others) == shares
    assert LIFE.count("opened at 0") == LIFE.count("closed at 0") == 4 - sum(shares)


async def test_other_settings_are_another_environment() -> None:
    kept = KeptEnvironments()

    first = await use(kept, build_ledger("studio"))
    second = await use(kept, build_ledger("studio", by=2))
    await kept.close()

    assert first is not second


async def test_runs_at_the_same_time_open_it_once() -> None:
    kept = KeptEnvironments()

    found = await asyncio.gather(*(use(kept, build_ledger("studio")) for _ in range(3)))
    await kept.close()

    assert len(set(map(id, found))) == 1


async def test_it_is_closed_when_it_was_idle_for_long_and_nobody_uses_it() -> None:
    kept = KeptEnvironments(idle_seconds=-1)

    async with build_run(kept).opened(build_ledger("branch")):
        assert await kept.tidy()
        assert LIFE == ["opened at 0"]
    while await kept.tidy():  # noqa: ASYNC110 - nobody else tells when it is closed
        await asyncio.sleep(0)
    await kept.close()

    assert LIFE == ["opened at 0", "closed at 0"]


async def test_one_that_is_ill_is_opened_anew() -> None:
    kept = KeptEnvironments()
    first = await use(kept, build_ledger("branch"))

    OpenLedger.is_ill = True
    second = await use(kept, build_ledger("branch"))
    await kept.close()

    assert first is not second
    assert LIFE == ["opened at 0", "closed at 0", "opened at 0", "closed at 0"]


async def test_after_a_run_was_cut_off_its_branch_begins_with_the_state_of_the_tape() -> None:
    kept = KeptEnvironments()

    async def run_and_fail() -> None:
        async with build_run(kept).opened(build_ledger("branch")):
            raise RuntimeError("cut off")

    with pytest.raises(RuntimeError):
        await run_and_fail()
    await use(kept, build_ledger("branch"))
    await kept.close()

    assert LIFE == ["opened at 0", "closed at 0", "opened at 0", "closed at 0"]


async def test_one_that_does_not_open_says_so_to_each_run() -> None:
    class Broken(Environment):
        name = "broken"
        lifetime = "studio"
        identity = "broken"

        def open(self, run: RunContext) -> object:  # type: ignore[override]
            raise RuntimeError("no room")

    kept = KeptEnvironments()

    for _ in range(2):
        with pytest.raises(AgentCodeError, match=r"'broken', asked to open, failed with .*no room"):
            await use(kept, Broken())
    assert not await kept.tidy()
