"""Views: what each agent of a team sees of a tape, computed from the tape alone (paper 2.2.1).

An agent is like a function, a node like a line, a step like a bytecode instruction, the view
stack like the call stack and a view like a frame. The rules are those of TapeAgents.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tapes_app.engine.errors import DelegationError
from tapes_app.engine.tape.control_steps import (
    Broadcast,
    Call,
    CallTogether,
    Join,
    Respond,
    SetNextNode,
)
from tapes_app.engine.tape.steps import Step, UnknownStep, family_of

if TYPE_CHECKING:
    from tapes_app.engine.prompts.sound_messages import SoundMessages
    from tapes_app.engine.tape.tape import Tape

ROOT = "root"


class TapeView:
    """The steps that one agent may see, and the node that it runs next."""

    __slots__ = (
        "is_pointer_unsigned",
        "last_agent",
        "last_node",
        "last_prompt_id",
        "messages",
        "messages_of",
        "name",
        "next_node",
        "outputs_by_subagent",
        "path",
        "steps",
        "steps_by_kind",
    )

    def __init__(self, name: str, path: str = ROOT) -> None:
        self.name = name
        self.path = path
        """The agent's path as steps record it, starting with the root agent's name once one was
        written."""

        self.steps: list[Step] = []
        self.steps_by_kind: dict[str, list[Step]] = {}
        self.outputs_by_subagent: dict[str, Step] = {}
        self.last_agent = ""
        self.last_node = ""
        self.last_prompt_id = ""
        self.next_node: str | int | None = None
        self.is_pointer_unsigned = False
        """Whether a step without an agent set the next node: a person's, whichever team wrote the
        tape."""

        # Prompt messages of the first `messages_of` steps, kept so that a prompt over a long
        # history renders only what is new (see engine.sound_messages).
        self.messages: SoundMessages | None = None
        self.messages_of = 0

    @property
    def agent_path(self) -> str:
        """Path of the agent below the root agent; empty for the root itself."""
        return self.name.partition("/")[2]

    @property
    def agent_name(self) -> str:
        return self.name.rpartition("/")[2]

    def add(self, step: Step) -> None:
        self.steps.append(step)
        self.steps_by_kind.setdefault(step.kind, []).append(step)

    def wrote(self, step: Step) -> bool:
        """Return whether the step names the active agent as its writer.

        The first component of an agent path is the root agent's name, which is not compared.
        """
        return (
            bool(step.metadata.agent) and step.metadata.agent.partition("/")[2] == self.agent_path
        )


class ViewStack:
    """The views of all agents that have not responded yet; the last is the active agent's.

    It only grows, one step at a time, so a run of n steps costs n; computing it from scratch yields
    the same stack. While agents called together are at work, each has a stack of its own in
    `lanes`, and nothing that they write is in the views of this one.
    """

    def __init__(self, base: TapeView | None = None, lane: str = "") -> None:
        self.views: list[TapeView] = [base or TapeView(ROOT)]
        self.lane = lane
        """Of whose steps this is the stack, as steps record it."""

        self.lanes: OpenLanes | None = None
        self.messages_by_agent: dict[str, list[Step]] = {}
        """Calls, responses and broadcasts by the paths of their senders and recipients."""

        self.step_count = 0

    @classmethod
    def compute(cls, steps: Iterable[Step]) -> ViewStack:
        stack = cls()
        for step in steps:
            stack.extend(step)
        return stack

    @property
    def top(self) -> TapeView:
        return self.views[-1]

    @property
    def root(self) -> TapeView:
        return self.views[0]

    @property
    def active(self) -> list[ViewStack]:
        """The stacks of all agents that may go on now: more than one after a `CallTogether`."""
        if self.lanes is None:
            return [self]
        return [one for stack in self.lanes.unanswered.values() for one in stack.active]

    def extend(self, step: Step) -> None:
        """Take one more step into account.

        Raises:
            DelegationError: a `Respond` while only the root agent is active.
        """
        position = self.step_count
        self.step_count += 1
        if step.metadata.lane != self.lane:
            if self.lanes is not None:
                self.lanes.extend(step)
            return
        match step:
            case Call():
                self._track_node(step)
                self._call(step)
            case CallTogether():
                self._track_node(step)
                self.top.add(step)
                self.lanes = OpenLanes(step, position, self)
            case Join() if self.lanes is not None:
                self._join(step, self.lanes)
            case Broadcast():
                self._track_node(step)
                self.top.add(step)
                for name in step.to:
                    self._deliver(step, f"{self._writer(step)}/{name}")
            case Respond():
                self._respond(step, position)
            case _:
                self._track_node(step)
                self.top.add(step)

    def _track_node(self, step: Step) -> None:
        top = self.top
        metadata = step.metadata
        if _is_observation(step):
            return
        if not metadata.agent and isinstance(step, SetNextNode):
            # A step without an agent belongs to the run around it: it does not end one.
            top.next_node, top.is_pointer_unsigned = step.next_node, True
        if not top.wrote(step):
            return
        if metadata.prompt_id:  # without one, a person wrote it in the name of the agent
            if metadata.prompt_id != top.last_prompt_id and not isinstance(step, Respond):
                top.next_node = None
            top.last_prompt_id = metadata.prompt_id
        top.last_agent = top.path = metadata.agent
        top.last_node = metadata.node
        if isinstance(step, SetNextNode):
            top.next_node, top.is_pointer_unsigned = step.next_node, False

    def _writer(self, step: Step) -> str:
        return step.metadata.agent or self.top.path

    def _deliver(self, message: Step, *paths: str) -> None:
        for path in paths:
            self.messages_by_agent.setdefault(path, []).append(message)

    def _call(self, step: Call) -> None:
        self.lanes = None
        self.top.add(step)
        writer = self._writer(step)
        callee = TapeView(f"{self.top.name}/{step.agent_name}", f"{writer}/{step.agent_name}")
        self._deliver(step, writer, callee.path)
        callee.add(step)
        self.views.append(callee)

    def _respond(self, step: Respond, position: int) -> None:
        if len(self.views) == 1:
            raise DelegationError(
                f"Step {position} responds, but no agent was called: only the root agent is "
                "active. Remove the step, or insert a call before it.",
                position=position,
            )
        self._track_node(step)
        self.lanes = None
        writer = self._writer(step)
        finished = self.views.pop()
        caller = self.top
        if step.copy_output:
            output = _last_output(finished, caller)
            if output is not None:
                caller.add(output)
                caller.outputs_by_subagent[finished.agent_name] = output
        caller.add(step)
        self._deliver(step, writer, writer.rpartition("/")[0] or caller.path)

    def _join(self, step: Join, lanes: OpenLanes) -> None:
        """Show the answers to the caller, in the order of the calls, whichever came first."""
        self.lanes = None
        for number in sorted({*step.answered} - lanes.unanswered.keys()):
            stack = lanes.stacks.get(number)
            if stack is None:
                continue
            for answer in stack.root.steps[1:]:
                self.top.add(answer)
            self.top.outputs_by_subagent.update(stack.root.outputs_by_subagent)
            for path, messages in stack.messages_by_agent.items():
                self.messages_by_agent.setdefault(path, []).extend(messages)
        self.top.add(step)


class OpenLanes:
    """The agents that were called together and have not been joined yet."""

    def __init__(self, call: CallTogether, position: int, caller: ViewStack) -> None:
        self.call = call
        self.position = position
        self.stacks: dict[int, ViewStack] = {}
        """The stack of each lane by its number. Its lowest view stands for the caller, and once
        the lane has answered, holds what the caller will see of it after the call."""

        self.answered: list[int] = []
        """Numbers of the lanes that have answered, in the order in which they did."""

        for number in range(1, len(call.calls) + 1):
            base = TapeView(caller.top.name, caller.top.path)
            stack = ViewStack(base, f"{caller.lane}/{number}".removeprefix("/"))
            stack._call(call.as_call(number))
            self.stacks[number] = stack

    @property
    def unanswered(self) -> dict[int, ViewStack]:
        return {n: stack for n, stack in self.stacks.items() if n not in self.answered}

    @property
    def is_complete(self) -> bool:
        """Whether enough of them have answered for the caller to go on."""
        return len(self.answered) >= self.call.needed_count

    def extend(self, step: Step) -> None:
        """Give a step to its lane; one of an unknown or finished lane is seen by nobody."""
        for number, stack in self.unanswered.items():
            if step.metadata.lane == stack.lane or step.metadata.lane.startswith(f"{stack.lane}/"):
                stack.extend(step)
                if len(stack.views) == 1:
                    self.answered.append(number)

    def make_join(self) -> Join:
        """Return the step with which the caller goes on."""
        answered = self.answered[: self.call.needed_count]
        return Join(
            answered=tuple(sorted(answered)),
            cancelled=tuple(number for number in self.stacks if number not in answered),
        )


def _last_output(finished: TapeView, caller: TapeView) -> Step | None:
    """Return the responding agent's own last output, neither control flow nor observation.

    A broadcast steers nobody, so it counts as output.
    """
    for step in reversed(finished.steps):
        is_control = family_of(step) == "control" and not isinstance(step, Broadcast)
        if not (is_control or caller.wrote(step) or _is_observation(step)):
            return step
    return None


def _is_observation(step: Step) -> bool:
    if isinstance(step, UnknownStep):
        return not step.metadata.agent or family_of(step) == "observation"
    return step.family == "observation"


def compute_view_stack(tape: Tape) -> ViewStack:
    """Return the view stack of a tape, extending the one it inherited where possible.

    The stack belongs to the tape it was computed for and moves to the tape that grows from it; read
    it, and do not keep it while the tape grows.
    """
    stack, tape._views = (
        tape._views,
        None,
    )  # a step that breaks the rules leaves no half-built stack
    if stack is None or stack.step_count > len(tape):
        stack = ViewStack()
    for index in range(stack.step_count, len(tape)):
        stack.extend(tape[index])
    tape._views = stack
    return stack
