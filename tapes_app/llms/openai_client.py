"""Models behind an OpenAI-compatible server, read straight from its event stream.

A chunk costs a twentieth of what it costs through litellm, so one process can follow many
local models at once (docs/adr).
"""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx

from tapes_app.engine.errors import LLMError, LLMTransientError
from tapes_app.llms.addresses import find_place
from tapes_app.llms.remote import Chunks, RemoteLLM

# litellm's prefixes for servers that speak exactly this protocol.
DIRECT_PREFIXES = frozenset({"openai", "custom_openai", "hosted_vllm", "llamafile", "lm_studio"})
_CONNECT_SECONDS = 10.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_LONGEST_LINE = 16 * 1024 * 1024


def can_ask_directly(litellm_model: str, base_url: str | None) -> bool:
    """Tell whether a model needs no translation: an address, and no provider of its own."""
    prefix, slash, _ = litellm_model.partition("/")
    return bool(base_url) and (not slash or prefix in DIRECT_PREFIXES)


class OpenAICompatibleLLM(RemoteLLM):
    """Streams chat completions over HTTP; one connection for each request."""

    provider = "openai-compatible"

    @property
    def served_name(self) -> str:
        prefix, slash, rest = self.config.litellm_model.partition("/")
        return rest if slash and prefix in DIRECT_PREFIXES else self.config.litellm_model

    async def prepare(self) -> None:
        # Reading the certificates takes long enough to hold up everybody's streams.
        if not _ssl_context.cache_info().currsize:
            await asyncio.to_thread(_ssl_context)

    def token_fields(self) -> dict[str, Any]:
        # vLLM's field; a server that refuses it is asked without.
        masks = {"return_token_masks": True} if self.config.record_masks else {}
        return {**super().token_fields(), "return_token_ids": True, **masks}

    async def open_chunks(self, body: dict[str, Any]) -> Chunks:
        try:
            url, headers, extensions = await self._address()
            async with (
                self._open_client() as client,
                client.stream(
                    "POST",
                    url,
                    # ASCII, because tape text may hold lone surrogates, which UTF-8 cannot carry.
                    content=json.dumps(body, ensure_ascii=True).encode(),
                    headers={**self._headers(), **headers},
                    extensions=extensions,
                ) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    await response.aread()
                    raise self._refusal(response)
                await self.heed_limits(response.headers)
                if response.headers.get("content-type", "").startswith("application/json"):
                    yield self._check(json.loads(await response.aread()))
                    return
                async for chunk in self._read_events(response):
                    yield chunk
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise self._bad_url() from None
        except (httpx.TransportError, OSError) as error:
            raise self.connection_error(str(error) or type(error).__name__) from None
        except ValueError as error:
            raise LLMError(
                f"Model {self.config.label!r} sent a response that is not JSON: "
                f"{self.clean(str(error))}; check that its base URL ends in /v1."
            ) from None

    async def _read_events(self, response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
        async for line in _lines(response):
            text = line[5:].strip() if line.startswith(b"data:") else b""
            if text == b"[DONE]":
                return
            if text:  # an empty one keeps the connection alive
                yield self._check(json.loads(text))

    def _check(self, chunk: Any) -> dict[str, Any]:
        """Return the chunk, unless it is an error in disguise."""
        if not isinstance(chunk, dict):
            raise LLMError(
                f"Model {self.config.label!r} sent a chunk that is not a JSON object; check that "
                "its base URL ends in /v1."
            )
        error = chunk.get("error")
        if error:
            fields = error if isinstance(error, dict) else {"message": error}
            code = fields.get("code")
            status = code if isinstance(code, int) else 500
            raise self.status_error(
                status, str(fields.get("message") or error), code=_code_of(fields)
            )
        return chunk

    def _refusal(self, response: httpx.Response) -> LLMError:
        reason, code = response.text, ""
        try:
            error = response.json()["error"]
            code = _code_of(error) if isinstance(error, dict) else ""
            reason = error["message"] if isinstance(error, dict) else str(error)
        except (ValueError, KeyError, TypeError):
            pass
        return self.status_error(
            response.status_code, str(reason), code=code, headers=response.headers
        )

    def _headers(self) -> dict[str, str]:
        key = self.config.api_key
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key.get_secret_value()}"
        return headers

    def _url(self) -> str:
        return f"{(self.config.base_url or '').rstrip('/')}/chat/completions"

    async def _address(self) -> tuple[httpx.URL, dict[str, str], dict[str, str]]:
        """Return where to send a request, with the host that it names there.

        Raises:
            AddressRefusedError: the address is inside the server's network.
        """
        url, allowed = httpx.URL(self._url()), self.config.allowed_hosts
        place = await find_place(str(url), allowed) if allowed is not None else None
        if place is None:
            return url, {}, {}
        return (
            url.copy_with(host=place.address),
            {"Host": place.netloc},
            {"sni_hostname": place.host},
        )

    def _open_client(self) -> httpx.AsyncClient:
        host = urlsplit(self.config.base_url or "").hostname or ""
        timeout = httpx.Timeout(self.config.silence_seconds, connect=_CONNECT_SECONDS)
        # A proxy of the environment cannot reach this machine's own servers.
        return httpx.AsyncClient(
            timeout=timeout, verify=_ssl_context(), trust_env=host not in _LOOPBACK
        )

    def _bad_url(self) -> LLMError:
        return LLMError(
            f"The base URL of model {self.config.label!r} is not a web address; use one such as "
            "http://127.0.0.1:8000/v1."
        )


def _code_of(error: dict[str, Any]) -> str:
    """Return what a provider calls an error; OpenAI says it in `code`, others in `type`."""
    return f"{error.get('code')} {error.get('type')}"


async def _lines(response: httpx.Response) -> AsyncIterator[bytes]:
    """Cut the body at line feeds only: JSON text may hold other line separators.

    The pieces of a line are joined once, at its end: a long line takes linear time.
    """
    pieces: list[bytes] = []
    size = 0
    async for piece in response.aiter_bytes():
        first, *others = piece.split(b"\n")
        pieces.append(first)
        size += len(first)
        if others:
            yield b"".join(pieces)
            *lines, last = others
            for line in lines:
                yield line
            pieces, size = [last], len(last)
        if size > _LONGEST_LINE:
            raise LLMTransientError(
                "The model sent a line longer than 16 MiB, which is not a valid response."
            )
    if size:
        yield b"".join(pieces)


@cache
def _ssl_context() -> ssl.SSLContext:
    """Return the certificates to trust; loading them takes longer than a local request."""
    return httpx.create_ssl_context()
