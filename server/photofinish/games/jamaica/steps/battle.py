"""A battle: gunpowder, dice, the sabre, and what the winner may take or give."""

from photofinish.engine import Rng, replace
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import EMPTY, LADY_BETH, LAST_HOLD, SIXTH_HOLD, Battle, Shot, State
from photofinish.games.jamaica.steps.cargo import (
    drop_treasure,
    spent,
    take_treasure,
    treasure_at,
    with_hold,
    with_ship,
)
from photofinish.games.jamaica.steps.questions import firing, sabre_owner
from photofinish.games.jamaica.steps.voyage import name_of, privately
from photofinish.games.jamaica.words import cargo, goods, ship_id, ship_name, tell


def attack(state: State, defender: int) -> State:
    """J23: begin the battle against this ship. There is exactly one battle."""
    text = f"{{ship}} attacked {ship_name(state, defender)}."
    state = tell(state, "attacked", state.mover, text, target=ship_id(state, defender))
    return replace(state, battle=Battle(state.mover, defender), phase="fire")


def fire(state: State, amounts: dict[int, int], rng: Rng) -> State:
    """J24: first the side spends its gunpowder, then it rolls."""
    side, powder = firing(state), sum(amounts.values())
    state = with_ship(state, side, spent(state.ships[side], amounts))
    state = _roll(replace(state, phase="judge"), side, powder, rng)
    return replace(state, phase="judge" if sabre_owner(state) is None else "sabre")


def sabre(state: State, rng: Rng) -> State:
    """J28: the last roll is repeated, and the new one counts. The gunpowder still counts."""
    battle, owner, side = state.battle, sabre_owner(state), firing(state)
    assert battle is not None
    assert owner is not None
    shot = battle.defence or battle.attack
    assert shot is not None
    state = tell(state, "sabre", owner, "{ship} drew Saran's Sabre: the roll is made again.")
    state = replace(state, battle=replace(battle, sabre_used=True), phase="judge")
    return _roll(state, side, shot.powder, rng)


def _roll(state: State, side: int, powder: int, rng: Rng) -> State:
    box, battle = the_box(), state.battle
    assert battle is not None
    face = rng.below(len(box.die))
    is_star = box.die[face].is_star
    bonus = box.beth_bonus if state.ships[side].has(LADY_BETH) and not is_star else 0  # J27
    shot = Shot(powder, face, bonus)
    part = "attack" if side == battle.attacker else "defence"
    state = replace(state, battle=replace(battle, **{part: shot}))
    firepower = strength(shot)
    text = "{ship} rolled a star." if is_star else f"{{ship}} came to a firepower of {firepower}."
    detail = {"powder": powder, "die": box.die[face].combat, "bonus": bonus, "firepower": firepower}
    return tell(state, "fired", side, text, **detail)


def strength(shot: Shot) -> int | None:
    """J24: gunpowder plus die. None is a star, which beats every number."""
    face = the_box().die[shot.face]
    return None if face.is_star else shot.powder + int(face.combat) + shot.bonus


def judge(state: State) -> State:
    """J25, J26. If the attacker rolls a star, the defender does not roll."""
    battle = state.battle
    assert battle is not None
    assert battle.attack is not None
    attacking = strength(battle.attack)
    if attacking is None:
        return _won(state, battle, battle.attacker)
    if battle.defence is None:
        return replace(state, phase="fire")
    defending = strength(battle.defence)
    if defending is None or defending > attacking:
        return _won(state, battle, battle.defender)
    if attacking > defending:
        return _won(state, battle, battle.attacker)
    return over(tell(state, "battle_tied", None, "Equal firepower: nothing happens."))


def _won(state: State, battle: Battle, winner: int) -> State:
    """J29: the winner is always asked."""
    battle = replace(battle, winner=winner)
    text = f"{{ship}} won the battle against {ship_name(state, battle.loser)}."
    state = tell(state, "battle_won", winner, text, loser=ship_id(state, battle.loser))
    return replace(state, battle=battle, phase="spoils")


