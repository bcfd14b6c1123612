"""Images and audio in steps and messages: chat-completions parts of known formats and sizes.

A part is `{"type": "image_url", "image_url": {"url": "data:image/png;base64,…"}}` or
`{"type": "input_audio", "input_audio": {"data": "…", "format": "wav"}}`. An image given by its
address stays an address: the studio never fetches it.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic_core import to_jsonable_python

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.raster import read_raster

MOST_ATTACHMENTS = 10
LARGEST_ATTACHMENT = 5_000_000
"""Bytes of one image or recording; providers accept no more."""

LARGEST_TOGETHER = 20_000_000
MOST_PIXELS = 50_000_000
"""A tiny image file can exhaust the memory of the program that decodes it."""

Part = dict[str, Any]
_MEDIA = frozenset({"image_url", "input_audio"})
_SOUNDS: dict[str, tuple[bytes, ...]] = {
    "wav": (b"RIFF",),
    "mp3": (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"),
}


class MediaError(InvalidInputError):
    """An image or a recording has an unknown format or is too large."""

    code = "media_invalid"


class Image:
    """An image that a tool returns: PNG, JPEG, GIF or WebP."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.media_type = _check_image(data)

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        return cls(Path(path).read_bytes())

    def __repr__(self) -> str:
        return f"Image({self.media_type}, {len(self.data):,} bytes)"

    def to_part(self) -> Part:
        encoded = base64.b64encode(self.data).decode()
        return {
            "type": "image_url",
            "image_url": {"url": f"data:{self.media_type};base64,{encoded}"},
        }


class Audio:
    """A recording that a tool returns."""

    def __init__(self, data: bytes, format: Literal["wav", "mp3"]) -> None:  # noqa: A002
        self.data = data
        self.format = format
        _check_sound(data, format)

    def __repr__(self) -> str:
        return f"Audio({self.format}, {len(self.data):,} bytes)"

    def to_part(self) -> Part:
        encoded = base64.b64encode(self.data).decode()
        return {"type": "input_audio", "input_audio": {"data": encoded, "format": self.format}}


def has_media(content: Any) -> bool:
    """Return whether a content is a list of parts that includes an image or a recording."""
    return (
        isinstance(content, list | tuple)
        and all(isinstance(part, dict) and "type" in part for part in content)
        and any(part["type"] in _MEDIA for part in content)
    )


def list_media(content: Any) -> list[Part]:
    """Return the images and recordings among the parts of a content."""
    return [part for part in content if is_media(part)] if isinstance(content, list) else []


def is_media(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in _MEDIA


def check_attachments(parts: Sequence[Any]) -> tuple[Part, ...]:
    """Return the images and recordings of a message as they are stored and sent on.

    Raises:
        MediaError: one cannot be accepted; the message names it and the reason.
    """
    if len(parts) > MOST_ATTACHMENTS:
        raise MediaError(
            f"A message can have at most {MOST_ATTACHMENTS} attachments, not {len(parts)}.",
            count=len(parts),
        )
    total = 0
    checked: list[Part] = []
    for number, part in enumerate(parts, start=1):
        try:
            media = _read_part(part)
        except MediaError as error:
            raise MediaError(f"Attachment {number}: {error.message}", number=number) from error
        total += len(media.data)
        checked.append(media.to_part())
    if total > LARGEST_TOGETHER:
        raise MediaError(
            f"The attachments of a message can have at most {LARGEST_TOGETHER // 1_000_000} MB "
            f"together, not {total / 1_000_000:.1f}.",
            size=total,
        )
    return tuple(checked)


def result_parts(result: Any) -> list[Part] | None:
    """Return a tool's result as parts; `None` when it contains no image or recording.

    Raises:
        MediaError: there are too many, some are too large, or some cannot be displayed.
    """
    if isinstance(result, Image | Audio):
        return [result.to_part()]
    if not isinstance(result, list | tuple):
        return None
    if has_media(result):
        parts = [_without_address(part) for part in result]
    elif any(isinstance(item, Image | Audio) for item in result):
        parts = [_part_of(item) for item in result]
    else:
        return None
    check_attachments([part for part in parts if is_media(part)])
    return parts


def _part_of(item: Any) -> Part:
    if isinstance(item, Image | Audio):
        return item.to_part()
    data = to_jsonable_python(item, fallback=str, inf_nan_mode="strings")
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return {"type": "text", "text": text}


def _without_address(part: Part) -> Part:
    """Replace a remote image with text: fetching it would notify its owner."""
    url = _url_of(part)
    is_address = url is not None and not url.startswith("data:")
    return {"type": "text", "text": f"Image at {url}"} if is_address else part


def _url_of(part: Part) -> str | None:
    image = part.get("image_url")
    url = image.get("url") if isinstance(image, dict) else image
    return url if isinstance(url, str) else None


def _read_part(part: Any) -> Image | Audio:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "image_url":
        return _read_image(_url_of(part))
    sound = part.get("input_audio") if kind == "input_audio" else None
    if isinstance(sound, dict) and isinstance(sound.get("data"), str):
        return Audio(_decode(sound["data"]), sound.get("format"))  # type: ignore[arg-type]  # checked there
    raise MediaError(
        'It must be {"type": "image_url", "image_url": {"url": "data:…"}} or '
        '{"type": "input_audio", "input_audio": {"data": "…", "format": "wav"}}.'
    )


def _read_image(url: str | None) -> Image:
    head, comma, encoded = (url or "").partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64") or not comma:
        raise MediaError("Send the image itself as a data: URL; addresses are not fetched.")
    image = Image(_decode(encoded))
    named = head.removeprefix("data:").removesuffix(";base64")
    if named != image.media_type:
        raise MediaError(f"The image claims to be {named[:60]!r}, but it is {image.media_type!r}.")
    return image


def _decode(encoded: str) -> bytes:
    if len(encoded) > LARGEST_ATTACHMENT * 4 // 3 + 4:
        raise _too_large(len(encoded) * 3 // 4)
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise MediaError("The data is not base64.") from None


def _check_image(data: bytes) -> str:
    _check_size(data)
    raster = read_raster(data)
    if raster is None:
        raise MediaError("The image is not PNG, JPEG, GIF or WebP.")
    if raster.width * raster.height > MOST_PIXELS:
        raise MediaError(
            f"The image has {raster.width:,} by {raster.height:,} pixels; at most "
            f"{MOST_PIXELS // 1_000_000} million can be taken."
        )
    return raster.media_type


def _check_sound(data: bytes, name: Any) -> None:
    _check_size(data)
    if name not in _SOUNDS:
        raise MediaError("The format of a recording must be wav or mp3.")
    if not data.startswith(_SOUNDS[name]):
        raise MediaError(f"The recording is not {name}.")


def _check_size(data: bytes) -> None:
    if len(data) > LARGEST_ATTACHMENT:
        raise _too_large(len(data))


def _too_large(size: int) -> MediaError:
    return MediaError(
        f"An image or recording can have at most {LARGEST_ATTACHMENT // 1_000_000} MB, not "
        f"{size / 1_000_000:.1f}."
    )
