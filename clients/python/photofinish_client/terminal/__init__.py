"""A table in the terminal, for any game: drawn from the view, played from the offers."""
