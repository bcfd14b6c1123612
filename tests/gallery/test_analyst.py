"""The analyst: the tape of the paper's Fig. 3, resumed, replayed and trained on."""

import pytest

from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.reuse import reuse_tape
from tapes_app.engine.agent.training_text import make_training_text
from tapes_app.engine.errors import AgentRunError, TrainingTextError
from tapes_app.engine.model.llm import LLMCall, LLMOutput
from tapes_app.engine.tape.control_steps import Call, SetNextNode
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import ViewStack
from tapes_app.gallery.analyst.library import get_next_page, get_page, get_search_results
from tapes_app.gallery.analyst.nodes import choose_action
from tapes_app.gallery.analyst.stocks import get_stock_data, get_stock_ticker
from tapes_app.llms.recorded import RecordedLLM
from tapes_app.llms.scripted import ScriptedLLM
from tests.gallery.running import Session, build_gallery_agent, build_gallery_environment

PLAN = ("analyst", "PlanNode")
ACT = ("analyst", "ActNode")
SEARCH = ("analyst/search_agent", "SearchAgentMainNode")
ENVIRONMENT = ("", "")

FIGURE_3 = [
    ("UserStep", *ENVIRONMENT),
    ("AssistantThought", *PLAN),
    ("SetNextNode", *ACT),
    ("ToolCalls", *ACT),
    ("ToolResult", *ENVIRONMENT),
    ("SetNextNode", *ACT),
    ("ToolCalls", *ACT),
    ("ToolResult", *ENVIRONMENT),
    ("SetNextNode", *ACT),
    ("Call", *ACT),
    ("ToolCalls", *SEARCH),
    ("SetNextNode", *SEARCH),
    ("ToolResult", *ENVIRONMENT),
    ("ToolCalls", *SEARCH),
    ("SetNextNode", *SEARCH),
    ("ToolResult", *ENVIRONMENT),
    ("ToolResult", *ENVIRONMENT),
    ("Respond", *SEARCH),
    ("SetNextNode", *ACT),
    ("AssistantStep", *ACT),
]


@pytest.fixture
async def session() -> Session:
    session = Session("analyst")
    await session.say("Tell me about Vulcan in 3 sentences")
    return session


def test_the_agent_has_the_structure_of_the_paper() -> None:
    team = {
        path: [node.name for node in member.nodes]
        for path, member in build_gallery_agent("analyst").walk()
    }

    assert team == {
        "analyst": ["PlanNode", "ActNode"],
        "analyst/search_agent": ["SearchAgentMainNode"],
    }


async def test_it_writes_the_twenty_steps_of_figure_3(session: Session) -> None:
    written = [
        (type(step).__name__, step.metadata.agent, step.metadata.node)
        for step in session.tape.steps
    ]

    assert written == FIGURE_3
    assert session.status == "external_input_needed"
    calls = session.tape.steps[13]
    assert isinstance(calls, ToolCalls)
    assert [call.id for call in calls.tool_calls] == [
        step.tool_call_id for step in session.tape.steps[15:17] if isinstance(step, ToolResult)
    ]
    assert [step.next_node for step in session.tape.steps if isinstance(step, SetNextNode)] == [
        1, 1, 1, 0, 0, 0,
    ]  # fmt: skip


async def test_the_view_stacks_are_those_of_figure_3(session: Session) -> None:
    at_16 = ViewStack.compute(session.tape.steps[:17]).views
    at_19 = ViewStack.compute(session.tape.steps).views

    assert [(view.agent_name, view.next_node) for view in at_16] == [
        ("root", 1),
        ("search_agent", 0),
    ]
    assert [type(step).__name__ for step in at_16[1].steps] == [
        "Call", "ToolCalls", "SetNextNode", "ToolResult", "ToolCalls", "SetNextNode",
        "ToolResult", "ToolResult",
    ]  # fmt: skip
    assert [(view.agent_name, view.next_node) for view in at_19] == [("root", 0)]
    own = [*range(10), 17, 18, 19]
    assert at_19[0].steps == [session.tape.steps[position] for position in own]


async def test_recorded_calls_give_the_same_tape_without_the_script(session: Session) -> None:
    agent = build_gallery_agent("analyst").with_llms(
        {"default": RecordedLLM(session.calls.values())}
    )

    end = await run_to_end(agent, session.tape.fork(1), build_gallery_environment("analyst"))

    assert end.tape.content_equals(session.tape)


async def test_its_tapes_make_training_texts(session: Session) -> None:
    agent = build_gallery_agent("analyst")

    texts = await make_training_text(agent, session.tape)
    reused = await reuse_tape(agent, session.tape)

    assert len(texts) == 8
    assert "get_stock_ticker" in texts[0].output_text
    assert [call.output.content for call in reused.calls] == [
        call.output.content for call in session.calls.values()
    ]


async def test_steps_that_no_node_would_write_make_no_training_text(session: Session) -> None:
    steps = list(session.tape.steps)
    steps[1] = AssistantStep(content="No plan").with_metadata(agent="analyst", node="PlanNode")

    with pytest.raises(TrainingTextError, match="step 1"):
        await make_training_text(
            build_gallery_agent("analyst"), session.tape.with_steps(tuple(steps), author="me")
        )