def over(state: State) -> State:
    return replace(state, battle=None, phase="settle")


def leave(state: State) -> State:
    winner, _ = _sides(state)
    return over(tell(state, "left", winner, "{ship} let the loser go."))


def loot_hold(state: State, number: int, into: int | None) -> State:
    """J30. If there is no hold for it, it goes to the bank (J48)."""
    winner, loser = _sides(state)
    taken = state.ships[loser].holds[number]
    assert taken.resource is not None
    state = with_ship(state, loser, with_hold(state.ships[loser], number, EMPTY))
    detail = {"loser": ship_id(state, loser), "hold": number, "into": into, **cargo(taken)}
    what = goods(taken.resource, taken.count)
    if into is None:
        text = f"{{ship}} threw {what} of {ship_name(state, loser)} overboard."
        return over(tell(state, "looted", winner, text, **detail))
    before = state.ships[winner].holds[into]
    if before.resource is not None:
        text = f"{{ship}} emptied hold {into} of {goods(before.resource, before.count)}."
        state = tell(state, "emptied", winner, text, hold=into, **cargo(before))
    state = with_ship(state, winner, with_hold(state.ships[winner], into, taken))
    text = f"{{ship}} took {what} from {ship_name(state, loser)} into hold {into}."
    return over(tell(state, "looted", winner, text, **detail))


def loot_treasure(state: State, place: int) -> State:
    """J31. J40: a card keeps its side, but a power that turns up when taken is laid face up."""
    winner, loser = _sides(state)
    taken = treasure_at(state.ships[loser], place)
    assert taken is not None
    is_power = the_box().treasure[taken.card].type == "power"
    up = taken.up or (is_power and winner != state.ghost)
    contents = state.ships[loser].holds[LAST_HOLD:] if taken.up and taken.card == SIXTH_HOLD else ()
    to = state.ships[winner].places
    state = with_ship(state, loser, drop_treasure(state.ships[loser], place))
    robber = take_treasure(state.ships[winner], taken.card, up=up, curse=taken.curse)
    for hold in contents:  # J48: the Ghost Ship keeps only gold
        keeps = winner != state.ghost or hold.resource == "gold"
        robber = with_hold(robber, LAST_HOLD, hold if keeps else EMPTY)
    state = with_ship(state, winner, robber)
    detail = {"loser": ship_id(state, loser), "from_place": place, "place": to}
    if up:
        text = f"{{ship}} took {name_of(taken.card)} from {ship_name(state, loser)}."
        return over(tell(state, "robbed", winner, text, **detail, card=taken.card))
    text = f"{{ship}} took a face-down treasure from {ship_name(state, loser)}."
    state = tell(state, "robbed", winner, text, **detail)
    if winner != state.ghost:
        state = privately(state, winner, taken.card, to, "took")
    if loser != state.ghost:
        state = privately(state, loser, taken.card, place, "lost")
    return over(state)


def curse(state: State, place: int) -> State:
    """J32: face down, but from now on everybody knows that it is a curse."""
    winner, loser = _sides(state)
    given = treasure_at(state.ships[winner], place)
    assert given is not None
    to = state.ships[loser].places
    state = with_ship(state, winner, drop_treasure(state.ships[winner], place))
    state = with_ship(state, loser, take_treasure(state.ships[loser], given.card, up=False, curse=True))
    text = f"{{ship}} gave a cursed treasure to {ship_name(state, loser)}."
    detail = {"loser": ship_id(state, loser), "from_place": place, "place": to}
    state = tell(state, "cursed", winner, text, **detail)
    if loser != state.ghost:
        state = privately(state, loser, given.card, to, "were given")
    return over(privately(state, winner, given.card, place, "gave"))


def _sides(state: State) -> tuple[int, int]:
    battle = state.battle
    assert battle is not None
    assert battle.winner is not None
    return battle.winner, battle.loser
