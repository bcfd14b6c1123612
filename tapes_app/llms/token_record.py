"""Gathering the tokens of an answer from the places where servers put them in a stream."""

from typing import Any

from pydantic import ValidationError

from tapes_app.engine.call_tokens import CallTokens


class TokenRecord:
    """Takes chunks of chat completions: `logprobs` of OpenAI, token ids as vLLM adds them.

    Masks are a field of the studio's own server.
    """

    def __init__(self) -> None:
        self._prompt_ids: list[Any] | None = None
        self._ids: list[Any] = []
        self._texts: list[Any] = []
        self._logprobs: list[Any] = []
        self._masks: list[Any] = []

    def add(self, chunk: dict[str, Any], choice: dict[str, Any]) -> None:
        # vLLM gives the prompt's ids once; other servers put them beside the choice.
        for holder in (chunk, choice):
            given = holder.get("prompt_token_ids")
            if self._prompt_ids is None and isinstance(given, list):
                self._prompt_ids = given
        ids = choice.get("token_ids")
        self._ids += ids if isinstance(ids, list) else []
        masks = choice.get("token_masks")
        self._masks += masks if isinstance(masks, list) else []
        told = choice.get("logprobs")
        content = told.get("content") if isinstance(told, dict) else None
        for token in content if isinstance(content, list) else ():
            if isinstance(token, dict):
                self._texts.append(token.get("token"))
                self._logprobs.append(token.get("logprob"))

    def build(self) -> CallTokens | None:
        """Return what came; `None` where nothing did, or what came is none."""
        try:
            found = CallTokens(
                prompt_ids=None if self._prompt_ids is None else tuple(self._prompt_ids),
                ids=tuple(self._ids) or None,
                texts=tuple(self._texts) or None,
                logprobs=tuple(self._logprobs) or None,
                masks=tuple(self._masks) if any(self._masks) else None,
            )
        except ValidationError:  # a server's own idea of tokens spoils no answer
            return None
        return found or None
