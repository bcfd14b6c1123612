"""The programs of docs/builders.md run, and do what the page says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tapes_app.engine import LLMOutput
from tests.studio.running_studio import ROOT

_RUN = """
import asyncio, importlib, json, sys
from tapes_app.engine import LLMOutput, Tape, UserStep, gallery_agents, make_training_text
from tapes_app.engine import run_to_end
from tapes_app.engine.agent.spec import AgentSpec, build_agent, build_environment
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order

name, *answers = sys.argv[1:]
importlib.import_module(name)
spec = AgentSpec.model_validate_json(gallery_agents.get(name)().model_dump_json())
said = [LLMOutput.model_validate_json(answer) for answer in answers]
llm = ScriptedLLM(answers_in_order(said))
agent = build_agent(spec, lambda _: llm)
asked = Tape(steps=(UserStep(content="What now?"),))
end = asyncio.run(run_to_end(agent, asked, build_environment(spec))).tape
print(*[step.kind for step in end])
print(len(asyncio.run(make_training_text(agent, end))), end[-1].llm_dict().get("content"))
"""


def say(text: str) -> str:
    return LLMOutput(content=text).model_dump_json()


def call(tool: str, **arguments: str) -> str:
    return LLMOutput.calling(tool, **arguments).model_dump_json()


def read_blocks() -> dict[str, str]:
    """Return the programs of the page by the names under which it has them saved."""
    page = (ROOT / "docs" / "builders.md").read_text(encoding="utf-8")
    blocks = re.findall(r"`(\w+)\.py`[^`]*```python\n(.*?)```", page, re.DOTALL)
    assert page.count("```python") == len(blocks)
    return dict(blocks)


PROGRAMS = [
    (
        "walks",
        [
            call("look_up_weather", place="Oslo"),
            say('{"steps": [{"kind": "walk", "places": ["the forest"]}]}'),
            say('{"steps": [{"kind": "assistant", "content": "Take a coat."}]}'),
        ],
        "user set_next_node assistant tool walk set_next_node assistant",
        "Take a coat.",
    ),
    (
        "checker",
        [
            say('{"steps": [{"kind": "Verdict", "label": "true"}]}'),
            say('{"steps": [{"kind": "Verdict", "label": "true", "reason": "It is."}]}'),
            say('{"steps": [{"kind": "assistant", "content": "That is so."}]}'),
        ],
        "user llm_output_parsing_failure_action set_next_node set_next_node Verdict "
        "set_next_node assistant",
        "That is so.",
    ),
    (
        "doorman",
        [say('{"kind": "visitor", "name": "Ada", "is_expected": true}')],
        "user visitor set_next_node call set_next_node assistant_thought respond "
        "set_next_node assistant",
        "Ada may come in.",
    ),
    (
        "librarian",
        [
            say("find the height. We search for it.\nQuery: Everest"),
            say("say the height. We read it.\nAnswer: 8849 metres"),
        ],
        "user assistant_thought assistant tool set_next_node assistant_thought assistant",
        "8849 metres",
    ),
    (
        "writers",
        [say("Rain on the roof."), say("Shorter."), say("Rain."), say("Good.")],
        "user" + 4 * " broadcast set_next_node call respond" + " broadcast set_next_node "
        "set_next_node assistant",
        "Good.",
    ),
]


@pytest.mark.parametrize(
    ("name", "answers", "kinds", "last"), PROGRAMS, ids=[program[0] for program in PROGRAMS]
)
def test_a_program_of_the_page_runs_from_its_spec_and_can_be_trained_on(
    tmp_path: Path, name: str, answers: list[str], kinds: str, last: str
) -> None:
    (tmp_path / f"{name}.py").write_text(read_blocks()[name], encoding="utf-8")

    ran = subprocess.run(
        [sys.executable, "-c", _RUN, name, *answers],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT}:{tmp_path}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"{kinds}\n{len(answers)} {last}\n"


def test_all_programs_of_the_page_are_run() -> None:
    assert set(read_blocks()) == {program[0] for program in PROGRAMS}
