"""A player's private key (Ed25519). Stored in a file that only its owner can read, and never sent (T5)."""

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from nacl.signing import SigningKey
from websockets.headers import build_host

from photofinish_protocol.messages import Identify

PROOF: Final = b"photofinish identity 1\n"
SEAL: Final = b"photofinish seal 1\n"


@dataclass(frozen=True, slots=True)
class PlayerKey:
    _signing: SigningKey = field(repr=False)

    @classmethod
    def new(cls) -> "PlayerKey":
        return cls(SigningKey.generate())

    @classmethod
    def kept(cls, file: Path) -> "PlayerKey":
        """The key in this file. If the file does not exist, a new key is written to it.

        The file appears whole or not at all, and only once: programs that start together have the same key.
        """
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=".key-") as new:  # mode 600
                new.write(cls.new()._signing.encode().hex() + "\n")  # noqa: SLF001 - its own
                new.flush()
                os.fsync(new.fileno())
                with suppress(FileExistsError):
                    os.link(new.name, file)
        return cls(SigningKey(bytes.fromhex(file.read_text(encoding="ascii").strip())))

    @property
    def public(self) -> str:
        """The player's id: 64 hex digits."""
        return self._signing.verify_key.encode().hex()

    def proof(self, url: str, challenge: str, name: str) -> Identify:
        """T6: a signature that is valid only for this server and this connection."""
        text = PROOF + f"{host_of(url)}\n{challenge}\n{self.public}\n{name}".encode()
        return Identify(id=0, key=self.public, name=name, signature=self._signing.sign(text).signature.hex())

    def seal(self, head: str) -> str:
        """An organiser's signature over the head of an event's log."""
        return self._signing.sign(SEAL + head.encode()).signature.hex()


def host_of(url: str) -> str:
    """The `Host` header that a client of this address sends."""
    parts = urlsplit(url)
    is_secure = parts.scheme == "wss"
    return build_host(parts.hostname or "", parts.port or (443 if is_secure else 80), is_secure)


def key_file() -> Path:
    """The file with this user's key."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "photofinish" / "player.key"
