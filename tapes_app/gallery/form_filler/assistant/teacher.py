"""The teacher: seven nodes, six of which ask a model with a long prompt."""

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.tape.dialog_steps import ReasoningThought
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.assistant import script, teacher_prompts
from tapes_app.gallery.form_filler.assistant.nodes import BriefedNode, FormSelectedNode, IntentNode

NAME = "form_teacher"

FORM_SELECTED = "Is Form Selected?"

INTENT_STEPS = (
    steps.InspectFunctionAction,
    steps.RefuseInexistentFunctionThought,
    steps.RequestFunctionThought,
    steps.PromptUserForTextMessageAction,
)
UPDATE_STEPS = (
    steps.UpdateFunctionParametersThought,
    steps.RefuseInvalidFunctionParameterValueThought,
    steps.RefuseSkippingParameterThought,
    steps.AnswerFromFunctionSchemaThought,
    steps.NoAnswerInFunctionSchemaThought,
    steps.RefuseToEngageThought,
)
PLAN_STEPS = (
    ReasoningThought,
    steps.RequestFunctionParametersThought,
    steps.RequestFunctionCallConfirmationThought,
    steps.RequestExitConfirmationThought,
)
LAST_STEPS = (
    steps.PromptUserForTextMessageAction,
    steps.CallFunctionAction,
    steps.ExitAction,
)


def build_teacher() -> Agent:
    return Agent.create(
        NAME,
        templates={
            "intent": teacher_prompts.INTENT,
            "gather": teacher_prompts.GATHER,
            "verify": teacher_prompts.VERIFY,
            "update": teacher_prompts.UPDATE,
            "plan": teacher_prompts.PLAN,
            "generate": teacher_prompts.GENERATE,
        },
        nodes=[
            FormSelectedNode(name=FORM_SELECTED, find_form=script.INTENT, fill_form=script.GATHER),
            IntentNode(
                name=script.INTENT,
                template="intent",
                steps=INTENT_STEPS,
                after_answer=FORM_SELECTED,
            ),
            BriefedNode(name=script.GATHER, template="gather", steps=(steps.GatherValuesThought,)),
            BriefedNode(
                name=script.VERIFY,
                template="verify",
                steps=(steps.VerifyValuesThought,),
                has_thoughts=True,
            ),
            BriefedNode(
                name=script.UPDATE, template="update", steps=UPDATE_STEPS, has_thoughts=True
            ),
            BriefedNode(name=script.PLAN, template="plan", steps=PLAN_STEPS, has_thoughts=True),
            BriefedNode(
                name=script.GENERATE,
                template="generate",
                steps=LAST_STEPS,
                has_thoughts=True,
                after_answer=FORM_SELECTED,
            ),
        ],
    )
