"""The interface of events to the rest of the server: requests, calls to players, pages, and the director."""

from collections.abc import Mapping
from typing import Literal

from websockets.http11 import Request, Response

from photofinish.engine import AnyGame
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay
from photofinish.store.events import RedisEvents
from photofinish.tournament.director.calls import Calls, FollowerPort
from photofinish.tournament.director.director import Director
from photofinish.tournament.director.followers import Followers
from photofinish.tournament.director.loaded_events import LoadedEvents
from photofinish.tournament.director.pages import EventPages
from photofinish.tournament.director.request_handler import CountsEvents, EventRequestHandler
from photofinish.tournament.director.rooms import EventRooms
from photofinish_protocol import messages


class Events:
    def __init__(
        self,
        store: RedisEvents,
        directory: Directory,
        relay: Relay,
        games: Mapping[str, AnyGame],
        most_bots: int | None = None,
        *,
        behind_proxy: bool = False,
    ) -> None:
        loaded = LoadedEvents(store)
        self._handler = EventRequestHandler(loaded, games, most_bots, behind_proxy=behind_proxy)
        self._calls = Calls(loaded)
        self._followers = Followers(loaded)
        self._pages = EventPages(loaded, directory)
        self._director = Director(loaded, EventRooms(directory, relay, store, games), self._calls)

    def start(self) -> None:
        self._director.start()
        self._calls.start()
        self._followers.start()

    async def stop(self) -> None:
        await self._followers.stop()
        await self._calls.stop()
        await self._director.stop()

    def is_proof(self, key: str, name: str, signature: str, *, host: str, challenge: str) -> bool:
        return self._handler.is_proof(key, name, signature, host=host, challenge=challenge)

    def key_connected(self, key: str, port: FollowerPort) -> None:
        self._calls.key_connected(key, port)

    def key_disconnected(self, key: str, port: FollowerPort) -> None:
        self._calls.key_disconnected(key, port)

    async def follow(
        self, port: FollowerPort, key: str, asked: messages.Follow
    ) -> tuple[messages.EventGot, messages.EventNews | None]:
        return await self._followers.follow(port, key, asked)

    def unfollow(self, port: FollowerPort, event: str) -> None:
        self._followers.unfollow(port, event)

    def connection_closed(self, port: FollowerPort) -> None:
        self._followers.connection_closed(port)

    async def called_to(self, key: str, event: str) -> str:
        return await self._calls.room_of(key, event)

    async def rank_at(self, key: str, room: str) -> Literal["", "referee", "hands"]:
        return await self._calls.rank_at(key, room)

    async def request(
        self, key: str, name: str, message: messages.EventRequest, limits: CountsEvents
    ) -> messages.EventGot:
        return await self._handler.request(key, name, message, limits)

    async def page(self, path: str, query: str, request: Request) -> Response | None:
        return await self._pages.page(path, query, request)
