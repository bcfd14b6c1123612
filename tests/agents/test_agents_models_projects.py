"""Tests of agents, models, projects and drafts."""

from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from pytest_django import DjangoAssertNumQueries

from tapes_app.agents.store import agents
from tapes_app.agents.store import llm_models as models
from tapes_app.editing.store import drafts
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.library.domain.tape_query.conditions import Match, TapeQuery
from tapes_app.library.store.lists import list_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.store import members, projects
from tapes_app.tapes.store import batches
from tapes_app.tapes.store.saving import save_tape
from tests.builders.tapes import make_tape

pytestmark = pytest.mark.django_db


def test_versions_are_numbered_and_the_same_spec_is_the_same_version(project_id: UUID) -> None:
    spec = AgentSpec(name="bot")
    first = agents.create_agent(project_id, spec)

    second = agents.add_version(first.agent_id, project_id, AgentSpec(name="bot", max_iterations=3))
    again = agents.add_version(first.agent_id, project_id, spec)

    assert (first.number, second.number, again.id) == (1, 2, first.id)
    row = agents.load_agent(first.agent_id, project_id)
    assert (row.latest_version, row.latest_version_id, row.version_count) == (2, second.id, 2)
    assert [v.number for v in agents.list_versions(row.id, project_id)] == [2, 1]
    assert AgentSpec.model_validate(agents.load_version(first.id, project_id).spec) == spec
    assert agents.ensure_version(project_id, spec).id == first.id


def test_an_agents_name_is_taken_once_in_a_project(
    project_id: UUID, other_project_id: UUID
) -> None:
    agents.create_agent(project_id, AgentSpec(name="bot"))
    agents.create_agent(other_project_id, AgentSpec(name="bot"))

    with pytest.raises(ConflictError):
        agents.create_agent(project_id, AgentSpec(name="bot"))


def test_agents_are_listed_with_their_versions_in_two_queries(
    project_id: UUID, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = [agents.create_agent(project_id, AgentSpec(name=name)) for name in ("a", "b", "c")]
    newer = AgentSpec(name="c", description="Newer.")
    agents.add_version(made[-1].agent_id, project_id, newer)

    with django_assert_num_queries(2):
        rows = agents.list_agents(project_id)

    numbers = {row.name: [one.number for one in row.numbered_versions] for row in rows}
    assert list(numbers.items()) == [("a", [1]), ("b", [1]), ("c", [2, 1])]


def test_agents_and_models_of_another_project_do_not_exist(
    project_id: UUID, other_project_id: UUID
) -> None:
    version = agents.create_agent(project_id, AgentSpec(name="bot"))
    model = models.create_model(project_id, name="m", litellm_model="x/y")

    for read in (
        lambda: agents.load_agent(version.agent_id, other_project_id),
        lambda: agents.load_version(version.id, other_project_id),
        lambda: agents.add_version(version.agent_id, other_project_id, AgentSpec(name="bot")),
        lambda: models.load_model(model.id, other_project_id),
        lambda: models.load_sealed_key(model.id, other_project_id),
        lambda: models.update_model(model.id, other_project_id, name="z"),
        lambda: models.delete_model(model.id, other_project_id),
    ):
        with pytest.raises(NotFoundError):
            read()
    assert agents.list_agents(other_project_id) == []
    assert agents.list_versions(version.agent_id, other_project_id) == []
    assert models.list_models(other_project_id) == []


def test_a_models_row_never_holds_its_key(project_id: UUID) -> None:
    model = models.create_model(
        project_id, name="m", litellm_model="x/y", input_price=3, sealed_key=b"sealed"
    )

    changed = models.update_model(model.id, project_id, output_price=5)

    assert changed.has_api_key
    assert "sealed" not in repr(changed)
    assert (changed.input_price, changed.output_price) == (3, 5)
    assert models.load_sealed_key(model.id, project_id) == b"sealed"
    assert not models.update_model(model.id, project_id, sealed_key=b"").has_api_key


def test_a_deleted_models_name_is_free_again(project_id: UUID) -> None:
    model = models.create_model(project_id, name="m", litellm_model="x/y")
    with pytest.raises(ConflictError):
        models.create_model(project_id, name="m", litellm_model="x/y")

    models.delete_model(model.id, project_id)

    assert models.create_model(project_id, name="m", litellm_model="x/z").id != model.id
    assert models.find_model("m", project_id) is not None


def test_the_default_project_belongs_to_whoever_asks_first(user: int) -> None:
    row = projects.ensure_default_project(user)

    assert projects.ensure_default_project(user) == row
    assert row.role == "owner"
    assert [one.id for one in projects.list_projects(user)] == [row.id]


def test_a_project_keeps_an_owner(project_id: UUID, user: int) -> None:
    friend = get_user_model().objects.create_user("bob").pk
    members.add_member(project_id, friend, "viewer")

    for leave in (
        lambda: members.change_role(project_id, user, "member"),
        lambda: members.remove_member(project_id, user),
    ):
        with pytest.raises(ConflictError):
            leave()
    members.change_role(project_id, friend, "owner")
    members.remove_member(project_id, user)
    assert [row.user_id for row in members.list_members(project_id, friend)] == [friend]


def test_a_draft_is_saved_by_version(project_id: UUID, user: int) -> None:
    tape_id = save_tape(project_id, make_tape(3))
    cut = {"op": "cut", "position": 1}
    assert drafts.load_draft(tape_id, project_id, person=user) is None

    one = drafts.save_draft(
        tape_id, project_id, person=user, operations=[cut], applied_count=1, version=0
    )
    undone = drafts.save_draft(
        tape_id, project_id, person=user, operations=[cut], applied_count=0, version=one.version
    )

    assert [d.applied_count for d in (one, undone)] == [1, 0]
    assert undone.operations == (cut,)
    for stale in (0, 1, 3):
        with pytest.raises(ConflictError):
            drafts.save_draft(
                tape_id, project_id, person=user, operations=[], applied_count=0, version=stale
            )
    with pytest.raises(InvalidInputError):
        drafts.save_draft(
            tape_id, project_id, person=user, operations=[], applied_count=1, version=2
        )
    drafts.delete_draft(tape_id, project_id, person=user)
    assert drafts.load_draft(tape_id, project_id, person=user) is None


def test_drafts_of_another_projects_tape_do_not_exist(
    project_id: UUID, other_project_id: UUID, user: int
) -> None:
    tape_id = save_tape(project_id, make_tape(3))

    with pytest.raises(NotFoundError):
        drafts.load_draft(tape_id, other_project_id, person=user)
    with pytest.raises(NotFoundError):
        drafts.delete_draft(tape_id, other_project_id, person=user)


@pytest.mark.parametrize("name", ["x" * 400, "a\x00b", "\ud800"])
def test_a_name_that_no_column_takes_is_refused(project_id: UUID, user: int, name: str) -> None:
    for write in (
        lambda: agents.create_agent(project_id, AgentSpec.model_construct(name=name)),
        lambda: models.create_model(project_id, name=name, litellm_model="x/y"),
        lambda: batches.ensure_batch(project_id, name),
        lambda: projects.create_project(name, owner=user),
    ):
        with pytest.raises(InvalidInputError):
            write()

    assert agents.find_agent(name, project_id) is None
    assert models.find_model(name, project_id) is None
    assert batches.find_batch(name, project_id) is None
    assert list_tapes(project_id, TapeFilter(query=TapeQuery(Match("agent", (name,))))).items == ()
