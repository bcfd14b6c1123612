"""What a run leaves on its tape at its end: the answer, and whether it is the expected one."""

from tapes_app.jobs.protocol import Event
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome
from tapes_app.tapes.store.outcomes import note_answer


async def note_answer_of_run(context: JobContext, outcome: Outcome) -> None:
    """Store the answer of a run that came to its end, or whose turn has finished.

    A run that broke, was stopped, needs approval or ran out of its budget has not answered yet.
    """
    tape_id = context.job.tape_id
    is_cut_off = (outcome.result or {}).get("status") == "budget"
    has_answered = outcome.hears_messages or (outcome.state == "succeeded" and not is_cut_off)
    if tape_id is None or not has_answered:
        return

    def keep() -> list[Event]:
        note_answer(tape_id, context.job.project_id)
        return []

    await context.commit(keep)
