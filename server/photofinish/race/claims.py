"""What goes into the arbiter and what comes out of it."""

from photofinish.engine import Micros, Record, Seat
from photofinish.race.evidence import By, Evidence, RaceRecord
from photofinish.race.score import Kind

NOTHING = Micros(0)


class Claim(Record, frozen=True):
    """A move that came in while a race was open."""

    ticket: int
    """The room's own name for it: unique in the race."""
    seat: Seat | None
    """None: a clock, a move of the room."""
    kind: Kind
    arrived: Micros
    """When its frame arrived, by the clock of the node that holds the socket."""
    reached: Micros
    """When it reached the owner, by the owner's clock. For a seat on the owner's node the same as `arrived`."""
    react_us: int | None = None
    """The client's own measurement: input event minus the drawing of the frame that showed the race."""
    nonce: str = ""
    """The trigger that it answers. Checked for contested moves only."""
    due: Micros | None = None
    """When the clock was due, by the owner's clock."""
    node: str = ""
    retransmits: int = 0
    loop_lag: Micros = NOTHING


class Release(Record, frozen=True):
    """A released move. The rules judge it now, before `next` is called again."""

    claim: Claim
    evidence: Evidence
    late: bool
    """It scored below a move already released. Nothing is undone."""
    heat: tuple[Seat | None, ...]
    """The seats of its dead heat, its own included, in the order of the toss; empty if there was none."""
    by: By


class Void(Record, frozen=True):
    """A move refused before the rules see it: `false_start` or `wrong_nonce`. No penalty."""

    claim: Claim
    why: str
    evidence: Evidence


class Closed(Record, frozen=True):
    """The closing entry, and the moves still held: the rules get those as ordinary late moves, in this order."""

    record: RaceRecord
    held: tuple[Claim, ...]
    heats: dict[int, int]
    """Ticket to the number of the dead heat it was in, for the released and the held; one may be alone in it."""
