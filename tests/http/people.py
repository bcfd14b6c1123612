"""A studio with people in it: an owner, a viewer, and a project that neither may see."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.models import MembershipRecord, ProjectRecord
from tests.http.worlds import World, fill_project


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("ada", password="x")


@pytest.fixture
def project(owner: User) -> ProjectRecord:
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=owner, role="owner")
    return project


@pytest.fixture
def studio(owner: User, project: ProjectRecord) -> Client:
    """A browser in which the owner of the project is signed in."""
    client = Client()
    client.force_login(owner)
    return client


@pytest.fixture
def viewer(project: ProjectRecord) -> Client:
    user = User.objects.create_user("vera", password="x")
    MembershipRecord.objects.create(project=project, user=user, role="viewer")
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def world(project: ProjectRecord, owner: User) -> World:
    """One row of each kind in the owner's project."""
    return fill_project(project.id, owner.pk)


@pytest.fixture
def elsewhere(db: None) -> World:
    """One row of each kind in somebody else's project."""
    stranger = User.objects.create_user("sam", password="x")
    project = ProjectRecord.objects.create(name="Theirs")
    MembershipRecord.objects.create(project=project, user=stranger, role="owner")
    return fill_project(project.id, stranger.pk)
