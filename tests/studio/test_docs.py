"""What the documents show works, and what they list is complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from studio.env import variable_names
from tests.studio.running_studio import ROOT

_ASK = """
import asyncio, importlib, sys
from tapes_app.engine import Tape, UserStep, environment_of, gallery_agents, run_to_end
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order
from tapes_app.engine import LLMOutput, make_training_text

name, *said = sys.argv[1:]
importlib.import_module(name)
spec = gallery_agents.get(name)()
answers = [
    LLMOutput.calling("look_up_height", mountain="Everest") if text == "CALL" else text
    for text in said
]
llm = ScriptedLLM(answers_in_order(answers))
agent = build_agent(spec, lambda _: llm)
tape = Tape(steps=(UserStep(content="How high is Everest?"),))
end = asyncio.run(run_to_end(agent, tape, build_environment(spec)))
print(*[step.kind for step in end.tape], end.tape[-3].content, end.tape[-1].content)
print(len(asyncio.run(make_training_text(agent, end.tape))))
"""


_ASK_IN_FORMS = """
import asyncio, importlib
from tapes_app.engine import Tape, UserStep, environment_of, make_training_text, run_to_end
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order

sorter = importlib.import_module("sorter")
topic = '{"kind": "topic", "name": "rain", "is_urgent": false}'
llm = ScriptedLLM(answers_in_order([topic, "It will rain.", "1 May", '{"day": "2026-05-01"}']))
asked = Tape(steps=(UserStep(content="Rain?"),))
agent = sorter.agent.with_llms({"default": llm})
end = asyncio.run(run_to_end(agent, asked, environment_of(agent)))
print(*[step.kind for step in end.tape], len(asyncio.run(make_training_text(agent, end.tape))))
print(asyncio.run(sorter.build_date_reader(llm).call({"text": "May Day"})))
"""


def read_blocks() -> list[str]:
    text = (ROOT / "docs" / "your-own-agent.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def run_python(*arguments: str, folder: Path) -> str:
    outcome = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": f"{ROOT}:{folder}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


@pytest.mark.parametrize(
    ("number", "name", "most_lines", "answers", "said"),
    [
        (0, "mountains", 20, ["CALL", "High."], "user set_next_node assistant tool"),
        (1, "guesser", 40, ["9000?", "CALL", "High."], "user guess set_next_node assistant tool"),
    ],
)
def test_the_agents_of_the_guide_are_short_complete_and_trainable(
    tmp_path: Path, number: int, name: str, most_lines: int, answers: list[str], said: str
) -> None:
    code = read_blocks()[number]
    (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")

    told = run_python("-c", _ASK, name, *answers, folder=tmp_path)

    assert told == f"{said} set_next_node assistant 8849 High.\n{len(answers)}\n"
    assert len(code.splitlines()) <= most_lines


def test_the_forms_of_the_guide_are_asked_for_read_and_trainable(tmp_path: Path) -> None:
    [code] = [block for block in read_blocks() if "StructuredNode" in block]
    (tmp_path / "sorter.py").write_text(code, encoding="utf-8")

    told = run_python("-c", _ASK_IN_FORMS, folder=tmp_path)

    assert told == "user topic set_next_node assistant 2\n2026-05-01\n"


def test_the_first_agent_of_the_guide_takes_one_import_line() -> None:
    lines = read_blocks()[0].splitlines()

    assert [line for line in lines if re.match(r"\s*(from|import)\b", line)] == [
        "from tapes_app.engine import Agent, TalkNode, register, tool"
    ]


def test_every_program_of_the_guide_runs_and_comes_through_the_door(tmp_path: Path) -> None:
    *modules, test = read_blocks()
    names = [f"guide_{number}" for number in range(len(modules))]
    for name, code in zip(names, modules, strict=True):
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    (tmp_path / "mountains.py").write_text(modules[0], encoding="utf-8")
    (tmp_path / "test_mountains.py").write_text(test, encoding="utf-8")

    run_python("-c", f"import {', '.join(names)}", folder=tmp_path)
    told = run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", ".", folder=tmp_path)

    assert "1 passed" in told
    imported = re.findall(r"^from (tapes_app\S*)", "\n".join(modules), re.MULTILINE)
    assert set(imported) == {"tapes_app.engine"}


@pytest.mark.parametrize("document", ["docs/settings.md", ".env.example"])
def test_every_setting_is_documented_and_no_other(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")

    mentioned = set(re.findall(r"\b(?:STUDIO_[A-Z_]+|DATABASE_URL|REDIS_URL)\b", text))

    assert mentioned == set(variable_names())


def test_the_first_page_names_settings_that_exist_and_leads_to_all_of_them() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    mentioned = set(re.findall(r"`(STUDIO_[A-Z_]+|DATABASE_URL|REDIS_URL)`", text))

    assert mentioned < set(variable_names())
    assert "(docs/settings.md)" in text


def test_the_documents_link_to_files_that_exist() -> None:
    top = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")]
    for document in [*top, *ROOT.glob("docs/*.md"), *ROOT.glob("docs/adr/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_tests_that_documents_name_exist() -> None:
    for document in [ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]:
        for path in re.findall(r"`(tests/[\w./-]+)`", document.read_text(encoding="utf-8")):
            assert (ROOT / path).exists(), f"{document.name} names {path}"


_ASK_THE_TEAM = """
import asyncio, importlib
from tapes_app.engine import LLMOutput, Tape, UserStep, run_to_end
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order

