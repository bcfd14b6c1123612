"""Running the shipped agents in tests, with their scripts and no delay."""

from dataclasses import dataclass, field

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.events import LoopFinished, NodeFinished
from tapes_app.engine.environment.spec import environments
from tapes_app.engine.model.llm import LLMCall, LLMOutput
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery import analyst, chat  # registers them
from tapes_app.llms.scripted import ScriptedLLM

__all__ = ["analyst", "chat"]


def build_gallery_agent(name: str) -> Agent:
    """Return an agent with its script, which makes no mistakes."""
    spec = gallery_agents.get(name)()
    return build_agent(spec, lambda llm: ScriptedLLM(llm.model.removeprefix("script:")))


def build_gallery_environment(name: str) -> Environment:
    return environments.get(name)()


@dataclass
class Session:
    """A tape as it grows, and the calls that were made for it."""

    name: str
    tape: Tape = field(default_factory=Tape)
    calls: dict[str, LLMCall] = field(default_factory=dict)
    status: str = ""

    @property
    def outputs(self) -> dict[str, LLMOutput]:
        return {prompt_id: call.output for prompt_id, call in self.calls.items()}

    @property
    def answer(self) -> str:
        return str(self.tape.steps[-1].content_dict()["content"])

    async def say(self, text: str) -> str:
        """Add what a person says, run, and return the agent's answer."""
        self.tape = self.tape.append(UserStep(content=text))
        await self.run()
        return self.answer

    async def run(self) -> None:
        agent = build_gallery_agent(self.name)
        environment = build_gallery_environment(self.name)
        loop = main_loop(agent, self.tape, environment, recorded_outputs=self.outputs)
        async for event in loop:
            if isinstance(event, NodeFinished) and event.call is not None:
                self.calls[event.prompt_id] = event.call
            if isinstance(event, LoopFinished):
                self.tape, self.status = event.tape, event.status
