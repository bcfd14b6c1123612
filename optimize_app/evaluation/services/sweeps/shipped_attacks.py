"""The attacks that ship with an agent, as a dataset of a project."""

from tapes_app.agents.store.agents import ensure_version
from tapes_app.bulk.store.datasets import find_dataset
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.errors import InvalidInputError
from tapes_app.exchange.domain.example_mapping import ExampleMapping
from tapes_app.exchange.services.example_files import KeptFile
from tapes_app.exchange.services.example_imports import ExampleImport, import_examples
from tapes_app.gallery.attack_files import find_attacks, list_attacked
from tapes_app.projects.services.people import Person

_COLUMNS = {
    "message": "input",
    "expected": "expected",
    "id": "id",
    "check": "pass_check",
    "state": "environment_state",
    "attack": "attack",
}


def ensure_attacks(person: Person, agent: str) -> str:
    """Return the name of the dataset with the attacks on an agent.

    The dataset is made and the agent is added to the project if necessary.

    Raises:
        InvalidInputError: no attacks on this agent ship with the studio.
    """
    path = find_attacks(agent)
    if path is None:
        raise InvalidInputError(
            f"No attacks on {agent!r} ship with the studio, only on {', '.join(list_attacked())}; "
            "import your own as a dataset and name it."
        )
    ensure_version(person.project_id, gallery_agents.get(agent)(), owner=person.user_id)
    name = f"red-team-{agent}"
    if find_dataset(name, person.project_id) is None:
        rows = path.read_text("utf-8")
        there = {part: column for part, column in _COLUMNS.items() if f'"{column}": ' in rows}
        mapping = ExampleMapping.model_validate(there)
        file = KeptFile(path=path, name=path.name)
        import_examples(person, file, ExampleImport(dataset=name, mapping=mapping))
    return name
