"""The version of the protocol, and its limits. `welcome` repeats those that a client must obey."""

VERSION = 1
MSGPACK = "photofinish.v1+msgpack"
JSON = "photofinish.v1+json"
SUBPROTOCOLS = (MSGPACK, JSON)

MAX_FRAME = 16 * 1024
"""Bytes a client may send in one frame. A larger one closes the connection with 1009."""
MAX_ID = 2**53 - 1
"""The largest `id`: whole numbers that a double keeps exact."""
MAX_DEPTH = 8
"""The deepest nesting of a move or of options."""
MAX_PARTS = 1024
"""The most values in a move or in options."""
REMEMBERED = 64
"""How many answers are kept per seat: the same id again gets the same answer."""
HELLO_SECONDS = 5
RATE = 50
"""Messages per second that a connection may send on average."""
BURST = 100
"""Messages that it may send at once. Above that: `refused: too_fast`; ten of these within a second: close code 4429."""
MAX_NAME = 24
MAX_CHAT = 280
MAX_NONCE = 64
MIN_NONCE = 32
"""Hex digits of a nonce that was committed to: with fewer the server could guess it from its hash."""
REVEAL_SECONDS = 5
"""How long the deal waits for the nonces."""
MAX_RACE_MOVES = 32
"""Moves of one seat in one race. Above that: `refused: too_many_moves`, except for a move that may end the race."""
EMOTES = ("hello", "thanks", "well_played", "oops", "wow", "hurry", "thinking", "sorry")
