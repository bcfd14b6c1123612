"""The error tree: everything that a caller may catch or a person may see."""

from typing import Any, ClassVar


class StudioError(Exception):
    """Base of every error a caller may catch or a person may see.

    `code` is stable: the API, the websocket and the front end switch on it. `status` is the
    HTTP status of the response. The message is one sentence that says what would work.
    Subclasses add class attributes, never an `__init__`, so that errors survive pickling
    between worker processes.
    """

    code: ClassVar[str] = "studio_error"
    status: ClassVar[int] = 400

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.details = details

    @property
    def message(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild_error, (type(self), self.message, self.details))


def _rebuild_error(cls: type[StudioError], message: str, details: dict[str, Any]) -> StudioError:
    return cls(message, **details)


class NotFoundError(StudioError):
    """A row, file or name does not exist, or is not visible to the caller."""

    code = "not_found"
    status = 404


class ConflictError(StudioError):
    """The resource changed in the meantime, or its state does not allow the request."""

    code = "conflict"
    status = 409


class ArchivedError(ConflictError):
    """The tape is archived, and read-only until it is restored."""

    code = "archived"


class TapeGrownError(ConflictError):
    """The tape has grown since the draft was started, and its author has not seen the new steps."""

    code = "tape_grown"


class InvalidInputError(StudioError):
    """The input cannot be used; the message names the part and the reason."""

    code = "invalid_input"
    status = 422


class NotAllowedError(StudioError):
    """The caller may see the resource, but not do this to it."""

    code = "not_allowed"
    status = 403


class StepError(InvalidInputError):
    """A step does not fit its kind's schema, or its kind cannot be registered."""

    code = "step_invalid"


class TapeRangeError(InvalidInputError):
    """A position lies outside the tape."""

    code = "tape_range"


class EditError(InvalidInputError):
    """An edit operation cannot be applied to the tape."""

    code = "edit_invalid"


class TransformError(EditError):
    """A transform cannot be done on this tape."""

    code = "transform_failed"


class AgentConfigError(InvalidInputError):
    """An agent is assembled in a way that cannot work."""

    code = "agent_config"


class AgentRunError(StudioError):
    """An agent could not take its next step."""

    code = "agent_run"
    status = 409


class EndlessTurnError(AgentRunError):
    """An agent ran as many nodes as a turn allows, and none produced an action."""

    code = "loop_limit"


class UnreadableAnswerError(AgentRunError):
    """A node could not read its model's answer, several times in a row."""

    code = "answer_unreadable"


class NodeStepError(AgentRunError):
    """A node yielded something that is not an agent step, or not a step at all."""

    code = "node_step"


class AgentCodeError(AgentRunError):
    """An agent's code failed; `details["frames"]` holds the last lines of it that ran."""

    code = "agent_code"


class NodeNotFoundError(AgentRunError):
    """The next node does not exist or the last node has already run."""

    code = "node_not_found"


class AgentNotFoundError(AgentRunError):
    """A `Call` or a path names an agent that is not part of the team."""

    code = "agent_not_found"


class DelegationError(AgentRunError):
    """A `Respond` has no caller to respond to."""

    code = "delegation"


class LLMError(StudioError):
    """A model call failed. `is_transient` says whether retrying may help."""

    code = "llm_error"
    status = 502
    is_transient: ClassVar[bool] = False


class LLMTransientError(LLMError):
    """Rate limit, timeout or connection: retrying may help."""

    code = "llm_transient"
    is_transient = True


class LLMDeadlineError(LLMError):
    """The call did not finish before its deadline."""

    code = "llm_deadline"
    status = 504


class CallRefusedError(LLMError):
    """A call was not sent, because it does not fit the budget; what was done until then is kept."""

    code = "call_refused"
    status = 409


class RecordedCallMissingError(LLMError):
    """No recorded call answers this prompt; `details` holds a diff with the nearest one."""

    code = "recorded_call_missing"
    status = 409


class ReuseError(StudioError):
    """Steps rebuilt from a tape differ from the tape's; `details` holds the partial result."""

    code = "reuse_mismatch"
    status = 409


class TrainingTextError(StudioError):
    """A tape cannot be turned into training text; the message gives the step and the reason."""

    code = "training_text"
    status = 409


class ImportRefusedError(InvalidInputError):
    """A file cannot be imported; `details` holds file, position and reason."""

    code = "import_refused"
