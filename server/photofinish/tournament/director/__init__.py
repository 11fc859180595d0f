"""The shell of events: storage, rooms, players, pages. Everything that decides is in the pure modules around it."""
