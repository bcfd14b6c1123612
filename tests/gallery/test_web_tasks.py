"""The agent that does tasks on web pages: its desk, its tasks, its script, and its mistakes."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from tapes_app.engine import LLMOutput, Tape, ToolCalls, ToolResult, UserStep, run_to_end
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.environment.state import read_state, with_state
from tapes_app.engine.errors import InvalidInputError
from tapes_app.experiments.domain.check_kinds import ConstraintsCheck
from tapes_app.experiments.domain.checks import Ended, Verdict, decide
from tapes_app.gallery.web_tasks.agent import NAME
from tapes_app.gallery.web_tasks.page import Page, write_html
from tapes_app.gallery.web_tasks.reading import read_page
from tapes_app.gallery.web_tasks.records import DeskState, make_records
from tapes_app.gallery.web_tasks.site import HOME, DeskRequest, answer, write_query
from tapes_app.gallery.web_tasks.steps import AnswerAction, GoalThought, ReflectionThought
from tapes_app.gallery.web_tasks.tasks import FILE, write_tasks
from tapes_app.gallery.web_tasks.text_tree import write_text_tree
from tapes_app.llms.scripted import ScriptedLLM
from tapes_app.runs.domain.request import MAX_TURNS

TASKS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
CHANGE = next(task for task in TASKS if task["kind"] == "change")


def build(**options: Any) -> Agent:
    llm = ScriptedLLM("web-page-reader", options=options)
    return build_agent(gallery_agents.get(NAME)(), lambda _: llm)


def begin(task: dict[str, Any]) -> Tape:
    return Tape(steps=(with_state(UserStep(content=task["task"]), task["set_up"]),))


async def run(agent: Agent, tape: Tape) -> Tape:
    environment = build_environment(gallery_agents.get(NAME)())
    async with open_for_run(environment, RunContext(tape)) as opened:
        return (await run_to_end(agent, tape, opened)).tape


async def call(tape: Tape, *calls: tuple[str, dict[str, Any]], agent: str = NAME) -> Tape:
    """Return the tape after calls of tools, each answered before the next."""
    environment = build_environment(gallery_agents.get(agent)())
    async with open_for_run(environment, RunContext(tape)) as opened:
        for name, arguments in calls:
            asked = LLMOutput.calling(name, **arguments)
            tape = await opened.react(tape.append(ToolCalls.from_llm_output(asked)))
    return tape


def judge(task: dict[str, Any], tape: Tape) -> Verdict:
    check = ConstraintsCheck.model_validate(task["check"])
    return decide(check, Ended(tape, kept_count=1, status="finished"))


def saying(tape: Tape) -> list[dict[str, Any]]:
    """Return what is said and seen; a run that was cut in two chooses its node twice."""
    return [step.content_dict() for step in tape.steps if step.kind != "set_next_node"]


def read_desk(tape: Tape) -> DeskState:
    return DeskState.read((read_state(tape.steps) or {}).get("service_desk"))


def last_text(tape: Tape) -> str:
    step = tape.steps[-1]
    assert isinstance(step, ToolResult)
    return str(step.content)


def find_id(tape: Tape, role: str, text: str) -> str:
    page = read_page(last_text(tape))
    found = page and page.find(role, text)
    assert found, last_text(tape)
    return found.id


def visit(state: DeskState, target: str) -> Page:
    page = answer(state, DeskRequest.of(target)).page
    assert page is not None
    return page


def test_the_tasks_are_written_again_as_they_are(tmp_path: Any) -> None:
    write_tasks(tmp_path / "tasks.jsonl")

    assert (tmp_path / "tasks.jsonl").read_text("utf-8") == FILE.read_text("utf-8")
    assert len({task["task"] for task in TASKS}) == 60
    assert len({task["kind"] for task in TASKS}) == 11


async def test_its_script_without_mistakes_does_every_task() -> None:
    ended = [(task, await run(build(), begin(task))) for task in TASKS]

    calls = [sum(isinstance(step, ToolCalls) for step in tape.steps) for _, tape in ended]
    wrong = [(task["task"], judge(task, tape)) for task, tape in ended]
    assert [one for one in wrong if not one[1].passed] == []
    assert max(calls) < MAX_TURNS  # of which the answer takes one


async def test_a_task_is_not_done_by_saying_so_or_by_changing_more() -> None:
    said = begin(CHANGE).append(AnswerAction(answer="done"))
    more = await run(build(), begin(CHANGE))
    desk = read_desk(more)
    other = next(one for one in desk.list_incidents() if one not in desk.incidents)
    changed = desk.with_incident(other.model_copy(update={"description": "Changed, too"}))
    over = more.append(with_state(UserStep(content=""), {"service_desk": changed.write()}))

    assert judge(CHANGE, more).passed
    assert not judge(CHANGE, over).passed
    with pytest.raises(InvalidInputError, match="Not decided"):
        judge(CHANGE, Tape(steps=(UserStep(content=""), *said.steps[1:])))
    assert not judge(CHANGE, said).passed


async def test_it_sets_a_goal_then_reflects_and_acts_in_turn() -> None:
    tape = await run(build(), begin(CHANGE))

    kinds = [step.kind for step in tape.steps if step.kind != "set_next_node"]
    assert kinds[:6] == [
        "user", "web_goal", "web_reflection", "assistant", "tool", "web_reflection",
    ]  # fmt: skip
    assert kinds[-2:] == ["web_reflection", "web_answer"]
    thoughts = [step for step in tape.steps if isinstance(step, ReflectionThought)]
    assert thoughts[0].happened == "No page is open."
    number = CHANGE["task"].split()[2]
    said = f"The page Incident {number} is open. Incident {number} was saved."
    assert thoughts[-1].happened == said


async def test_it_says_why_no_page_opens_instead_of_asking_for_ever() -> None:
    whole = await run(build(), begin(CHANGE))
    at = next(n for n, step in enumerate(whole.steps) if isinstance(step, ToolResult))
    why = "Error: BrowserError: There is no Chromium."
    broken = whole.steps[at].model_copy(update={"content": why})

    ended = await run(build(), Tape(steps=(*whole.steps[:at], broken)))

    assert isinstance(ended.steps[-1], AnswerAction)
    assert ended.steps[-1].answer == f"No page opens. {why}"


async def test_it_goes_on_from_every_step_to_the_same_end() -> None:
    whole = await run(build(), begin(CHANGE))

    for at in range(1, len(whole)):
        end = await run(build(), Tape(steps=whole.steps[:at]))
        assert (read_desk(end), end.steps[-1].content_dict()) == (
            read_desk(whole), whole.steps[-1].content_dict()
        ), at  # fmt: skip
        if whole.steps[at - 1].kind != "set_next_node":  # else it thinks again before it acts
            assert saying(end) == saying(whole), at


async def test_a_goal_that_somebody_edited_is_pursued_from_there_on() -> None:
    whole = await run(build(), begin(CHANGE))
    at = next(at for at, step in enumerate(whole.steps) if isinstance(step, GoalThought))
    goal = 'Open "Assets in repair" from the menu.'
    edited = whole.steps[at].model_copy(update={"goal": goal})

    end = await run(build(), Tape(steps=(*whole.steps[:at], edited)))

    shown = read_desk(end).shown
    assert shown is not None
    assert (shown.page, shown.filters) == ("assets", ("State: In repair",))


async def test_a_fork_has_the_desk_and_the_typed_text_of_its_step() -> None:
    whole = await run(build(), begin(CHANGE))
    results = [at for at, step in enumerate(whole.steps) if isinstance(step, ToolResult)]
    before, after = (Tape(steps=whole.steps[: at + 1]) for at in results[-2:])

    reopened = await call(before, ("read_page", {}))

    assert read_desk(before).incidents == ()
    assert [one.number for one in read_desk(after).incidents] == [CHANGE["task"].split()[2]]
    assert last_text(reopened) == last_text(before)


async def test_what_cannot_be_done_is_told_with_the_page() -> None:
    tape = await call(begin(CHANGE), ("open_page", {"address": f"{HOME}incidents"}))
    button = find_id(tape, "button", "Apply")
    choice = find_id(tape, "combobox", "State")

    for name, arguments, reason in (
        ("open_page", {"address": "http://example.org/"}, "the agent's browser may open desk.test"),
        ("click", {"element": "e999"}, "There is no element e999 on the page"),
        ("type_text", {"element": button, "text": "x"}, "nothing can be typed there"),
        ("select_option", {"element": choice, "option": "Lost"}, "there is no such option"),
        ("go_back", {}, "There is no page before this one."),
    ):
        told = last_text(await call(tape, (name, arguments)))
        assert reason in told
        assert told.endswith(last_text(tape))
    gone = await call(tape, ("open_page", {"address": f"{HOME}gone"}), ("go_back", {}))
    assert "There is no such page." in str(gone.steps[-3])
    assert last_text(gone) == last_text(tape)


@pytest.mark.parametrize("state", [5, {"seed": -1}, {"incidents": [{"number": "x"}]}, {"more": 1}])
async def test_a_desk_that_cannot_be_read_is_refused_with_a_sentence(state: Any) -> None:
    tape = Tape(steps=(with_state(UserStep(content="Hi"), {"service_desk": state}),))

    with pytest.raises(InvalidInputError, match="start from a step before it"):
        await run(build(), tape)


@pytest.mark.parametrize(
    ("path", "form", "reason"),
    [
        ("/incidents/new", {}, "Choose one of these as caller."),
        ("/incidents/new", {"caller": "CALLER", "category": "Access", "priority": "Low"},
         "Give the incident a description."),
        ("/incidents/INC1", {"state": "New"}, "There is no such page."),
        ("/catalogue/phone", {"quantity": "0"}, "Order a quantity from 1 to 99."),
        ("/catalogue/phone", {"quantity": "1", "colour": "Pink", "storage": "128 GB"},
         "Choose one of the options of the item."),
        ("/people", {"name": "x"}, "There is no such page."),
    ],
)  # fmt: skip
def test_what_the_desk_refuses_changes_nothing(
    path: str, form: dict[str, str], reason: str
) -> None:
    desk = DeskState(seed=3)
    body = write_query(form).replace("CALLER", desk.records.people[0].name)

    refused = answer(desk, DeskRequest.of(path, body))

    assert refused.state == desk
    assert refused.page is not None
    assert reason in write_text_tree(refused.page, {})[0]


HOSTILE = '</td><script>alert(1)</script>"\n- link [e1] "All'


def test_hostile_text_is_escaped_on_every_page_that_shows_it() -> None:
    desk = DeskState(seed=3)
    first = desk.records.incidents[0]
    values = {**first.model_dump(), "description": HOSTILE}
    saved = answer(desk, DeskRequest.of(f"/incidents/{first.number}", write_query(values)))
    search = f"/knowledge?{write_query({'text': HOSTILE})}"
    targets = (f"/incidents/{first.number}", "/incidents", search)

    for target in targets:
        page = visit(saved.state, target)
        html, tree = write_html(page), write_text_tree(page, {})[0]
        assert "alert(1)" in html
        assert "<script" not in html
        assert '"\n- link [e1] "All' not in tree
        assert sum("alert(1)" in line for line in tree.splitlines()) in (1, 2)


def test_desks_of_different_seeds_share_nothing() -> None:
    one, other = make_records(1), make_records(2)

    assert one.incidents != other.incidents
    assert make_records(1) == one
    assert answer(DeskState(seed=1), DeskRequest.of("/")).state.incidents == ()


async def test_mistakes_are_made_as_often_as_told_and_differ_by_seed() -> None:
    tasks = TASKS[::6]

    def ends(tapes: Iterable[Tape]) -> list[dict[str, Any]]:
        return [read_desk(tape).write() | tape.steps[-1].content_dict() for tape in tapes]

    by_seed = [
        [await run(build(error_rate=1.0, seed=seed), begin(task)) for task in tasks]
        for seed in (1, 2, 1)
    ]

    first, second, again = map(ends, by_seed)
    assert first == again != second
    for task, tape in zip(tasks, by_seed[0], strict=True):
        assert not judge(task, tape).passed, task["task"]


async def test_what_it_does_not_know_is_told() -> None:
    tape = await run(build(), Tape(steps=(UserStep(content="What is love?"),)))

    step = tape.steps[-1]
    assert isinstance(step, AnswerAction)
    assert step.answer.startswith("I am a script")
