"""The script of the agent: it knows some forms of questions, and reads all else in its prompt."""

from collections.abc import Callable, Sequence

from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.engine.model.messages import Message
from tapes_app.engine.plain_json import dump_json_data, dump_json_text
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.gullible import Gullibility, misled, obey
from tapes_app.gallery.questions.desk import Interrupt, PromptDesk, SketchDesk
from tapes_app.gallery.questions.forms import solve
from tapes_app.gallery.questions.steps import AnswerAction, FactsThought, PlanThought
from tapes_app.gallery.scripting import Share, call_tools

MODEL = "script:question-reader"

ERROR_RATE = 0.15
"""Of the facts that are looked up, as the agent ships: it is right at about five of six tasks."""

_LIMITS = (
    "I am a script, not a language model, and do not know this form of question. Choose a model, "
    "or ask one of the questions that come with the agent."
)


@scripts.register("question-reader")
def answer(
    prompt: Prompt, *, error_rate: Share = 0.0, gullibility: Gullibility = 0.0, seed: int = 0
) -> LLMOutput:
    """Answer as the node that asks, identified by its tools and by the kind that it writes.

    `error_rate` is the share of facts that are taken from the wrong row or document or with a wrong
    digit, and of units that are forgotten; `gullibility` is the share of the instructions in tool
    results that it follows. `seed` decides which ones.
    """
    asked = max((n for n, one in enumerate(prompt.messages[:-1]) if one.role == "user"), default=0)
    since = prompt.messages[asked:]
    question = since[0].text.strip() if since else ""
    if prompt.tools:
        order = obey(prompt, gullibility, seed)
        if order is not None:
            return order
        desk = PromptDesk(since, question, error_rate, seed)
        return _act(since, desk, question, lambda text: misled(prompt, text, gullibility, seed))
    sketch = SketchDesk()
    known = solve(question, sketch)
    wants_facts = FactsThought.model_fields["kind"].default in str(prompt.response_format)
    write = _list_facts if wants_facts else _plan
    return _write(write(question, sketch, is_known=known is not None))


def _act(
    messages: Sequence[Message], desk: PromptDesk, question: str, finish: Callable[[str], str]
) -> LLMOutput:
    """Return the next thing to do; `finish` has the last word on the answer."""
    try:
        found = solve(question, desk)
    except Interrupt as next_thing:
        if next_thing.step is not None:
            return _write(next_thing.step)
        return call_tools(messages, *next_thing.calls)
    return _write(AnswerAction(answer=finish(found or _LIMITS)))


def _plan(question: str, sketch: SketchDesk, *, is_known: bool) -> PlanThought:
    if not is_known:
        return PlanThought(steps=("Say that I do not know this form of question.",))
    look_up = [f"Look up: {what}." for what in sketch.to_look_up]
    work_out = [f"Work out: {what}." for what in sketch.to_work_out]
    return PlanThought(steps=(*look_up, *work_out, "Answer as short as can be."))


def _list_facts(question: str, sketch: SketchDesk, *, is_known: bool) -> FactsThought:
    guessed = ("The documents have every fact, in the units that they name.",) if is_known else ()
    return FactsThought(
        given=(question,),
        to_look_up=tuple(sketch.to_look_up),
        to_work_out=tuple(sketch.to_work_out),
        guessed=guessed,
    )


def _write(step: Step) -> LLMOutput:
    body = dump_json_data(step, exclude=set(step.hidden_fields), by_alias=True, round_trip=True)
    return LLMOutput(content=dump_json_text({"steps": [body]}))
