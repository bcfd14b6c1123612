"""Linting stored tapes: what is known of their agents and calls, what is kept, the command."""

import io
import json
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from tapes_app.agents.store import agents
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt, Usage
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.lint.services.linting import Linter, lint_and_keep, list_stale_tapes
from tapes_app.lint.store import rules as lint_rules
from tapes_app.models import LintMarkRecord, TapeLintRecord
from tapes_app.projects.store import projects
from tapes_app.tapes.store import saving as tape_saving
from tapes_app.tapes.store import tapes

pytestmark = pytest.mark.django_db

SEARCH = {
    "type": "function",
    "function": {"name": "search", "parameters": {"type": "object", "required": ["query"]}},
}


@pytest.fixture
def project(django_user_model: Any) -> UUID:
    owner = django_user_model.objects.create_user("ada")
    return projects.ensure_default_project(owner.pk).id


def calling(name: str, *, prompt: str = "p1") -> Step:
    call = {"id": "c", "function": {"name": name, "arguments": {"query": "towers"}}}
    step = ToolCalls.model_validate({"tool_calls": [call]})
    return step.with_metadata(agent="bot", node="act", prompt_id=prompt)


def say(text: str) -> Step:
    return AssistantStep(content=text).with_metadata(agent="bot", node="act", prompt_id="p2")


def asking(prompt: str = "p1", *, tokens: int = 10, model: str = "toy") -> LLMCall:
    return LLMCall(
        prompt=Prompt(id=prompt, messages=(user_message("hi"),), tools=(SEARCH,)),
        output=LLMOutput(content="x"),
        usage=Usage(input_tokens=tokens, output_tokens=1),
        llm={"model_name": model},
    )


def store(project: UUID, *steps: Step, calls: tuple[LLMCall, ...] = (), **options: Any) -> UUID:
    return tape_saving.save_tape(project, Tape(steps=steps), calls=list(calls), **options)


def store_bad(project: UUID) -> UUID:
    return store(project, UserStep(content="How tall?"), calling("search"))


def store_good(project: UUID) -> UUID:
    return store(
        project,
        UserStep(content="How tall?"),
        calling("search"),
        ToolResult(content="330 metres", tool_call_id="c"),
        say("It is 330 metres tall."),
    )


def names_of(project: UUID, tape_id: UUID) -> list[str]:
    return [finding.detector for finding in Linter(project).lint(tape_id).findings]


def keep(project: UUID, *tape_ids: UUID) -> None:
    list(lint_and_keep(project, tape_ids))


def run(*arguments: str, status: int) -> str:
    out = io.StringIO()
    try:
        call_command("lint_tapes", *arguments, stdout=out, stderr=out)
        code = 0
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    assert code == status
    return out.getvalue().strip()


def test_the_tools_are_those_that_the_prompts_offered(project: UUID) -> None:
    result = ToolResult(content="330 metres", tool_call_id="c")
    steps = (UserStep(content="hi"), calling("serch"), result, say("It is 330 metres."))

    known = store(project, *steps, calls=(asking(),))
    unknown = store(project, *steps)

    assert names_of(project, known) == ["unknown_tool"]
    assert names_of(project, unknown) == []


def test_the_context_limit_is_that_of_the_model(project: UUID) -> None:
    steps = (UserStep(content="hi"), say("hello"))

    full = store(project, *steps, calls=(asking("p2", tokens=8_000, model="openai/gpt-4"),))
    other = store(project, *steps, calls=(asking("p2", tokens=8_000, model="openai/gpt-4o"),))

    assert names_of(project, full) == ["full_prompt"]
    assert names_of(project, other) == []


def test_the_agent_is_the_version_that_the_tape_names(project: UUID) -> None:
    version = agents.create_agent(project, AgentSpec(name="bot", max_iterations=1))
    steps = [
        say("a").with_metadata(agent="bot", prompt_id="1"),
        say("b").with_metadata(agent="bot", prompt_id="2"),
    ]

    assert names_of(project, store(project, *steps, agent_version=version.id)) == ["step_budget"]
    assert names_of(project, store(project, *steps)) == []


def test_what_is_kept_is_replaced_when_the_tape_is_linted_again(project: UUID) -> None:
    tape_id = store_bad(project)
    keep(project, tape_id)
    assert [mark.detector for mark in LintMarkRecord.objects.all()] == ["unfulfilled_action"]
    assert list_stale_tapes(project) == []

    rest = (ToolResult(content="330 metres", tool_call_id="c"), say("It is 330 metres tall."))
    tapes.append_steps(tape_id, rest, project=project, expected_count=2)
    assert list_stale_tapes(project) == [tape_id]
    keep(project, tape_id)

    assert not LintMarkRecord.objects.exists()
    assert TapeLintRecord.objects.get().finding_count == 0
    assert list_stale_tapes(project) == []


def test_a_rule_finds_and_makes_what_was_kept_stale(project: UUID) -> None:
    tape_id = store_good(project)
    keep(project, tape_id)

    lint_rules.create_rule(
        project,
        name="no talk",
        text="never kind == 'assistant' && !tool_calls",
        severity="error",
        is_enabled=True,
    )

    assert list_stale_tapes(project) == [tape_id]
    assert names_of(project, tape_id) == ["rule:no talk"]


def test_a_rule_that_is_switched_off_finds_nothing(project: UUID) -> None:
    tape_id = store_good(project)
    lint_rules.create_rule(
        project, name="off", text="never `true`", severity="error", is_enabled=False
    )

    assert names_of(project, tape_id) == []


def test_the_command_says_what_it_found_and_where(project: UUID) -> None:
    tape_id = store_bad(project)

    said = run(str(tape_id), status=1).splitlines()

    assert said == [
        f"{tape_id} step 1/tool_calls/0: warning: The call of 'search' has no observation: "
        "the tape ends here. (unfulfilled_action)",
        "1 tape linted: 1 warning.",
    ]


def test_the_command_succeeds_when_nothing_is_found(project: UUID) -> None:
    good = store_good(project)

    assert run(str(good), status=0) == "1 tape linted: no findings."
    assert run("--stale", status=0) == "0 tapes linted: no findings."


def test_the_command_leaves_out_what_is_less_grave(project: UUID) -> None:
    assert run(str(store_bad(project)), "--severity", "error", status=0).endswith("no findings.")


@pytest.mark.parametrize("option", [("--json",), ("--format", "json")])
def test_the_command_prints_one_json_object(project: UUID, option: tuple[str, ...]) -> None:
    tape_id = store_bad(project)

    values = json.loads(run(str(tape_id), *option, status=1))

    assert (values["linted"], values["found"]) == (1, 1)
    assert values["tapes"][0]["tape"] == str(tape_id)
    assert values["tapes"][0]["findings"][0]["position"] == 1


def test_the_command_with_a_step_budget_keeps_nothing(project: UUID) -> None:
    tape_id = store_good(project)

    said = run(str(tape_id), "--step-budget", "3", status=1)

    assert "over the step budget of 3" in said
    assert not TapeLintRecord.objects.exists()


@pytest.mark.parametrize("arguments", [(), ("--batch", "none of this name"), ("--stale", "x")])
def test_the_command_asks_for_tapes(project: UUID, arguments: tuple[str, ...]) -> None:
    assert run(*arguments, status=2).endswith(".")
