"""Models behind an OpenAI-compatible server, read directly from its event stream.

A chunk costs a twentieth of what it costs through litellm, so one process can follow many local
models in parallel (docs/adr).
"""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx

from tapes_app.engine.errors import LLMError
from tapes_app.llms.addresses import find_place
from tapes_app.llms.event_stream import read_events
from tapes_app.llms.provider_errors import ProviderError
from tapes_app.llms.remote import Chunks, RemoteLLM

# litellm's prefixes for servers that speak exactly this protocol.
DIRECT_PREFIXES = frozenset({"openai", "custom_openai", "hosted_vllm", "llamafile", "lm_studio"})
_CONNECT_SECONDS = 10.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def can_ask_directly(litellm_model: str, base_url: str | None) -> bool:
    """Return whether a model needs no translation: it has an address and no own provider."""
    prefix, slash, _ = litellm_model.partition("/")
    return bool(base_url) and (not slash or prefix in DIRECT_PREFIXES)


class OpenAICompatibleLLM(RemoteLLM):
    """Streams chat completions over HTTP; one connection per request."""

    provider = "openai-compatible"

    @property
    def served_name(self) -> str:
        prefix, slash, rest = self.config.litellm_model.partition("/")
        return rest if slash and prefix in DIRECT_PREFIXES else self.config.litellm_model

    async def prepare(self) -> None:
        # Reading the certificates takes long enough to delay every stream.
        if not _ssl_context.cache_info().currsize:
            await asyncio.to_thread(_ssl_context)

    def token_fields(self) -> dict[str, Any]:
        # A field of vLLM's; servers that refuse it are called again without it.
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
                    yield self._check(json.loads(await response.aread()), response)
                    return
                async for chunk in self._read_events(response):
                    yield chunk
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise LLMError(
                f"The base URL of model {self.config.label!r} is not a web address; use one such "
                "as http://127.0.0.1:8000/v1."
            ) from None
        except (httpx.TransportError, OSError) as error:
            raise self.connection_error(str(error) or type(error).__name__) from None
        except ValueError as error:
            raise LLMError(
                f"Model {self.config.label!r} sent a response that is not JSON: "
                f"{self.clean(str(error))}; check that its base URL ends in /v1."
            ) from None

    async def _read_events(self, response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
        async for name, data in read_events(response.aiter_bytes()):
            is_bare_error = name == "error" and not (isinstance(data, dict) and "error" in data)
            yield self._check({"error": data} if is_bare_error else data, response)

    def _check(self, chunk: Any, response: httpx.Response) -> dict[str, Any]:
        """Return the chunk, unless it is really an error."""
        if not isinstance(chunk, dict):
            raise LLMError(
                f"Model {self.config.label!r} sent a chunk that is not a JSON object; check that "
                "its base URL ends in /v1."
            )
        error = ProviderError.read(chunk)
        if error is not None:
            raise self.provider_error(error, headers=response.headers)
        return chunk

    def _refusal(self, response: httpx.Response) -> LLMError:
        try:
            error = ProviderError.read(response.json())
        except ValueError:
            error = None
        return self.provider_error(
            error or ProviderError(response.text),
            http_status=response.status_code,
            headers=response.headers,
        )

    def _headers(self) -> dict[str, str]:
        key = self.config.api_key
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key.get_secret_value()}"
        return headers

    async def _address(self) -> tuple[httpx.URL, dict[str, str], dict[str, str]]:
        """Return where to send a request, with the host that it names there.

        Raises:
            AddressRefusedError: the address is inside the server's network.
        """
        base, allowed = (self.config.base_url or "").rstrip("/"), self.config.allowed_hosts
        url = httpx.URL(f"{base}/chat/completions")
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
        # A proxy from the environment cannot reach servers on this machine.
        return httpx.AsyncClient(
            timeout=timeout, verify=_ssl_context(), trust_env=host not in _LOOPBACK
        )


@cache
def _ssl_context() -> ssl.SSLContext:
    """Return the certificates to trust; loading them takes longer than a local request."""
    return httpx.create_ssl_context()
