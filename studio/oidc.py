"""The OpenID provider that people may sign in with: where to send them, what it says of them."""

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
_LONGEST_SUBJECT = 255  # says the standard
_LOG = logging.getLogger("studio.oidc")
# What the library raises when a provider says what it must not, each for another part of it.
_NONSENSE = (AuthlibBaseError, JoseError, RuntimeError, TypeError, KeyError, ValueError)


class ProviderError(StudioError):
    """The provider does not answer, or not as a provider must."""

    code = "provider"
    status = 502


class StaleSignInError(StudioError):
    """An answer of the provider to something that this browser has not asked, or long ago."""

    code = "stale_sign_in"
    status = 400


def is_configured() -> bool:
    return bool(settings.STUDIO_OIDC_ISSUER)


def send_to_provider(request: HttpRequest, back_to: str) -> HttpResponse:
    """Return the redirect to the provider; state, nonce and verifier go into the session.

    Raises:
        ProviderError: it does not answer, or is another than the one in the settings.
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
    """Return who the provider says has come back; code, signature, issuer and nonce are checked.

    Raises:
        NotAllowedError: the provider or the person said no.
        StaleSignInError: this browser has not asked for it, or too long ago.
        ProviderError: it does not answer, or its answer cannot be checked.
    """
    client = _client()
    if request.GET.get("error"):
        raise NotAllowedError(f"{settings.STUDIO_OIDC_NAME} did not sign you in; try again.")
    try:
        token = client.authorize_access_token(request)
        told = token["userinfo"]
        if "email" not in told:
            more = client.userinfo(token=token)
            if more.get("sub") != told["sub"]:  # OpenID Connect Core 5.3.2
                raise ValueError("the provider's two answers are of two people")
            told = {**more, **told}
        return _claims_of(told)
    except MismatchingStateError as error:
        raise StaleSignInError(
            "This sign-in was begun in another browser or too long ago; begin it again."
        ) from error
    except requests.RequestException as error:
        raise _unreachable(error) from error
    except _NONSENSE as error:
        raise _nonsense(error) from error


def _claims_of(told: Any) -> Claims:
    subject = str(told["sub"])
    email = told.get("email") if told.get("email_verified") is True else ""
    name = told.get("preferred_username") or str(told.get("email") or "").partition("@")[0]
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
    """Return the library's client, which keeps what the provider says of itself."""
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
        "this studio, whose log says why."
    )
