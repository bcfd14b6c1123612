"""The OpenID provider that people may sign in with: redirects to it, and reading its answers."""

import logging
from functools import cache
from typing import Any

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.base_client import MismatchingStateError
from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from joserfc.errors import JoseError

from tapes_app.engine.errors import NotAllowedError, StudioError
from tapes_app.projects.services.identities import Claims

_TIMEOUT_SECONDS = 10
_LONGEST_SUBJECT = 255  # by the standard
_LOG = logging.getLogger("studio.oidc")
# The library's errors for invalid answers of a provider, one for each part of them.
_NONSENSE = (AuthlibBaseError, JoseError, RuntimeError, TypeError, KeyError, ValueError)


class ProviderError(StudioError):
    """The provider does not answer, or not as a provider must."""

    code = "provider"
    status = 502


class StaleSignInError(StudioError):
    """A provider's answer to a request that this browser did not make, or made too long ago."""

    code = "stale_sign_in"
    status = 400


def is_configured() -> bool:
    return bool(settings.STUDIO_OIDC_ISSUER)


def send_to_provider(request: HttpRequest, back_to: str) -> HttpResponse:
    """Return the redirect to the provider; state, nonce and verifier are stored in the session.

    Raises:
        ProviderError: it does not answer, or is not the one in the settings.
    """
    client = _client()
    try:
        metadata = client.load_server_metadata()
        if metadata.get("issuer", "").rstrip("/") != settings.STUDIO_OIDC_ISSUER:
            raise ValueError("STUDIO_OIDC_ISSUER is not the issuer that the provider names")
        answer: HttpResponse = client.authorize_redirect(request, back_to)
    except requests.RequestException as error:
        raise _unreachable(error) from error
    except _NONSENSE as error:
        raise _nonsense(error) from error
    return answer


def read_answer(request: HttpRequest) -> Claims:
    """Return the provider's claims about a person; checks code, signature, issuer and nonce.

    Raises:
        NotAllowedError: the provider or the person refused.
        StaleSignInError: this browser did not ask for it, or too long ago.
        ProviderError: it does not answer, or its answer cannot be checked.
    """
    client = _client()
    if request.GET.get("error"):
        raise NotAllowedError(f"{settings.STUDIO_OIDC_NAME} did not sign you in; try again.")
    try:
        token = client.authorize_access_token(request)
        info = token["userinfo"]
        if "email" not in info:
            more = client.userinfo(token=token)
            if more.get("sub") != info["sub"]:  # OpenID Connect Core 5.3.2
                raise ValueError("the provider's two answers are about two people")
            info = {**more, **info}
        return _claims_of(info)
    except MismatchingStateError as error:
        raise StaleSignInError(
            "This sign-in was started in another browser or too long ago; start it again."
        ) from error
    except requests.RequestException as error:
        raise _unreachable(error) from error
    except _NONSENSE as error:
        raise _nonsense(error) from error


def _claims_of(info: Any) -> Claims:
    subject = str(info["sub"])
    email = info.get("email") if info.get("email_verified") is True else ""
    name = info.get("preferred_username") or str(info.get("email") or "").partition("@")[0]
    issuer = settings.STUDIO_OIDC_ISSUER
    if not 0 < len(subject) <= _LONGEST_SUBJECT:
        raise ValueError("the subject is empty or too long")
    return Claims(issuer, subject, str(email or "")[:254], str(name)[:150])


def _client() -> Any:
    return _build_client(
        settings.STUDIO_OIDC_ISSUER,
        settings.STUDIO_OIDC_CLIENT_ID,
        settings.STUDIO_OIDC_CLIENT_SECRET,
    )


@cache
def _build_client(issuer: str, client_id: str, secret: str) -> Any:
    """Return the library's client, which caches the provider's metadata."""
    return OAuth().register(
        "provider",
        client_id=client_id,
        client_secret=secret,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "default_timeout": _TIMEOUT_SECONDS,
        },
    )


def _unreachable(error: Exception) -> ProviderError:
    _LOG.warning("The OpenID provider does not answer: %s", error)
    return ProviderError(f"{settings.STUDIO_OIDC_NAME} does not answer; try again in a while.")


def _nonsense(error: Exception) -> ProviderError:
    _LOG.warning("The OpenID provider's answer cannot be used: %s: %s", type(error).__name__, error)
    return ProviderError(
        f"The answer of {settings.STUDIO_OIDC_NAME} could not be checked; tell the operator of "
        "this studio, whose log has the reason."
    )
