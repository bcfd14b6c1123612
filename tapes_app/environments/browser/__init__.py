"""A web browser for agents: pages as trees with ids, and actions on them."""

from tapes_app.environments.browser.environment import BrowserEnvironment, BrowserSettings
from tapes_app.environments.browser.tools import BROWSER_TOOLS

__all__ = ["BROWSER_TOOLS", "BrowserEnvironment", "BrowserSettings"]
