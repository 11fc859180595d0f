"""Which wire this is, and its limits. Those a client has to mind are repeated in `welcome`."""

VERSION = 1
MSGPACK = "photofinish.v1+msgpack"
JSON = "photofinish.v1+json"
SUBPROTOCOLS = (MSGPACK, JSON)

MAX_FRAME = 16 * 1024
"""Bytes a client may send in one frame. A larger one closes the connection with 1009."""
MAX_ID = 2**53 - 1
"""The largest `id`: whole numbers that a double keeps exact."""
MAX_DEPTH = 8
"""How deep a move or options may be nested …"""
MAX_PARTS = 1024
"""… and of how many values they may be made."""
REMEMBERED = 64
"""So many answers are kept for each seat: the same id again gets the same answer."""
HELLO_SECONDS = 5
RATE = 50
"""Messages a second a connection may send on average …"""
BURST = 100
"""… and at once. Beyond that: `refused: too_fast`; ten of those within a second close the connection with 4429."""
MAX_NAME = 24
MAX_CHAT = 280
MAX_NONCE = 64
MIN_NONCE = 32
"""Hex digits of a nonce that was committed to: with fewer the server could guess it from its hash."""
REVEAL_SECONDS = 5
"""So long the deal waits for the nonces."""
MAX_RACE_MOVES = 32
"""Moves one seat may send in one race. Beyond that: `refused: too_many_moves`, but for a move that may end the race."""
EMOTES = ("hello", "thanks", "well_played", "oops", "wow", "hurry", "thinking", "sorry")
