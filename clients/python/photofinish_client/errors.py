"""What can go wrong for a player, by name."""

from photofinish_protocol.messages import Refused
from photofinish_protocol.reasons import Reason


class AskRefused(Exception):  # noqa: N818 - a refusal, the wire's word
    """The server said no; nothing has changed. `clause` names the rule of the game, if it was a rule."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(f"{refused.text} [{refused.clause}]" if refused.clause else refused.text)
        self.reason: Reason = refused.reason
        self.clause = refused.clause
        self.text = refused.text
        self.retry = refused.retry


class MoveRefused(AskRefused):
    """The move was not made."""


class SeatLost(AskRefused):
    """The seat cannot be taken up again with our token, or the server will not have us."""


class CutOff(Exception):  # noqa: N818 - the fact itself
    """The connection is gone for good, or was cut under an ask that cannot be repeated safely."""

    def __init__(self, text: str, code: int = 1006) -> None:
        super().__init__(text)
        self.code = code


class NoTerminal(Exception):  # noqa: N818 - the fact itself
    """There is no screen to draw on, or no keyboard."""
