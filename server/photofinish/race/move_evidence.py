"""Makes the evidence of a move: what was known about it, and its score."""

from photofinish.engine import Micros
from photofinish.race.claims import NOTHING, Claim
from photofinish.race.evidence import Evidence
from photofinish.race.lanes import Lane, RunningRace
from photofinish.race.params import Params, Path, Standing
from photofinish.race.score import judge


def move_evidence(params: Params, race: RunningRace, lane: Lane, start: Standing, claim: Claim) -> Evidence:
    """A seat's move. Changes nothing: the arbiter records the result."""
    away = lane.away or lane.shown is None
    shown = race.opened if lane.shown is None or away else lane.shown
    arrived = claim.reached if away else claim.arrived
    path = Path() if away else lane.path
    react_us = None if away else claim.react_us
    contested = claim.kind == "contested"
    it = judge(
        params,
        claim.kind,
        elapsed=Micros(arrived - shown),
        path=path,
        react_us=react_us,
        start=start,
        least=max(lane.last, lane.least) if contested else max(lane.last, NOTHING),
    )
    why = "wrong_nonce" if contested and claim.nonce != race.nonce else "false_start" if it.void else ""
    return Evidence(
        ticket=claim.ticket,
        number=race.taken,
        seat=claim.seat,
        kind=claim.kind,
        shown=shown,
        arrived=arrived,
        reached=claim.reached,
        away=away,
        path=path,
        react_us=react_us,
        base=it.base,
        lo=it.lo,
        hi=it.hi,
        jitter=it.jitter,
        behind=it.behind,
        soft=NOTHING if why else it.soft,
        credit=NOTHING if why else it.credit,
        score=it.score,
        void=bool(why),
        why=why,
        nonce=claim.nonce if contested else "",
        node=claim.node,
        retransmits=claim.retransmits,
        loop_lag=claim.loop_lag,
    )


def clock_evidence(race: RunningRace, claim: Claim) -> Evidence:
    """A clock that expired: its due time is its score."""
    assert claim.due is not None
    score = Micros(max(0, claim.due - race.opened))
    return Evidence(
        ticket=claim.ticket,
        number=race.taken,
        seat=None,
        kind="clock",
        shown=race.opened,
        arrived=claim.due,
        reached=claim.reached,
        away=False,
        path=Path(),
        react_us=None,
        base=NOTHING,
        lo=score,
        hi=score,
        jitter=NOTHING,
        behind=NOTHING,
        soft=NOTHING,
        credit=NOTHING,
        score=score,
    )
