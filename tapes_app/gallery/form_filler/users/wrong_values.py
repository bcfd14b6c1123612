"""Values that a slot cannot take, as users may write them."""

from collections.abc import Mapping

from tapes_app.gallery.form_filler.users.held_out_phrases import HELD_OUT
from tapes_app.gallery.form_filler.users.situations import Situation

_Values = Mapping[str, tuple[str, ...]]

_TRAIN: _Values = {
    "categorical": (
        "purple velvet",
        "royal suite",
        "moon rocket",
        "double rainbow",
        "golden parachute",
    ),
    "date": ("31 February 2027", "2026-13-05", "31 June 2026", "2027-02-30", "40 May 2026"),
    "time": ("25:70", "26:10", "31 pm", "12:99"),
    "email": ("{name} at {domain}", "{name}@", "{name}.{domain}", "@{name}"),
    "url": ("htp:/{name}", "www dot {name} dot example", "http://", "{name} slash page"),
}
_HELD_OUT: _Values = {
    "categorical": ("turbo deluxe", "yellow submarine", "imperial throne", "triple whammy"),
    "date": ("30 February 2026", "2027-04-31", "45 March 2026", "2026-00-17", "31 Sept 2027"),
    "time": ("27:99", "24:85", "44 am", "18:75"),
    "email": ("{name}(at){domain}", "{name}@@{domain}", "{domain}", "{name}@nowhere"),
    "url": ("ttp//{name}", "{name} dot example", "https://{name}", "http//{domain}"),
}


def draw_wrong_value(slot_type: str, now: Situation) -> str:
    """Return a value that no slot of this type takes."""
    values = _HELD_OUT if now.phrases is HELD_OUT else _TRAIN
    words = now.goal.company.words
    template = now.chance.choice(values[slot_type])
    return template.format(name=now.chance.choice(words.names), domain=words.domain)
