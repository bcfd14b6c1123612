"""The script of the agent: it knows some forms of tasks, and reads all else in its prompt."""

from collections.abc import Sequence

from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.engine.model.messages import Message
from tapes_app.engine.plain_json import dump_json_data, dump_json_text
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.scripting import Share, call_tools, list_results
from tapes_app.gallery.web_tasks.eyes import Eyes, Interrupt, Move
from tapes_app.gallery.web_tasks.forms import find_form
from tapes_app.gallery.web_tasks.reading import SeenPage, read_page
from tapes_app.gallery.web_tasks.steps import AnswerAction, GoalThought, ReflectionThought

MODEL = "script:web-page-reader"

ERROR_RATE = 0.15
"""Of the choices that are made on pages, as the agent ships."""


_LIMITS = (
    "I am a script, not a language model, and do not know this form of task. Choose a model, or "
    "give one of the tasks that come with the agent."
)
_GOAL = str(GoalThought.model_fields["kind"].default)
_REFLECTION = str(ReflectionThought.model_fields["kind"].default)


@scripts.register("web-page-reader")
def answer(prompt: Prompt, *, error_rate: Share = 0.0, seed: int = 0) -> LLMOutput:
    """Answer as the node that asks, identified by its tools and by the kind that it writes.

    `error_rate` is the share of choices that are mistakes: another option, row, bar or article, a
    value that is mistyped, a rest that is forgotten. `seed` decides which ones.
    """
    if not prompt.tools and _GOAL in str(prompt.response_format):
        return _write(_set_goal(prompt.messages))
    goal, since = _find_goal(prompt.messages)
    results = list_results(since)
    pages = [page for one in results if (page := read_page(one.text))]
    if results and results[-1].is_error and not pages:
        # Without a browser, for one: asking again would not help.
        move = Move("Say why no page opens.", answer=f"No page opens. {results[-1].text}")
    else:
        move = _decide(goal, pages, error_rate, seed)
    if not prompt.tools and _REFLECTION in str(prompt.response_format):
        return _write(ReflectionThought(happened=_describe(pages), next=move.words))
    if move.call is not None:
        return call_tools(since, move.call)
    return _write(AnswerAction(answer=move.answer))


def _set_goal(messages: Sequence[Message]) -> GoalThought:
    asked = [one.text for one in messages[:-1] if one.role == "user"]
    task = asked[-1].strip() if asked else ""
    found = find_form(task)
    reached = found[0].reached_when if found else "I do not know this form of task."
    return GoalThought(goal=task, reached_when=reached)


def _find_goal(messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    """Return the last goal that was set, and the messages since then."""
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].role == "assistant" and _GOAL in messages[at].text:
            try:
                goal = GoalThought.model_validate_json(messages[at].text).goal
            except ValueError:
                continue
            return goal, messages[at + 1 :]
    return "", messages


def _decide(goal: str, pages: Sequence[SeenPage], error_rate: float, seed: int) -> Move:
    found = find_form(goal)
    if found is None:
        return Move("Say that I do not know this form of task.", answer=_LIMITS)
    form, values = found
    try:
        ending = form.do(Eyes(pages, goal, error_rate=error_rate, seed=seed), **values)
    except Interrupt as next_thing:
        return next_thing.move
    return Move(f"End with the answer: {ending}.", answer=ending)


def _describe(pages: Sequence[SeenPage]) -> str:
    if not pages:
        return "No page is open."
    page = pages[-1]
    done = (page.failure, f"The page {page.heading} is open.", page.status)
    return " ".join(filter(None, done))


def _write(step: Step) -> LLMOutput:
    body = dump_json_data(step, exclude=set(step.hidden_fields), by_alias=True, round_trip=True)
    return LLMOutput(content=dump_json_text({"steps": [body]}))
