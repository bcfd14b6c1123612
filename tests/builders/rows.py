"""A person and two projects, by their ids: what tests below HTTP begin with."""

from uuid import UUID

import pytest
from django.contrib.auth import get_user_model

from tapes_app.projects.store.projects import create_project


@pytest.fixture
def user(db: None) -> int:
    return get_user_model().objects.create_user("ada").pk


@pytest.fixture
def project_id(user: int) -> UUID:
    return create_project("first", owner=user).id


@pytest.fixture
def other_project_id(user: int) -> UUID:
    return create_project("second", owner=user).id
