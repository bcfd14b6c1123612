"""What the form-filling assistant writes, and what it is answered (paper, appendix E.2).

Form, request and function mean the same there, as do slot, field and parameter; steps keep the
paper's words, so that its tapes open here.
"""

from typing import Any, Literal, Self

from pydantic import Field, JsonValue

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import (
    Action,
    Observation,
    StopAction,
    Thought,
    list_step_classes,
    list_step_kinds,
)
from tapes_app.gallery.form_filler.forms import FunctionSchema


class FormThought(Thought):
    """A thought about the chosen form."""

    function: str
    """Name of the form."""


class AnswerFromFunctionSchemaThought(FormThought):
    """Plans to answer a question from the form's description."""

    kind: Literal["answer_from_function_schema_thought"] = "answer_from_function_schema_thought"


class NoAnswerInFunctionSchemaThought(FormThought):
    """Plans to say that the form's description does not answer a question."""

    kind: Literal["no_answer_in_function_schema_thought"] = "no_answer_in_function_schema_thought"
    declined_questions: list[str] = Field(default_factory=list)


class RefuseInexistentFunctionThought(Thought):
    """Plans to say that no form does what was asked for."""

    kind: Literal["refuse_inexistent_function_thought"] = "refuse_inexistent_function_thought"


class RefuseToEngageThought(Thought):
    """Plans to decline what has nothing to do with forms."""

    kind: Literal["refuse_to_engage_thought"] = "refuse_to_engage_thought"


class RefuseInvalidFunctionParameterValueThought(FormThought):
    """Plans to say that a slot does not take a value."""

    kind: Literal["refuse_invalid_function_parameter_value_thought"] = (
        "refuse_invalid_function_parameter_value_thought"
    )
    parameter: str
    parameter_value: JsonValue = None


class RefuseSkippingParameterThought(FormThought):
    """Plans to say that a required slot cannot be skipped."""

    kind: Literal["refuse_skipping_parameter_thought"] = "refuse_skipping_parameter_thought"
    parameter: str


class GatherValuesThought(FormThought):
    """The values in the user's last message, as they were said."""

    kind: Literal["gather_values_thought"] = "gather_values_thought"
    parameters: dict[str, JsonValue] = Field(default_factory=dict)


class VerifiedValue(FrozenModel):
    value: JsonValue = None
    status: Literal["valid", "invalid"]
    explanation: str = ""
    """Why it is invalid."""


class VerifyValuesThought(FormThought):
    """Which of the gathered values the form takes."""

    kind: Literal["verify_values_thought"] = "verify_values_thought"
    parameters: dict[str, VerifiedValue] = Field(default_factory=dict)


class UpdateFunctionParametersThought(FormThought):
    """Fills slots in, and skips others, by what the user's last message says."""

    kind: Literal["update_function_parameters_thought"] = "update_function_parameters_thought"
    assign: dict[str, JsonValue] = Field(default_factory=dict)
    skip: list[str] = Field(default_factory=list)


class RequestFunctionThought(Thought):
    """Plans to ask which form is wanted."""

    kind: Literal["request_function_thought"] = "request_function_thought"
    functions: list[str] = Field(default_factory=list)


class RequestFunctionParametersThought(FormThought):
    """Plans to ask for the value of one slot."""

    kind: Literal["request_function_parameters_thought"] = "request_function_parameters_thought"
    parameters: list[str] = Field(min_length=1, max_length=1)


class RequestFunctionCallConfirmationThought(FormThought):
    """Plans to ask whether to submit the form, once nothing is outstanding."""

    kind: Literal["request_function_call_confirmation_thought"] = (
        "request_function_call_confirmation_thought"
    )


class RequestExitConfirmationThought(Thought):
    """Plans to ask whether to end the conversation."""

    kind: Literal["request_exit_confirmation_thought"] = "request_exit_confirmation_thought"


class ResolveFunctionAction(Action):
    """Asks which forms may be meant."""

    kind: Literal["resolve_function_action"] = "resolve_function_action"
    query: str
    """The user's last message."""


class InspectFunctionAction(Action):
    """Chooses a form and asks for its schema."""

    kind: Literal["inspect_function_action"] = "inspect_function_action"
    function: str


class PromptUserForTextMessageAction(Action):
    """Says something to the user and waits for an answer."""

    kind: Literal["prompt_user_for_text_message_action"] = "prompt_user_for_text_message_action"
    prompt: str


class CallFunctionAction(Action):
    """Submits the form with the values of its slots."""

    kind: Literal["call_function_action"] = "call_function_action"
    function: str


class ExitAction(StopAction):
    """Ends the conversation."""

    kind: Literal["exit_action"] = "exit_action"
    text: str


class FunctionCandidate(FrozenModel):
    function: str
    short_description: str


class FunctionCandidates(Observation):
    """The forms that may be meant."""

    kind: Literal["function_candidates"] = "function_candidates"
    candidates: list[FunctionCandidate]


class FunctionSchemaObservation(Observation):
    """The chosen form."""

    kind: Literal["function_schema"] = "function_schema"
    name: str
    description: str
    parameters: dict[str, Any]
    return_value: dict[str, Any] = Field(default_factory=dict)
    rules: list[dict[str, Any]] = Field(default_factory=list)

    @classmethod
    def from_form(cls, form: FunctionSchema) -> Self:
        return cls.model_validate(
            form.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        )

    def to_form(self) -> FunctionSchema:
        """Return the form.

        Raises:
            FormError: nobody could fill it in.
        """
        return FunctionSchema.read(self.model_dump(exclude={"kind", "metadata"}))


class FunctionResult(Observation):
    """What came back when the form was submitted."""

    kind: Literal["function_result"] = "function_result"
    result: dict[str, JsonValue]


class RefuseInvalidFunctionParameterSkipThought(FormThought):
    """`RefuseSkippingParameterThought` by the name that the public tapes have for it."""

    kind: Literal["refuse_invalid_function_parameter_skip_thought"] = (
        "refuse_invalid_function_parameter_skip_thought"
    )
    parameter: str


class RefuseInexistentFunctionParameterThought(FormThought):
    """Plans to say that the form has no such slot; only the reference implementation writes it."""

    kind: Literal["refuse_inexistent_function_parameter_thought"] = (
        "refuse_inexistent_function_parameter_thought"
    )


# Kinds that the reference implementation writes with other fields. The registry takes the first
# class that fits, so ours are read as before, and no model is shown these.


class AnsweringThought(AnswerFromFunctionSchemaThought):
    answerable_questions: list[str]


class NamedFunctionResult(FunctionResult):
    function: str


class SilentExitAction(ExitAction):
    text: str = ""


KINDS = frozenset(
    kind
    for kind in list_step_kinds()
    if any(cls.__module__ == __name__ for cls in list_step_classes(kind))
)
"""The kinds of this module."""

TELLING_KINDS = KINDS - {"exit_action", "function_result"}
"""A tape with one of these is about a form; agents of others may use the names of the rest."""
