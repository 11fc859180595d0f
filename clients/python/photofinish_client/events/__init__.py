"""Events (tournaments) for clients: follow, play, show."""
