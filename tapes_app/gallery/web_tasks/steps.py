"""What the agent thinks between its actions, and how it ends."""

from typing import Literal

from tapes_app.engine.tape.steps import StopAction, Thought


class GoalThought(Thought):
    """What is to be achieved on the pages."""

    kind: Literal["web_goal"] = "web_goal"
    goal: str
    """The task in full, with every value that it names."""

    reached_when: str
    """What the page shows once it is done."""


class ReflectionThought(Thought):
    """What the last action has changed, and what follows from it."""

    kind: Literal["web_reflection"] = "web_reflection"
    happened: str
    """What the page shows now."""

    next: str
    """The one thing to do next."""


class AnswerAction(StopAction):
    """The end: the answer to a question and nothing else; "done" if something was to be done."""

    kind: Literal["web_answer"] = "web_answer"
    answer: str
