"""Rubrics that ship with the studio."""

from types import MappingProxyType

from tapes_app.annotation.domain.rubric import BinaryItem, PreferenceItem, Rubric, Score, TextItem

_GREADTH = Rubric(
    description=(
        "Six yes-or-no labels for one turn of an assistant that fills in a form with its user; "
        "the score is 1 only if all six are yes (TapeAgents, arXiv 2412.08445, section 5.2)."
    ),
    items=(
        BinaryItem(
            key="grounded",
            question="Grounded",
            help=(
                "Everything said is grounded in the form's documentation, the conversation or "
                "the assistant's stated purpose. Small talk is exempt."
            ),
        ),
        BinaryItem(
            key="responsive",
            question="Responsive",
            help=(
                "It shows that it understood what the user meant, even if the value is invalid, "
                "the field or form is a different one, or the question has no answer."
            ),
        ),
        BinaryItem(
            key="accurate",
            question="Accurate",
            help=(
                "It recognizes the intent and picks the right form; fields are filled, changed "
                "or skipped as the user asked."
            ),
        ),
        BinaryItem(
            key="disciplined",
            question="Disciplined",
            help="The message does exactly what the preceding thoughts planned.",
        ),
        BinaryItem(
            key="transparent",
            question="Transparent",
            help=(
                "It reports every change to the form: fields filled, and fields skipped because "
                "they are optional or have a default."
            ),
        ),
        BinaryItem(
            key="helpful",
            question="Helpful",
            help=(
                "It moves the task forward: asks for the next field and explains it, answers "
                "what the documentation covers, asks for confirmation, lets the user leave."
            ),
        ),
    ),
    score=Score(rule="all"),
)

_BETTER = Rubric(
    description="Two tapes side by side: which one did better, and why.",
    items=(
        PreferenceItem(key="better", question="Which is better?"),
        TextItem(key="why", question="Why?", is_required=False),
    ),
)

_PASS_OR_FAIL = Rubric(
    description="One question for each tape; the answer is the outcome of a tape that has none.",
    items=(BinaryItem(key="passed", question="Did it do its task?", sets_outcome=True),),
    score=Score(rule="all"),
)

_JUDGE_CHECK = Rubric(
    description="One question for each tape; the answer measures a judge and sets no outcome.",
    items=(BinaryItem(key="passed", question="Did it do its task?"),),
    score=Score(rule="all"),
)

_SECOND_OPINION = _JUDGE_CHECK.model_copy(
    update={
        "description": (
            "One question for each tape of which two verdicts differ; the answer sets no outcome. "
            "Such tapes are no sample, so no judge is measured or corrected by them."
        )
    }
)

FIRST_OFFER = "Pass or fail"
"""The preset offered first: what most people want to know about their tapes."""

BETTER_OF_TWO = "Better of two"
JUDGE_CHECK = "Judge check"
"""What people are asked to measure a judge; it must not change the result that they check."""

SECOND_OPINION = "Second opinion"
"""Not "Second look": rubrics that projects have under that name set outcomes."""

PRESETS = MappingProxyType(
    {
        "GREADTH": _GREADTH,
        BETTER_OF_TWO: _BETTER,
        FIRST_OFFER: _PASS_OR_FAIL,
        JUDGE_CHECK: _JUDGE_CHECK,
        SECOND_OPINION: _SECOND_OPINION,
    }
)