trip = importlib.import_module("trip")

def assign(to, what):
    return '{"kind": "assignment", "to": "%s", "what": "%s"}' % (to, what)

answers = [
    assign("guide", "Which train goes to Bergen?"),
    LLMOutput.calling("find_train", to="Bergen"),
    "Train F4.",
    assign("clerk", "Two seats in F4"),
    '{"kind": "book", "train": "F4", "seats": 2}',
    "Booked as F4-2.",
    assign("nobody", ""),
    "Two seats, F4-2.",
]
llm = ScriptedLLM(answers_in_order(answers))
agent = trip.agent.with_llms({"default": llm})
asked = Tape(steps=(UserStep(content="Two seats to Bergen, please."),))
end = asyncio.run(run_to_end(agent, asked, trip.build_environment()))
for step in end.tape:
    print(step.kind, step.metadata.agent, step.metadata.node, sep="|")
"""


def test_the_team_of_the_guide_works_as_its_page_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "teams.md").read_text(encoding="utf-8")
    code, _ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "trip.py").write_text(code, encoding="utf-8")

    told = run_python("-c", _ASK_THE_TEAM, folder=tmp_path)

    written = [tuple(line.split("|")) for line in told.splitlines()]
    shown = re.findall(r"^\| (`[^|]*`) \|([^|]*)\|", page, re.MULTILINE)
    kinds = [kind for kinds, _ in shown for kind in re.findall(r"`(\w+)`", kinds)]
    assert [kind for kind, _, _ in written] == kinds
    writers = [who.strip() for kinds, who in shown for _ in re.findall(r"`(\w+)`", kinds)]
    assert [f"{agent.split('/')[-1]}, {node}" if agent else "" for _, agent, node in written] == (
        writers
    )


_ASK_THE_PANEL = """
import asyncio
import panel
from tapes_app.engine import LLMOutput, Tape, UserStep, environment_of, run_to_end
from tapes_app.llms.scripted import ScriptedLLM

def answer(prompt):
    text = prompt.messages[0].text.splitlines()[0]
    if not text.startswith("Answer as the "):
        told = [message.text for message in prompt.messages if " answers: " in message.text]
        return LLMOutput(content=" / ".join(told))
    return LLMOutput(content='{"kind": "respond", "content": "%s"}' % text[14:])

agent = panel.agent.with_llms({"default": ScriptedLLM(answer)})
asked = Tape(steps=(UserStep(content="Will it rain?"),))
end = asyncio.run(run_to_end(agent, asked, environment_of(agent)))
print(end.tape[-1].content)
"""


def test_the_panel_of_the_guide_is_asked_at_once(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "teams.md").read_text(encoding="utf-8")
    _, code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "panel.py").write_text(code, encoding="utf-8")

    told = run_python("-c", _ASK_THE_PANEL, folder=tmp_path)

    assert told.strip() == (
        "optimist answers: optimist. / pessimist answers: pessimist. / "
        "historian answers: historian."
    )
