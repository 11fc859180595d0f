"""The menu of moves in the terminal."""
