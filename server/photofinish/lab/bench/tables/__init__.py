"""The tables of the load generator: groups of sockets, each with one action under way at a time."""
