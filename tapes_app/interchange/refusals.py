"""The one way in which a file is refused: which file, where in it, and why."""

from tapes_app.engine.errors import ImportRefusedError

_SHOWN_NAME_LENGTH = 200


def refusal(
    file: str, reason: str, *, position: str = "", is_other: bool = False
) -> ImportRefusedError:
    """Return the error to raise. `reason` is a clause that never quotes what the file holds.

    `is_other` says that the file is sound, but no tape: in a folder of tapes that is not a mistake.
    """
    shown = file if len(file) <= _SHOWN_NAME_LENGTH else "…" + file[-_SHOWN_NAME_LENGTH:]
    where = f" ({position})" if position else ""
    return ImportRefusedError(
        f"{shown} cannot be imported: {reason}{where}.",
        file=shown,
        position=position,
        reason=reason,
        is_other=is_other,
    )


class FormatProblem(Exception):  # noqa: N818 - it never leaves the package
    """A reason and a position inside one file; the reader adds the file's name."""

    def __init__(self, reason: str, *, position: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


class NoTapeProblem(FormatProblem):
    """A sound file that holds something else than tapes."""
