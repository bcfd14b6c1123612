"""The worker of claim 4: adds steps with their calls to a live tape, as a run does."""

import asyncio
import json
import resource
import sys
from uuid import UUID

from harness import add_repository_to_path

add_repository_to_path()

PAUSE_SECONDS = 0.02
ANSWER = "The next thing to look at is the one after this."


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def grow(job_id: UUID, tape_id: UUID, project_id: UUID, start: int, count: int) -> float:
    from tapes_app.engine.frozen_model import new_id
    from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt, Usage
    from tapes_app.engine.model.messages import Message
    from tapes_app.engine.tape.dialog_steps import AssistantThought
    from tapes_app.engine.tape.steps import StepMetadata
    from tapes_app.jobs.store.events import Claim, EventWriter, Work
    from tapes_app.runs.services.store_node import RunStore, describe_end

    writer, claim = EventWriter(), Claim(job_id, 1)

    async def commit(work: Work) -> None:
        await asyncio.wrap_future(writer.commit(claim, work))

    store = RunStore(
        commit, tape_id=tape_id, project_id=project_id, owner_id=None, step_count=start
    )
    used = 0.0
    for number in range(count):
        prompt = Prompt(messages=(Message(role="user", content=f"Look at {number}."),))
        metadata = StepMetadata(id=new_id(), agent="looper", node="loop", prompt_id=prompt.id)
        step = AssistantThought(content=ANSWER, metadata=metadata)
        call = LLMCall(
            prompt=prompt,
            output=LLMOutput(content=ANSWER),
            usage=Usage(input_tokens=10, output_tokens=10),
            llm={"model_name": "instant"},
        )
        before = cpu_seconds()
        ended = describe_end("looper", "loop", prompt.id, call, "")
        await store.add([step], call, ended=ended)
        used += cpu_seconds() - before
        await asyncio.sleep(PAUSE_SECONDS)
    writer.close()
    return used


def main() -> None:
    job_id, tape_id, project_id = (UUID(text) for text in sys.argv[1:4])
    start, count = int(sys.argv[4]), int(sys.argv[5])
    import django

    django.setup()
    used = asyncio.run(grow(job_id, tape_id, project_id, start, count))
    print(json.dumps({"cpu_seconds": used}))


if __name__ == "__main__":
    main()
