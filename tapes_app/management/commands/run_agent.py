"""Run an agent on a tape, or on a message, and wait for it to end."""

from typing import Any

from tapes_app.agents.domain.llm_parameters import REASONING_EFFORTS
from tapes_app.agents.services.gallery import find_or_add
from tapes_app.engine.errors import InvalidInputError
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.management import jobs, named
from tapes_app.management.arguments import one_of, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import RunRequest, ToolPolicies
from tapes_app.runs.services.starting import StartedRun, resume_tape, start_tape
from tapes_app.tapes.store.headers import load_header, load_outline


class Command(StudioCommand):
    help = "Run an agent of the project or the gallery and print the steps that it adds."

    arguments = (
        option("name", metavar="NAME", help="agent"),
        one_of(
            option("--tape", metavar="ID", help="tape to continue"),
            option("--message", metavar="TEXT", help="message that starts a new tape"),
            is_required=True,
        ),
        option("--at", metavar="N", type=int, help="keep only the first N steps"),
        option("--model", metavar="NAME", default="", help="model for all LLMs"),
        option(
            "--reasoning-effort",
            metavar="EFFORT",
            choices=REASONING_EFFORTS,
            help=f"reasoning effort of models that support it: {', '.join(REASONING_EFFORTS)}",
        ),
        option(
            "--emulate",
            metavar="TOOL",
            nargs="+",
            default=[],
            help="tools that a model or a script answers for, such as those that are gone",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        started = _start(person, options)
        job = jobs.finish(person, started.job_id, {*FINAL_STATES, "waiting", "paused"})
        outline = load_outline(started.tape_id, person.project_id)
        for row in outline:
            self.print_line(f"{row.position:4} {row.kind}: {row.gist}")
        errors = load_header(started.tape_id, person.project_id).error_count
        summary = f"Run {job.state}: tape {started.tape_id} has {count_of(len(outline), 'step')}"
        values = {
            "tape": str(started.tape_id),
            "job": str(job.id),
            "state": job.state,
            "message": job.message,
            "steps": len(outline),
            "errors": errors,
        }
        detail = f"; {job.message}" if job.message else "."
        is_done = job.state in {"succeeded", "waiting"}
        return Answer(f"{summary}{detail}", values, is_done=is_done)


def _start(person: Person, options: dict[str, Any]) -> StartedRun:
    version_id = find_or_add(person, options["name"]).id
    model_id = named.find_model(person, options["model"]) if options["model"] else None
    effort = options["reasoning_effort"]
    parameters = {"reasoning_effort": effort} if effort else {}
    request = RunRequest(
        agent_version_id=version_id,
        model_id=model_id,
        parameters=parameters,
        tools=ToolPolicies(by_tool=dict.fromkeys(options["emulate"], "emulate")),
    )
    if options["tape"] is None:
        if options["at"] is not None:
            raise InvalidInputError("--at needs --tape: a new tape has no steps to keep.")
        return start_tape(person, request, message=options["message"])
    tape_id = named.find_tape(person, options["tape"])
    return resume_tape(person, tape_id, request, at=options["at"])
