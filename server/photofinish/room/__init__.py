"""A room: a table with its players, its game, its clocks and its races."""
