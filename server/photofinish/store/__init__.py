"""Storage of rooms, replays and events. Redis holds the authoritative copy."""
