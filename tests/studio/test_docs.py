"""What the documents show works, and what they list is complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from studio.env import variable_names
from tests.studio.running_studio import ROOT

_ASK = """
import asyncio
import mountains
from tapes_app.engine.dialog_steps import UserStep
from tapes_app.engine.orchestrator import run_to_end
from tapes_app.engine.registry import environments, gallery_agents, scripts
from tapes_app.engine.spec import build_agent
from tapes_app.engine.tape import Tape
from tapes_app.llms.scripted import ScriptedLLM

agent = build_agent(
    gallery_agents.get("mountains")(), lambda _: ScriptedLLM(scripts.get("mountains"))
)
tape = Tape(steps=(UserStep(content="How high is Everest?"),))
end = asyncio.run(run_to_end(agent, tape, environments.get("mountains")()))
print(end.tape.steps[-1].content)
"""


def test_the_agent_of_the_guide_answers_with_its_tool(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "your-own-agent.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code
    (tmp_path / "mountains.py").write_text(code[1], encoding="utf-8")
    (tmp_path / "ask.py").write_text(_ASK, encoding="utf-8")

    outcome = subprocess.run(
        [sys.executable, str(tmp_path / "ask.py")],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert outcome.stdout == "It is 8849 m high.\n", outcome.stderr


@pytest.mark.parametrize("document", ["README.md", ".env.example"])
def test_every_setting_is_documented_and_no_other(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")

    mentioned = set(re.findall(r"\b(?:STUDIO_[A-Z_]+|DATABASE_URL|REDIS_URL)\b", text))

    assert mentioned == set(variable_names())


def test_the_documents_link_to_files_that_exist() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
