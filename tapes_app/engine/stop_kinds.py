"""Kinds of steps that end a session in the public step libraries."""

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
(`finish`). A project can set another family for each of them, or make another kind stop."""
