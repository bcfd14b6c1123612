"""Hypothesis strategies for steps and tapes."""

from typing import Any

from hypothesis import strategies as st

from tapes_app.engine.tape.control_steps import Broadcast, Call, Respond, SetNextNode
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    AssistantThought,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import Step, StepMetadata, UnknownStep
from tapes_app.engine.tape.tape import Tape, TapeMetadata

texts = st.text(max_size=12)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
agents = st.sampled_from(["", "root", "root/a", "root/a/b", "root/c"])
metadata = st.builds(
    StepMetadata,
    agent=agents,
    node=st.sampled_from(["", "plan", "act"]),
    prompt_id=st.sampled_from(["", "p1", "p2", "p3"]),
)
_tool_calls = st.fixed_dictionaries(
    {"function": st.fixed_dictionaries({"name": texts, "arguments": texts | json_values})},
    optional={"id": texts},
)
known_steps: st.SearchStrategy[Step] = st.one_of(
    st.builds(UserStep, content=texts, metadata=metadata),
    st.builds(AssistantStep, content=texts, metadata=metadata),
    st.builds(AssistantThought, content=json_values, metadata=metadata),
    st.builds(ToolResult, content=json_values, tool_call_id=texts, metadata=metadata),
    st.builds(SetNextNode, next_node=texts | st.integers(-3, 3), metadata=metadata),
    st.builds(
        lambda calls, signature: ToolCalls.model_validate(
            {"tool_calls": calls, "metadata": signature}
        ),
        st.lists(_tool_calls, min_size=1, max_size=2),
        metadata,
    ),
)
unknown_steps: st.SearchStrategy[Step] = st.builds(
    lambda fields, kind, signature: UnknownStep.model_validate(
        {**fields, "kind": kind, "metadata": signature}
    ),
    st.dictionaries(st.text("abcxyz", min_size=1, max_size=5), json_values, max_size=3),
    st.sampled_from(["odd_action", "odd_thought", "odd_observation", "odd"]),
    metadata,
)
delegation: st.SearchStrategy[Step] = st.one_of(
    st.builds(Call, agent_name=st.sampled_from(["a", "b", "c"]), metadata=metadata),
    st.builds(Respond, content=texts, copy_output=st.booleans(), metadata=metadata),
    st.builds(Broadcast, content=texts, to=st.just(("a", "b")), metadata=metadata),
)
steps = st.one_of(known_steps, unknown_steps, delegation)


def tapes(max_size: int = 12) -> st.SearchStrategy[Tape]:
    """Tapes of any steps; delegation in them need not make sense."""
    return st.builds(
        Tape,
        metadata=st.builds(TapeMetadata, author=st.none() | texts, result=json_values),
        context=json_values,
        steps=st.lists(steps, max_size=max_size).map(tuple),
    )
