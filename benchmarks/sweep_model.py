"""The model of the measured sweeps, as a plugin of the studio."""

from sweep_task import answer

from tapes_app.engine.model.llm import Prompt, scripts

NAME = "measured_sums"


@scripts.register(NAME)
def answer_sum(prompt: Prompt) -> str:
    return answer(prompt.messages[-1].text)
