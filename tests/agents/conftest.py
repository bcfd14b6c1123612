"""What tests of agents share."""

from tests.llms.conftest import model_server

__all__ = ["model_server"]
