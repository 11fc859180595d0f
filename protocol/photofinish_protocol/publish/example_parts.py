"""What the examples share: a room, a token, nonces, options, limits."""

from typing import Any, NamedTuple

from photofinish_protocol import messages

ROOM = "MYDJB"
TOKEN = "MYDJB-1-5d1e0c7a94f2b8366a0fd4c1b9e82735"  # noqa: S105 - an example
COMMITMENT = "a27007fc6f0193996d9399ad75fb4f28b5f88d3244d7024b3c616fa0b07a074f"
SEED = "6f6919ebe33abd0ddbd4c477fde4147c33593247d5532365d2ac56c08424f5bd"
HEAD = "6aeb9821b07141290c136976a5317ab0f93da761aa19399c9d3653972419082f"
NONCE = "5b34c97302a45068"
ADAS = "ada0" * 8
BASILS = "b0b5c0ffee" * 4
"""Their nonces for the shuffle."""
OPTIONS: dict[str, Any] = {
    "target_points": 50,
    "look_seconds": 5,
    "give_seconds": 5,
    "show_seconds": 3,
    "race_min_ms": 1500,
    "turn_seconds": 60,
    "return_discard": False,
}


class Example(NamedTuple):
    name: str
    message: messages.ClientMessage | messages.ServerMessage

    @property
    def direction(self) -> str:
        """Which side sends this message."""
        return "client" if isinstance(self.message, messages.Request) else "server"
