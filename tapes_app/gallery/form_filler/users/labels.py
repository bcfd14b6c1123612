"""What a simulated user did in a turn, kept with the message for judges and measurements."""

from pydantic import Field, JsonValue

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import Step

_KEY = "user_turn"


class TurnLabel(FrozenModel):
    """What a message says, in terms of the form."""

    behaviour: str
    form: str = ""
    """The form that is asked for."""

    values: dict[str, JsonValue] = Field(default_factory=dict)
    """The values that are given or changed, as the form stores them."""

    invalid: dict[str, str] = Field(default_factory=dict)
    """The values that a slot cannot take, as they are written."""

    skips: tuple[str, ...] = ()
    """The slots that are to be left out, whether that is allowed or not."""

    asks_about: str = ""
    """`forms`, `filled`, `missing`, `fact`, `option` or `advice`."""

    answer: str = ""
    """Words of the description that answer the question."""

    is_off_topic: bool = False
    confirms: bool | None = None
    """The answer to whether to submit the form or to leave."""


def with_label(step: Step, label: TurnLabel) -> Step:
    """Return a message with what it says; models never see that."""
    data = label.model_dump(mode="json", exclude_defaults=True)
    return step.with_metadata(other={**step.metadata.other, _KEY: data})


def read_label(step: Step) -> TurnLabel | None:
    """Return what a message says; `None` if nobody simulated it."""
    data = step.metadata.other.get(_KEY)
    return TurnLabel.model_validate(data) if isinstance(data, dict) else None
