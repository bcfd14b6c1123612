"""Chats as tokens for the model: exactly those that training used."""

from typing import Any

from optimize_app.finetune.trainer.encoding import tokenize
from optimize_app.finetune.trainer.rendering import leaves_tools_out, write_prompt
from optimize_app.serving.server.errors import ContextLengthError, RequestError
from optimize_app.serving.server.requests import ChatRequest


class PromptWriter:
    """Writes prompts with the chat template of one tokenizer, for one thread at a time."""

    def __init__(self, tokenizer: Any, max_context: int) -> None:
        self._tokenizer = tokenizer
        self._max_context = max_context

    def write(self, request: ChatRequest) -> tuple[int, ...]:
        """Return the tokens of a prompt.

        Raises:
            RequestError: the template cannot write this chat, or does not support tools.
            ContextLengthError: no room is left for an answer.
        """
        try:
            text = write_prompt(self._tokenizer, request.messages, request.tools)
            untold = leaves_tools_out(self._tokenizer, request.messages, request.tools, text)
        except Exception as error:
            raise RequestError(
                f"The chat template of this model cannot write these messages: {error}",
                param="messages",
            ) from error
        if untold:
            raise RequestError(
                "The chat template of this model does not support tools; describe them in a "
                "message, or choose a base model whose template does.",
                param="tools",
            )
        ids = tuple(tokenize(text, self._tokenizer))
        if not ids:
            raise RequestError("The prompt is empty.", param="messages")
        if len(ids) >= self._max_context:
            raise ContextLengthError(
                f"The prompt has {len(ids):,} tokens and leaves no room for an answer; this model "
                f"reads {self._max_context:,} tokens with its answer. Shorten the messages.",
                param="messages",
            )
        return ids

    def limit(self, request: ChatRequest, prompt: tuple[int, ...]) -> int:
        """Return the maximum length of the answer in tokens, at most what the context has left."""
        room = self._max_context - len(prompt)
        return min(request.token_limit or room, room)
