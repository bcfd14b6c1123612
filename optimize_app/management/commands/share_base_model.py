"""Publish a base model of this machine, so that workers on other machines find it."""

from typing import Any

from optimize_app import shared_bases as bases
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management.arguments import NAME
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Publish a base model of this machine in the store of STUDIO_ARTEFACTS, so that workers "
        "on other machines find it."
    )

    arguments = (NAME,)

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        name = options["name"]
        if name not in {base.name for base in bases.list_bases()}:
            raise InvalidInputError(f"There is no base model {name!r} on this machine.")
        bases.share_base(name)
        return Answer(f"Workers on other machines find {name}.", {"base": name})
