"""Server-sent events: lines as events. The format is in the HTML standard, section 9.2."""

import json

from tape_studio_client.values import Event


class EventReader:
    """Takes the lines of a stream one by one."""

    def __init__(self) -> None:
        self._id = ""
        self._type = ""
        self._data: list[str] = []

    def take(self, line: str) -> Event | None:
        """Return the event that ends with this line, if one does."""
        if not line:
            return self._finish()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self._id = value
        elif name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        return None

    def _finish(self) -> Event | None:
        lines, kind, self._data, self._type = self._data, self._type, [], ""
        if not lines:
            return None
        data = json.loads("\n".join(lines))
        return Event(int(self._id or data.get("seq", 0)), kind or str(data.get("type")), data)
