"""T5, T6: keys and proofs."""

import json
import stat
from pathlib import Path

from nacl.bindings import crypto_core_ed25519_add
from nacl.signing import SigningKey

from photofinish.tournament.people.identity import is_proof, is_seal, is_signed
from photofinish_client.keys import PlayerKey, host_of

URL = "ws://127.0.0.1:8765"
CHALLENGE = "ab" * 32


def test_T5_a_key_is_kept_in_a_file_that_only_its_owner_reads(tmp_path) -> None:
    file = tmp_path / "deep" / "player.key"
    key = PlayerKey.kept(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert PlayerKey.kept(file).public == key.public
    assert PlayerKey.new().public != key.public
    assert key._signing.encode().hex() not in repr(key)


def test_T6_I3_a_proof_is_valid_for_one_server_one_challenge_and_one_name() -> None:
    key = PlayerKey.new()
    made = key.proof(URL, CHALLENGE, "Ada")
    good = {"host": "127.0.0.1:8765", "challenge": CHALLENGE}
    assert is_proof(made.key, "Ada", made.signature, **good)
    assert not is_proof(made.key, "Bo", made.signature, **good)
    assert not is_proof(made.key, "Ada", made.signature, host="evil.example", challenge=CHALLENGE)
    assert not is_proof(made.key, "Ada", made.signature, host=good["host"], challenge="cd" * 32)
    assert not is_proof(PlayerKey.new().public, "Ada", made.signature, **good)
    assert not is_proof(made.key.upper(), "Ada", made.signature, **good)
    assert not is_proof(made.key, "Ada", made.signature[:-2], **good)
    assert not is_proof("zz" * 32, "Ada", made.signature, **good)


def test_T6_I3_a_key_of_small_order_and_a_second_form_of_a_signature_are_refused() -> None:
    neutral = b"\x01" + bytes(31)
    assert crypto_core_ed25519_add(SigningKey.generate().verify_key.encode(), neutral)
    assert not is_signed(neutral.hex(), b"anything", (neutral + bytes(32)).hex())
    key = SigningKey.generate()
    signature = key.sign(b"text").signature
    order = 2**252 + 27742317777372353535851937790883648493
    second = signature[:32] + (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    assert is_signed(key.verify_key.encode().hex(), b"text", signature.hex())
    assert not is_signed(key.verify_key.encode().hex(), b"text", second.hex())


def test_T6_the_host_is_the_one_that_was_dialled() -> None:
    assert host_of("ws://example.org") == "example.org"
    assert host_of("wss://example.org:443/x") == "example.org"
    assert host_of("wss://example.org:8443") == "example.org:8443"
    assert host_of("ws://[::1]:8765") == "[::1]:8765"


def test_an_organisers_seal_signs_the_head_of_the_log() -> None:
    key = PlayerKey.new()
    assert is_seal(key.public, "aa" * 32, key.seal("aa" * 32))
    assert not is_seal(key.public, "bb" * 32, key.seal("aa" * 32))


def test_T6_proof_and_seal_are_those_of_the_fixture_that_the_javascript_sdk_is_tested_with() -> None:
    example = json.loads(
        (Path(__file__).parents[3] / "protocol" / "identity.json").read_text(encoding="utf-8")
    )
    key = PlayerKey(SigningKey(bytes.fromhex(example["seed"])))
    made = key.proof(example["url"], example["challenge"], example["name"])

    assert (made.key, made.signature) == (example["key"], example["signature"])
    assert key.seal(example["head"]) == example["seal"]
    assert is_proof(
        example["key"],
        example["name"],
        example["signature"],
        host=example["host"],
        challenge=example["challenge"],
    )
