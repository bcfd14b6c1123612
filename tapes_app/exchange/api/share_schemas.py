"""What is handed out to be run or read elsewhere."""

from tapes_app.projects.api.bodies import Out


class SnippetOut(Out):
    """A command or a program as text; it reads its key from the environment."""

    text: str
