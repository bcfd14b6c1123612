"""The agent that answers from documents, and those documents; registered on import."""

from pathlib import Path

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import register
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.spec import EnvironmentSpec
from tapes_app.engine.environment.tool_functions import Tools
from tapes_app.environments.search.environment import SEARCH, read_document, search
from tapes_app.environments.search.folders import folders
from tapes_app.gallery.retrieval import script

NAME = "retrieval"
FOLDER = "tellmar"
"""Documents about a town that we made up, in place of a folder of this name in the data folder."""

SYSTEM = """\
Answer only from the documents. Search them, read the pages that you found, and answer in a \
sentence or two. After each fact, name the document and the page, as in [ferries.md, page 1]. If \
the documents do not say it, say so."""


class RetrievalNode(TalkNode):
    """Searches, reads and answers, and runs again in the next turn."""

    type_name = "retrieval.RetrievalNode"

    tools: Tools = (search, read_document)


folders.add(FOLDER, Path(__file__).parent / "documents")

agent = register(
    Agent.create(NAME, templates={"system": SYSTEM}, nodes=[RetrievalNode()]),
    description="Answers questions from documents, and names document and page.",
    environment=(EnvironmentSpec(type=SEARCH, settings={"folder": FOLDER}), ""),
    script=script.answer,
)
