"""Worlds: a project with one row of each kind, made by the functions of the stores."""

from dataclasses import dataclass
from uuid import UUID

from tapes_app.agents.store import agents
from tapes_app.agents.store import llm_models as models
from tapes_app.annotation.domain.rubric import BinaryItem, Rubric, Score
from tapes_app.annotation.store import queue_answers, queues, rubrics
from tapes_app.annotation.store.annotations import add_annotation
from tapes_app.annotation.store.queue_filling import Target, add_items
from tapes_app.annotation.store.rows import Anchor, Content
from tapes_app.bulk.store import dataset_tapes, datasets
from tapes_app.bulk.store.tags import change_tags
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt, Usage, scripts
from tapes_app.engine.model.messages import assistant_message, user_message
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.store import experiments
from tapes_app.jobs.store.job import create_job
from tapes_app.library.store import lenses
from tapes_app.library.store import plans as tape_plans
from tapes_app.lint.store import rules as lint_rules
from tapes_app.tapes.store import batches, headers
from tapes_app.tapes.store import saving as tape_saving
from tests.builders.nodes import SayNode

SECRET = "sk-planted-secret-0123456789abcdef"


@dataclass(frozen=True)
class World:
    """Ids of the rows of one project."""

    project: UUID
    tape: UUID
    """user, assistant, user, assistant, …; the assistant's steps have calls."""

    batch: UUID
    agent: UUID
    version: UUID
    model: UUID
    job: UUID
    call: UUID
    annotation: UUID
    question: UUID
    """A job of the playground."""

    rule: UUID
    """A rule of the linter."""

    lens: UUID
    """Shared with the project."""

    experiment: UUID
    """Two branches, whose run is the job."""

    rubric: UUID
    queue: UUID
    item: UUID
    """The tape, assigned to the owner."""

    dataset: UUID
    """The tape is in it."""

    tag_change: UUID
    """A tag was put on the tape."""

    def texts(self) -> list[str]:
        """Return the ids as they would appear in an answer."""
        rows = (self.tape, self.batch, self.agent, self.version, self.model, self.job, self.call)
        return [str(row) for row in (*rows, self.experiment, self.rubric, self.queue, self.dataset)]


def talk(rounds: int) -> tuple[Tape, list[LLMCall]]:
    """Return a chat and its calls, each of which repeats the complete history."""
    tape = Tape()
    calls: list[LLMCall] = []
    history = []
    for number in range(rounds):
        history.append(user_message(f"question {number}"))
        calls.append(
            LLMCall(
                prompt=Prompt(id=f"prompt-{number}", messages=tuple(history)),
                output=LLMOutput(content=f"answer {number}"),
                usage=Usage(input_tokens=100 + number, cache_read_tokens=40, output_tokens=7),
                cost_micro_usd=12,
                llm={"model_name": "test/model", "name": "tiny"},
            )
        )
        history.append(assistant_message(f"answer {number}"))
        answer: list[Step] = [
            AssistantStep(content=f"answer {number}"),
            SetNextNode(next_node="say"),
        ]
        tape = tape.append(
            UserStep(content=f"question {number}").with_metadata(id=f"u{number}"),
            *(
                step.with_metadata(
                    id=f"{step.kind}{number}",
                    agent="talker",
                    node="say",
                    prompt_id=f"prompt-{number}",
                )
                for step in answer
            ),
        )
    return tape, calls


def spec(name: str = "talker", *, model: str = "script:echo", text: str = "") -> AgentSpec:
    """Return an agent that answers the last message."""
    if "echo" not in scripts:
        scripts.add("echo", _echo)
    return AgentSpec(
        name=name,
        description="Says something back.",
        llms={"default": LLMSpec(model=model)},
        templates={"system": text} if text else {},
        nodes=(NodeSpec(type=SayNode.type_name, settings={"name": "say"}),),
    )


def _echo(prompt: Prompt) -> LLMOutput:
    return LLMOutput(content=f"You said: {prompt.messages[-1].text}")


def fill_project(project: UUID, owner: int, *, rounds: int = 2) -> World:
    batch = batches.ensure_batch(project, f"batch of {project}", owner=owner)
    model = models.create_model(
        project,
        owner=owner,
        name="tiny",
        litellm_model="script:echo",
        base_url="",
        api_key_env="",
        parameters={},
        input_price=1_000_000,
        cache_read_price=100_000,
        output_price=2_000_000,
    )
    version = agents.create_agent(project, spec(), owner=owner)
    tape, calls = talk(rounds)
    tape_id = tape_saving.save_tape(
        project,
        tape,
        owner=owner,
        calls=calls,
        batch=batch.id,
        agent_version=version.id,
    )
    job = create_job(project, "run", request={}, tape_id=tape_id, owner_id=owner)
    call = headers.load_outline(tape_id, project)[1].call_id
    assert call is not None
    note = add_annotation(
        tape_id,
        project,
        Anchor(position=1, field="/content", start=0, end=6),
        Content(kind="note", text=f"a note of {project}", details={"quote": "answer"}),
        owner=owner,
    )
    question = create_job(
        project,
        "playground",
        request={
            "tape_id": str(tape_id),
            "messages": [{"role": "user", "content": f"of {project}"}],
        },
        owner_id=owner,
    )
    branch = experiments.NewBranch(tape_id, "original", 1, 1, 0, 0, model.id, None)
    experiment = experiments.create_experiment(
        project,
        owner=owner,
        name="an experiment",
        request={"agent_version_id": str(version.id)},
        tape=tape_id,
    )
    _, branches = experiments.add_branches(experiment, [branch, branch])
    experiments.set_jobs(dict.fromkeys(branches, job.id))
    rule = lint_rules.create_rule(
        project,
        owner=owner,
        name=f"rule of {project}",
        text="kind == 'user' before kind == 'assistant'",
        severity="error",
        is_enabled=True,
    )
    asked = Rubric(items=(BinaryItem(key="good", question="Good?"),), score=Score(rule="all"))
    rubric = rubrics.create_rubric(project, f"rubric of {project}", asked, owner=owner)
    queue = queues.create_queue(
        project, owner=owner, rubric_version=rubric.version_id, name=f"queue of {project}"
    )
    add_items(queue.id, project, [Target(tape_id)])
    assignment = queue_answers.claim_next(queue.id, owner, minutes=30)
    assert assignment is not None
    where = tape_plans.TapeFilter(ids=(tape_id,))
    dataset = datasets.create_dataset(project, owner=owner, name=f"dataset of {project}")
    dataset_tapes.add_tapes(dataset.id, project, where, owner=owner)
    tagged = change_tags(project, where, add=["seen"], remove=[], owner=owner)
    assert tagged.id is not None
    lens = lenses.create_lens(project, owner, name=f"lens of {project}", is_shared=True, look={})
    return World(
        project,
        tape_id,
        batch.id,
        version.agent_id,
        version.id,
        model.id,
        job.id,
        call,
        note.id,
        question.id,
        rule.id,
        lens.id,
        experiment,
        rubric.id,
        queue.id,
        assignment.item_id,
        dataset.id,
        tagged.id,
    )
