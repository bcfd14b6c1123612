"""What is handed out to be run or read elsewhere."""

from ninja import Schema


class SnippetOut(Schema):
    """A command or a program as text; it reads its key from the environment."""

    text: str
