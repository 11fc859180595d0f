"""The limits that `welcome` sends to every client."""

from photofinish_protocol import messages
from photofinish_protocol.version import BURST, EMOTES, MAX_CHAT, MAX_FRAME, MAX_NAME, RATE, REMEMBERED

LIMITS = messages.Limits(
    frame=MAX_FRAME,
    rate=RATE,
    burst=BURST,
    name=MAX_NAME,
    chat=MAX_CHAT,
    remembered=REMEMBERED,
    emotes=EMOTES,
)
