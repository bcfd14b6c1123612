"""The parameters that a call of an LLM model may have besides its prompt."""

import re
from collections.abc import Mapping
from typing import Any

from tapes_app.engine.errors import InvalidInputError

MAX_PACE = 60
REASONING_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
_SECRET_PARAMETER = re.compile(
    r"api_?key|secret|passw|credential|authorization|headers|api_base|_token$"
    # These redirect a call, or use the credentials of the machine.
    r"|url|endpoint|^aws_|^vertex_|^custom_llm|fallback|callback|proxy|^client$|^model_list$|^litellm_",
    re.IGNORECASE,
)


def check_parameters(parameters: Mapping[str, Any]) -> None:
    """Refuse anything that must not be among the parameters of a model or an agent's LLM.

    Raises:
        InvalidInputError: there is a key or an address, which every recorded call would show, or a
            pace that is not a number.
    """
    for name in parameters:
        if _SECRET_PARAMETER.search(name):
            raise InvalidInputError(
                f"Parameter {name!r} is not allowed: parameters are recorded with every call. "
                "Use the separate fields for the key and the base URL; parameters that redirect "
                "a call do not belong here.",
                field="parameters",
            )
    pace = parameters.get("delay_seconds", 0)
    if isinstance(pace, bool) or not isinstance(pace, int | float) or not 0 <= pace <= MAX_PACE:
        raise InvalidInputError(
            f"delay_seconds must be a number of at most {MAX_PACE}.", field="parameters"
        )
