"""Moments as people write them: a day, a time, or how long ago."""

import re
from datetime import UTC, datetime, timedelta

_AGO = re.compile(r"(\d{1,6})(min|h|d|w)", re.ASCII)
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?", re.ASCII)
_EARLIEST = datetime(1, 1, 2, tzinfo=UTC)


def is_moment(text: str) -> bool:
    """Tell whether a text is a moment: `2026-11-01`, `2026-11-01T08:30`, `7d`, `12h`, `30min`."""
    return read_moment(text, datetime(2026, 1, 1, tzinfo=UTC)) is not None


def read_moment(text: str, now: datetime) -> tuple[datetime, datetime] | None:
    """Return when a moment begins and ends; those of a day differ. `None`: it is not a moment."""
    text = text.strip()
    ago = _AGO.fullmatch(text)
    if ago is not None:
        try:
            moment = now - int(ago[1]) * _UNITS[ago[2]]
        except OverflowError:
            moment = _EARLIEST
        return moment, moment
    try:
        if _DAY.fullmatch(text):
            start = datetime.fromisoformat(text).replace(tzinfo=UTC)
            return start, start + timedelta(days=1)
        if _TIME.fullmatch(text):
            read = datetime.fromisoformat(text)
            moment = read if read.tzinfo is not None else read.replace(tzinfo=UTC)
            moment.astimezone(UTC)  # the first and last days overflow
            return moment, moment
    except (ValueError, OverflowError):
        return None
    return None
