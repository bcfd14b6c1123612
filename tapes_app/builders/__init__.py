"""Low-code ways to build agents from the engine: everything that a module of one's own needs."""

from tapes_app.builders.mono import MonoNode, build_mono_agent

__all__ = ["MonoNode", "build_mono_agent"]
