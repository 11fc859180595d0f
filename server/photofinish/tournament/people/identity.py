"""T5, T6: players' keys. Ed25519; keys of small order and non-canonical signatures are refused by libsodium."""

from nacl.exceptions import BadSignatureError, CryptoError
from nacl.signing import VerifyKey

PROOF = b"photofinish identity 1\n"
SEAL = b"photofinish seal 1\n"


def proof_text(host: str, challenge: str, key: str, name: str) -> bytes:
    """What `identify` signs. It contains the host, so that another server cannot reuse the proof."""
    return PROOF + f"{host}\n{challenge}\n{key}\n{name}".encode()


def is_proof(key: str, name: str, signature: str, *, host: str, challenge: str) -> bool:
    return is_signed(key, proof_text(host, challenge, key, name), signature)


def seal_text(head: str) -> bytes:
    return SEAL + head.encode()


def is_seal(key: str, head: str, signature: str) -> bool:
    """An organiser's signature over the head of the log."""
    return is_signed(key, seal_text(head), signature)


def is_signed(key: str, text: bytes, signature: str) -> bool:
    """Hex in lower case only, so that each key has exactly one spelling."""
    if key != key.lower() or signature != signature.lower():
        return False
    try:
        raw_key, raw_signature = bytes.fromhex(key), bytes.fromhex(signature)
        if len(raw_key) != 32 or len(raw_signature) != 64:
            return False
        VerifyKey(raw_key).verify(text, raw_signature)
    except (ValueError, BadSignatureError, CryptoError):
        return False
    return True
