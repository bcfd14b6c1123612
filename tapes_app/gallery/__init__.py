"""Agents that ship with the studio, one folder each. Importing this registers them."""

from tapes_app.gallery.analyst import agent as analyst
from tapes_app.gallery.briefing import agent as briefing
from tapes_app.gallery.chat import agent as chat
from tapes_app.gallery.continuation import agent as continuation
from tapes_app.gallery.data_science import agent as data_science
from tapes_app.gallery.form_filler import agent as form_filler
from tapes_app.gallery.form_filler.making import agent as form_maker
from tapes_app.gallery.improver import agent as improver
from tapes_app.gallery.judge import agent as judge
from tapes_app.gallery.judge import script as judge_script
from tapes_app.gallery.math import agent as math
from tapes_app.gallery.orders import agent as orders
from tapes_app.gallery.questions import agent as questions
from tapes_app.gallery.retrieval import agent as retrieval
from tapes_app.gallery.web_tasks import agent as web_tasks

__all__ = [
    "analyst",
    "briefing",
    "chat",
    "continuation",
    "data_science",
    "form_filler",
    "form_maker",
    "improver",
    "judge",
    "judge_script",
    "math",
    "orders",
    "questions",
    "retrieval",
    "web_tasks",
]
