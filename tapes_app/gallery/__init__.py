"""Agents that ship with the studio, one folder each. Importing this registers them."""

from tapes_app.gallery.analyst import agent as analyst
from tapes_app.gallery.chat import agent as chat
from tapes_app.gallery.continuation import agent as continuation
from tapes_app.gallery.data_science import agent as data_science
from tapes_app.gallery.form_filler import agent as form_filler
from tapes_app.gallery.judge import agent as judge
from tapes_app.gallery.math import agent as math
from tapes_app.gallery.orders import agent as orders
from tapes_app.gallery.questions import agent as questions
from tapes_app.gallery.retrieval import agent as retrieval

__all__ = [
    "analyst",
    "chat",
    "continuation",
    "data_science",
    "form_filler",
    "judge",
    "math",
    "orders",
    "questions",
    "retrieval",
]
