"""Re-exports the person's environment for modules written before `tapes_app.engine` exported it."""

from tapes_app.engine.environment.human import HumanEnvironment, StandInEnvironment

__all__ = ["HumanEnvironment", "StandInEnvironment"]
