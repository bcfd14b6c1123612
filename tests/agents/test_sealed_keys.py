"""Keys at rest."""

from typing import Any

import pytest

from tapes_app.agents.services.sealed_keys import KeyUnreadableError, open_key, seal_key
from tapes_app.engine.redaction import redact

KEY = "planted-key-for-sealing-42"


def test_a_sealed_key_opens_again_and_is_never_sealed_the_same_way_twice() -> None:
    sealed = seal_key(KEY)

    assert open_key(sealed, model="m") == KEY
    assert KEY.encode() not in sealed
    assert seal_key(KEY) != sealed


def test_an_opened_key_is_taken_out_of_every_text() -> None:
    open_key(seal_key(KEY), model="m")

    assert KEY not in redact(f"the server said: bad key {KEY}")


def test_a_key_under_another_secret_asks_to_be_entered_again(settings: Any) -> None:
    sealed = seal_key(KEY)
    settings.STUDIO_ENCRYPTION_KEY = b"0" * 32

    with pytest.raises(KeyUnreadableError, match="enter the key again"):
        open_key(sealed, model="m")
