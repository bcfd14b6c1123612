"""Decoding token ids with the tokenizer of a base model, without torch."""

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

from tapes_app.engine.errors import InvalidInputError

_FILE = "tokenizer.json"


class TokenReader:
    """Decodes tokens as the tokenizer in a folder does.

    Raises:
        InvalidInputError: there is no tokenizer, or it cannot be read.
    """

    def __init__(self, base: str, folder: Path) -> None:
        self.base = base
        try:
            self._tokenizer = Tokenizer.from_buffer((folder / _FILE).read_bytes())
        except FileNotFoundError as error:
            raise InvalidInputError(
                f"{base} has no {_FILE}, so recorded tokens cannot be checked against it. Make "
                "the set without a base, from text.",
                base=base,
            ) from error
        except Exception as error:
            raise InvalidInputError(
                f"The tokenizer of {base} cannot be read: {error}", base=base
            ) from error
        self._size = self._tokenizer.get_vocab_size(with_added_tokens=True)

    def read(self, ids: Sequence[int]) -> str | None:
        """Return the text of tokens, including the special ones; `None`: some are not its own."""
        if max(ids) >= self._size:
            return None
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=False))
