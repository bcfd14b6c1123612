"""Why a server cannot start or a request is refused; each message states what would work."""

from tapes_app.engine.errors import InvalidInputError, StudioError


class ServerFolderError(InvalidInputError):
    """The server folder lacks a file, or holds one that cannot be read."""

    code = "server_folder"


class RequestError(StudioError):
    """A request asks for something this server does not do; `details["param"]` names the field."""

    code = "invalid_request"
    status = 400


class ContextLengthError(RequestError):
    """The prompt leaves no room for an answer."""

    code = "context_length_exceeded"


class GrammarError(RequestError):
    """The required form of an answer cannot be compiled, or became too large to follow."""

    code = "grammar"


class AdapterError(RequestError):
    """An adapter's folder exists but cannot be served."""

    code = "adapter"


class KeyRefusedError(StudioError):
    """The request has no key, or a wrong one."""

    code = "invalid_api_key"
    status = 401


class UnknownModelError(StudioError):
    """The model's name is neither the base's nor an adapter's."""

    code = "model_not_found"
    status = 404


class UnknownPathError(StudioError):
    """Nothing is served under this method and path."""

    code = "not_found"
    status = 404


class BodyTooLargeError(StudioError):
    """The request is longer than the server accepts."""

    code = "body_too_large"
    status = 413


class BusyError(StudioError):
    """Too many answers are waiting already."""

    code = "server_busy"
    status = 429


class DecodingFailedError(StudioError):
    """A pass through the model failed; its answers end there."""

    code = "decoding_failed"
    status = 500


class StoppingError(StudioError):
    """The server is about to end."""

    code = "server_stopping"
    status = 503
