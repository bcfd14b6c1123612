"""Permanently remove a model's key."""

from typing import Any

from tapes_app.agents.services.llm_models import describe_retired, retire_key
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.management.named import find_model
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.operator_log import log_action


class Command(StudioCommand):
    help = (
        "Remove the key of a model from the database; runs with it are refused until it is given a "
        "new one."
    )

    arguments = (option("model", metavar="MODEL", help="name of the model"),)

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        row = retire_key(find_model(person, options["model"]), person.project_id)
        message = describe_retired(row)
        log_action(person.user_id, f"LLM model {row.name} of {person.project}", message)
        return Answer(message, {"model": row.name, "variable": row.api_key_env})
