"""A forked room behaves like the first one and shares no changeable state with it."""

import copy
from collections import deque
from typing import Any

import msgspec
import pytest

from photofinish.engine.convert import pack
from photofinish.games import all_games
from tests.hunt.lines import kept
from tests.hunt.room_driver import RoomDriver
from tests.hunt.worlds.fork import fork
from tests.hunt.worlds.world import EVERYBODY, World
from tests.room.bench import Entropy

LOOSE = (dict, list, set, deque, bytearray)


@pytest.mark.parametrize("key", ["cambio", "kodiak", "jamaica"])
def test_two_rooms_share_nothing_that_can_change(key: str) -> None:
    game = all_games()[key]
    with kept() as lines:
        driver = RoomDriver(game, 3, game.options(), "fork", lines)
        driver.open()
        for steps in range(20, 200, 20):
            driver.run(steps)
            room = driver.world.room
            other = fork(room, Entropy(), None)

            here, there = changeable(room), changeable(other)
            assert len(here) > 30
            assert [here[it] for it in here.keys() & there.keys()] == []


def changeable(root: Any) -> dict[int, str]:
    """Every object reachable from here that can be changed in place, by identity.

    Attributes that are only replaced are left out.
    """
    found: dict[int, str] = {}
    todo: list[tuple[Any, str]] = [(root, "room")]
    while todo:
        it, path = todo.pop()
        if id(it) in found or path.endswith(WHOLE):
            continue
        if isinstance(it, LOOSE):
            found[id(it)] = path
            parts = list(it.values() if isinstance(it, dict) else it)
            todo += [(part, f"{path}[]") for part in parts]
        elif isinstance(it, tuple):
            todo += [(part, f"{path}()") for part in it]
        elif type(it).__module__.startswith(("photofinish.", "tests.")) and not is_frozen(it):
            found[id(it)] = path
            names = getattr(it, "__dict__", None) or slots(it)
            todo += [(getattr(it, name), f"{path}.{name}") for name in names]
    return found


WHOLE = (
    ".game",
    ".options",
    ".state",
    ".running",
    ".previous",
    ".kicked",
    ".nonces",
    ".parts",
    ".race",
    ".params",
    "record.races",
)
"""Never changed, only replaced by another."""


def slots(it: Any) -> list[str]:
    return [name for name in getattr(type(it), "__slots__", ()) if hasattr(it, name)]


def is_frozen(it: Any) -> bool:
    if isinstance(it, msgspec.Struct):
        return bool(it.__struct_config__.frozen)
    params = getattr(type(it), "__dataclass_params__", None)
    return params is not None and bool(params.frozen)


def test_a_fork_sends_the_same_as_a_deep_copy() -> None:
    """The fast fork and Python's slow deep copy get the same facts and send the same bytes to everybody."""
    game = all_games()["cambio"]
    with kept() as lines:
        driver = RoomDriver(game, 3, game.options(), "copy", lines, twins=0)
        driver.open()
        driver.run(40)
        compared = 0
        for _ in range(90):
            world = driver.world
            quick = twin(world, fork(world.room, counted(world), None, is_one_eyed=False))
            slow = twin(world, copy.deepcopy(world.room, {id(game): game}))
            doing = driver.steps.next(world)
            if not doing.facts:
                driver.run(driver.seen.steps + 1)  # time passes, or another game begins
                continue
            compared += 1
            for it in (quick, slow):
                for session, viewer in doing.comes:
                    it.let_in(session, viewer)
                it.step(doing.facts)

            assert {name: socket.frames for name, socket in quick.heard.items()} == {
                name: socket.frames for name, socket in slow.heard.items()
            }
            assert pack(quick.room.record) == pack(slow.room.record)
            driver.do(doing)
        assert compared > 30


def counted(world: World) -> Entropy:
    entropy = Entropy(world.entropy._seed)
    entropy._count = world.entropy._count
    return entropy


def twin(world: World, room: Any) -> World:
    made = World(room, counted(world), world.now, EVERYBODY)
    made.stalled = world.stalled
    made._ports = {session: socket.like(made) for session, socket in world.recorded_sockets.items()}
    return made
