"""What every test of imports starts from."""

from uuid import UUID

import pytest
from django.contrib.auth import get_user_model

from tapes_app.projects.store.projects import create_project


@pytest.fixture
def project(db: None) -> UUID:
    owner = get_user_model().objects.create_user("ada").pk
    return create_project("first", owner=owner).id
