"""The exceptions of the SDK."""

from photofinish_protocol.messages import Refused
from photofinish_protocol.reasons import Reason


class RequestRefused(Exception):  # noqa: N818 - the protocol's word
    """The server refused a request; nothing has changed. `clause` names the rule of the game, if a rule was broken."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(f"{refused.text} [{refused.clause}]" if refused.clause else refused.text)
        self.reason: Reason = refused.reason
        self.clause = refused.clause
        self.text = refused.text
        self.retry = refused.retry
        self.errors = refused.errors
        """With `bad_event`: each fault of the event file, with its line."""


class MoveRefused(RequestRefused):
    """The server refused a move; the move was not made."""


class SeatLost(RequestRefused):
    """The seat cannot be resumed with our token, or the server refuses this client for good."""


class CutOff(Exception):  # noqa: N818 - the fact itself
    """The connection has ended for good, or was cut during a request that is not safe to repeat."""

    def __init__(self, text: str, code: int = 1006) -> None:
        super().__init__(text)
        self.code = code


class NoTerminal(Exception):  # noqa: N818 - the fact itself
    """Standard input or output is not a terminal."""
