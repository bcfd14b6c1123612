"""Rubrics that ship with the studio."""

from types import MappingProxyType

from tapes_app.annotation.rubric import BinaryItem, PreferenceItem, Rubric, Score, TextItem

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
                "Everything said rests on the form's documentation, the conversation or the "
                "assistant's stated purpose. Small talk does not."
            ),
        ),
        BinaryItem(
            key="responsive",
            question="Responsive",
            help=(
                "It shows that it understood what the user meant, also when the value is "
                "invalid, the field or the form is another one, or the question has no answer."
            ),
        ),
        BinaryItem(
            key="accurate",
            question="Accurate",
            help=(
                "The intent is recognised and the right form taken; fields are filled, changed "
                "or skipped as the user said."
            ),
        ),
        BinaryItem(
            key="disciplined",
            question="Disciplined",
            help="The message does what the thoughts before it planned, no less and no more.",
        ),
        BinaryItem(
            key="transparent",
            question="Transparent",
            help=(
                "Every change of the form is said: fields filled, and fields skipped because "
                "they are optional or have a default."
            ),
        ),
        BinaryItem(
            key="helpful",
            question="Helpful",
            help=(
                "It moves on: asks for the next field with what one must know of it, answers "
                "what the documentation answers, asks for confirmation, lets the user leave."
            ),
        ),
    ),
    score=Score(rule="all"),
)

_BETTER = Rubric(
    description="Two tapes side by side: which did better, and why.",
    items=(
        PreferenceItem(key="better", question="Which is better?"),
        TextItem(key="why", question="Why?", is_required=False),
    ),
)

PRESETS = MappingProxyType({"GREADTH": _GREADTH, "Better of two": _BETTER})
