"""What all sessions of a node share."""

from functools import cached_property

from photofinish.gateway.http.catalogue import Catalogue
from photofinish.gateway.sessions.events_port import EventsPort
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay


class NodeParts:
    """The rooms of this node, the way to other nodes, and the events. Without a relay this is the only node."""

    def __init__(
        self, directory: Directory, *, relay: Relay | None = None, events: EventsPort | None = None
    ) -> None:
        self.directory, self.relay, self.events = directory, relay, events

    @cached_property
    def catalogue(self) -> Catalogue:
        """The list of games. It takes a while to make, and does not change."""
        return Catalogue(self.directory.games)
