"""A bear outside its owner's turn: every catch opens a race for that salmon."""

from photofinish.engine import Happened, IllegalMove, Move, Race, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.alaska.deck import part
from photofinish.games.alaska.river import take
from photofinish.games.alaska.state import Catch, Kept, LetGo, Snatch, State, put, say


def land(state: State, gap: int) -> State:
    """The seat puts its salmon face up in front of it, and the race for it opens (A15, A28, A30)."""
    seat = state.turn
    state, salmon = take(state, gap)
    number = state.catches + 1
    state = replace(
        state,
        caught=put(state.caught, seat, (*state.caught[seat], salmon)),
        catches=number,
        catch=Catch(number, seat, salmon),
    )
    return say(state, "caught", seat, f"{{{seat}}} caught a salmon.", gap=gap, salmon=salmon)


def race(state: State) -> Race[Move] | None:
    """All other seats take part, whatever cards they hold (A32)."""
    if state.catch is None:
        return None
    return Race(f"bear:{state.catch.number}", state.others, (Snatch, LetGo), opener=state.catch.seat)


def snatch(state: State, seat: Seat, card: CardId) -> State:
    catch = state.catch
    if catch is None:
        raise IllegalMove("A31", "There is no catch to snatch: it was snatched already, or the time is over.")
    if seat == catch.seat:
        raise IllegalMove("A30", "You cannot snatch your own catch.")
    if seat in catch.let_go:
        raise IllegalMove("A32", "You have let this salmon go.")
    if card not in state.hands[seat] or part(card) != "bear":
        raise IllegalMove("A30", "Only a bear from your hand snatches a salmon.")
    state = replace(
        state,
        last=(),
        hands=put(state.hands, seat, tuple(it for it in state.hands[seat] if it != card)),  # A33
        caught=put(state.caught, catch.seat, state.caught[catch.seat][:-1]),
        discard=(*state.discard, catch.salmon, card),
        catch=None,
    )
    text = f"{{{seat}}}'s bear snatched {{{catch.seat}}}'s salmon."
    return say(state, "snatched", seat, text, catcher=catch.seat, salmon=catch.salmon, card=card)


def let_go(state: State, seat: Seat) -> State:
    """The seat declares that it will not snatch. Only this seat is told (A32)."""
    catch = state.catch
    if catch is None:
        raise IllegalMove("A32", "There is no catch to let go.")
    if seat == catch.seat:
        raise IllegalMove("A32", "You caught this salmon yourself.")
    if seat in catch.let_go:
        raise IllegalMove("A32", "You have let this salmon go already.")
    state = let_pass(state, seat)
    text = f"{{{seat}}} let the salmon go."
    return state if state.catch is None else replace(state, last=(Happened("let_go", seat, text, only=seat),))


def let_pass(state: State, seat: Seat) -> State:
    """This seat will not snatch. Nobody is told until all have let go (A32).

    `last` is emptied: if a new view repeated the catch, it would show that somebody has let go.
    """
    catch = state.catch
    assert catch is not None
    gone = tuple(it for it in state.others if it == seat or it in catch.let_go)
    if gone != state.others:
        return replace(state, last=(), catch=replace(catch, let_go=gone))
    # A34: from now on no bear can take this salmon.
    state = replace(state, last=(), catch=None, kept=Kept(catch.number, catch.seat))
    return say(state, "kept", catch.seat, f"{{{catch.seat}}} keeps the salmon.", salmon=catch.salmon)