async def test_every_call_is_recorded_with_usage_and_for_nothing(session: Session) -> None:
    call: LLMCall
    for call in session.calls.values():
        assert call.usage.input_tokens
        assert call.usage.output_tokens
        assert call.cost_micro_usd == 0
        assert call.llm["model_name"] == "script:analyst"


def build_output(*names: str) -> LLMOutput:
    return LLMOutput(
        tool_calls=tuple(
            {"id": name, "function": {"name": name, "arguments": '{"query": "news"}'}}
            for name in names
        )
    )


def test_tool_calls_before_a_call_to_the_helper_come_first() -> None:
    calls = build_output("get_stock_ticker", "call_search_agent", "late")

    action = choose_action(ToolCalls.from_llm_output(calls))

    assert isinstance(action, ToolCalls)
    assert [call.function.name for call in action.tool_calls] == ["get_stock_ticker"]
    alone = build_output("call_search_agent", "late")
    assert choose_action(ToolCalls.from_llm_output(alone)) == Call(
        agent_name="search_agent", content="news"
    )


def test_a_call_to_the_helper_without_a_query_says_what_the_model_wrote() -> None:
    output = LLMOutput(
        tool_calls=({"id": "c", "function": {"name": "call_search_agent", "arguments": "{"}},)
    )

    with pytest.raises(AgentRunError, match="query"):
        choose_action(ToolCalls.from_llm_output(output))


async def test_a_silent_model_is_an_error() -> None:
    silence = ScriptedLLM(lambda _: LLMOutput())
    agent = build_gallery_agent("analyst").with_llms({"default": silence})

    with pytest.raises(AgentRunError, match="neither text nor tool calls"):
        await agent.run(Tape(steps=(UserStep(content="Hello"),))).get_final_tape()


async def test_an_ambiguous_name_leads_to_the_wrong_company_until_a_person_mends_it() -> None:
    session = Session("analyst")
    wrong = await session.say("How did the robot maker Aster do this year?")
    call = session.tape.steps[3]
    assert isinstance(call, ToolCalls)
    assert "Aster Mills" in wrong

    function = {"name": "get_stock_ticker", "arguments": '{"company_name":"Aster Robotics"}'}
    edited = ToolCalls(
        tool_calls=(ToolCall.model_validate({"id": "edited", "function": function}),)
    ).with_metadata(**call.metadata.model_dump())
    child = Session("analyst", tape=session.tape.fork(3).append(edited))
    await child.run()

    assert "Aster Robotics builds" in child.answer
    assert "(ASTR)" in child.answer


async def test_a_question_it_cannot_answer_is_answered_honestly() -> None:
    session = Session("analyst")

    unknown = await session.say("What about Zephyr Motors?")
    greeting = await session.say("hello")
    follow_up = await session.say("And Cobalt Harbor in one sentence?")
    share = await session.say("What else is there on its share?")

    assert "I found nothing on 'Zephyr Motors'" in unknown
    assert "I am a script" in unknown
    assert any(isinstance(step, ToolResult) and step.is_error for step in session.tape.steps)
    assert "I am a script" in greeting
    assert follow_up.startswith("Cobalt Harbor Shipping runs")
    assert follow_up.count(". ") == 0
    assert "(CBLT)" in share


@pytest.mark.parametrize("text", ["", "?" * 2_000, "Ünïcödé 株", "{}", "3" * 50, "Tell me"])
async def test_any_input_is_answered(text: str) -> None:
    assert "script" in await Session("analyst").say(text)


def test_tickers_go_by_the_beginning_of_the_name() -> None:
    assert get_stock_ticker("vulcan") == "VMC"
    assert get_stock_ticker("Aster Robotics") == "ASTR"
    with pytest.raises(ValueError, match="listed are"):
        get_stock_ticker("")


def test_prices_are_weekly_within_the_days_asked_for() -> None:
    prices = get_stock_data("vmc", "2024-01-01", "2024-01-31")

    assert [day for day, _ in prices] == ["2024-01-05", "2024-01-12", "2024-01-19", "2024-01-26"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("XYZ", "2024-01-01", "2024-02-01"), "known are"),
        (("VMC", "yesterday", "2024-02-01"), "no day"),
        (("VMC", "2024-02-01", "2024-01-01"), "after"),
        (("VMC", "1999-01-01", "1999-02-01"), "there are some from"),
    ],
)
def test_prices_that_there_are_not_are_refused(
    arguments: tuple[str, str, str], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        get_stock_data(*arguments)


def test_search_ranks_the_page_about_it_first_and_pages_can_be_read() -> None:
    hits = get_search_results("what does Delphi Glassworks make")

    assert hits[0]["title"] == "About Delphi Glassworks"
    assert "furnaces" in get_page(hits[0]["url"])
    assert get_search_results("qwertzuiop") == []
    with pytest.raises(ValueError, match="no part 2"):
        get_next_page(hits[0]["url"])
    with pytest.raises(ValueError, match="no page"):
        get_page("file:///etc/passwd")
