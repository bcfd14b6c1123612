"""Python code of models, interpreted apart from the studio; its variables are on the tape."""

from tapes_app.environments.code.environment import RUN_CODE, CodeEnvironment, CodeSettings

__all__ = ["RUN_CODE", "CodeEnvironment", "CodeSettings"]
