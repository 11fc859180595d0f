"""A table in the terminal for any game: it draws the view and makes moves from the offers."""
