"""Where modules written before `tapes_app.engine` had a public door find the person."""

from tapes_app.engine.human import HumanEnvironment, StandInEnvironment

__all__ = ["HumanEnvironment", "StandInEnvironment"]
