"""Which pages may open a websocket."""

import pytest

from studio.origins import is_same_origin


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8700", "http://127.0.0.1:8700"),
        ("localhost:8700", "http://localhost:8700"),
        ("[::1]:8700", "http://[::1]:8700"),
        ("LOCALHOST:8700", "http://localhost:8700"),
    ],
)
def test_a_page_of_the_studio_may(host: str, origin: str) -> None:
    assert is_same_origin([(b"host", host.encode()), (b"origin", origin.encode())])


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8700", "http://evil.example"),
        ("127.0.0.1:8700", "http://127.0.0.1:3000"),
        ("127.0.0.1:8700", "http://localhost:8700"),
        ("evil.example", "http://evil.example"),
        ("127.0.0.1:8700", "null"),
        ("127.0.0.1:8700", ""),
        ("127.0.0.1:8700", "file://127.0.0.1:8700"),
        ("", ""),
    ],
)
def test_any_other_page_may_not(host: str, origin: str) -> None:
    assert not is_same_origin([(b"host", host.encode()), (b"origin", origin.encode())])
