"""The data-science team: who is in it and who speaks when; registered on import."""

from tapes_app.builders.conditions import FieldCompares
from tapes_app.builders.step_refs import StepRef
from tapes_app.builders.team import SpeakerRule, build_initiator, build_team, build_worker
from tapes_app.engine.agent.registration import register
from tapes_app.environments.code import RUN_CODE
from tapes_app.gallery.analyst.stocks import get_stock_data, get_stock_ticker
from tapes_app.gallery.data_science import script
from tapes_app.gallery.data_science.script import APPROVED, NAME

MANAGER = "You lead a team of an engineer, somebody who runs code, and a reviewer."

ENGINEER = """\
You write Python code that answers the question of the requestor. Get the data with your tools, \
plan in a sentence, and write the code in ```python blocks, with the data in the first one. What \
the code prints is the result. If the reviewer asks for a correction, write only the blocks that \
change: the variables of those that ran are still there. There are no files and no packages."""

EXECUTOR = """\
Run each block of the engineer's last message with run_code, in their order, and say what they \
printed, or how they failed. Change nothing in them."""

REVIEWER = f"""\
Look at what the code printed. If it failed or does not answer the question, say what to correct. \
Otherwise begin with the word {APPROVED} and report the result to the requestor."""

MOST_CALLS = 12
"""How often members speak on one question: four rounds."""

_team = build_team(
    "manager",
    [
        build_worker("software_engineer", ENGINEER, tools=[get_stock_ticker, get_stock_data]),
        build_worker("code_executor", EXECUTOR, tools=[RUN_CODE]),
        build_worker("asset_reviewer", REVIEWER),
    ],
    instruction=MANAGER,
    rules=[
        SpeakerRule(
            condition=FieldCompares(
                step=StepRef(kind="respond"), comparison="contains", value=APPROVED
            )
        )
    ],
    most_calls=MOST_CALLS,
)

agent = register(
    build_initiator(NAME, _team),
    description="Compares share prices: an engineer writes code, it is run, a reviewer reports.",
    script=script.answer,
)
