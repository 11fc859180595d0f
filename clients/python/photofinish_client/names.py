"""The default name of a player."""

import random


def guest_name() -> str:
    return f"Guest {random.randrange(100, 1000)}"  # noqa: S311 - a name, not a secret
