"""Pairings (§7, T28 to T34): pure functions of the standings and a published key."""
