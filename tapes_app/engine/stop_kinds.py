"""Kinds of steps after which a session is over, in the public libraries of steps."""

STOP_KINDS = frozenset(
    {
        "answer_action",
        "assistant_answer",
        "exit",
        "exit_action",
        "final_answer",
        "final_answer_action",
        "final_observation",
        "final_step",
        "finish",
        "finish_action",
        "gaia_answer",
        "gaia_answer_action",
        "math_answer_action",
        "stop",
        "stop_action",
        "stop_step",
        "submit",
        "terminate",
    }
)
"""TapeAgents and its examples, AgentLab, WebArena (`stop`), SWE-agent (`submit`), OpenHands
(`finish`). A project can tell another family for each of them, or that another kind stops."""
