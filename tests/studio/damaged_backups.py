"""Backups that were damaged in various ways."""

import gzip
import io
import json
import tarfile
from collections.abc import Callable


def cut(backup: bytes) -> bytes:
    return backup[: len(backup) // 2]


def change(backup: bytes) -> bytes:
    unpacked = bytearray(gzip.decompress(backup))
    unpacked[2000] ^= 1
    return gzip.compress(bytes(unpacked), 1)


def flip(backup: bytes) -> bytes:
    """Flip one bit where only the checksum at the end can reveal it."""
    return backup[:-8] + bytes([backup[-8] ^ 1]) + backup[-7:]


def without_end(backup: bytes) -> bytes:
    return rewrite(backup, lambda head, text: None if is_manifest(head) else (head, text))


def climbing(backup: bytes) -> bytes:
    return rename_key(backup, "files/../../taken")


def absolute(backup: bytes) -> bytes:
    return rename_key(backup, "/tmp/taken")


def linked(backup: bytes) -> bytes:
    def link(head: tarfile.TarInfo, text: bytes) -> tuple[tarfile.TarInfo, bytes]:
        if head.name == "files/secret_key":
            head.type, head.linkname, head.size = tarfile.SYMTYPE, "/etc/passwd", 0
        return head, text

    return rewrite(backup, link)


def nothing(backup: bytes) -> bytes:
    return b""


def rename_key(backup: bytes, name: str) -> bytes:
    def rename(head: tarfile.TarInfo, text: bytes) -> tuple[tarfile.TarInfo, bytes]:
        head.name = name if head.name == "files/secret_key" else head.name
        return head, text

    return rewrite(backup, rename)


def of_tomorrow(backup: bytes) -> bytes:
    def add(head: tarfile.TarInfo, text: bytes) -> tuple[tarfile.TarInfo, bytes]:
        if is_manifest(head):
            manifest = json.loads(text)
            manifest["migrations"]["tapes_app"].append("9999_of_tomorrow")
            text = json.dumps(manifest).encode()
            head.size = len(text)
        return head, text

    return rewrite(backup, add)


def is_manifest(head: tarfile.TarInfo) -> bool:
    return head.name == "manifest.json"


def rewrite(
    backup: bytes, edit: Callable[[tarfile.TarInfo, bytes], tuple[tarfile.TarInfo, bytes] | None]
) -> bytes:
    """Write a backup again with members changed or, where there is nothing, left out."""
    written = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(backup)) as old,
        tarfile.open(fileobj=written, mode="w:gz", compresslevel=1) as new,
    ):
        for head in old:
            file = old.extractfile(head)
            assert file is not None
            edited = edit(head, file.read())
            if edited is not None:
                new.addfile(edited[0], io.BytesIO(edited[1]))
    return written.getvalue()


DAMAGES = [cut, change, flip, without_end, climbing, absolute, linked, nothing]
