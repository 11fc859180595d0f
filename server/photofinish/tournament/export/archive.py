"""A ZIP archive that is the same bytes on every machine: stored, in order of name, without times.

`verify` writes it again from its contents and compares: any changed byte shows, in headers too.
"""

import struct
import zlib
from collections.abc import Mapping

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_DATE = (1 << 5) | 1
"""1 January 1980: a ZIP entry must have a date, and this is the first one."""
_UTF8 = 1 << 11


class BadArchive(Exception):  # noqa: N818 - a finding
    """Not an archive as `packed` writes it."""


def packed(files: Mapping[str, bytes]) -> bytes:
    parts: list[bytes] = []
    central: list[bytes] = []
    offset = 0
    for name in sorted(files):
        raw, data = name.encode(), files[name]
        crc, size = zlib.crc32(data), len(data)
        local = _LOCAL.pack(b"PK\3\4", 20, _UTF8, 0, 0, _DATE, crc, size, size, len(raw), 0) + raw
        central.append(
            _CENTRAL.pack(
                b"PK\1\2", 20, 20, _UTF8, 0, 0, _DATE, crc, size, size, len(raw), 0, 0, 0, 0, 0, offset
            )
            + raw
        )
        parts += [local, data]
        offset += len(local) + size
    directory = b"".join(central)
    end = _END.pack(b"PK\5\6", 0, 0, len(central), len(central), len(directory), offset, 0)
    return b"".join([*parts, directory, end])


def unpacked(raw: bytes) -> dict[str, bytes]:
    """The files, read from the local headers one after the other. Raises `BadArchive`."""
    files: dict[str, bytes] = {}
    at = 0
    while raw[at : at + 4] == b"PK\3\4":
        if at + _LOCAL.size > len(raw):
            raise BadArchive(f"cut short at byte {at}")
        *_, size, length, extra = _LOCAL.unpack_from(raw, at)
        start = at + _LOCAL.size + length + extra
        if start + size > len(raw):
            raise BadArchive(f"cut short at byte {at}")
        try:
            name = raw[at + _LOCAL.size : at + _LOCAL.size + length].decode()
        except UnicodeDecodeError:
            raise BadArchive(f"no file name at byte {at}") from None
        files[name] = raw[start : start + size]
        at = start + size
    if packed(files) != raw:
        raise BadArchive("a byte outside the files was changed, or a file is not where it should be")
    return files
