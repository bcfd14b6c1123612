"""The briefing: three members that work at once, each in a lane of the tape, and their chair.

It shows what a team gains that need not take turns: the members' steps come in the order in which
they happen, each member sees its own, and the chair goes on when all have answered.
"""

from tapes_app.builders.control_flow import CallTogetherNode, MemberTask
from tapes_app.builders.step_refs import StepRef
from tapes_app.builders.team import build_worker
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.gallery.analyst.library import get_page, get_search_results
from tapes_app.gallery.analyst.stocks import get_stock_data, get_stock_ticker
from tapes_app.gallery.briefing import script

NAME = "briefing"

CHAIR = """\
You brief people on a listed company. Your members have looked it up: say in three lines what it \
does, how its share did and what is new. Use what they say and nothing else."""

MEMBERS = (
    build_worker(
        "profile",
        "Say in one sentence what the company does that you are told of. Find its page first.",
        tools=[get_search_results, get_page],
    ),
    build_worker(
        "prices",
        "Say how the share of the company did in the twelve months before 2024-09-17, from the "
        "first price to the last, in per cent with one decimal.",
        tools=[get_stock_ticker, get_stock_data],
    ),
    build_worker(
        "news",
        "Say in one sentence what is new about the company. Search for its news.",
        tools=[get_search_results],
    ),
)

agent = register(
    Agent.create(
        NAME,
        templates={"system": CHAIR},
        nodes=[
            CallTogetherNode(
                name="ask",
                calls=tuple(
                    MemberTask(subagent=member.name, content=StepRef(kind="user"))
                    for member in MEMBERS
                ),
            ),
            TalkNode(name="sum up", after_answer="ask"),
        ],
        subagents=MEMBERS,
    ),
    description="Briefs you on a company: three members look it up at once, a chair sums up.",
    script=script.answer,
)
